"""Faults in the wording of the command line, and its exit codes."""

from __future__ import annotations

from gpulingo.storage.faults import Fault

FAILED, WRONG, INTERRUPTED = 1, 2, 130
# Kind of a fault -> sentence.
SENTENCES = {
    "address": "{seen}: name another with --{field}",
    "field": "--{field}: {seen}",
    "longer": "{seen}: use --game {family}{turns}{rule}",
    "longer round": "{seen}: leave it out, or use --game {family}{turns}{rule}",
    "no rows": "{seen}: paste it whole, or give --target WORD",
    "no words": "{seen}: give the guesses by --words WORD,WORD,..",
    "weightless": "{seen}, or leave --weights out",
}


def worded(fault: BaseException | str) -> str:
    """Return a fault as the command line prints it; a text unchanged."""
    if not isinstance(fault, Fault) or fault.kind not in SENTENCES:
        return str(fault)
    return SENTENCES[fault.kind].format(seen=fault.seen, **fault.facts)

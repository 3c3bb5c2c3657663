"""Sentences of the command line on faults: the options and commands that help; standard library alone."""

from __future__ import annotations

from gpulingo.storage.faults import Fault

BY_OPTION = ": --every adds unfit guesses, and nothing else"
TEACH = "to teach it, add it to a file of words and give that by --wordlist"
# What conversations say of a word that a list or its targets lack.
REMEDIES = {"teach": TEACH, "targets": "--targets all takes every word"}
# Kind of a fault -> what is printed.
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
    """Return a fault as the command line prints it; a text as it is."""
    if not isinstance(fault, Fault) or fault.kind not in SENTENCES:
        return str(fault)
    return SENTENCES[fault.kind].format(seen=fault.seen, **fault.facts)

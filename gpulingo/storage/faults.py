"""One-line errors with facts, for which the printing code words the remedy."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

Complain = Callable[[Any], object]  # takes a one-line error, a text or a fault
CALLED = "gpulingo", "contextlib"  # modules between a user's line and a warning
T = TypeVar("T")
SHOWN = 40  # characters of a name that a message repeats


class Fault(ValueError):
    """An error in one line: what was seen and, if something helps everywhere, what to do.

    Attributes:
        seen, remedy: the error without the remedy, and the remedy; text, or another fault.
        kind: name of the command line's sentence about the remedy, if there is one; by default the remedy.
        facts: values for that sentence.
    """

    def __init__(
        self, seen: Exception | str, remedy: Exception | str = "", kind: str = "", **facts: object
    ) -> None:
        self.form = f"{{seen}}{'; ' if isinstance(seen, Fault) else ': '}{{remedy}}" if remedy else "{seen}"
        super().__init__(self.form.format(seen=seen, remedy=remedy))
        self.seen, self.remedy, self.kind, self.facts = seen, remedy, kind or str(remedy), facts


def warned(fault: object) -> None:
    """Report as Python does, with the line that called this package."""
    frame, level = sys._getframe(1), 2
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] in CALLED:
        frame, level = frame.f_back, level + 1
    warnings.warn(str(fault), stacklevel=level)


def reported(found: tuple[T, Iterable[Fault]], report: Complain) -> T:
    """Report the faults of files among others; return what was found in those."""
    for fault in found[1]:
        report(fault)
    return found[0]


class UsageError(Fault):
    """A request that cannot be answered."""


def meant(text: str, names: Iterable[str], least: float = 0.6) -> str:
    """Return a suggestion for a misspelt text, as a question with a space after it; empty if none is close.

    >>> meant("worlde", ["lingo", "wordle"])
    'did you mean wordle? '
    """
    from difflib import get_close_matches  # here: only a typing error needs it

    near = get_close_matches(text.lower(), list(names), cutoff=least)
    return f"did you mean {' or '.join(near)}? " if near else ""


def unknown(kind: str, text: str, names: Iterable[str], use: str = "", *, meaning: str = "") -> str:
    """Return the message for an unknown name; `meaning`, if given, is compared with the names instead.

    >>> unknown("game", "worlde", ["lingo", "wordle"])
    "no game 'worlde': did you mean wordle? use lingo, wordle"
    """
    every = list(names)
    return f"no {kind} {text[:SHOWN]!r}: {meant(meaning or text, every)}use {use or ', '.join(every)}"

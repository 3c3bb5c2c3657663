"""One-line errors with facts, for which the printing code words the remedy."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

Complain = Callable[[Any], object]  # takes a one-line error, a text or a fault
CALLED = "gpulingo", "contextlib"  # modules between a user's line and a warning
T = TypeVar("T")
SHOWN = 40  # characters of a name that a message repeats


class Remedy(str):
    """The remedy of a fault, with fields for its facts; the command line has its own sentence for each.

    A remedy is equal to itself alone: two may have the same text, or none. Errors of other processes bring it
    by its `name` in this module.
    """

    name = ""
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other

    def __reduce__(self) -> str:
        return self.name


class Fault(ValueError):
    """An error in one line: what was seen and, if something helps everywhere, what to do.

    Attributes:
        seen, remedy: the error without the remedy, and the remedy; text, or another fault.
        facts: values for the remedy's text and for the command line's sentence.
    """

    def __init__(self, seen: Exception | str, remedy: Exception | str = "", **facts: object) -> None:
        text = remedy.format(**facts) if isinstance(remedy, Remedy) else str(remedy)
        between = "; " if isinstance(seen, Fault) else ": "
        super().__init__(f"{seen}{between}{text}" if text else str(seen))
        self.seen, self.remedy, self.between, self.facts = seen, remedy, between, facts


def warned(fault: object) -> None:
    """Report as Python does, with the line that called this package."""
    frame, level = sys._getframe(1), 2
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] in CALLED:
        frame, level = frame.f_back, level + 1
    warnings.warn(str(fault), stacklevel=level)


def reported(outcome: tuple[T, Iterable[Fault]], report: Complain) -> T:
    """Report the faults of files among others; return what was found in those."""
    for fault in outcome[1]:
        report(fault)
    return outcome[0]


class UsageError(Fault):
    """A request that cannot be answered."""


def refuse(texts: Mapping[str, object], kind: type[Exception] = UsageError) -> None:
    """Refuse a request, or what a file holds, with the first of some texts that is true of it."""
    for text in [text for text, is_so in texts.items() if is_so]:
        raise kind(text)


class FieldError(UsageError):
    """A field of a request that cannot be used; its value says why."""

    def __init__(self, seen: Exception | str, field: str = "") -> None:
        super().__init__(seen, FIELD, field=field)
        self.field = field


FIELD, ADDRESS, PRECOMPILE, UNLISTED, WEIGHTLESS = (Remedy() for _ in range(5))
BESIDE = Remedy("{fault}")  # another fault explains it
AGAINST_HOST = Remedy("`suggest` takes it, `review` its rounds as wordle")
SEVERAL_BOARDS = Remedy("`simulate_boards`, `suggest_boards` and `review` take it")
FOR_HANGMAN = Remedy("it is for hangman")
LONGER, LONGER_ROUND = Remedy("use game {game.name}{turns}"), Remedy("leave it out")
NO_ROWS, NO_WORDS = Remedy("paste it whole, or give the target"), Remedy("give the guesses")
NO_LETTER, OTHER_LENGTH = Remedy("give the target"), Remedy("give words={length}")
NONE_STORED = Remedy("make one with `solve`, or name {instead}")
MAKE_AGAIN, MAKE_BOOK_AGAIN = Remedy("make it again"), Remedy("make the book again")
REPLACE, REPLACE_BOOK = Remedy("replace it"), Remedy("replace the book")
MAKE_FOR_LIST = Remedy("make one for the list")
PROVE_AGAIN, FORCE_AGAIN = Remedy("make it by `solve`"), Remedy("make one by `solve`")
ALL_RACKS = Remedy("make it of all racks")
RATES_FILE, ANOTHER_FOLDER = Remedy("name a file of rates"), Remedy("name another folder")
OPENINGS_FILE = Remedy("name openings, or a new file")
RESULTS_FILE = Remedy("name results, or a new file")
ROUNDS_FILE = Remedy("name rounds, or a new file")
TUNING_FILE = Remedy("name a tuning, or a new file")
TUNE, TUNE_LIST = Remedy("tune its list"), Remedy("tune its list")
TUNE_FOR = Remedy("tune its list for {turns} turns")
REMOVE = Remedy("{best} is used instead")
SIMULATE = Remedy("`simulate` plays it")
EXACT_FOR_FEWER = Remedy("`simulate` is exact for fewer")
ANOTHER_SEED = Remedy("search again with another seed")
USE_CPU, REPORT_GPU = Remedy("use the CPU"), Remedy("use the CPU, and please report it")
for _name in [name for name, value in globals().items() if isinstance(value, Remedy)]:
    globals()[_name].name = _name


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

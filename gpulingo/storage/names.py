"""Names typed by a user: suggestions for misspelt ones, in one message for every kind."""

from __future__ import annotations

from collections.abc import Iterable

SHOWN = 40  # characters of a name that a message repeats


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

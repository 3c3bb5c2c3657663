"""Messages about marks that no word fits: which guess rules out all, and the nearest reading."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType

from gpulingo.advice.candidates import READINGS, fitting, readings, ruling_out
from gpulingo.games import marks
from gpulingo.games.catalogue import feedback_of, guessed
from gpulingo.games.counts import Counts
from gpulingo.games.game import Game
from gpulingo.games.marks import lettered


class NoAnswer(marks.ContradictionError):
    """A history that has no answer, in one line."""


def contradiction(
    targets: list[str], history: Sequence[tuple[str, str]], game: Game, letter: str = ""
) -> str:
    """Which guess rules out all words, and which other marks would not, in one line.

    Args:
        targets: of which none fits. history: guesses and marks. letter: that is given, if one is.

    >>> from gpulingo.games.catalogue import lingo
    >>> contradiction(["dents"], [("dozes", "OXX?X")], lingo())
    'no word fits: guess 1, dozes GBBYB, rules out every word; if the s of dozes (place 5) were G instead of \
B, 1 would fit'
    """
    rule, noun = feedback_of(game), guessed(game)[0]
    if not targets:
        return f"no target begins with the letter {letter!r}: check it"
    turn = ruling_out(targets, history, rule)
    guess, row = history[turn - 1]
    fit = len(fitting(targets, history[: turn - 1], rule))
    before = f"the {noun} that fits" if fit == 1 else f"the {fit:,} {noun}s that fit"
    what = f"{before} those before it" if turn > 1 else f"every {noun}"
    seen = f"no {noun} fits: guess {turn}, {guess} {lettered(row)}, rules out {what}"
    told = "; ".join(_told(targets, history, rule)) or "no single other mark would do: check the guesses"
    return f"{seen}; {told}"


def _told(targets: list[str], history: Sequence[tuple[str, str]], rule: ModuleType) -> list[str]:
    """The readings of most words, each in a clause."""
    clauses = []
    for own in readings(targets, history, rule)[:READINGS]:
        guess, row = history[own.turn - 1]
        one, now, other = f"place {own.place} of {guess}", row[own.place - 1], own.marks[own.place - 1]
        if rule is marks:
            one = f"the {guess[own.place - 1]} of {guess} (place {own.place})"
            now, other = lettered(now), lettered(other)
        elif isinstance(rule, Counts):
            one, now, other = f"the {rule.noun} of {guess}", row, own.marks
        clauses.append(f"if {one} were {other} instead of {now}, {own.words:,} would fit")
    return clauses

"""The words that fit guesses and their marks; if none does, what rules them out, and likely corrections."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from types import ModuleType
from typing import NamedTuple

from gpulingo.games import marks
from gpulingo.games.catalogue import feedback_of, guessed, lettered
from gpulingo.games.counts import Counts
from gpulingo.games.game import Game

History = Sequence[tuple[str, str]]


READINGS = 3  # corrections that are printed


class Reading(NamedTuple):
    """A correction of a history that no word fits: one mark is changed."""

    turn: int  # of the guess, 1-based
    place: int  # of the mark, 1-based
    marks: str  # corrected marks of the guess
    words: int  # number of words that fit then


def fitting(words: Iterable[str], history: History, rule: ModuleType) -> list[str]:
    """Return the words that fit all marks, in list order.

    >>> fitting(["dents", "dozes", "reads"], [("dozes", "OXX?O")], marks)
    ['dents']
    """
    left = list(words)
    if rule is marks:
        left = _like(left, history)
    for guess, row in history:
        left = [word for word in left if rule.feedback(guess, word) == row]
    return left


def _like(words: list[str], history: History) -> list[str]:
    """Return the words that have the placed letters and lack the absent ones: a superset of those that fit.

    One expression over a text takes a tenth of the time of testing word by word.
    """
    if not history or not words:
        return words
    length = len(words[0])
    placed, never, nowhere = [""] * length, [""] * length, ""
    for guess, row in history:
        for place, (letter, mark) in enumerate(zip(guess, row, strict=True)):
            if mark == "O":
                placed[place] = letter
            else:
                never[place] += letter
            if mark == "X" and all(m == "X" for own, m in zip(guess, row, strict=True) if own == letter):
                nowhere += letter
    parts = [letter or f"[^\n{no}{nowhere}]" for letter, no in zip(placed, never, strict=True)]
    return re.findall(f"^{''.join(parts)}$", "\n".join(words), re.MULTILINE)


def readings(words: Iterable[str], history: History, rule: ModuleType) -> list[Reading]:
    """Return the corrections by one mark that some words fit, most words first; none whose word was
    guessed before the last turn.

    >>> [(one.turn, one.marks, one.words) for one in readings(["dents"], [("dozes", "OXX?X")], marks)]
    [(1, 'OXX?O', 1)]
    """
    counts: dict[tuple[int, int, str], int] = {}
    before = {guess for guess, _ in history[:-1]}
    cells = rule.numbers if isinstance(rule, Counts) else str
    for word in words:
        if word in before if rule is marks else before.issuperset(word):
            continue
        wrong = 0
        for turn, (guess, row) in enumerate(history, 1):
            shown = rule.feedback(guess, word)
            for place, (own, mark) in enumerate(zip(cells(shown), cells(row), strict=True), 1):
                if own != mark:
                    wrong += 1
                    key = turn, place, shown
            if wrong > 1:
                break
        if wrong == 1:
            counts[key] = counts.get(key, 0) + 1
    best = sorted(counts, key=lambda key: (-counts[key], key))
    return [Reading(*key, counts[key]) for key in best]


class NoAnswer(marks.ContradictionError):
    """A history that has no answer, in one line."""


def contradiction(
    targets: list[str], history: Sequence[tuple[str, str]], game: Game, letter: str = ""
) -> str:
    """Return which guess rules out all words, and which other marks would not, in one line.

    >>> from gpulingo.games.catalogue import lingo
    >>> contradiction(["dents"], [("dozes", "OXX?X")], lingo())
    'no word fits: guess 1, dozes GBBYB, rules out every word; if the s of dozes (place 5) were G instead of \
B, 1 would fit'
    """
    rule, noun = feedback_of(game), guessed(game)[0]
    if not targets:
        return f"no target begins with the letter {letter!r}: check it"
    turn = next(turn for turn in range(1, len(history) + 1) if not fitting(targets, history[:turn], rule))
    guess, row = history[turn - 1]
    fit = len(fitting(targets, history[: turn - 1], rule))
    before = f"the {noun} that fits" if fit == 1 else f"the {fit:,} {noun}s that fit"
    what = f"{before} those before it" if turn > 1 else f"every {noun}"
    seen = f"no {noun} fits: guess {turn}, {guess} {lettered(game, row)}, rules out {what}"
    told = "; ".join(_told(targets, history, rule)) or "no single other mark would do: check the guesses"
    return f"{seen}; {told}"


def _told(targets: list[str], history: Sequence[tuple[str, str]], rule: ModuleType) -> list[str]:
    clauses = []
    for own in readings(targets, history, rule)[:READINGS]:
        guess, row = history[own.turn - 1]
        one, now, other = f"place {own.place} of {guess}", row[own.place - 1], own.marks[own.place - 1]
        if rule is marks:
            one = f"the {guess[own.place - 1]} of {guess} (place {own.place})"
            now, other = marks.lettered(now), marks.lettered(other)
        elif isinstance(rule, Counts):
            one, now, other = f"the {rule.noun} of {guess}", row, own.marks
        clauses.append(f"if {one} were {other} instead of {now}, {own.words:,} would fit")
    return clauses

"""A host of hangman: after each letter some class of the words it could have meant is kept.

An honest one keeps that of the word it has drawn. Who asks is left to `letter_session`.
"""

from __future__ import annotations

import random

from gpulingo.games import positions
from gpulingo.words.shown import UNKNOWN

TYPE_CHECKING = False  # not typing's: importing it costs more than this module
if TYPE_CHECKING:
    from collections.abc import Callable

    Classes = dict[str, list[str]]
    # Of the classes, all letters guessed and the lives before the last guess: the marks of one class.
    Keep = Callable[[Classes, str, int], str]


def letter_classes(letter: str, candidates: list[str]) -> Classes:
    """Positions of the letter -> the candidates that have it there.

    >>> letter_classes("i", ["fish", "iris", "moth", "toad"])
    {'_O__': ['fish'], 'O_O_': ['iris'], '____': ['moth', 'toad']}
    """
    classes: Classes = {}
    missed: list[str] = []
    for candidate in candidates:
        if letter in candidate:
            classes.setdefault(positions.feedback(letter, candidate), []).append(candidate)
        else:
            missed.append(candidate)
    if missed:
        classes[positions.marks(0, len(missed[0]))] = missed
    return classes


def tie_key(marks: str) -> tuple[int, int]:
    """What classes that are as good are kept by, the least first: letters shown, pattern."""
    return marks.count(positions.THERE), positions.pattern(marks)


def largest(classes: Classes, guessed: str, lives: int) -> str:
    """The marks of the largest class; of equal ones those that show fewest letters, then the smaller pattern.

    >>> largest({"_O_": ["his"], "OO_": ["iii"], "__O": ["sti"]}, "i", 6)
    '__O'
    """
    return min(classes, key=lambda marks: (-len(classes[marks]), tie_key(marks)))


def diversity(classes: Classes, guessed: str, lives: int) -> str:
    """The marks of the class whose words have most different letters that were not guessed.

    Of equal ones those of the larger class, then those that show fewest letters, then the smaller pattern.

    Args:
        classes: of the letter guessed last. guessed: all letters guessed, that one too.
        lives: left before it.

    >>> diversity({"___": ["all", "ell", "lll"], "__O": ["abi", "cdi"]}, "i", 6)
    '__O'
    """

    def rank(marks: str) -> tuple[int, int, tuple[int, int]]:
        letters = {*"".join(classes[marks])}.difference(guessed)
        return -len(letters), -len(classes[marks]), tie_key(marks)

    return min(classes, key=rank)


HOSTS: dict[str, Keep | None] = {"honest": None, "largest": largest, "diversity": diversity}


class LetterHost:
    """A round.

    Args:
        words: that may be meant, of one length. lives: misses that end it.
        keep: chooses the class to be kept; None: that of the word drawn.
        seed: of the word that is drawn, and of the one that is shown in the end where that could not be kept.
    Attributes:
        left: the words that could still be named. shown: the word as far as it is. guessed: letters, in the
            order of the guesses. misses: so far.
    """

    def __init__(self, words: list[str], lives: int, keep: Keep | None, seed: int = 0) -> None:
        self._draw, self._keep = random.Random(seed), keep
        self._drawn = self._draw.choice(words)
        self.left, self.lives, self.misses = words, lives, 0
        self.shown, self.guessed = UNKNOWN * len(words[0]), ""

    @property
    def found(self) -> bool:
        """Whether all letters are shown."""
        return UNKNOWN not in self.shown

    @property
    def lost(self) -> bool:
        """Whether no life is left."""
        return self.misses >= self.lives

    def fault(self, letter: str) -> str:
        """Why a letter may not be guessed, in one line; empty where it may."""
        if len(letter) != 1 or not letter.isalpha():
            return "that is no letter"
        return f"{letter!r} was guessed before" if letter in self.guessed else ""

    def answer(self, letter: str) -> None:
        """Keep the class of a letter that has no fault."""
        self.guessed += letter
        classes = letter_classes(letter, self.left)
        if self._keep is None:
            marks = positions.feedback(letter, self._drawn)
        else:
            marks = self._keep(classes, self.guessed, self.lives - self.misses)
        self.left = classes[marks]
        self.misses += positions.THERE not in marks
        places = zip(self.shown, marks, strict=True)
        self.shown = "".join([letter if mark == positions.THERE else sign for sign, mark in places])

    def word(self) -> str:
        """The word meant: the one that was drawn, or else one of those that could still be named."""
        if self._drawn not in self.left:
            self._drawn = self._draw.choice(self.left)
        return self._drawn

"""A host of one round: after each guess it keeps a class of the candidates, that of its word or another.

Words and letters are guessed alike; the game says what is shown and when a round is over. `worst_case` says
which class takes most guesses; who asks is left to `session`.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from types import ModuleType

from gpulingo.games.catalogue import breach, feedback_of, guessed
from gpulingo.games.game import Game
from gpulingo.games.positions import THERE, outline
from gpulingo.words.shown import UNKNOWN, counted
from gpulingo.words.wordlist import WordList

Classes = dict[str, list[str]]
History = list[tuple[str, str]]
# Of the classes, and of guesses and marks, the last with no marks yet: the marks of one class.
Keep = Callable[[Classes, History], str]
MakeKeep = Callable[[WordList], Keep]

DIGITS = str.maketrans("X_?O", "0012")  # of marks and of positions, in the order of their patterns


def classes_of(rule: ModuleType, guess: str, candidates: list[str]) -> Classes:
    """Marks -> the candidates that a guess would show them of.

    >>> from gpulingo.games import marks, positions
    >>> classes_of(marks, "dozes", ["dents", "reads", "zones"])
    {'OXX?O': ['dents'], '?XX?O': ['reads'], 'XO?OO': ['zones']}
    >>> classes_of(positions, "i", ["fish", "iris", "moth", "toad"])
    {'_O__': ['fish'], 'O_O_': ['iris'], '____': ['moth', 'toad']}
    """
    classes: Classes = {}
    for candidate in candidates:
        classes.setdefault(rule.feedback(guess, candidate), []).append(candidate)
    return classes


def tie_key(marks: str) -> tuple[int, int, int]:
    """Return the key that breaks ties of classes, smallest first: places shown, misplaced, pattern."""
    return marks.count(THERE), marks.count("?"), int(marks.translate(DIGITS), 3)


def largest(classes: Classes, history: History | None = None) -> str:
    """Return the marks of the largest class; on ties the fewest places shown, then `tie_key`.

    >>> largest({"OXX": ["abc"], "XX?": ["xya"], "X?X": ["bxx"]})
    'XX?'
    >>> largest({"_O_": ["his"], "OO_": ["iii"], "__O": ["sti"]})
    '__O'
    """
    return min(classes, key=lambda marks: (-len(classes[marks]), tie_key(marks)))


def diversity(classes: Classes, history: History) -> str:
    """Return the marks of the class whose words have most different letters that were not guessed.

    On ties those of the larger class, then by `tie_key`.

    >>> diversity({"___": ["all", "ell", "lll"], "__O": ["abi", "cdi"]}, [("i", "")])
    '__O'
    """
    guessed = {letter for letter, _ in history}

    def rank(marks: str) -> tuple[int, int, tuple[int, int, int]]:
        letters = {*"".join(classes[marks])} - guessed
        return -len(letters), -len(classes[marks]), tie_key(marks)

    return min(classes, key=rank)


KEEPS: dict[str, Keep | None] = {"honest": None, "largest": largest, "diversity": diversity}


class Host:
    """A round.

    Args:
        words: what may be guessed, and the targets among them. game: its rules.
        keep: chooses the class to be kept; None: that of the word drawn.
        draw: draws the word, or the one that a host without a word shows in the end; None: none is drawn.
    Attributes:
        left: the candidates. history: guesses and marks so far.
        honest: whether a word was drawn that all marks are of.
    """

    def __init__(
        self, words: WordList, game: Game, keep: Keep | None, draw: random.Random | None = None
    ) -> None:
        self.words, self.game, self.rule = words, game, feedback_of(game)
        self.honest, self._keep, self._draw = keep is None, keep, draw
        self.left, self.history = words.targets, list[tuple[str, str]]()
        self._word = draw.choice(self.left) if draw else ""
        if game.guesses_letters and draw and self._word:
            self.left = [word for word in self.left if outline(word) == outline(self._word)]
        if game.given:
            self.left = [word for word in self.left if word[0] == self._word[0]]

    @property
    def shown(self) -> str:
        """The word with its revealed letters, for example `_i__`, where letters are guessed."""
        signs = list(outline(self.left[0]))
        for letter, marks in self.history:
            signs = [letter if mark == THERE else sign for sign, mark in zip(signs, marks, strict=True)]
        return "".join(signs)

    @property
    def used(self) -> int:
        """Turns used up: misses, or guesses."""
        if not self.game.counts_misses:
            return len(self.history)
        return sum(not self.rule.pattern(marks) for _, marks in self.history)

    @property
    def found(self) -> bool:
        """Return True if the word was guessed, or all its letters are shown."""
        if self.game.guesses_letters:
            return UNKNOWN not in self.shown
        solved = self.rule.solved(self.words.length)
        return bool(self.history) and self.rule.pattern(self.history[-1][1]) == solved

    @property
    def endless(self) -> bool:
        """Return True if a round continues until the word is found."""
        return self.game.opponent != "chance"

    @property
    def lost(self) -> bool:
        """Return True if no turn is left."""
        return not (self.endless or self.found) and self.used >= self.game.turns

    def fault(self, guess: str) -> str:
        """Why a guess may not be made, in one line; empty where it may."""
        if self.game.guesses_letters:
            if len(guess) != 1 or not guess.isalpha():
                return "that is no letter"
            return f"{guess!r} was guessed before" if any(guess == own for own, _ in self.history) else ""
        length = self.words.length
        if len(guess) != length:
            signs = counted(len(guess), guessed(self.game)[1].removesuffix("s"))
            return f"{guess[:40]!r} has {signs}, expected {length}"
        if guess not in self.words:
            return (
                f"{guess!r} is not among the {len(self.words):,} {guessed(self.game)[0]}s that may be guessed"
            )
        return breach(self.game, self.history, guess, self._word[:1])

    def answer(self, guess: str) -> str:
        """The marks of a guess that has no fault; the candidates that are left are those of its class."""
        classes = classes_of(self.rule, guess, self.left)
        if self._keep is None:
            marks = str(self.rule.feedback(guess, self._word))
        else:
            marks = (
                next(iter(classes))
                if len(classes) == 1
                else self._keep(classes, [*self.history, (guess, "")])
            )
        self.left = classes[marks]
        self.history.append((guess, marks))
        return marks

    def word(self) -> str:
        """The word meant: the one that was drawn, or else one that fits: the first, where none is drawn."""
        if self._word not in self.left:
            self._word = self._draw.choice(self.left) if self._draw else self.left[0]
        return self._word

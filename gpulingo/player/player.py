"""A player: follows a decision tree, or asks a searcher, or guesses by a rule that always has a guess.

It never fails: an error is reported in one line and the next way of guessing takes over. Rounds of words,
whose rule is any word that fits, are here; those of letters are in `guesser`. The protocols handle pipes and
arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from gpulingo.games.catalogue import feedback_of
from gpulingo.games.game import Game
from gpulingo.storage.faults import BESIDE, Complain, Fault
from gpulingo.trees.tree import Tree
from gpulingo.words.listing import WordList


class Player:
    """Guesses of one round, of words or of letters."""

    hint, ended = "", False  # instruction at a terminal; whether no further line is awaited
    _fitting: Callable[[], str]  # a guess without a tree

    def __init__(self, complain: Complain, game: Game) -> None:
        self.complain, self.game, self.rule = complain, game, feedback_of(game)
        self.known: dict[str, str] = {}
        self.follow(None, ())

    def follow(self, tree: Tree | None, names: Sequence[str] | WordList, letter: str = "") -> None:
        """Follow a tree, or none, from its root; in games that give a letter, from that letter's root."""
        self.tree, self.names = tree, names
        self.node = None if tree is None else tree.root(letter)

    def choose(self) -> str:
        """Return the next guess."""
        return self._followed() or self._fitting()

    def _followed(self) -> str:
        """Return the first guess of the tree whose marks are not known, or nothing."""
        if self.tree is None:
            return ""
        with replaced(self.complain, "the checkpoint leads nowhere", "searching instead"):
            while self.node is not None:
                name = self.names[self.tree.guess[self.node]]
                if name not in self.known:
                    return name
                self.node = self.tree.child(self.node, self.rule.pattern(self.known[name]))
            return ""
        self.tree = None
        return ""


class WordPlayer(Player):
    """A round of words."""

    def __init__(
        self,
        words: WordList,
        complain: Complain,
        game: Game,
        *,
        tree: Tree | None = None,
        search: Callable[[WordList], Any] | None = None,
        letter: str = "",
    ) -> None:
        super().__init__(complain, game)
        self.follow(tree, words, letter)
        self.words, self.search = words, search
        self.guessed: list[str] = []  # `known` are those whose marks fit some word
        self._letter = letter
        self._searcher: Any = None

    def greeting(self) -> list[str]:
        return [self.choose()]

    def take(self, marks: str) -> list[str]:
        """Return the next guess after marks; [] if they end the round."""
        self.ended = self.learn(marks) or len(self.guessed) >= self.game.turns
        return [] if self.ended else [self.choose()]

    def choose(self) -> str:
        """Return the next guess: always a word of the list."""
        word = super().choose()
        self.guessed.append(word)
        return word

    def learn(self, marks: str) -> bool:
        """Accept the marks of the last guess, or report impossible ones; True if they end the round."""
        length, rule = self.words.length, self.rule
        wrong = rule.fault(marks, length)
        if not wrong and rule.pattern(marks) == rule.solved(length):
            return True
        last = len(self.guessed) >= self.game.turns
        if not wrong and not last and not self._advanced(self.guessed[-1], marks):
            wrong = f"no word fits the marks {marks} of {self.guessed[-1]}"
        if wrong:
            self.complain(f"{wrong}; going on without these marks")
            self.tree = self.search = None
        else:
            self.known[self.guessed[-1]] = marks
        return False

    def _advanced(self, guess: str, marks: str) -> bool:
        """Advance to the candidates that fit the marks; False, without a change, if no word fits."""
        if self.tree is not None and self.node is not None:
            node = self.tree.child(self.node, self.rule.pattern(marks))
            if node is not None:
                self.node = node
            return node is not None
        left = [word for word in self._left if self.rule.feedback(guess, word) == marks]
        self._left = left or self._left
        return bool(left)

    @cached_property
    def _left(self) -> list[str]:
        """The candidates that fit what is known."""
        words = [word for word in self.words.targets if word.startswith(self._letter)]
        for guess, marks in self.known.items():
            words = [word for word in words if self.rule.feedback(guess, word) == marks]
        return words

    def _fitting(self) -> str:
        if self.search is not None:
            with replaced(self.complain, "the search failed"):
                self._searcher = self._searcher or self.search(self.words)
                return usable(self._searcher.guess(list(self.known.items())), self.words, self.guessed)
            self.search = None
        words = (word for words in (self._left, self.words.words) for word in words)
        return next((word for word in words if word not in self.guessed), self.words[0])


class UnusableError(Exception):
    """A proposal that cannot be guessed."""


def usable(word: Any, words: WordList, guessed: Collection[str]) -> str:
    """Return a proposed word if it can be guessed and was not."""
    if word not in words or word in guessed:
        raise UnusableError(f"it proposes {word!r}")
    return str(word)


@contextmanager
def replaced(complain: Complain, what: str, instead: str = "guessing any word that fits") -> Iterator[None]:
    """Report an error inside in one line: what failed, and what is done instead."""
    try:
        yield
    except Exception as error:
        text = error if isinstance(error, Fault) else " ".join(str(error).split())
        named = text if isinstance(error, UnusableError) else Fault(type(error).__name__, text)
        complain(Fault(Fault(what, BESIDE, fault=named), instead))

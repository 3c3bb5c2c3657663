"""Codes that a symmetry of a position maps to each other: of such codes one is to be shown.

Places and colours may be permuted where every code is possible at first; after some guesses the permutations
that keep each of them. Lists of words have no symmetries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import permutations
from math import perm
from typing import TypeVar

from gpulingo.games.catalogue import repeats_colours
from gpulingo.games.game import Game
from gpulingo.words.wordlist import WordList

T = TypeVar("T")
Pattern = tuple[str | int, ...]
Symmetry = tuple[tuple[int, ...], dict[str, str]]  # of each place the one it takes; images of colours


MOST_PLACES = 6  # whose orders are all tried, 720; in longer codes only colours are permuted


class Alike:
    """The symmetries of a position.

    Args:
        words: that may be guessed, with targets and weights. history: guesses and marks so far.
    Attributes:
        several: False if only the identity is known.
    """

    def __init__(self, words: WordList, game: Game, history: Sequence[tuple[str, str]] = ()) -> None:
        repeated, colours = repeats_colours(game), len(set("".join(words.words)))
        count = colours**words.length if repeated else perm(colours, words.length)
        whole = len(words) == len(words.targets) == count and words.weights is None
        guesses = [guess for guess, _ in history]
        self._kept = _kept(guesses, words.length) if repeated is not None and whole else []
        self.several = len(self._kept) > 0
        self._free = colours - len(set("".join(guesses)))
        self._first: dict[Pattern, tuple[str, int]] = {}

    def first(self, guess: str) -> tuple[str, int]:
        """The first code asked for of those that are alike, and their number.

        >>> from gpulingo.games.catalogue import find_game
        >>> from gpulingo.words.choice import words_of
        >>> alike = Alike(words_of(4, find_game("mastermind")), find_game("mastermind"))
        >>> [alike.first(guess) for guess in ("1123", "6465")]
        [('1123', 720), ('1123', 720)]
        """
        if not self._kept:
            return guess, 1
        if (own := _pattern(guess, *self._kept[0])) not in self._first:
            patterns = {_pattern(guess, *kept) for kept in self._kept}
            named = (len({name for name in pattern if isinstance(name, int)}) for pattern in patterns)
            found = guess, sum(perm(self._free, free) for free in named)
            self._first |= dict.fromkeys(patterns, found)
        return self._first[own]

    def one_of_each(self, guesses: Iterable[T], name: Callable[[T], str]) -> list[T]:
        """The first of those that are alike."""
        first: dict[str, T] = {}
        for own in guesses:
            first.setdefault(self.first(name(own))[0], own)
        return list(first.values())


def _kept(guesses: Sequence[str], length: int) -> list[Symmetry]:
    """The symmetries that keep all guesses, the identity first."""
    orders = permutations(range(length)) if length <= MOST_PLACES else [tuple(range(length))]
    kept = []
    for order in orders:
        pairs = {(guess[source], guess[place]) for guess in guesses for place, source in enumerate(order)}
        image = dict(pairs)
        if len(image) == len(pairs) == len(set(image.values())):
            kept.append((order, image))
    return kept


def _pattern(guess: str, order: Sequence[int], image: dict[str, str]) -> Pattern:
    """The image of a guess; colours that no guess had are numbered in their order."""
    free: dict[str, int] = {}
    moved = [guess[source] for source in order]
    return tuple(image[own] if own in image else free.setdefault(own, len(free)) for own in moved)

"""The letter guesser that finds most words, or takes fewest misses, when the target is random.

A few letters are compared at every set first, then more and more: there is a best tree at any time, and once
all letters have been compared that tree is proven optimal.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Event

import torch
from torch import Tensor

from gpulingo.games.game import Game
from gpulingo.solvers.letters.value import LetterSearch, letter_search
from gpulingo.tensors.clock import clock
from gpulingo.tensors.outcomes import ValuedTree
from gpulingo.tensors.threads import shared
from gpulingo.tensors.wordtable import WordTable

WIDTHS = (1, 2, 3, 4, 5, 6, 8, 12)  # letters compared at each set, before all are
LEVELS, BESIDE = 1, 4  # of the rollouts that choose letters of sets without an entry in the search's table
MEMORY = 1 << 30
LIMITS = (10**5, 10**6, 10**7)  # words of sets opened for a part of the targets before it is split
CLOSE = 200  # the gap is no longer halved once it is at most 1/200 of the value


Often = Callable[[int], None]


class _Ended(Exception):
    """The search was stopped."""


class MostFound:
    """The search, with its results so far: `value`, the credits of the best tree found, summed over the
    targets, and `bound`, an upper bound of any guesser.

    >>> from gpulingo import encode
    >>> from gpulingo.games.catalogue import hangman
    >>> search = MostFound(encode(["dents", "dozes", "reads", "tents"]), hangman(1), memory=1 << 20)
    >>> search.run()
    >>> search.value, search.bound, search.optimal
    (3, 3, True)
    """

    def __init__(self, table: WordTable, game: Game, memory: int = MEMORY) -> None:
        self._table, self._lives, self._ended = table, game.turns, Event()
        self._targets = table.targets.cpu()
        self._search = letter_search(table, game.payoff, memory)
        self.value = self._search.rollout(self._targets, self._lives, 0, 1)
        self.bound = self._search.bracket(self._targets, self._lives)[1]

    @property
    def optimal(self) -> bool:
        """Return True if the best tree found is proven optimal."""
        return self.value == self.bound

    def run(
        self,
        seconds: float = math.inf,
        widths: tuple[int, ...] = WIDTHS,
        often: Often = lambda width: None,
    ) -> None:
        """Search until the best is proven or the time is over, half of it for few letters (`widths`, then
        all); `often` gets the number of letters compared, and may raise to end the search.
        """
        self._ended.clear()
        letters = len(self._table.alphabet)
        ends, half = clock() + seconds, clock() + seconds / 2  # the other half is for the bound
        for width in [width for width in widths if width < letters]:
            if clock() < half:
                self._seek(width, self.value, partial(self._tell, often, width, ends, half))
        tell = partial(self._tell, often, letters, ends)
        for limit in LIMITS:
            self._reveal(limit, tell)
        while not self.optimal and not self._ended.is_set():
            gap = self.bound - self.value
            # A floor far above the value is quickly proven, and its table entries help with the next floor.
            floor = self.value + (gap // 2 if gap > self.value // CLOSE else 0)
            value = self._seek(letters, floor, tell)
            if value is not None:
                self.bound = max(self.value, min(self.bound, value))

    def _reveal(self, limit: int, tell: Callable[[], None]) -> None:
        """Lower the bound by parts of the targets, unless it is tight or the time is over."""

        def pause() -> None:
            if self._ended.is_set():
                raise _Ended

        if self.optimal or self._ended.is_set():
            return
        reveal = partial(revealed_bound, self._search, self._table, self._lives, limit, pause)
        with suppress(_Ended):
            self.bound = max(self.value, min(self.bound, shared([reveal], waiting=tell, stop=self.stop)[0]))
            tell()

    def _seek(self, width: int, floor: int, tell: Callable[[], None]) -> int | None:
        """Search among `width` letters for more than the floor, unless optimal or the time is over."""
        if self.optimal or self._ended.is_set():
            return None
        items = [partial(self._search.value, self._targets, self._lives, width, floor)]
        value = shared(items, waiting=tell, stop=self._search.stop)[0]
        lower, upper = self._search.bracket(self._targets, self._lives)
        self.value, self.bound = max(self.value, lower), min(self.bound, upper)
        if value is not None:
            tell()
        return value

    def stop(self) -> None:
        """Stop the running search, from another thread."""
        self._ended.set()
        self._search.stop()

    def tree(self) -> ValuedTree:
        """Return the best tree; sets that a small table has lost are completed by rollouts."""
        return self._search.tree(self._targets, self._lives, LEVELS, BESIDE)

    def _tell(self, often: Often, width: int, ends: float, part: float = math.inf) -> None:
        """Report the width, and end the search when its time is over, or this part of it."""
        often(width)
        if self._ended.is_set() or clock() >= ends:
            self.stop()
        elif clock() >= part:
            self._search.stop()


def revealed_bound(
    search: LetterSearch,
    table: WordTable,
    lives: int,
    limit: int,
    often: Callable[[], None] = lambda: None,
) -> int:
    """Return an upper bound of any guesser, in credits summed over the targets, by revealing some letters.

    A strategy for a set is also one for each part of it, so the values of the parts add up to at least that
    of the set. A set that is too large for the search is split by the letter that most words have.

    Args:
        search: of the table.
        limit: words of sets opened for a part before it is split further.
        often: called after every part; may raise to end it.
    """
    letters, alphabet = table.letters.cpu(), len(table.alphabet)

    def bound(members: Tensor) -> int:
        often()
        value = search.value(members, lives, alphabet, limit=limit)
        if value is not None:
            return value
        rows = letters[members.long()]  # [n, N]
        spots = torch.stack([rows == letter for letter in range(alphabet)])  # [A, n, N]
        uniform = (spots == spots[:, :1]).all(dim=2).all(dim=1)
        counts = spots.any(2).sum(1).masked_fill(uniform, -1)
        classes = torch.unique(spots[int(counts.argmax())], dim=0, return_inverse=True)[1]
        return sum(bound(members[classes == number]) for number in range(int(classes.max()) + 1))

    return bound(table.targets.cpu())

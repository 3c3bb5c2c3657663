"""The letter guesser that finds most words, on ties with the fewest misses, when the target is random.

A few letters are compared at every set first, then more and more: there is a best tree at any time, and once
all letters have been compared the words that it finds are proven the most. Then its sets are searched for
fewer misses.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from threading import Event
from typing import TypeVar

import numpy as np

from gpulingo.games.game import Game
from gpulingo.solvers.letters.value import LetterSearch
from gpulingo.solvers.payoffs import total_weight
from gpulingo.tensors.arrays import Array, array_of
from gpulingo.tensors.clock import Deadline, OutOfTime
from gpulingo.tensors.outcomes import LetterTree, ValuedTree
from gpulingo.tensors.threads import alone
from gpulingo.tensors.wordtable import WordTable, letter_places
from gpulingo.trees.tree import Tree

WIDTHS = (1, 2, 3, 4, 5, 6, 8, 12)  # letters compared at each set, before all are
LEVELS, BESIDE = 1, 4  # of the rollouts that choose letters of sets without an entry in the search's table
LIMITS = (10**5, 10**6, 10**7)  # words of sets opened for a part of the targets before it is split
REFINED = 2  # number of these limits in the search for fewer misses
CLOSE = 200  # the gap is no longer halved once it is at most 1/200 of the value
SHARE = 0.75  # of the time; the rest is for fewer misses

T = TypeVar("T")


class MostFound:
    """The search, with its results so far.

    >>> from gpulingo import encode
    >>> from gpulingo.games.catalogue import hangman
    >>> search = MostFound(encode(["dents", "dozes", "reads", "tents"]), hangman(1), memory=1 << 20)
    >>> search.run()
    >>> search.value, search.bound, search.optimal
    (3, 3, True)
    """

    def __init__(self, table: WordTable, game: Game, memory: int) -> None:
        self._table, self._lives, self._ended = table, game.turns, Event()
        self._deadline = Deadline(math.inf, self._ended)
        self._targets = array_of(table.targets)
        searched = game.tie_broken(total_weight(table))
        self._scale = searched.payoff[1] // game.payoff[1]
        self._search = LetterSearch(table, searched.payoff, memory)
        self._value = self._search.rollout(self._targets, self._lives, 0, 1)
        self._bound = self._search.bracket(self._targets, self._lives)[1]

    @property
    def value(self) -> int:
        """Credits of the best strategy found, summed over the targets; a small table may lose its tree."""
        return self._value // self._scale

    @property
    def bound(self) -> int:
        """Upper bound of the credits of any guesser."""
        return self._bound // self._scale

    @property
    def optimal(self) -> bool:
        """Return True if the best tree found is proven optimal."""
        return self.value == self.bound

    def run(
        self,
        seconds: float = math.inf,
        widths: tuple[int, ...] = WIDTHS,
        often: Callable[[int], None] = lambda width: None,
    ) -> None:
        """Search until the best is proven or the time is over, half of it for few letters (`widths`, then
        all); `often` gets the number of letters compared, and may raise to end the search.
        """
        self._ended.clear()
        self._often, bounded = often, SHARE if self._scale > 1 else 1
        ends = [Deadline(seconds * share, self._ended) for share in (1 / 2, bounded, 1)]
        self._deadline = ends[0]  # the other half is for the bound
        letters = len(self._table.alphabet)
        widths = tuple(width for width in widths if width < letters)
        for width in widths:
            if not self.optimal:
                self._seek(width, self._no_more(self.value))
        self._deadline = ends[1]
        for limit in LIMITS:
            if not self.optimal:
                self._lower_to(self._worked(partial(self.revealed_bound, limit), letters))
        while not self.optimal and not self._deadline.over():
            gap = self.bound - self.value
            # A floor far above the value is quickly proven, and its table entries help with the next floor.
            more = gap // 2 if gap > self.value // CLOSE else 0
            self._lower_to(self._seek(letters, self._no_more(self.value + more)))
        self._deadline = ends[2]
        if self._scale > 1:
            for width in widths:
                self._seek(width, self._value, LIMITS[-1])
            for limit in LIMITS[:REFINED]:
                self._worked(partial(self._refine, limit), letters)
            self.tree()

    def begin_with(self, tree: Tree) -> None:
        """Begin with a stored tree of the same targets and lives, and its bound."""
        first, values = tree.first, [0] * len(tree.guess)
        for node, members, lives in reversed([*sets_of(tree, self._table, self._lives)]):
            values[node] = sum(values[int(first[node]) : int(first[node + 1])])
            if tree.hit[node]:
                values[node] = self._search.bracket(members, lives)[0]
            else:
                self._search.note(members, lives, int(tree.guess[node]) - self._table.words, values[node])
        self._value = max(self._value, values[0])
        if tree.bound_value is not None:
            self._lower_to(self._no_more(tree.bound_value))

    def _lower_to(self, bound: int | None) -> None:
        if bound is not None:
            self._bound = max(self._value, min(self._bound, bound))

    def _refine(self, limit: int) -> None:
        """Search the sets of the best tree for fewer misses, or the parts of those that exceed the limit."""

        def searched(members: Array, lives: int) -> bool:
            self._deadline.check()
            letters = len(self._table.alphabet)
            return self._search.value(members, lives, letters, limit=limit) is not None

        for _ in sets_of(self.tree(), self._table, self._lives, searched):
            pass

    def revealed_bound(self, limit: int) -> int:
        """Return an upper bound of any guesser, in the search's own credits, by revealing some letters.

        A strategy for a set is also one for each part of it, so the values of the parts add up to at least
        that of the set. A set of which `limit` words of sets were opened is split by the letter that most
        words have. OutOfTime: the time is over.
        """
        places, alphabet = array_of(letter_places(self._table)), len(self._table.alphabet)

        def bound(members: Array) -> int:
            self._deadline.check()
            value = self._search.value(members, self._lives, alphabet, limit=limit)
            if value is not None:
                return value
            rows = places[members]  # [n, A]
            counts = np.where((rows == rows[0]).all(0), -1, (rows != 0).sum(0))
            column = rows[:, int(counts.argmax())]
            return sum(bound(members[column == pattern]) for pattern in np.unique(column))

        return bound(self._targets)

    def _worked(self, work: Callable[[], T], width: int) -> T | None:
        """Return the result of work that compares `width` letters, or None if the time is over."""

        def tell(pairs: int) -> None:
            self._often(width)
            if self._deadline.over():
                self._search.stop()

        if self._deadline.over():
            return None
        with suppress(OutOfTime):
            result = alone(work, self.stop, tell)
            tell(0)
            return result
        return None

    def _no_more(self, credits: int) -> int:
        """Return the greatest value of a search that is not above the credits."""
        return (credits + 1) * self._scale - 1

    def _seek(self, width: int, floor: int, limit: int = 1 << 62) -> int | None:
        """Search among `width` letters for a value above the floor, unless the time is over."""
        search = partial(self._search.value, self._targets, self._lives, width, floor, limit)
        value = self._worked(search, width)
        lower, upper = self._search.bracket(self._targets, self._lives)
        self._value, self._bound = max(self._value, lower), min(self._bound, upper)
        return value

    def stop(self) -> None:
        """Stop the running search, from another thread."""
        self._ended.set()
        self._search.stop()

    def tree(self) -> ValuedTree:
        """Return the best tree; sets that a small table has lost are completed by rollouts."""
        tree = self._search.tree(self._targets, self._lives, LEVELS, BESIDE)
        self._value = max(self._value, tree.value)
        return replace(tree, value=tree.value // self._scale)


def sets_of(
    tree: LetterTree | Tree,
    table: WordTable,
    lives: int,
    whole: Callable[[Array, int], bool] = lambda members, lives: False,
) -> Iterator[tuple[int, Array, int]]:
    """Yield the nodes of a tree of all targets, each with its words and lives, parents first.

    Args:
        whole: whether the nodes below one are left out, by its words and lives.
    """
    places, rows = array_of(letter_places(table)), [(0, array_of(table.targets), lives)]
    for node, members, left in rows:  # grows during the loop
        yield node, members, left
        if tree.hit[node] or whole(members, left):
            continue
        column = places[members, int(tree.guess[node]) - table.words]
        for child in range(int(tree.first[node]), int(tree.first[node + 1])):
            pattern = int(tree.pattern[child])
            rows.append((child, members[column == pattern], left - (pattern == 0)))

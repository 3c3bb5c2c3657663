"""One set of few words in numpy: its guesses ranked, rolled out and valued, without torch.

The same integers as those of `positions.rollout` for a position in which any word may be guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise

import numpy as np

from gpulingo.solvers.words.value import ValueSearch, value_search
from gpulingo.tensors.cpu.class_sizes import SizeWorth
from gpulingo.tensors.cpu.rank import SharedRanking, patterns_of
from gpulingo.tensors.outcomes import Valued
from gpulingo.tensors.wordtable import Array, Words, numbered

Choose = Callable[[Array, Array, int], Array]  # members and offsets of sets, turns left -> their guesses
Ask = Callable[[int, Callable[[], Valued]], Valued]  # gets the words of a set, and the search of it


class FewWords:
    """The words that fit a history of a game that shows marks.

    Args:
        words: those that may be guessed, then other guesses of the history.
        legal: number of the former.
        targets: [T] int32, ascending.
        history: guesses and patterns.
        payoff: credits by turns left, of the whole round.
        memory: bytes of the search's transposition table.
    Attributes:
        members: [n] int32, the words left.
        search: of the values of sets.
    """

    def __init__(
        self,
        words: Sequence[str],
        legal: int,
        targets: Array,
        history: Sequence[tuple[str, int]],
        *,
        payoff: Sequence[int],
        memory: int,
    ) -> None:
        letters, alphabet = numbered(words)
        pool = np.arange(legal, dtype=np.int32)
        self.table = Words(letters, alphabet, targets, pool, guesses=len(words))
        self.payoff, self.left, self.members = payoff, len(payoff) - 1 - len(history), targets
        self.past = [words.index(guess) for guess, _ in history]
        for guess, (_, pattern) in zip(self.past, history, strict=True):
            asked = np.full(len(self.members), guess, np.int32)
            self.members = self.members[patterns_of(self.table, asked, self.members) == pattern]
        self.search: ValueSearch = value_search(self.table, payoff, memory)

    def ranked(self, count: int) -> list[int]:
        """Return the guesses of most classes, and some candidates, without those already guessed."""
        members, pool = self.members, self.table.pool
        offsets = np.array([0, len(members)])
        rows = [self._rank(members, offsets, pool, 1, 1, min(count, len(pool)))[0]]
        if len(members) < len(pool):
            own = self._rank(members, offsets, None, 1, 1, min(count, len(members)))[0]
            rows.append(own[: count // 5 + 1])
        guesses = list(dict.fromkeys(guess for guess in np.concatenate(rows).tolist() if guess >= 0))
        left = [guess for guess in guesses if guess not in self.past] or guesses
        return left[: count + count // 5]

    def rolled_out(
        self, guesses: Sequence[int], choose: Choose
    ) -> list[tuple[int, list[int], int, int, float, bool]]:
        """Return guesses, each followed by a strategy, with the words found on each turn, the number of
        classes, the words of the largest, the bits of the marks, and whether it may be the answer.
        """
        count, turns = len(guesses), len(self.payoff) - 1
        members, offsets = np.tile(self.members, count), np.arange(count + 1) * len(self.members)
        by_turn, roots, left = np.zeros((count, turns), np.int64), np.arange(count), self.left
        classes, largest, bits, hit = roots, roots, roots, roots
        chosen = np.array(guesses, np.int32)
        while left:
            members, offsets, parents, hits = self._split(members, offsets, chosen)
            if left == self.left:
                hit, classes = hits, np.bincount(parents, minlength=count) + hits
                sizes, largest = np.diff(offsets), np.ones(count, np.int64)
                np.maximum.at(largest, parents, sizes)
                hidden = np.bincount(parents, sizes * np.log2(sizes), count) / len(self.members)
                bits = np.log2(len(self.members)) - hidden
            np.add.at(by_turn[:, turns - left], roots, hits)
            roots, left = roots[parents], left - 1
            if not len(parents):
                break
            if left:
                chosen = choose(members, offsets, left)
        columns = (row.tolist() for row in (by_turn, classes, largest, bits, hit.astype(np.bool_)))
        return list(zip(guesses, *columns, strict=True))

    def parts(self, members: Array, offsets: Array, left: int) -> Array:
        """Return [S] int32, the guess of the strategy `parts` for each set."""
        if left <= 1:
            return members[offsets[:-1]]
        step, bonus = 1, 0
        if left == 2:  # exact, see `strategies.objectives.two_turns`
            step, bonus = self.payoff[1] - self.payoff[0], self.payoff[2] - self.payoff[1]
        return self._rank(members, offsets, self.table.pool, step, bonus, 1)[:, 0]

    def best(self, ask: Ask, members: Array, offsets: Array, left: int) -> Array:
        """Return [S] int32, the best guess of each set by the search."""
        guesses = []
        for start, stop in pairwise(offsets.tolist()):
            words = np.ascontiguousarray(members[start:stop])
            guesses.append(ask(len(words), partial(self.search.best, words, left)).guess)
        return np.array(guesses, np.int32)

    def _rank(
        self, members: Array, offsets: Array, pool: Array | None, step: int, bonus: int, width: int
    ) -> Array:
        """Return [S, width] int32, the guesses by `step` for each class, and a bonus for candidates."""
        largest = int(np.diff(offsets).max())
        row = np.full((1, largest + 1), step, np.int64)
        row[0, 0] = 0
        worth = SizeWorth(row, np.diff(row), np.array([bonus]), False, step == 1, True)
        rows = np.zeros(len(offsets) - 1, np.int64)
        job = SharedRanking(self.table, members, offsets, pool, worth=worth, rows=rows, width=width)
        job.run()
        return job.best

    def _split(self, members: Array, offsets: Array, guesses: Array) -> tuple[Array, Array, Array, Array]:
        """Return members and offsets of the open classes by parent and pattern, their parents, and hits."""
        owners = np.repeat(np.arange(len(guesses)), np.diff(offsets))
        codes = patterns_of(self.table, guesses[owners], members)
        found = codes == 3**self.table.length - 1
        hits = np.zeros(len(guesses), np.int64)
        hits[owners[found]] = 1
        order = np.lexsort((codes[~found], owners[~found]))
        members, owners, codes = members[~found][order], owners[~found][order], codes[~found][order]
        begins = np.ones(len(members), np.bool_)
        begins[1:] = (owners[1:] != owners[:-1]) | (codes[1:] != codes[:-1])
        first = np.flatnonzero(begins)
        return members, np.append(first, len(members)), owners[first], hits

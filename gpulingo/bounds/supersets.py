"""Supersets: sets given by constraints such as "no e, an s, a t in the third place", and their counts.

All targets of a class share some constraints. The targets that satisfy these are a superset of the class, and
of classes of many other openings. No guess makes more classes of a part than of the whole. So the classes
that every word makes of a superset, counted once, show which guesses need not be tried on the classes inside
it, and bound the two-turn values of these.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, combinations

import numpy as np

from gpulingo.tensors.arrays import Array, Tensor, array_of, like, namespace
from gpulingo.tensors.bitsets import common_bits, first_within
from gpulingo.tensors.device import backend_of
from gpulingo.tensors.frontier import Frontier, frontier
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.operations import class_counts, most_classes
from gpulingo.tensors.outcomes import count_type
from gpulingo.tensors.wordtable import WordTable

MEMORY = 1 << 29  # a limit of memory: bytes of stored counts
# CPU seconds of `python benchmarks/bounds.py 5 --gap 55 --set supersets.NAME=VALUE`, the pit's list: 11.6
# with 8 constraints, 4 together. On a busy machine those took 17.1, these values 17.6.
SMALLEST = 100  # smaller sets use no supersets; 15.3 with 0, 11.6 with 1000
CONSTRAINTS = 6  # the rarest constraints of a set that are combined; 11.8 with 5, 12.0 with 11
TOGETHER = 3  # most constraints of one superset; 11.4 with 1, 11.8 with 2
ROWS = 8  # supersets, the smallest, whose counts rule guesses out for a set; 12.6 with 1, 12.1 with 64
WANTED = 20  # supersets that a set asks to count, the smallest; 18.7 with 1, 11.9 with 1000
ADDED = 20  # supersets are sorted again when 1/20 of them is new; 11.4 with 1, 11.4 with 1000

Key = tuple[int, ...]  # some constraints, ascending: the set of targets that they hold for


class Constraints:
    """The F constraints of a list of N-letter words over an alphabet of A, and the targets that satisfy them.

    Constraint x: the word has letter x; A + x: it lacks it; (2 + i) A + x: it has it at place i, from 0.
    Results are on the CPU.
    """

    def __init__(self, table: WordTable) -> None:
        self.words, self.targets = table.words, table.targets.shape[0]
        letters = array_of(table.letters)
        alphabet = len(table.alphabet)
        placed = np.stack([letters == x for x in range(alphabet)])  # [A, W, N]
        holds = placed.any(2)
        true = np.concatenate([holds, ~holds, placed.transpose(2, 0, 1).reshape(-1, table.words)])  # [F, W]
        if self.targets < self.words:
            no_target = np.ones(self.words, np.bool_)
            no_target[array_of(table.targets)] = False
            true[:, no_target] = False
        self.count, self.sizes = len(true), true.sum(1)  # F; [F] int64, number of targets that satisfy each
        # [F] int64, the constraint that each implies, or -1: a letter at a place is a letter of the word.
        self.implies = np.concatenate([np.full(2 * alphabet, -1), np.tile(np.arange(alphabet), table.length)])
        self._words, self._constraints = np.packbits(true, axis=1), _packed(true.T)
        self._sizes: dict[Key, int] = {}

    def common(self, sets: Frontier) -> Array:
        """[S, F / 64, rounded up] uint64: a bit for each constraint, 1 if all targets of a set have it."""
        bits: Array = common_bits(self._constraints, array_of(sets.members), array_of(sets.offsets))
        return bits

    def listed(self, bits: Array) -> list[int]:
        return np.flatnonzero(np.unpackbits(bits.view(np.uint8))[: self.count]).tolist()

    def bits(self, keys: Iterable[Key]) -> Array:
        """Return [P, F / 64, rounded up] uint64: a bit for each constraint of P keys."""
        listed = list(keys)
        true = np.zeros((len(listed), self.count), dtype=np.bool_)
        rows = np.repeat(np.arange(len(listed)), [len(key) for key in listed])
        true[rows, list(chain(*listed))] = True
        return _packed(true)

    def size(self, key: Key) -> int:
        if key not in self._sizes:
            self._sizes[key] = int(np.bitwise_count(self._of(key)).sum())
        return self._sizes[key]

    def members(self, key: Key) -> Array:
        """Return [n] int32: the targets of a superset, ascending."""
        return np.flatnonzero(np.unpackbits(self._of(key))[: self.words]).astype(np.int32)

    def _of(self, key: Key) -> Array:
        return np.bitwise_and.reduce(self._words[list(key)], axis=0)


def _packed(rows: Array) -> Array:
    bits = np.packbits(rows, axis=1)
    return np.ascontiguousarray(np.pad(bits, ((0, 0), (0, -bits.shape[1] % 8)))).view(np.uint64)


class Supersets:
    """Supersets of a list; `two` has an upper bound of the two-turn value of each, by key."""

    def __init__(self, constraints: Constraints) -> None:
        self.constraints, self.two = constraints, dict[Key, int]()
        # Sorted by two-turn value, least first: [P] int64 values, and [P, F / 64] uint64 constraints.
        # Replaced by one assignment, for threads.
        self._sorted = np.empty(0, dtype=np.int64), np.empty((0, 0), dtype=np.uint64)

    def bounds(self, sets: Frontier) -> Tensor:
        """[S] int64: upper bounds of two-turn values of sets, by supersets; size + 1 if unknown."""
        most = sets.sizes + 1
        if not self.two:
            return most
        if len(self.two) * ADDED > len(self._sorted[0]) * (ADDED + 1):
            self.sort()
        least, keys = self._sorted
        large = namespace(most).nonzero(most > int(least[0]))[0]  # no superset lowers the others
        if large.shape[0]:
            common = self.constraints.common(sets.take(large))
            most[large] = like(first_within(common, array_of(most[large]), keys, least), most)
        return most

    def sort(self) -> None:
        """Sort the supersets at once; without this, new ones bound no set until there are enough of them."""
        if len(self.two) > len(self._sorted[0]):
            order = sorted(self.two.copy(), key=lambda key: (self.two[key], key))
            least = np.array([self.two[key] for key in order], dtype=np.int64)
            self._sorted = least, self.constraints.bits(order)


class SupersetCounts:
    """Computes two-turn values of sets, without the guesses that a counted superset rules out.

    Args:
        memory: bytes of counts to store.
    Attributes:
        supersets: with the two-turn value of every counted one.
    """

    def __init__(self, table: WordTable, memory: int = MEMORY) -> None:
        self._used = backend_of(table.device).uses_ceilings
        self.table = table.here if self._used else table
        self.constraints = Constraints(table)
        self.supersets = Supersets(self.constraints)
        self._rows: dict[Key, int] = {}  # superset -> its row of the counts
        self._spent: dict[Key, int] = {}  # superset -> pairs evaluated for sets inside it
        kind = np.dtype(count_type(table.words))
        rows = max(1, memory // (table.words * kind.itemsize))
        self._counts = np.empty((rows, table.words), kind)

    def two_turns(
        self, sets: Frontier, more: bool = False, progress: Progress | None = None, smallest: int = 0
    ) -> Tensor:
        """[S] int64: two-turn values of sets: most classes of a guess, one more for a candidate.

        With `more`, a superset is counted once the pairs spent inside it would have paid for that. Sets of
        up to `smallest` words use no supersets.
        """
        none = np.empty(0, np.int64)
        if not self._used:
            there = sets.to(self.table.device)
            two, _ = most_classes(self.table, there, self._counts, [none] * sets.sets, progress)
            return like(two, sets.members)
        chosen = self._chosen(sets, smallest or SMALLEST)
        rows = [np.array(counted, np.int64) if counted else none for counted, _ in chosen]
        two, pairs = most_classes(self.table, sets, self._counts, rows, progress)
        more = more and len(self._rows) < self._counts.shape[0]
        for (_, wanted), spent in zip(chosen, pairs.tolist(), strict=True) if more else ():
            for key in wanted:
                if key not in self._rows:
                    self._spent[key] = self._spent.get(key, 0) + spent
                    if self._spent[key] >= self.constraints.size(key) * self.table.words:
                        self.count(key, progress)
        return two

    def count(self, key: Key, progress: Progress | None = None) -> None:
        """Count the classes that words make of a superset, if counts are used and there is room."""
        row = len(self._rows)
        if row < self._counts.shape[0] and self._used and key not in self._rows:
            members = self.constraints.members(key)
            counts = class_counts(self.table, members, progress)
            self._counts[row] = counts
            self._rows[key] = row
            self._spent.pop(key, None)
            two = counts.astype(np.int64)
            two[members] += 1
            self.supersets.two[key] = int(two.max())

    def require(self, key: Key, progress: Progress | None = None) -> None:
        """Count a superset even if there is no room to store the counts of all words."""
        self.count(key, progress)
        if key not in self.supersets.two:
            two = self.two_turns(frontier([self.constraints.members(key)]), progress=progress)
            self.supersets.two[key] = int(two[0])

    def _chosen(self, sets: Frontier, smallest: int) -> list[tuple[list[int], list[Key]]]:
        """Return for each set the rows of counts to use, and the supersets to count."""
        chosen: list[tuple[list[int], list[Key]]] = [([], [])] * sets.sets
        large = np.flatnonzero(array_of(sets.sizes) > smallest)
        common = self.constraints.common(sets.take(like(large, sets.members)))
        for place, row in zip(large.tolist(), common, strict=True):
            chosen[place] = self._chosen_by(self.constraints.listed(row))
        return chosen

    def _chosen_by(self, holding: list[int]) -> tuple[list[int], list[Key]]:
        constraints, all_targets = self.constraints, self.constraints.targets
        sizes = {constraint: constraints.sizes[constraint] for constraint in holding}
        implied = {constraints.implies[constraint] for constraint in holding}
        telling = [name for name, size in sizes.items() if size < all_targets and name not in implied]
        rarest = sorted(sorted(telling, key=sizes.__getitem__)[:CONSTRAINTS])
        keys = [key for count in range(1, TOGETHER + 1) for key in combinations(rarest, count)]
        order = sorted((constraints.size(key), key) for key in keys)
        rows = [self._rows[key] for _, key in order if key in self._rows]
        smallest = next((size for size, key in order if key in self._rows), all_targets)
        wanted = [key for size, key in order if size < smallest and key not in self._rows]
        return rows[:ROWS], wanted[:WANTED]


def by_letters(table: WordTable, openings: Array) -> Array:
    """Return [K] int64 openings, those with the same letters side by side, so that they share supersets."""
    return openings[np.lexsort(np.sort(array_of(table.letters)[openings], axis=1).T[::-1])]

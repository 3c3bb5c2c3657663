"""`rank` on the CPU: cut the work into items for threads, merge; kernels are elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from gpulingo.tensors.arrays import Array, Tensor, array_of, as_type, like
from gpulingo.tensors.cpu.class_sizes import FREE, SizeWorth
from gpulingo.tensors.cpu.class_weights import WeightWorth, weigh_sets, weight_workspace, weight_worth
from gpulingo.tensors.cpu.codes import Program, bits_size, room
from gpulingo.tensors.cpu.scan import TABLE, feature_bits, paired, rank_sets, scratch
from gpulingo.tensors.feedback import feedback_of
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Objective, Progress
from gpulingo.tensors.outcomes import Ranked
from gpulingo.tensors.paircodes import folded
from gpulingo.tensors.threads import shared
from gpulingo.tensors.wordtable import WordTable, cached_by_table

BLOCK = 1 << 20  # pairs of numbers coded at once
ITEM = 1 << 24  # pairs of an item; up to twice as many before a set is cut
ALL = np.iinfo(np.int64).max
Item = Callable[[], int]


@cached_by_table
def program_of(table: WordTable) -> tuple[Program, Array]:
    """Pair codes of a table, and an empty array of the type of its codes."""
    codes = feedback_of(table).codes(table)
    assert codes.ranges.shape[0] == table.guesses  # kernels look up guesses in it unchecked
    arrays = (codes.starts, codes.features, codes.coefficients, codes.radix, codes.ranges)
    slots = (codes.slots, codes.slot_features, codes.slot_coefficients)
    widest, empty = int(codes.ranges.max()), np.empty(0, codes.dtype)
    fold = folded(np.arange(widest), codes.period).astype(codes.dtype) if codes.period else empty
    sizes = (codes.alphabet, codes.copies, codes.total, widest)
    return Program(*arrays, *slots, fold, *sizes), empty


def codes_fit(table: WordTable) -> bool:
    """Return True if every pair code has a place in a table."""
    return program_of(table)[0].widest <= TABLE


def worth_of(objective: Objective, largest: int) -> SizeWorth:
    """Return the rows of the objective as arrays for the kernels, its tables cut to the largest set."""
    cut = objective.cut(largest)
    bonuses = np.array(cut.bonuses, np.int64)
    return SizeWorth(
        cut.table, np.diff(cut.table), bonuses, cut.largest, cut.counts_classes, cut.complete_is_best
    )


def paired_patterns(table: WordTable, guesses: Tensor, targets: Tensor) -> Tensor:
    """Return patterns of [M] guesses against [M] targets, all indices into the table."""
    patterns = patterns_of(table, array_of(guesses), array_of(targets))
    return as_type(like(patterns, guesses), feedback_of(table).type(table.length))


def patterns_of(table: WordTable, guesses: Array, targets: Array) -> Array:
    """As `paired_patterns`, [M] int64 in numpy. Marks have a kernel, because they are paired most."""
    patterns = np.empty(len(guesses), np.int64)
    if table.shows_marks:
        paired(array_of(table.letters), guesses, targets, patterns, np.zeros(256, np.int64))
        return patterns
    words, feedback = table.here, feedback_of(table)
    for start in range(0, len(guesses), BLOCK):
        block = slice(start, start + BLOCK)
        patterns[block] = feedback.paired(words, guesses[block], targets[block])
    return patterns


class SharedRanking:
    """One call of `rank`: its arrays, and its work items.

    Args:
        members, offsets: of the sets, see `Frontier`; there is at least one.
        pool: the words that may be guessed; with offsets those of each set; None: the candidates of each.
        worth, rows: what the kernels read of an objective, and its row for each set.
        width: guesses to keep; 0: the keys of all, in the order of the words.
    Attributes:
        keys, best: [S, width] int64 and int32: ranks, doubled, and guesses, once `run` has ended.
    """

    def __init__(
        self,
        table: WordTable,
        members: Array,
        offsets: Array,
        pool: Array | tuple[Array, Array] | None,
        *,
        worth: SizeWorth | WeightWorth,
        rows: Array,
        width: int,
    ):
        self.letters, self.members, self.offsets = array_of(table.letters), members, offsets
        self.sizes, self.rows, self.worth = np.diff(offsets), rows, worth
        self.program, self.codes = program_of(table)
        self.pool, self.ends, self.pool_sizes = np.empty(0, np.int32), np.empty(0, np.int64), np.zeros(1, int)
        self.in_pool = np.full(table.guesses, pool is None, np.uint8)
        if isinstance(pool, tuple):
            self.pool, self.ends = pool
            self.pool_sizes = np.diff(self.ends)
        elif pool is not None:
            self.pool, self.pool_sizes = pool, np.array([pool.shape[0]])
            self.in_pool[self.pool] = 1
        self.keys = np.full((len(offsets) - 1, width or table.guesses), FREE, np.int64)
        self.best = np.full((len(offsets) - 1, width), -1, np.int32)
        self.parts: dict[
            int, list[tuple[Array, Array]]
        ] = {}  # set -> keys and guesses of its items, in order

    def run(self, progress: Progress | None = None) -> int:
        """Rank the guesses of all sets, on all threads; return the pairs evaluated."""
        pairs = sum(shared(self._items(), progress))
        self._merge()
        return pairs

    def _items(self) -> Iterator[Item]:
        """Yield work items: many small sets in one; for a large set blocks of guesses."""
        work = self.sizes * (self.sizes + self.pool_sizes)
        first, pending = 0, 0
        for s in range(self.sizes.shape[0]):
            if work[s] > 2 * ITEM or pending + work[s] > ITEM:
                if first < s:
                    yield self._sets(first, s)
                first, pending = s, 0
            if work[s] > 2 * ITEM:
                yield from self._blocks(s)
                first = s + 1
            else:
                pending += int(work[s])
        if first < self.sizes.shape[0]:
            yield self._sets(first, self.sizes.shape[0])

    def _sets(self, first: int, last: int) -> Item:
        span = np.array([0, ALL, 0, ALL])
        keys, best = self.keys[first:last], self.best[first:last]
        return lambda: self._ranked(first, last, span, None, keys, best)

    def _blocks(self, s: int) -> Iterator[Item]:
        """Yield items of one set: blocks of its candidates, then of the pool."""
        candidates = self.members[self.offsets[s] : self.offsets[s + 1]]
        bits = feature_bits(self.letters, candidates, self.program)
        step = max(1, ITEM // len(candidates))
        self.parts[s] = []
        # Candidates first, because on equal keys the earlier part wins.
        pool_size = self.pool_sizes[s] if len(self.ends) else self.pool_sizes[0]
        for stage, guesses in enumerate((len(candidates), pool_size)):
            for lo in range(0, guesses, step):
                span = np.zeros(4, np.int64)
                span[2 * stage : 2 * stage + 2] = lo, lo + step
                yield self._block(s, span, bits)

    def _block(self, s: int, span: Array, bits: Array) -> Item:
        keys, best = self.keys[s : s + 1], self.best[s : s + 1]
        if best.shape[1]:  # otherwise no two items write to one place
            keys, best = np.full_like(keys, FREE), np.full_like(best, -1)
            self.parts[s].append((keys[0], best[0]))
        return lambda: self._ranked(s, s + 1, span, bits, keys, best)

    def _ranked(
        self, first: int, last: int, span: Array, bits: Array | None, keys: Array, best: Array
    ) -> int:
        """Run the kernel on the sets first:last, which the keys are for; `bits` only for a single set."""
        offsets, ends, rows = (
            self.offsets[first : last + 1],
            self.ends[first : last + 1],
            self.rows[first:last],
        )
        largest = int(np.diff(offsets).max())
        given = room(bits_size(largest, self.program.total), np.uint64) if bits is None else bits
        sets = (self.letters, self.members, offsets, 0, last - first, rows)
        guesses = (span, self.pool, ends, self.in_pool.copy())
        common = (*sets, *guesses, given, bits is not None, self.program, self.worth)
        if isinstance(self.worth, WeightWorth):
            return int(weigh_sets(*common, weight_workspace(largest, self.program, self.codes), keys, best))
        return int(rank_sets(*common, scratch(largest, self.program, self.worth, self.codes), keys, best))

    def _merge(self) -> None:
        for s, parts in self.parts.items() if self.best.shape[1] else ():
            keys, best = (np.concatenate(column) for column in zip(*parts, strict=True))
            order = np.argsort(~keys, kind="stable")[: self.keys.shape[1]]
            self.keys[s], self.best[s] = keys[order], best[order]


def arrays_of(frontier: Frontier) -> tuple[Array, Array]:
    return array_of(frontier.members), array_of(frontier.offsets)


def _ranking(
    table: WordTable,
    frontier: Frontier,
    pool: Tensor | Frontier | None,
    objective: Objective,
    width: int,
    progress: Progress | None,
) -> tuple[SharedRanking, int]:
    weights, largest = objective.weights(table), int(frontier.sizes_here.max())
    guesses: Any = arrays_of(pool) if isinstance(pool, Frontier) else None if pool is None else array_of(pool)
    worth = worth_of(objective, largest) if weights is None else weight_worth(objective, array_of(weights))
    rows = objective.rows_of(frontier.sets)
    job = SharedRanking(table, *arrays_of(frontier), guesses, worth=worth, rows=rows, width=width)
    return job, job.run(progress)


def rank(
    table: WordTable,
    frontier: Frontier,
    pool: Tensor | Frontier | None,
    objective: Objective,
    width: int,
    progress: Progress | None = None,
) -> Ranked:
    """Rank the pool for every set; arguments as in `operations.rank`."""
    job, pairs = _ranking(table, frontier, pool, objective, width, progress)
    # An empty place has FREE >> 1 as its rank, so it is set to FREE again.
    ranks = np.where(job.best < 0, FREE, job.keys >> 1)
    return Ranked(like(job.best, table.letters), like(ranks, table.letters), pairs)


def ranks(
    table: WordTable,
    frontier: Frontier,
    pool: Tensor | Frontier | None,
    objective: Objective,
    progress: Progress | None = None,
) -> Tensor:
    """As `operations.ranks`."""
    keys = _ranking(table, frontier, pool, objective, 0, progress)[0].keys
    np.right_shift(keys, 1, out=keys)
    keys[keys == FREE >> 1] = FREE
    return like(keys, table.letters)

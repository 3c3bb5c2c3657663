"""`rank` on the CPU: cut the work into items for threads, merge; kernels are elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from gpulingo.tensors.arrays import Array, Tensor, array_of, as_type, like
from gpulingo.tensors.cpu.class_sizes import FREE, Worth
from gpulingo.tensors.cpu.codes import bits_size, room
from gpulingo.tensors.cpu.scan import TABLE, feature_bits, paired, rank_sets, scratch, weigh_sets
from gpulingo.tensors.feedback import feedback_of
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Objective, Progress
from gpulingo.tensors.outcomes import Ranked
from gpulingo.tensors.paircodes import PairCodes
from gpulingo.tensors.threads import shared
from gpulingo.tensors.wordtable import WordTable, cached_by_table

BLOCK = 1 << 20  # pairs of numbers coded at once
ITEM = 1 << 24  # pairs of an item; up to twice as many before a set is cut
ALL = np.iinfo(np.int64).max


@cached_by_table
def program_of(table: WordTable) -> PairCodes:
    """Pair codes of a table."""
    codes = feedback_of(table).codes(table)
    assert codes.ranges.shape[0] == table.guesses  # kernels look up guesses in it unchecked
    return codes


def codes_fit(table: WordTable) -> bool:
    """Return True if every pair code has a place in a table."""
    return program_of(table).widest <= TABLE


def worth_of(objective: Objective, largest: int, weights: Array | None = None) -> Worth:
    """Return the rows of an objective as arrays for the kernels, for sets of up to `largest` words.

    With [W] int32 weights of words, for sets of any size.
    """
    if weights is None:
        objective = objective.cut(largest)
    table = objective.tables
    steps = np.diff(table)
    if weights is None:
        complete = objective.complete_is_best
    elif objective.heaviest:
        complete = bool((steps >= 0).all())  # merging classes never helps: one of them has the heaviest word
    elif objective.largest:
        complete = bool((steps <= 0).all())
    else:
        complete = bool((steps[:, 1:] <= steps[:, :-1]).all())  # then merging classes never adds value
    kind = (objective.largest, objective.heaviest, objective.counts_classes, complete)
    of_words = np.empty(0, np.int32) if weights is None else weights
    return Worth(table, steps, of_words, np.array(objective.bonuses, np.int64), *kind)


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
    """One call of `rank`, as items of work for threads; arguments as in `operations.rank`.

    Args:
        width: guesses to keep; 0: the keys of all, in the order of the words.
    Attributes:
        keys, best: [S, width] int64 and int32: ranks, doubled, and guesses, once `run` has ended.
    """

    def __init__(
        self,
        table: WordTable,
        frontier: Frontier,
        pool: Tensor | Frontier | None,
        objective: Objective,
        width: int,
    ):
        weights, sets = objective.weights(table), frontier.sets
        self.letters = array_of(table.letters)
        self.members, self.offsets = array_of(frontier.members), array_of(frontier.offsets)
        self.sizes, self.rows = np.diff(self.offsets), objective.rows_of(sets)
        of_words = None if weights is None else array_of(weights)
        self.worth = worth_of(objective, int(self.sizes.max()), of_words)
        self.program = program_of(table)
        self.in_pool = np.full(table.guesses, pool is None, np.uint8)
        self.pool, self.ends = np.empty(0, np.int32), np.empty(0, np.int64)  # ends: if each set has a pool
        if isinstance(pool, Frontier):
            self.pool, self.ends = array_of(pool.members), array_of(pool.offsets)
        elif pool is not None:
            self.pool = array_of(pool)
            self.in_pool[self.pool] = 1
        self.pool_sizes = np.diff(self.ends) if len(self.ends) else np.full(sets, len(self.pool))
        self.keys = np.full((sets, width or table.guesses), FREE, np.int64)
        self.best = np.full((sets, width), -1, np.int32)
        self.parts: dict[int, list[tuple[Array, Array]]] = {}  # set -> keys and guesses of its blocks

    def run(self, progress: Progress | None) -> int:
        """Rank the guesses of all sets, on all threads; return the pairs evaluated."""
        pairs = sum(shared(self._items(), progress))
        for s, parts in self.parts.items():
            keys, best = (np.concatenate(column) for column in zip(*parts, strict=True))
            order = np.argsort(~keys, kind="stable")[: self.keys.shape[1]]
            self.keys[s], self.best[s] = keys[order], best[order]
        return pairs

    def _items(self) -> Iterator[Callable[[], int]]:
        """Yield work items: many small sets in one; for a large set blocks of guesses."""
        first, pending = 0, 0
        for s, pairs in enumerate((self.sizes * (self.sizes + self.pool_sizes)).tolist()):
            is_large = pairs > 2 * ITEM
            if is_large or pending + pairs > ITEM:
                if first < s:
                    yield self._sets(first, s)
                first, pending = s, 0
            if is_large:
                yield from self._blocks(s)
                first = s + 1
            else:
                pending += pairs
        if first < len(self.sizes):
            yield self._sets(first, len(self.sizes))

    def _sets(self, first: int, last: int) -> Callable[[], int]:
        span = np.array([0, ALL, 0, ALL])
        return partial(self._ranked, first, last, span, None, self.keys[first:last], self.best[first:last])

    def _blocks(self, s: int) -> Iterator[Callable[[], int]]:
        """Yield items of one set: blocks of its candidates, then of the pool."""
        candidates = self.members[self.offsets[s] : self.offsets[s + 1]]
        bits = feature_bits(self.letters, candidates, self.program)
        step = max(1, ITEM // len(candidates))
        # Candidates first, because on equal keys the earlier part wins.
        for stage, guesses in enumerate((len(candidates), self.pool_sizes[s])):
            for lo in range(0, guesses, step):
                span, keys, best = np.zeros(4, np.int64), self.keys[s : s + 1], self.best[s : s + 1]
                span[2 * stage : 2 * stage + 2] = lo, lo + step
                if best.shape[1]:  # otherwise no two items write to one place
                    keys, best = np.full_like(keys, FREE), np.full_like(best, -1)
                    self.parts.setdefault(s, []).append((keys[0], best[0]))
                yield partial(self._ranked, s, s + 1, span, bits, keys, best)

    def _ranked(
        self, first: int, last: int, span: Array, bits: Array | None, keys: Array, best: Array
    ) -> int:
        """Run the kernel on the sets first:last, which the keys are for; `bits` only for a single set."""
        offsets, largest = self.offsets[first : last + 1], int(self.sizes[first:last].max())
        space = room(bits_size(largest, self.program.total), np.uint64) if bits is None else bits
        sets = (self.letters, self.members, offsets, self.rows[first:last])
        guesses = (span, self.pool, self.ends[first : last + 1], self.in_pool.copy())
        work = scratch(largest, self.program, self.worth)
        kernel = weigh_sets if len(self.worth.weights) else rank_sets
        given = (space, bits is not None, self.program, self.worth, work)
        return int(kernel(*sets, *guesses, *given, keys, best))


def rank(
    table: WordTable,
    frontier: Frontier,
    pool: Tensor | Frontier | None,
    objective: Objective,
    width: int,
    progress: Progress | None = None,
) -> Ranked:
    """Rank the pool for every set; arguments as in `operations.rank`."""
    job = SharedRanking(table, frontier, pool, objective, width)
    pairs = job.run(progress)
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
    job = SharedRanking(table, frontier, pool, objective, 0)
    job.run(progress)
    keys = job.keys
    np.right_shift(keys, 1, out=keys)
    keys[keys == FREE >> 1] = FREE
    return like(keys, table.letters)

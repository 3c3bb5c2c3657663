"""Sets of words that every round begins with, whatever the marks: those of most classes, in any order."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import count

import numpy as np

from gpulingo.tensors.arrays import Array, array_of
from gpulingo.tensors.cpu.codes import code_targets, row_of
from gpulingo.tensors.cpu.compile import compiled
from gpulingo.tensors.cpu.lanes import LANES
from gpulingo.tensors.cpu.rank import codes_fit, program_of
from gpulingo.tensors.cpu.scan import feature_bits
from gpulingo.tensors.operations import class_counts, split_by
from gpulingo.tensors.threads import shared
from gpulingo.tensors.wordtable import WordTable

EXTENDED = 512  # best sets of a size to which a word is added or in which each is exchanged, if not all are
Words = tuple[int, ...]
Sets = dict[Words, int]  # -> number of classes
OnProgress = Callable[[int, int, int], None]  # gets the sets done, of how many, and their size


class FixedGuesses:
    """A search for the `kept` best `sets` of `size` words, `named` ones among them; `often` may end it.

    With at most two words to find, all sets are compared: it is `complete`. Otherwise a word is added to the
    best sets, size after size, and at last each word of the best is exchanged, until that is no better.
    """

    def __init__(self, table: WordTable, size: int, named: Words, kept: int, often: OnProgress) -> None:
        if not codes_fit(table):
            raise ValueError(f"words of {table.length} letters show too many marks: use shorter words")
        self.table, self.size, self.named, self.kept, self.often = table, size, named, kept, often
        self.alone = array_of(class_counts(table, table.targets)).astype(np.int64)
        pool, targets = table.pool[~np.isin(table.pool, named)], {*table.targets.tolist()}
        self.pool, self.floor = pool[np.argsort(-self.alone[pool], kind="stable")], 0
        self.place = lambda word: (word not in targets, word)  # targets first: one of them may be found
        self.sets, self.complete = {named: 0} if len(named) == size else Sets(), False

    def run(self) -> None:
        """Search on the CPU."""
        free, first, tried = self.size - len(self.named), len(self.named), set[Words]()
        bases = [self.named][:free] if free != 2 else [(*self.named, word) for word in self.pool.tolist()]
        for _ in range(1, free if free > 2 else 0):
            bases = [*self._extend(bases, {}, EXTENDED)]
        while bases:
            self._extend(bases, self.sets, self.kept)
            tried.update(bases)
            best = [*self.sets][: EXTENDED if free > 2 else 0]
            fewer = [own[:n] + own[n + 1 :] for own in best for n in range(first, self.size)]
            bases = [base for base in dict.fromkeys(fewer) if base not in tried]
        self.complete = free <= 2

    def _extend(self, bases: list[Words], best: Sets, kept: int) -> Sets:
        """Add each word to each set; update and return the `kept` best, on ties the first words."""

        def add(found: Sets) -> None:
            ranked = sorted((best | found).items(), key=lambda own: (-own[1], own[0]))[:kept]
            best.clear()
            best.update(ranked)
            self.floor = ranked[-1][1] if len(ranked) == kept else 0
            self.often(next(done), len(bases), len(bases[0]) + 1)

        done, start = count(1), int(self.size - len(self.named) == 2)  # 1: two words meet once
        self.floor = min(best.values()) if len(best) == kept else 0
        pools = [self.pool[(n + 1) * start :] for n in range(len(bases))]
        shared([partial(self._counts, *each, kept) for each in zip(bases, pools, strict=True)], add)
        return best

    def _counts(self, base: Words, pool: Array, kept: int) -> Sets:
        """Return the best sets of a set and another word, with classes not below the floor."""
        table, first, floor = self.table, len(self.named), self.floor
        front, known = split_by(table, base)
        sizes, pool = front.sizes, pool[~np.isin(pool, base)]
        large = np.argsort(-sizes, kind="stable")[: np.count_nonzero(sizes > 1)]  # others are not split
        most = np.minimum(sizes[large], self.alone[pool].max(initial=0))
        left = np.append(most, known + len(sizes) - len(large))[::-1].cumsum()[::-1]
        pool = pool[: len(pool) if left[0] >= floor else 0]
        front, counts, program = front.take(large), np.zeros(len(pool), np.int64), program_of(table)
        row = row_of(program, len(front.members))
        bits, stamps = feature_bits(table.letters, front.members, program), np.zeros(program.widest, np.int64)
        count_together(pool, front.offsets, left, floor, bits, program, row, stamps, counts)
        best = np.argsort(-counts, kind="stable")[: min(kept, np.count_nonzero(counts))]
        free = [sorted((*base[first:], word), key=self.place) for word in pool[best].tolist()]
        return {(*base[:first], *own): n for own, n in zip(free, counts[best].tolist(), strict=True)}


@compiled
def count_together(guesses, offsets, left, floor, bits, program, row, stamps, counts):
    """Write the classes of each guess over all sets, 0 if below the floor; `left` bounds later sets."""
    sets, stamp = offsets.shape[0] - 1, 0
    for g in range(guesses.shape[0]):
        code_targets(row, 0, bits, 0, row.shape[0] // LANES, program, guesses[g])
        made = 0
        for s in range(np.uint64(sets)):
            if made + left[s] < floor:
                break
            stamp += 1
            for t in range(np.uint64(offsets[s]), np.uint64(offsets[s + np.uint64(1)])):
                made += stamps[row[t]] != stamp
                stamps[row[t]] = stamp
        made += left[sets]
        counts[g] = made if made >= floor else 0

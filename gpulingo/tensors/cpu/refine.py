"""`refined` on the CPU: a kernel on pair codes, and threads that share out the guesses."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from torch import Tensor

from gpulingo.tensors import reference
from gpulingo.tensors.cpu.codes import code_targets, room
from gpulingo.tensors.cpu.compile import compiled, digest
from gpulingo.tensors.cpu.lanes import LANES
from gpulingo.tensors.cpu.rank import codes_fit, paired_patterns, program_of
from gpulingo.tensors.cpu.scan import feature_bits, pattern_of
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.outcomes import Refined
from gpulingo.tensors.paircodes import Array
from gpulingo.tensors.threads import shared
from gpulingo.tensors.wordtable import WordTable

ITEM = 16  # guesses that a thread takes at once


def refined(
    table: WordTable, guesses: Tensor, sets: Frontier, steps: Tensor, progress: Progress | None = None
) -> Refined:
    """As `operations.refined`; word by word where codes are too wide for a table."""
    if not codes_fit(table):
        return reference.refined(table, guesses, sets, steps, progress, paired=paired_patterns)
    program, codes = program_of(table)
    letters, members = table.letters.numpy(), sets.members.numpy()
    bits = feature_bits(letters, members, program)
    given: tuple[Any, ...] = (letters, members, sets.offsets.numpy(), steps.numpy(), bits, program)

    def classes(some: Array) -> tuple[Array, Array, Array]:
        """Counts of classes of each guess, and sizes and worth of the classes of all."""
        n, widest = len(members), int(program.ranges[some].max(initial=1))
        row = room((n + LANES - 1) // LANES * LANES, codes.dtype)
        tables = np.zeros((2, widest), np.int32), np.zeros(widest, np.int64)
        counts, kinds = np.zeros(len(some), np.int64), np.empty(n, np.int64)
        # As large as any guesses need it; what is not written to takes no memory.
        patterns, sizes, worth = (np.empty(n * len(some), np.int64) for _ in range(3))
        spare = np.zeros(256, np.int64)
        refine(some, *given, row, *tables, kinds, spare, counts, patterns, sizes, worth)
        starts = [0, *counts.cumsum().tolist()]
        order = [lo + patterns[lo:hi].argsort() for lo, hi in pairwise(starts)]
        by_pattern = np.concatenate([np.empty(0, np.int64), *order])
        return counts, sizes[by_pattern], worth[by_pattern]

    items = [partial(classes, some.numpy()) for some in guesses.split(ITEM)]
    done = None if progress is None else lambda made: progress(len(members) * len(made[0]))
    made = shared(items, done)
    none = np.empty(0, np.int64)
    columns = zip((none, none, none), *made, strict=True)
    return Refined(*(torch.from_numpy(np.concatenate(column)) for column in columns))


def _entry_point(digest: str) -> Any:
    """The kernel that `refined` calls; for the digest see `scan`."""

    @compiled
    def refine(
        guesses, letters, members, offsets, steps, bits, program, row, words, values, kinds, spare, counts,
        patterns, sizes, worth,
    ):  # fmt: skip
        """Classes of guesses, one guess after the other, in the order of their first words.

        Args:
            words: [2, codes] zeros, words of a class in all sets and in the set at hand.
            values: [codes] zeros, what a class is worth.
        """
        _ = digest
        done = 0
        for at in range(guesses.shape[0]):
            guess, first = guesses[at], done
            code_targets(row, 0, bits, 0, row.shape[0] // LANES, program, guess)
            for s in range(offsets.shape[0] - 1):
                start = offsets[s]
                for t in range(start, offsets[s + 1]):
                    code = row[t]
                    if words[0, code] == 0 and members[t] != guess:  # the guess is alone in its class
                        kinds[done - first] = code
                        patterns[done] = pattern_of(letters[guess], letters[members[t]], spare)
                        done += 1
                    words[0, code] += 1
                    values[code] += steps[start + words[1, code]]
                    words[1, code] += 1
                for t in range(start, offsets[s + 1]):
                    words[1, row[t]] = 0
            for k in range(done - first):
                code = kinds[k]
                sizes[first + k], worth[first + k] = words[0, code], values[code]
                words[0, code] = 0
                values[code] = 0
            own = np.int64(program.ranges[guess]) - 1
            words[0, own] = 0
            values[own] = 0
            counts[at] = done - first

    return refine


refine = _entry_point(digest())

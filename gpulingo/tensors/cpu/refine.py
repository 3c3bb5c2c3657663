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
from gpulingo.tensors.cpu.compile import compiled
from gpulingo.tensors.cpu.lanes import LANES
from gpulingo.tensors.cpu.rank import codes_fit, paired_patterns, patterns_of, program_of
from gpulingo.tensors.cpu.scan import feature_bits
from gpulingo.tensors.features import Array
from gpulingo.tensors.feedback import feedback_of
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.outcomes import Refined
from gpulingo.tensors.threads import shared
from gpulingo.tensors.wordtable import WordTable

ITEM = 16  # guesses that a thread takes at once


def refined(
    table: WordTable, guesses: Tensor, sets: Frontier, steps: Tensor, progress: Progress | None = None
) -> Refined:
    """As `operations.refined`; word by word where codes are too wide for a table.

    So too words as guesses where guesses are letters: their code is that of every target, themselves too.
    """
    words = table.guesses > table.words and bool((guesses < table.words).any())
    if words or not codes_fit(table):
        return reference.refined(table, guesses, sets, steps, progress, paired=paired_patterns)
    program, codes = program_of(table)
    members, solved = sets.members.numpy(), feedback_of(table).solved(table.length)
    bits = feature_bits(table.letters.numpy(), members, program)
    given: tuple[Any, ...] = (sets.offsets.numpy(), steps.numpy(), bits, program)

    def classes(block: Array) -> tuple[Array, Array, Array]:
        """Return counts of classes of each guess, and sizes and values of the classes of all."""
        n, widest = len(members), int(program.ranges[block].max(initial=1))
        row = room((n + LANES - 1) // LANES * LANES, codes.dtype)
        tables = np.zeros((2, widest), np.int32), np.zeros(widest, np.int64)
        counts, kinds = np.zeros(len(block), np.int64), np.empty(n, np.int64)
        # As large as any guesses need it; what is not written to takes no memory.
        firsts, sizes, worth = (np.empty(n * len(block), np.int64) for _ in range(3))
        refine(block, *given, row, *tables, kinds, counts, firsts, sizes, worth)
        starts = [0, *counts.cumsum().tolist()]
        patterns = patterns_of(table, block.repeat(counts), members[firsts[: starts[-1]]])
        orders = [lo + patterns[lo:hi].argsort() for lo, hi in pairwise(starts)]
        # The solved class comes last.
        orders = [order[:-1] if len(order) and patterns[order[-1]] == solved else order for order in orders]
        by_pattern = np.concatenate([np.empty(0, np.int64), *orders])
        return np.array([len(order) for order in orders], np.int64), sizes[by_pattern], worth[by_pattern]

    items = [partial(classes, block.numpy()) for block in guesses.split(ITEM)]
    done = None if progress is None else lambda results: progress(len(members) * len(results[0]))
    results = shared(items, done)
    none = np.empty(0, np.int64)
    columns = zip((none, none, none), *results, strict=True)
    return Refined(*(torch.from_numpy(np.concatenate(column)) for column in columns))


@compiled
def refine(
    guesses, offsets, steps, bits, program, row, words, values, kinds, counts, firsts, sizes, worth
):  # fmt: skip
    """Write the classes of guesses, one guess after the other, by their first words, each with its place.

    Args:
        words: [2, codes] zeros, words of a class over every set and in the set at hand.
        values: [codes] zeros, value of a class.
    """
    done = 0
    for g in range(guesses.shape[0]):
        guess, first = guesses[g], done
        code_targets(row, 0, bits, 0, row.shape[0] // LANES, program, guess)
        for s in range(offsets.shape[0] - 1):
            start = offsets[s]
            for t in range(start, offsets[s + 1]):
                code = row[t]
                if words[0, code] == 0:
                    kinds[done - first] = code
                    firsts[done] = t
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
        counts[g] = done - first

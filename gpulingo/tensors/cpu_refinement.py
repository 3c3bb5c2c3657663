"""`refined` on the CPU: a kernel on pair codes, and threads that share out the guesses."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import torch
from numba import njit
from torch import Tensor

from gpulingo.tensors.compiled import compiled, digest
from gpulingo.tensors.cpu import program_of
from gpulingo.tensors.cpu_codes import bits_size, code_targets
from gpulingo.tensors.cpu_lanes import LANES
from gpulingo.tensors.cpu_scan import pattern_of, write_bits
from gpulingo.tensors.cpu_threads import shared
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.refinement import Refined
from gpulingo.words.encode import WordTable

ITEM = 16  # guesses that a thread takes at once


def refined(
    table: WordTable, guesses: Tensor, sets: Frontier, steps: Tensor, progress: Progress | None = None
) -> Refined:
    """As `refinement.refined`."""
    program, codes = program_of(table)
    letters, members = table.letters.numpy(), sets.members.numpy()
    bits = np.empty(bits_size(len(members), program.total), np.uint64)
    write_bits(letters, members, program, bits)
    rest: tuple[Any, ...] = (letters, members, sets.offsets.numpy(), steps.numpy(), bits, program, codes)
    items = [partial(refine, some.numpy(), *rest) for some in guesses.split(ITEM)]
    done = None if progress is None else lambda made: progress(len(members) * len(made[0]))
    made = shared(items, done)
    none = np.empty(0, np.int64)
    columns = zip((none, none, none), *made, strict=True)
    return Refined(*(torch.from_numpy(np.concatenate(column)) for column in columns))


def _entry_point(digest: str) -> Any:
    """The kernel that `refined` calls; for the digest see `cpu_scan`."""

    @compiled
    def refine(guesses, letters, members, offsets, steps, bits, program, codes):
        _ = digest
        return _refine(guesses, letters, members, offsets, steps, bits, program, codes)

    return refine


@njit(nogil=True)
def _refine(guesses, letters, members, offsets, steps, bits, program, codes):
    """Counts of classes of each guess, and sizes and worth of the classes of all."""
    n = members.shape[0]
    lanes = (n + LANES - 1) // LANES * LANES
    widest = np.uint64(1)
    for g in guesses:
        widest = max(widest, program.ranges[g])
    row = np.empty(lanes, codes.dtype)
    sizes, worth = np.zeros(widest, np.int32), np.zeros(widest, np.int64)
    part = np.zeros(widest, np.int32)  # words of a class in the set at hand
    kinds, firsts = np.empty(n, np.int64), np.empty(n, np.int64)  # codes, and the first word of each
    spare = np.zeros(256, np.int64)
    counts = np.zeros(guesses.shape[0], np.int64)
    all_sizes, all_worth = np.empty(4 * n, np.int64), np.empty(4 * n, np.int64)
    done = 0
    for at in range(guesses.shape[0]):
        guess = guesses[at]
        code_targets(row, 0, bits, 0, lanes // LANES, program, guess)
        held = 0
        for s in range(offsets.shape[0] - 1):
            start = offsets[s]
            for t in range(start, offsets[s + 1]):
                code = row[t]
                if sizes[code] == 0:
                    kinds[held], firsts[held] = code, members[t]
                    held += 1
                sizes[code] += 1
                worth[code] += steps[start + part[code]]
                part[code] += 1
            for t in range(start, offsets[s + 1]):
                part[row[t]] = 0
        patterns = np.empty(held, np.int64)
        for k in range(held):
            patterns[k] = pattern_of(letters[guess], letters[firsts[k]], spare)
        while done + held > all_sizes.shape[0]:
            all_sizes = np.concatenate((all_sizes, np.empty_like(all_sizes)))
            all_worth = np.concatenate((all_worth, np.empty_like(all_worth)))
        for k in np.argsort(patterns):
            if firsts[k] != guess:
                all_sizes[done], all_worth[done] = sizes[kinds[k]], worth[kinds[k]]
                done += 1
                counts[at] += 1
        for k in range(held):
            sizes[kinds[k]] = 0
            worth[kinds[k]] = 0
    return counts, all_sizes[:done].copy(), all_worth[:done].copy()


refine = _entry_point(digest())

"""`class_counts` and `most_classes` on the CPU: kernels on pair codes, and items for threads."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import torch
from numba import njit
from torch import Tensor

from gpulingo.tensors.classes import classes, count_dtype, plain_class_counts, plain_most_classes
from gpulingo.tensors.compiled import compiled, digest
from gpulingo.tensors.cpu import program_of, worth_of
from gpulingo.tensors.cpu_codes import bits_size, fill_bits
from gpulingo.tensors.cpu_counts import FREE, MOST
from gpulingo.tensors.cpu_lanes import ROW
from gpulingo.tensors.cpu_scan import BATCH, scan_many, scratch, write_bits
from gpulingo.tensors.cpu_threads import shared
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Progress
from gpulingo.words.encode import WordTable

BLOCK = 1 << 12  # guesses that a thread counts at once
MANY = 256  # guesses of a set that are tried before the best so far is looked at again, at most


def class_counts(table: WordTable, members: Tensor, progress: Progress | None = None) -> Tensor:
    """As `classes.class_counts`."""
    if members.shape[0] <= ROW:
        return plain_class_counts(table, members, progress)
    program, codes = program_of(table)
    letters, mine = table.letters.numpy(), members.numpy()
    bits = np.empty(bits_size(len(mine), program.total), np.uint64)
    write_bits(letters, mine, program, bits)
    worth = worth_of(classes(len(mine), 0), len(mine))
    counts = np.empty(table.words, np.int64)
    cuts = range(0, table.words, BLOCK)
    shared((partial(count, len(mine), lo, bits, program, worth, codes, counts) for lo in cuts), progress)
    return torch.from_numpy(counts).to(count_dtype(table.words))


def most_classes(
    table: WordTable,
    sets: Frontier,
    ceilings: Tensor,
    rows: list[Tensor],
    progress: Progress | None = None,
) -> tuple[Tensor, Tensor]:
    """As `classes.most_classes`; sets without ceilings are ranked, where small ones are faster."""
    named = torch.tensor([len(some) > 0 for some in rows]) & (sets.sizes > ROW)
    rest = (~named).nonzero().squeeze(1)
    most, pairs = torch.empty(sets.sets, dtype=torch.int64), torch.empty(sets.sets, dtype=torch.int64)
    most[rest], pairs[rest] = plain_most_classes(table, sets.take(rest), progress)
    order = named.nonzero().squeeze(1)
    if order.shape[0] == 0:
        return most, pairs
    order = order[sets.sizes[order].sort(descending=True, stable=True).indices]  # the longest work first
    program, codes = program_of(table)
    letters, limits = table.letters.numpy(), ceilings.numpy()
    worth = worth_of(classes(int(sets.sizes.max()), 1), int(sets.sizes.max()))
    items = [
        partial(under, letters, sets.candidates(s).numpy(), limits, rows[s].numpy(), program, worth, codes)
        for s in order.tolist()
    ]
    done = None if progress is None else lambda result: progress(int(result[1]))
    found = torch.tensor(shared(items, done))
    most[order], pairs[order] = found[:, 0], found[:, 1]
    return most, pairs


def _entry_points(digest: str) -> tuple[Any, Any]:
    """The kernels that are called from here; for the digest see `cpu_scan`."""

    @compiled
    def count(n, first, bits, program, worth, codes, counts):
        _ = digest
        return _count(n, first, bits, program, worth, codes, counts)

    @compiled
    def under(letters, members, ceilings, rows, program, worth, codes):
        _ = digest
        return _under(letters, members, ceilings, rows, program, worth, codes)

    return count, under


@njit(nogil=True)
def _count(n, first, bits, program, worth, codes, counts):
    """Count classes that BLOCK words from the first on make of the n targets of the bits; return pairs."""
    work = scratch(n, program, worth, codes)
    last = min(first + BLOCK, counts.shape[0])
    guesses, every = np.arange(last).astype(np.int32), np.ones(counts.shape[0], np.uint8)
    keys, best = np.empty(BATCH, np.int64), np.empty(BATCH, np.int32)
    for lo in range(first, last, BATCH):
        hi = min(lo + BATCH, last)
        keys[:] = FREE
        scan_many(guesses, lo, hi, 1, every, n, program, bits, worth, work, keys, best, MOST)
        for k in range(hi - lo):
            counts[best[k]] = keys[k] >> 1
    return n * (last - first)


@njit(nogil=True)
def _under(letters, members, ceilings, rows, program, worth, codes):
    """The most of one set, and pairs evaluated.

    Guesses are tried from the one with the highest ceiling down, until none is higher than the best.
    """
    n, words = members.shape[0], letters.shape[0]
    bits = np.empty(bits_size(n, program.total), np.uint64)
    fill_bits(letters, members, program, bits)
    work = scratch(n, program, worth, codes)
    limits = np.full(words, n, np.int32)
    for row in rows:
        for g in range(words):
            limits[g] = min(limits[g], ceilings[row, g])
    # The first has bit 0 for candidates, the other bit 1: so the two stages of a scan part the guesses.
    inside, state = np.zeros(words, np.uint8), np.ones(words, np.uint8)
    for t in range(n):
        limits[members[t]] += 1
        inside[members[t]] = 1
        state[members[t]] = 3
    keys, best = np.full(1, FREE), np.full(1, -1, np.int32)
    guesses, coded = np.full(1, np.argmax(limits), np.int32), 0
    lo, hi = 0, 1
    while lo < hi and limits[guesses[lo]] > keys[0] >> 1:
        for stage, mine in enumerate((inside, state)):
            coded += scan_many(guesses, lo, hi, stage, mine, n, program, bits, worth, work, keys, best, MOST)
        lo = hi
        if coded == 1:  # what the first yields says which others are worth sorting
            limits[guesses[0]] = 0
            guesses, lo = _highest(limits, keys[0] >> 1, n + 1), 0
        hi = min(lo + min(lo + 1, MANY), guesses.shape[0])
    return keys[0] >> 1, coded * n


@njit(nogil=True)
def _highest(limits, least, most):
    """The guesses with limits above the least, the highest first; none is above the most."""
    starts = np.zeros(most - least + 1, np.int64)
    for g in range(limits.shape[0]):
        if limits[g] > least:
            starts[most - limits[g] + 1] += 1
    for k in range(most - least):
        starts[k + 1] += starts[k]
    order = np.empty(starts[-1], np.int32)
    for g in range(limits.shape[0]):
        if limits[g] > least:
            order[starts[most - limits[g]]] = g
            starts[most - limits[g]] += 1
    return order


count, under = _entry_points(digest())

"""Numba kernels that turn the codes of one guess into the total value of its classes.

Sets of up to 32 are compared lane by lane; larger ones use a table of the code range, or a hash table.
Classes are counted by marks (cleared for each guess) or stamps (cleared every 255 guesses), class sizes by
counts, where each word adds the step from the value that its class had before it.

Array indices are unsigned where it matters: one that might be negative costs two more instructions, and a
slice counts a reference, which waits until every earlier store is done.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gpulingo.tensors.arrays import Array
from gpulingo.tensors.cpu.compile import inner
from gpulingo.tensors.cpu.lanes import LANES, ROW, mark_codes, sum_at

# A code range up to SPARSE times the set is read or cleared as a whole, a wider one only at its codes. If the
# set is DENSE times the range, counts are read at the end, without steps; APART times, in four tables.
SPARSE, DENSE, APART = 16, 2, 8
UNROLL = 16  # codes counted per iteration
FREE = np.iinfo(np.int64).min  # key of a place without a guess
MOST = np.iinfo(np.int64).max


class Worth(NamedTuple):
    """An objective as arrays, for sets up to some size: see `gpulingo.tensors.objective.Objective`.

    Inside kernels it has one row, that of the set; where kernels are called, all rows.
    """

    table: Array  # [n + 1] int64; of all rows [K, n + 1]
    steps: Array  # [n] int64, table[c + 1] - table[c]; of all rows [K, n]
    weights: Array  # [W] int32 of words; empty if each counts 1
    bonus: Any  # int; of all rows [K] int64
    largest: bool
    heaviest: bool
    counts: bool
    complete: bool  # whether no partition outranks the one into single words, so that a search may stop there


@inner
def worth_of_row(worth, row):
    """The objective of one row."""
    rest = (worth.largest, worth.heaviest, worth.counts, worth.complete)
    return Worth(worth.table[row], worth.steps[row], worth.weights, worth.bonus[row], *rest)


@inner
def limits(candidates, worth, work, width):
    """Return keys that no guess can exceed: for candidates, and for other guesses; fill in the steps."""
    for c in range(0 if worth.counts else min(ROW, worth.steps.shape[0])):
        work.steps[c] = worth.steps[c]
    if not worth.complete or width > 1:
        return MOST, MOST
    best = worth.table[1] if worth.largest else candidates.shape[0] * worth.table[1]
    return (best + worth.bonus) * 2 + 1, best * 2


@inner
def key_of(value, bonus, inside):
    """Return the rank of a guess with candidacy in the lowest bit: on ties candidates come first."""
    return (value + bonus) * 2 + 1 if inside else value * 2


@inner
def offer(keys, best, key, guess):
    """Insert a guess after those with the same or a better key; return the best key.

    Without places for guesses, keys are in the order of the words, and the guess gets its own.
    """
    if best.shape[0] == 0:
        keys[guess] = key
        return FREE
    place = keys.shape[0]
    while place > 0 and keys[place - 1] < key:
        place -= 1
    if place == keys.shape[0]:
        return keys[0]
    for k in range(keys.shape[0] - 1, place, -1):
        keys[k], best[k] = keys[k - 1], best[k - 1]
    keys[place], best[place] = key, guess
    return keys[0]


@inner
def sums_of_few(seen, count, n, steps, values):
    """Write the value of the partition that n <= 32 codes make, for each of `count` guesses.

    `seen` has 32 entries per guess: the number of earlier equal codes of each target, and 32 more than that
    for lanes after the n; `steps` is [64] int64, those of the value, 0 from 32 on.
    """
    for k in range(count):
        # Unrolled: the compiler turns a loop into gathers, which take twice as long.
        if n <= 8:
            values[k] = sum_at(seen, k * ROW, steps, 8)
        elif n <= 16:
            values[k] = sum_at(seen, k * ROW, steps, 16)
        elif n <= 24:
            values[k] = sum_at(seen, k * ROW, steps, 24)
        else:
            values[k] = sum_at(seen, k * ROW, steps, 32)


@inner
def least_of_few(seen, row, n, table, counts):
    """Return the least value of a class that n <= 32 codes make; `seen` as above, from `row` on.

    `counts` has n + 1 zeros before and after: the classes with more than 0, 1, .. members.
    """
    for t in range(n):
        counts[seen[row + t]] += 1
    value = MOST
    for c in range(n):
        if counts[c] > counts[c + 1]:
            value = min(value, table[c + 1])
        counts[c] = 0
    return value


@inner
def mark(codes, start, n, marks):
    """Mark n codes from `start` on; n is rounded up to 16, where lanes repeat the last target."""
    whole = n // LANES * LANES
    for t in range(0, whole, LANES):
        mark_codes(codes, start + t, marks, LANES)
    for t in range(whole, n, UNROLL):
        mark_codes(codes, start + t, marks, UNROLL)


@inner
def new_stamps(codes, k, start, n, stamps, stamp):
    """Count the n codes of row k that are new under this stamp; n rounded up as in `mark`."""
    new = 0
    t = np.uint64(start)
    for _ in range((n + UNROLL - 1) // UNROLL):
        for u in range(UNROLL):
            code = codes[np.uint64(k), t + np.uint64(u)]
            new += stamps[code] != stamp
            stamps[code] = stamp
        t += np.uint64(UNROLL)
    return new


@inner
def tally(codes, k, start, n, counts, apart):
    """Count n codes in four tables in turn, `apart` entries apart (0: in one table).

    A count waits for the previous one at the same place, and many codes are equal.
    """
    whole = np.uint64(start + n // 4 * 4)
    for first in range(np.uint64(start), whole, 4):
        for u in range(4):
            counts[codes[np.uint64(k), np.uint64(first + u)] + np.uint64(u * apart)] += 1
    for t in range(whole, np.uint64(start + n)):
        counts[codes[np.uint64(k), t]] += 1


@inner
def worth_of_tally(span, counts, apart, worth):
    """Return the value of the classes that `tally` has counted, and reset the counts to zero."""
    value = MOST if worth.largest else np.int64(0)
    for c in range(np.uint64(span)):
        size = np.int64(counts[c])
        counts[c] = 0
        if apart > 0:
            for u in range(1, 4):
                size += counts[c + np.uint64(u) * np.uint64(apart)]
                counts[c + np.uint64(u) * np.uint64(apart)] = 0
        entry = worth.table[np.uint64(size)]
        if worth.largest:
            value = min(value, entry if size > 0 else MOST)
        else:
            value += entry
    return value


@inner
def add_counts(codes, k, start, n, counts, steps):
    """Count codes; return the sum of the steps taken."""
    value = np.int64(0)
    for t in range(np.uint64(start), np.uint64(start + n)):
        c = counts[codes[np.uint64(k), t]]
        value += steps[np.uint64(c)]
        counts[codes[np.uint64(k), t]] = c + 1
    return value


@inner
def clear(array, n):
    """Set the first n entries to zero."""
    for t in range(n):
        array[t] = 0


@inner
def take_counts(codes, k, n, span, counts, worth):
    """Reset the counts of n codes to zero; return the least value of a class, or 0 if values are summed."""
    value = MOST if worth.largest else np.int64(0)
    if worth.largest:
        for t in range(np.uint64(n)):
            value = min(value, worth.table[np.uint64(counts[codes[np.uint64(k), t]])])
    if span <= SPARSE * n:
        clear(counts, span)
        return value
    # Without a test for zeros: a mispredicted branch costs more than ten stores.
    for t in range(np.uint64(n)):
        counts[codes[np.uint64(k), t]] = 0
    return value


@inner
def add(sums, place, weight, heaviest):
    """Add a weight to that of its class."""
    sums[place] = max(sums[place], weight) if heaviest else sums[place] + weight


@inner
def take(sums, place, value, worth):
    """Return the value with the class at a place added, and empty the place; weight 0 is not a class."""
    weight = sums[place]
    if weight == 0:
        return value
    sums[place] = 0
    return min(value, worth.table[weight]) if worth.largest else value + worth.table[weight]


@inner
def worth_by_hash(codes, k, n, worth, places, weighed, sums):
    """Return the value of classes of any n codes; `places` has a power of two above 2 n, `sums` zeros."""
    bound = np.uint64(places.shape[0] - 1)
    for t in range(np.uint64(n)):
        code = np.uint64(codes[np.uint64(k), t])
        h = (code * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(20) & bound
        while sums[h] and places[h] != code:
            h = (h + np.uint64(1)) & bound
        places[h] = code
        add(sums, h, weighed[t] if worth.weights.shape[0] else 1, worth.heaviest)
    value = MOST if worth.largest else np.int64(0)
    for h in range(places.shape[0]):
        value = take(sums, h, value, worth)
    return value

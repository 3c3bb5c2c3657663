"""Numba kernels that turn the codes of one guess into the worth of the classes they make.

Sets of up to 32 are compared lane by lane; larger ones go through a table of the code range: marks (cleared
for each guess), stamps (cleared every 255 guesses), counts of class sizes, or, for wide ranges, a hash table.

Array indices are unsigned where it matters: one that might be negative costs two instructions more, and a
slice counts a reference, which waits until every store before it is done.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gpulingo.tensors.cpu.compile import inner
from gpulingo.tensors.cpu.lanes import LANES, earlier_equals, mark_codes
from gpulingo.tensors.features import Array

UNROLL = 16  # codes counted per turn of the loop
FREE = np.iinfo(np.int64).min  # the key of a place that holds no guess
MOST = np.iinfo(np.int64).max


class Worth(NamedTuple):
    """An objective for sets up to some size: see `gpulingo.tensors.objective.Objective`."""

    table: Array  # [n + 1] int64
    steps: Array  # [n] int64, table[c + 1] - table[c]
    bonus: int
    largest: bool
    counts: bool
    complete: bool  # the partition into single words is the best there is, so that a search may stop there


@inner
def limits(n, worth, width):
    """Keys that nothing can beat: for candidates, and for the guesses that are none."""
    if not worth.complete or width > 1:
        return MOST, MOST
    best = worth.table[1] if worth.largest else n * worth.table[1]
    return (best + worth.bonus) * 2 + 1, best * 2


@inner
def key_of(value, bonus, inside):
    """Rank of a guess with, in the lowest bit, whether it is a candidate: candidates come first."""
    return (value + bonus) * 2 + 1 if inside else value * 2


@inner
def offer(keys, best, key, guess):
    """Insert a guess behind those with the same key or a better one; return the best key."""
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
def worth_of_few(codes, start, n, worth, seen):
    """Worth of the partition that n <= 32 codes make, by class sizes."""
    earlier_equals(seen, codes, start, n)
    value = np.int64(0)
    if not worth.largest:
        for t in range(n):
            value += worth.steps[seen[t]]
        return value
    # A lane's class is complete at its last member; smaller counts of the same class are no classes.
    value = MOST
    for t in range(n):
        last = True
        for u in range(t + 1, n):
            if codes[start + u] == codes[start + t]:
                last = False
                break
        if last:
            value = min(value, worth.table[seen[t] + 1])
    return value


@inner
def mark(codes, start, n, marks):
    """Mark n codes from `start` on, n rounded up to 16: lanes there repeat the last target."""
    whole = n // LANES * LANES
    for t in range(0, whole, LANES):
        mark_codes(codes, start + t, marks, LANES)
    for t in range(whole, n, UNROLL):
        mark_codes(codes, start + t, marks, UNROLL)


@inner
def new_stamps(codes, k, start, n, stamps, stamp):
    """How many of n codes of row k occur for the first time under this stamp; n rounded up as in `mark`."""
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
def take_counts(codes, k, start, n, span, counts, worth):
    """Least worth of a class by their counts, which become zero again."""
    value = MOST
    if span <= 4 * n:
        for c in range(span if worth.largest else 0):
            if counts[c]:
                value = min(value, worth.table[counts[c]])
        clear(counts, span)
        return value
    for t in range(np.uint64(start), np.uint64(start + n)):
        if counts[codes[np.uint64(k), t]]:
            value = min(value, worth.table[counts[codes[np.uint64(k), t]]])
            counts[codes[np.uint64(k), t]] = 0
    return value


@inner
def worth_by_hash(codes, k, start, n, worth, places, counts):
    """Worth of the classes of codes of any range; `places` is a power of two over 2 n long, `counts` zero."""
    bound = np.uint64(places.shape[0] - 1)
    for t in range(np.uint64(start), np.uint64(start + n)):
        code = np.uint64(codes[np.uint64(k), t])
        h = (code * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(20) & bound
        while counts[h] and places[h] != code:
            h = (h + np.uint64(1)) & bound
        places[h] = code
        counts[h] += 1
    value = MOST if worth.largest else np.int64(0)
    for h in range(places.shape[0]):
        if counts[h]:
            entry = worth.table[counts[h]]
            value = min(value, entry) if worth.largest else value + entry
            counts[h] = 0
    return value

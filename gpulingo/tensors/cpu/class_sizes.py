"""Numba kernels that turn the codes of one guess into the total value of its classes.

Sets of up to 32 are compared lane by lane; larger ones go through a table of the code range, or of hashes.
Classes are counted by marks (cleared for each guess) or stamps (cleared every 255 guesses), class sizes by
counts, where each word adds the step from the value that its class had before it.

Array indices are unsigned where it matters: one that might be negative costs two instructions more, and a
slice counts a reference, which waits until every store before it is done.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gpulingo.tensors.cpu.compile import inner
from gpulingo.tensors.cpu.lanes import LANES, ROW, mark_codes, sum_at
from gpulingo.tensors.wordtable import Array

# A range of codes up to SPARSE times the set is read or cleared as a whole, a wider one where codes are. One
# that fits DENSE times into the set has its counts read instead of steps added, APART times: in four tables.
SPARSE, DENSE, APART = 16, 2, 8
UNROLL = 16  # codes counted per turn of the loop
FREE = np.iinfo(np.int64).min  # the key of a place that holds no guess
MOST = np.iinfo(np.int64).max


class SizeWorth(NamedTuple):
    """An objective for sets up to some size: see `gpulingo.tensors.objective.Objective`.

    That of one set, where kernels count its classes; or all rows, where they are called.
    """

    table: Array  # [n + 1] int64; of all rows [K, n + 1]
    steps: Array  # [n] int64, table[c + 1] - table[c]; of all rows [K, n]
    bonus: Any  # int; of all rows [K] int64
    largest: bool
    counts: bool
    complete: bool  # the partition into single words is the best there is, so that a search may stop there


@inner
def worth_of_row(worth, row):
    """The objective of one row."""
    bonus = worth.bonus[row]
    return SizeWorth(worth.table[row], worth.steps[row], bonus, worth.largest, worth.counts, worth.complete)


@inner
def limits(n, worth, width):
    """Return keys that nothing can beat: for candidates, and for other guesses."""
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
def sums_of_few(seen, count, n, steps, values):
    """Return the values of the partitions that n <= 32 codes of each of `count` guesses make.

    `seen` has 32 for each guess, the number of earlier equal codes for each, and 32 more for the lanes after
    the n; `steps` is [64] int64, those of the value, 0 from 32 on.
    """
    for k in range(count):
        # Written out: of a loop the compiler makes gathers, which take twice as long.
        if n <= 8:
            values[k] = sum_at(seen, k * ROW, steps, 8)
        elif n <= 16:
            values[k] = sum_at(seen, k * ROW, steps, 16)
        elif n <= 24:
            values[k] = sum_at(seen, k * ROW, steps, 24)
        else:
            values[k] = sum_at(seen, k * ROW, steps, 32)


@inner
def least_of_few(codes, start, n, table, seen, row):
    """Return the least value of a class that n <= 32 codes make; `seen` as above, from `row` on."""
    # A lane's class is complete at its last member; smaller counts of the same class are no classes.
    value = MOST
    for t in range(n):
        last = True
        for u in range(t + 1, n):
            if codes[start + u] == codes[start + t]:
                last = False
                break
        if last:
            value = min(value, table[seen[row + t] + 1])
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
    """Count n codes into four tables in turn, which lie `apart` (0: into one).

    A count waits for the one before in the same place, and many codes are the same.
    """
    whole = np.uint64(start + n // 4 * 4)
    for first in range(np.uint64(start), whole, 4):
        for u in range(4):
            counts[codes[np.uint64(k), np.uint64(first + u)] + np.uint64(u * apart)] += 1
    for t in range(whole, np.uint64(start + n)):
        counts[codes[np.uint64(k), t]] += 1


@inner
def worth_of_tally(span, counts, apart, worth):
    """Return the value of the classes that `tally` has counted; the counts become zero."""
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
    """Return the least value of a class by the counts of n codes, or 0; the counts become zero."""
    value = MOST if worth.largest else np.int64(0)
    if worth.largest:
        for t in range(np.uint64(n)):
            value = min(value, worth.table[np.uint64(counts[codes[np.uint64(k), t]])])
    if span <= SPARSE * n:
        clear(counts, span)
        return value
    # Whether they are zero already is not asked: a jump that cannot be foreseen costs more than ten stores.
    for t in range(np.uint64(n)):
        counts[codes[np.uint64(k), t]] = 0
    return value


@inner
def worth_by_hash(codes, k, start, n, worth, places, counts):
    """Return the value of classes of any codes; `places` is a power of two over 2 n long, `counts` zero."""
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

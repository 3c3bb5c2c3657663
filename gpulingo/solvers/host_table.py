"""Number of guesses that split sets into single words: a table in arrays that several threads share."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gpulingo.tensors.cpu.compile import inner, making_arrays
from gpulingo.tensors.features import Array

ENTRY = 16  # bytes that a set takes
MOST_ENTRIES = 1 << 24
PROBES = 8  # places where a set may stand; where all are taken, one of them is replaced
UNKNOWN = -1


class HostTable(NamedTuple):
    """Labels of the targets, their hash numbers, and what is known of sets."""

    labels: Array  # [P, T] as by `host_labels`
    numbers: Array  # [T, 2] uint64: of each target; sums of them are the hash of a set
    known: Array  # [E, 2] uint64: the first sum mixed with the other number, half of the second and a count


@inner
def find_known(known, key, check):
    """Return what is known of a set, or -1.

    Threads write while others read, a number at a time: a number that no longer fits its neighbour belongs to
    no set, because both are mixed.
    """
    mask = np.int64(known.shape[0] - 1)
    home = np.int64(key >> np.uint64(20)) & mask
    for k in range(PROBES):
        mixed, beside = known[(home + k) & mask]
        if mixed ^ beside == key and beside >> np.uint64(32) == check >> np.uint64(32):
            return np.int64(beside & np.uint64(0xFFFFFFFF))
        if mixed == 0:
            break
    return np.int64(UNKNOWN)


@inner
def put_known(known, key, check, count):
    """Note how many guesses part a set into single words."""
    mask = np.int64(known.shape[0] - 1)
    home = np.int64(key >> np.uint64(20)) & mask
    place = (home + np.int64(check & np.uint64(PROBES - 1))) & mask
    for k in range(PROBES):
        if known[(home + k) & mask, 0] == 0:
            place = (home + k) & mask
            break
    beside = check >> np.uint64(32) << np.uint64(32) | np.uint64(count)
    known[place, 0], known[place, 1] = key ^ beside, beside


@making_arrays
def look_up(known, keys, counts):
    """Fill in what is known of sets, 0 for rows without a set; return the places of unknown ones."""
    missing = np.empty(keys.shape[0], np.int64)
    many = 0
    for g in range(keys.shape[0]):
        counts[g] = find_known(known, keys[g, 0], keys[g, 1]) if keys[g, 0] > 0 else 0
        if counts[g] < 0:
            missing[many] = g
            many += 1
    return missing[:many]

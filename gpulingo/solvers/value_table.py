"""A transposition table in arrays: what is known of sets by two sums of random numbers of their words."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gpulingo.tensors.cpu.compile import compiled, inner
from gpulingo.tensors.features import Array

ENTRY = 32  # bytes that a set takes
PROBES = 8  # places where a set may stand; where all are taken, one of them is replaced
FEWEST = 1024  # places, however little memory there is
UNKNOWN = -1  # no value, no guess


class Known(NamedTuple):
    """The transposition table: what is known of sets with so many turns left."""

    keys: Array  # [E, 2] uint64: hash of the set and the turns; 0 for none
    lower: Array  # [E] int32: the value, or -1
    upper: Array  # [E] int32: no strategy has more
    guesses: Array  # [E] int32: the first guess of a best strategy, an index into the table, or -1


def new_table(memory: int) -> Known:
    """An empty table of at most so many bytes, and at least 1,024 places."""
    entries = 1 << max(FEWEST.bit_length(), (max(1, memory) // ENTRY).bit_length()) - 1
    # Of zeros, which take no memory until they are written; a place without a key is not read.
    columns = (np.zeros(entries, np.int32) for _ in range(3))
    return Known(np.zeros((entries, 2), np.uint64), *columns)


@inner
def place_of(keys, key, check):
    """Where a set stands in the transposition table; if nowhere, where it may be put."""
    mask = keys.shape[0] - 1
    home = np.int64(key & np.uint64(mask))
    for k in range(PROBES):
        here = (home + k) & mask
        if keys[here, 0] == key and keys[here, 1] == check:
            return here
        if keys[here, 0] == 0:
            return here
    return (home + np.int64(check >> np.uint64(40)) % PROBES) & mask


@inner
def hash_of(numbers, members, start, stop, left):
    """Two sums that tell sets and turns apart, from the [.., 2] numbers of members[start:stop]."""
    key = np.uint64(left) * np.uint64(0x9E3779B97F4A7C15)
    check = np.uint64(left) * np.uint64(0xC2B2AE3D27D4EB4F)
    for t in range(start, stop):
        key += numbers[members[t], 0]
        check += numbers[members[t], 1]
    return key | np.uint64(1), check  # 0 is for an empty place


@inner
def put(known, key, check, lower, upper, guess):
    """Note what is known of a set."""
    here = place_of(known.keys, key, check)
    known.keys[here, 0], known.keys[here, 1] = key, check
    known.lower[here], known.upper[here], known.guesses[here] = lower, upper, guess


@compiled
def look_up(numbers, words, left, known):
    """Upper and lower bound of a set of [n] words, and a best guess; -1: not known."""
    key, check = hash_of(numbers, words, 0, words.shape[0], left)
    here = place_of(known.keys, key, check)
    if known.keys[here, 0] != key or known.keys[here, 1] != check:
        return np.int32(UNKNOWN), np.int32(UNKNOWN), np.int32(UNKNOWN)
    return known.upper[here], known.lower[here], known.guesses[here]


@compiled
def note(numbers, words, left, known, entry):
    """Note what is known of a set of [n] words: lower and upper bound, and a best guess."""
    key, check = hash_of(numbers, words, 0, words.shape[0], left)
    put(known, key, check, *entry)

"""A transposition table: what is known of sets, each told apart by two sums of random numbers of its words.

An entry is a row, so that one that is looked up costs one access of memory. Rows of words hold an upper bound
and a guess. Rows of letters are of sets that are searched among few letters first, then more: the value among
`width` letters is that of the best strategy that chooses, at every set, among the letters that most
candidates hold and a few that were best before. Among all letters it is the value itself.
"""

from __future__ import annotations

import numpy as np

from gpulingo.tensors.cpu.compile import compiled, inner
from gpulingo.tensors.wordtable import Array

ENTRY = 32  # bytes
PROBES = 8  # places where a set may stand; where all are taken, one of them is replaced
FEWEST = 1024  # places, however little memory there is
# Of a row: two hashes; no strategy has more than UPPER; the first guess of one that has so much, EXACT where
# none was looked for and UPPER is the value, or UNKNOWN.
KEY, CHECK, UPPER, GUESS = range(4)
UNKNOWN, EXACT = -1, -2
NOWHERE = -1
NO_GUESS = -1
# Of a row, two numbers in each: some strategy has so much, none has more; none among the letters that were
# searched has more, then the guess and one, the letters that were searched, binary digits of the words.
BOUNDS, CHOICE = 2, 3
LOW = (1 << 32) - 1


def new_rows(memory: int) -> Array:
    """Return [E, 4] int64: an empty table of at most `memory` bytes, and at least 1,024 places."""
    entries = 1 << max(FEWEST.bit_length(), (max(1, memory) // ENTRY).bit_length()) - 1
    return np.zeros((entries, 4), np.int64)  # which take no memory until they are written


@inner
def hash_of(numbers, members, start, stop, left):
    """Two sums that tell sets and turns apart, from the [.., 2] numbers of members[start:stop]."""
    key = np.uint64(left) * np.uint64(0x9E3779B97F4A7C15)
    check = np.uint64(left) * np.uint64(0xC2B2AE3D27D4EB4F)
    for t in range(start, stop):
        key += numbers[members[t], 0]
        check += numbers[members[t], 1]
    return np.int64(key) | 1, np.int64(check)  # 0 is for an empty place


@inner
def row_of(rows, key, check):
    """Return the row of a set in the table, or NOWHERE."""
    mask, home = rows.shape[0] - 1, key >> 1  # its last digit is always 1
    for k in range(PROBES):
        here = (home + k) & mask
        if rows[here, KEY] == key and rows[here, CHECK] == check:
            return here
        if rows[here, KEY] == 0:
            return NOWHERE
    return NOWHERE


@inner
def write(rows, key, check, upper, guess):
    """Note what is known of a set, where it stands, where there is room, or in place of another."""
    mask, home = rows.shape[0] - 1, key >> 1
    place = (home + ((check >> 40) & (PROBES - 1))) & mask
    for k in range(PROBES):
        here = (home + k) & mask
        if rows[here, KEY] == 0 or (rows[here, KEY] == key and rows[here, CHECK] == check):
            place = here
            break
    rows[place, KEY], rows[place, CHECK], rows[place, UPPER], rows[place, GUESS] = key, check, upper, guess


@compiled
def look_up(numbers, words, left, rows):
    """Upper bound of a set of [n] words, and the guess of its entry; UNKNOWN where it has none."""
    key, check = hash_of(numbers, words, 0, words.shape[0], left)
    here = row_of(rows, key, check)
    if here == NOWHERE:
        return np.int64(UNKNOWN), np.int64(UNKNOWN)
    return rows[here, UPPER], rows[here, GUESS]


@compiled
def note(numbers, words, left, rows, upper, guess):
    """Note what is known of a set of [n] words."""
    key, check = hash_of(numbers, words, 0, words.shape[0], left)
    write(rows, key, check, upper, guess)


@inner
def entry(rows, here):
    """Return a row's two bounds, the bound among the letters searched, the guess, and their number."""
    bounds, choice = rows[here, BOUNDS], rows[here, CHOICE]
    return bounds >> 32, bounds & LOW, choice >> 32, ((choice >> 16) & 0xFFFF) - 1, (choice >> 8) & 0xFF


@inner
def put_set(rows, key, check, n, lower, upper, narrow, guess, width):
    """Note what is known of a set of n words, where it stands or in place of the smallest one."""
    mask, home = rows.shape[0] - 1, key >> 1
    place, least = home & mask, np.int64(0xFF)
    for k in range(PROBES):
        here = (home + k) & mask
        if rows[here, KEY] == 0 or (rows[here, KEY] == key and rows[here, CHECK] == check):
            place = here
            break
        if rows[here, CHOICE] & 0xFF < least:
            place, least = here, rows[here, CHOICE] & 0xFF
    digits = np.int64(0)
    while n >> digits:
        digits += 1
    rows[place, KEY], rows[place, CHECK] = key, check
    rows[place, BOUNDS] = (np.int64(lower) << 32) | np.int64(upper)
    rows[place, CHOICE] = (
        (np.int64(narrow) << 32) | ((np.int64(guess) + 1) << 16) | (np.int64(width) << 8) | digits
    )

"""A transposition table: stored bounds of sets, each identified by two sums of its words' random numbers.

An entry is a row, so that a lookup costs one memory access. Rows of words have an upper bound and a guess.
Rows of letters are for sets that are searched among few letters first, then more: the value among `width`
letters is that of the best strategy that chooses, at every set, among the most common letters and a few
earlier best ones. Among all letters it is the exact value.
"""

from __future__ import annotations

import numpy as np

from gpulingo.tensors.arrays import Array
from gpulingo.tensors.cpu.compile import compiled, inner

PROBES = 8  # places that are tried for a set; if all are full, one is replaced
FEWEST = 1024  # places, however little memory there is
# Of a row: two hashes; UPPER, an upper bound; GUESS, the first guess of a strategy with that value; EXACT if
# no guess was searched and UPPER is the value; or UNKNOWN.
KEY, CHECK, UPPER, GUESS = range(4)
UNKNOWN, EXACT = -1, -2
NOWHERE = -1
NO_GUESS = -1
# Of a row of letters also: packed, the guess plus one, the number of letters searched, and the binary digits
# of the number of words; a lower bound; an upper bound among the letters searched.
CHOICE, LOWER, NARROW = 3, 4, 5
OF_WORDS, OF_LETTERS = 4, 6  # numbers in a row


def new_rows(memory: int, columns: int = OF_WORDS) -> Array:
    """Return [E, columns] int64: an empty table of at most `memory` bytes, and at least 1,024 places."""
    entries = 1 << max(FEWEST.bit_length(), (max(1, memory) // (8 * columns)).bit_length()) - 1
    return np.zeros((entries, columns), np.int64)  # pages take no memory until they are written


@inner
def hash_of(numbers, members, start, stop, left):
    """Return two sums that identify a set and its turns, from the [.., 2] numbers of members[start:stop]."""
    key = np.uint64(left) * np.uint64(0x9E3779B97F4A7C15)
    check = np.uint64(left) * np.uint64(0xC2B2AE3D27D4EB4F)
    for t in range(start, stop):
        key += numbers[members[t], 0]
        check += numbers[members[t], 1]
    return np.int64(key) | 1, np.int64(check)  # 0 marks an empty place


@inner
def row_of(rows, key, check):
    """Return the row of a set in the table, or NOWHERE."""
    mask, home = rows.shape[0] - 1, key >> 1  # its last bit is always 1
    for k in range(PROBES):
        here = (home + k) & mask
        if rows[here, KEY] == key and rows[here, CHECK] == check:
            return here
        if rows[here, KEY] == 0:
            return NOWHERE
    return NOWHERE


@inner
def write(rows, key, check, upper, guess):
    """Store a set's bound and guess in its place, in an empty one, or in place of another set."""
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
    """Return the upper bound of a set of [n] words, and the guess of its entry; UNKNOWN without an entry."""
    key, check = hash_of(numbers, words, 0, words.shape[0], left)
    here = row_of(rows, key, check)
    if here == NOWHERE:
        return np.int64(UNKNOWN), np.int64(UNKNOWN)
    return rows[here, UPPER], rows[here, GUESS]


@compiled
def note(numbers, words, left, rows, upper, guess):
    """Store the bound and guess of a set of [n] words."""
    key, check = hash_of(numbers, words, 0, words.shape[0], left)
    write(rows, key, check, upper, guess)


@inner
def entry(rows, here):
    """Return a row's two bounds, the bound among the letters searched, the guess, and their number."""
    row, choice = rows[here], rows[here, CHOICE]
    return row[LOWER], row[UPPER], row[NARROW], (choice >> 16) - 1, (choice >> 8) & 0xFF


@inner
def put_set(rows, key, check, n, lower, upper, narrow, guess, width):
    """Store bounds and guess of a set of n words in its place, or in that of the smallest set."""
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
    row = rows[place]
    row[KEY], row[CHECK], row[LOWER], row[UPPER], row[NARROW] = key, check, lower, upper, narrow
    row[CHOICE] = ((np.int64(guess) + 1) << 16) | (np.int64(width) << 8) | digits

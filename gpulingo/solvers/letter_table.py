"""A transposition table of sets whose values are searched for among few letters first, then among more."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gpulingo.tensors.cpu.compile import inner
from gpulingo.tensors.features import Array

ENTRY = 32  # bytes that a set takes
PROBES = 8  # places where a set may stand; where all are taken, that of the smallest set is replaced
FEWEST = 1024  # places, however little memory there is
NO_GUESS = -1


class LetterTable(NamedTuple):
    """What is known of sets with so many lives: how much their words are worth together.

    The value among `width` letters is that of the best strategy that chooses, at every set, among the letters
    that most candidates hold and a few that were best before. Among all letters it is the value itself.
    """

    keys: Array  # [E, 2] uint64: hash of the set and the lives; 0 for none
    lower: Array  # [E] int32: some strategy has so much; it begins with the guess
    upper: Array  # [E] int32: none has more
    narrow: Array  # [E] int32: none among the letters that were searched has more
    guess: Array  # [E] int16: number of a letter, or NO_GUESS
    width: Array  # [E] uint8: letters that were searched
    size: Array  # [E] uint8: binary digits of the number of words


def letter_table(memory: int) -> LetterTable:
    """An empty table of at most so many bytes, and at least 1,024 places."""
    entries = 1 << max(FEWEST.bit_length(), (max(1, memory) // ENTRY).bit_length()) - 1
    kinds = (np.int32, np.int32, np.int32, np.int16, np.uint8, np.uint8)
    return LetterTable(np.zeros((entries, 2), np.uint64), *(np.zeros(entries, kind) for kind in kinds))


@inner
def find_set(table, key, check):
    """Where a set stands in the table, or -1."""
    mask = table.keys.shape[0] - 1
    home = np.int64((key >> np.uint64(1)) & np.uint64(mask))  # its last digit is always 1
    for k in range(PROBES):
        here = (home + k) & mask
        if table.keys[here, 0] == key and table.keys[here, 1] == check:
            return here
        if table.keys[here, 0] == 0:
            return np.int64(-1)
    return np.int64(-1)


@inner
def put_set(table, key, check, n, lower, upper, narrow, guess, width):
    """Note what is known of a set of n words."""
    mask = table.keys.shape[0] - 1
    home = np.int64((key >> np.uint64(1)) & np.uint64(mask))  # its last digit is always 1
    place = home
    for k in range(PROBES):
        here = (home + k) & mask
        if table.keys[here, 0] == 0 or (table.keys[here, 0] == key and table.keys[here, 1] == check):
            place = here
            break
        if table.size[here] < table.size[place]:
            place = here
    digits = 0
    while n >> digits:
        digits += 1
    table.keys[place, 0], table.keys[place, 1] = key, check
    table.lower[place], table.upper[place], table.narrow[place] = lower, upper, narrow
    table.guess[place], table.width[place], table.size[place] = guess, width, digits

"""A transposition table whose entries are a row each: one that is looked up costs one access of memory."""

from __future__ import annotations

import numpy as np

from gpulingo.solvers.value_table import FEWEST, PROBES
from gpulingo.tensors.cpu.compile import inner
from gpulingo.tensors.features import Array

ENTRY = 32  # bytes
KEY, CHECK, UPPER, GUESS = range(
    4
)  # of a row: two hashes, a bound; the guess of a best strategy that has it, or -1
NOWHERE = -1


def new_rows(memory: int) -> Array:
    """[E, 4] int64: an empty table of at most so many bytes, and at least 1,024 places."""
    entries = 1 << max(FEWEST.bit_length(), (max(1, memory) // ENTRY).bit_length()) - 1
    return np.zeros((entries, 4), np.int64)


@inner
def row_of(rows, key, check):
    """Where a set stands in the table, or NOWHERE."""
    mask = rows.shape[0] - 1
    for k in range(PROBES):
        here = (key + k) & mask
        if rows[here, KEY] == key and rows[here, CHECK] == check:
            return here
        if rows[here, KEY] == 0:
            return NOWHERE
    return NOWHERE


@inner
def write(rows, key, check, upper, guess):
    """Note what is known of a set, where it stands, where there is room, or in place of another."""
    mask = rows.shape[0] - 1
    place = (key + ((check >> 40) & (PROBES - 1))) & mask
    for k in range(PROBES):
        here = (key + k) & mask
        if rows[here, KEY] == 0 or (rows[here, KEY] == key and rows[here, CHECK] == check):
            place = here
            break
    rows[place, KEY], rows[place, CHECK], rows[place, UPPER], rows[place, GUESS] = key, check, upper, guess

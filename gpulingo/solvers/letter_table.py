"""Transposition table of sets that are searched for among few letters first, then more.

The value among `width` letters is that of the best strategy that chooses, at every set, among the letters
that most candidates hold and a few that were best before. Among all letters it is the value itself.
"""

from __future__ import annotations

import numpy as np

from gpulingo.solvers.transpositions import CHECK, KEY, PROBES
from gpulingo.tensors.cpu.compile import inner

NO_GUESS = -1
# Of a row, two numbers in each: some strategy has so much, none has more; none among the letters that were
# searched has more, then the guess and one, the letters that were searched, binary digits of the words.
BOUNDS, CHOICE = 2, 3
LOW = (1 << 32) - 1


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

"""The classes that every guess makes of a set of words, numbered; those of all targets once for a table."""

from __future__ import annotations

from threading import Lock

import numpy as np

from gpulingo.solvers.rows import fill
from gpulingo.tensors.cpu.codes import code_targets, room
from gpulingo.tensors.cpu.compile import compiled
from gpulingo.tensors.cpu.lanes import LANES
from gpulingo.tensors.cpu.rank import program_of
from gpulingo.tensors.cpu.scan import feature_bits
from gpulingo.tensors.features import Array
from gpulingo.tensors.wordtable import WordTable, cached_by_table

_LOCK = Lock()


def classes_of_targets(table: WordTable) -> Array:
    """Return [P, T]: the class that each word of the pool puts each target in; made once."""
    with _LOCK:
        return _classes_of_targets(table)


@cached_by_table
def _classes_of_targets(table: WordTable) -> Array:
    return classes_of(table, table.targets.numpy())


def classes_of(table: WordTable, words: Array) -> Array:
    """Return [P, n] uint8, uint16 or uint32: the class that each word of the pool puts [n] int32 words in."""
    program, codes = program_of(table)
    pool, n = table.pool.numpy(), len(words)
    bits = feature_bits(table.letters.numpy(), words, program)
    row = room((n + LANES - 1) // LANES * LANES, codes.dtype)
    slots, first = np.empty(2 << n.bit_length(), np.int32), np.empty(n, np.int64)
    for kind in (np.uint8, np.uint16, np.uint32):
        labels = np.empty((len(pool), n), kind)
        if number_classes(pool, bits, program, row, slots, first, labels, np.iinfo(kind).max):
            break
    return labels


@compiled
def number_classes(guesses, bits, program, row, slots, first, labels, most):
    """Number the classes of each guess from 0, in the order of their first words; whether all numbers fit.

    Args:
        row: room for the codes of n words. slots: [2^k] int32, more than n: room for classes by hash.
        first: [n] int64: room for the first word of each class. most: the greatest number that fits.
    """
    n, mask = labels.shape[1], np.uint64(slots.shape[0] - 1)
    for g in range(guesses.shape[0]):
        code_targets(row, 0, bits, 0, row.shape[0] // LANES, program, guesses[g])
        fill(slots, -1)
        classes = 0
        for t in range(n):
            slot = np.uint64(row[t]) * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(20) & mask
            while slots[slot] >= 0 and row[first[slots[slot]]] != row[t]:
                slot = (slot + np.uint64(1)) & mask
            if slots[slot] < 0:
                slots[slot], first[classes] = classes, t
                classes += 1
            labels[g, t] = slots[slot]
        if classes - 1 > most:
            return False
    return True

"""The classes that every guess makes of a set of words, numbered; those of all targets once for a table."""

from __future__ import annotations

from threading import Lock

import numpy as np

from gpulingo.tensors.cpu.codes import Program, code_targets, room
from gpulingo.tensors.cpu.compile import compiled
from gpulingo.tensors.cpu.lanes import LANES
from gpulingo.tensors.cpu.rank import program_of
from gpulingo.tensors.cpu.scan import feature_bits
from gpulingo.tensors.features import Array
from gpulingo.tensors.wordtable import WordTable, cached_by_table

WIDEST = 1 << 26  # codes that a table has places for: a limit of memory, 4 bytes each
_LOCK = Lock()


def classes_of_targets(table: WordTable) -> Array:
    """[P, T] uint8 or uint16: the class that each word of the pool puts each target in; made once."""
    with _LOCK:
        return _classes_of_targets(table)


@cached_by_table
def _classes_of_targets(table: WordTable) -> Array:
    return classes_of(table, table.targets.numpy())


def classes_of(table: WordTable, words: Array) -> Array:
    """[P, n] uint8, or uint16 where a guess makes too many: the class that each puts [n] int32 words in."""
    program, codes = program_of(table)
    pool = table.pool.numpy()
    bits = feature_bits(table.letters.numpy(), words, program)
    row = room((len(words) + LANES - 1) // LANES * LANES, codes.dtype)
    if program.widest > WIDEST:
        return _classes_by_sorting(pool, bits, program, row, len(words))
    places = np.full(program.widest, -1, np.int32)
    for kind in (np.uint8, np.uint16):
        labels = np.empty((len(pool), len(words)), kind)
        if number_classes(pool, bits, program, row, places, labels, np.iinfo(kind).max):
            break
    return labels


def _classes_by_sorting(pool: Array, bits: Array, program: Program, row: Array, words: int) -> Array:
    """As `classes_of`, where codes are too many for a table of them."""
    labels = np.empty((len(pool), words), np.uint16)
    for place, guess in enumerate(pool):
        code_row(row, bits, program, guess)
        labels[place] = np.unique(row[:words], return_inverse=True)[1]
    return labels


@compiled
def code_row(row, bits, program, guess):
    """Write the codes of one guess."""
    code_targets(row, 0, bits, 0, row.shape[0] // LANES, program, guess)


@compiled
def number_classes(guesses, bits, program, row, places, labels, most):
    """Number the classes of each guess from 0, in the order of their first words; whether all numbers fit."""
    n = labels.shape[1]
    for g in range(guesses.shape[0]):
        code_targets(row, 0, bits, 0, row.shape[0] // LANES, program, guesses[g])
        classes, mine = 0, labels[g]
        for t in range(n):
            place = places[row[t]]
            if place < 0:
                place = classes
                places[row[t]] = classes
                classes += 1
            mine[t] = place
        for t in range(n):
            places[row[t]] = -1
        if classes > most:
            return False
    return True

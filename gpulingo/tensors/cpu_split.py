"""`split` of the whole list on the CPU: its features are written once, and the guesses coded against them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numba import njit

from gpulingo.tensors.compiled import compiled, digest
from gpulingo.tensors.cpu import program_of
from gpulingo.tensors.cpu_codes import bits_size, code_targets
from gpulingo.tensors.cpu_lanes import LANES
from gpulingo.tensors.cpu_scan import pattern_of, write_bits
from gpulingo.tensors.paircodes import Array
from gpulingo.words.encode import WordTable


def whole_classes(table: WordTable, guess: int) -> tuple[Array, Array, Array]:
    """The classes of the whole list by one word, without that word.

    Returns:
        [W - 1] int32 members, class after class by pattern; [C + 1] int64 where each begins; [C] int64
        patterns.
    """
    program, codes = program_of(table)
    found: tuple[Array, Array, Array] = part(table.letters.numpy(), guess, bits_of(table), program, codes)
    return found


@lru_cache(maxsize=2)
def bits_of(table: WordTable) -> Array:
    """The features of all words."""
    program, _ = program_of(table)
    bits = np.empty(bits_size(table.words, program.total), np.uint64)
    write_bits(table.letters.numpy(), table.everything.numpy(), program, bits)
    return bits


def _entry_point(digest: str) -> Any:
    """The kernel that is called from here; for the digest see `cpu_scan`."""

    @compiled
    def part(letters, guess, bits, program, codes):
        _ = digest
        return _part(letters, guess, bits, program, codes)

    return part


@njit(nogil=True)
def _part(letters, guess, bits, program, codes):
    """Sort all words by code, the codes in the order of their patterns."""
    n = letters.shape[0]
    lanes = (n + LANES - 1) // LANES * LANES
    row = np.empty(lanes, codes.dtype)
    code_targets(row, 0, bits, 0, lanes // LANES, program, guess)
    places = np.zeros(program.ranges[guess], np.int32)  # words of each code; later where the next one goes
    kinds, firsts = np.empty(n, np.int64), np.empty(n, np.int64)  # codes, and the first word of each
    held = 0
    for t in range(n):
        if places[row[t]] == 0:
            kinds[held], firsts[held] = row[t], t
            held += 1
        places[row[t]] += 1
    patterns, spare = np.empty(held, np.int64), np.zeros(256, np.int64)
    for k in range(held):
        patterns[k] = pattern_of(letters[guess], letters[firsts[k]], spare)
    # The guess itself comes last: no pattern is greater than that of all letters in place.
    order = np.argsort(patterns)[: held - 1]
    starts = np.zeros(held, np.int64)
    for k in range(held - 1):
        starts[k + 1] = starts[k] + places[kinds[order[k]]]
        places[kinds[order[k]]] = starts[k]
    members = np.empty(n - 1, np.int32)
    for t in range(n):
        if t != guess:
            members[places[row[t]]] = t
            places[row[t]] += 1
    return members, starts, patterns[order]


part = _entry_point(digest())

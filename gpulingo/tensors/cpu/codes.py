"""Numba kernels that compute pair codes: features of a candidate set as bits, guesses coded against them.

`class_sizes` and `scan` use the codes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba.extending import register_jitable

from gpulingo.tensors.arrays import Array
from gpulingo.tensors.cpu.compile import inlined, inner
from gpulingo.tensors.cpu.lanes import LANES, ROW, feature_codes, slot_codes
from gpulingo.tensors.paircodes import PairCodes

TILE = 8  # words of 64 targets side by side for one feature: a cache line
CACHE_LINE = 64  # bytes
WIDE = 2  # words coded at once: they share the reads of features and coefficients


def room(count: int, dtype: Any, allocate: Callable[..., Array] = np.empty) -> Array:
    """Return an array that begins at a cache line, so that vectors do not straddle two lines."""
    size = count * np.dtype(dtype).itemsize
    memory = allocate(size + CACHE_LINE, np.uint8)
    start = -memory.ctypes.data % CACHE_LINE
    return memory[start : start + size].view(dtype)


def row_of(program: PairCodes, n: int) -> Array:
    """Return room for the codes of n targets by one guess, in whole words of lanes."""
    return room((n + LANES - 1) // LANES * LANES, program.dtype)


@register_jitable
def bits_size(n, total):
    """Return the number of words of feature bits for a set of n."""
    return (n + LANES * TILE - 1) // (LANES * TILE) * total * TILE


@inner
def fill_bits(letters, members, program, bits, count):
    """Write the features of the members, 64 per word; lanes after the last member repeat it.

    `count` is [256] int64, zeros before and after.
    """
    n, length = members.shape[0], letters.shape[1]
    for w in range(bits.shape[0]):
        bits[w] = 0
    for t in range((n + LANES - 1) // LANES * LANES):
        word = letters[members[min(t, n - 1)]]
        base = (t // (LANES * TILE)) * program.total * TILE + (t // LANES) % TILE
        bit = np.uint64(1) << np.uint64(t % LANES)
        for i in range(length):
            x = np.int64(word[i])
            bits[base + (i * program.alphabet + x) * TILE] |= bit
            if count[x] < program.copies:
                bits[base + ((length + count[x]) * program.alphabet + x) * TILE] |= bit
            count[x] += 1
        for i in range(length):
            count[word[i]] = 0


@inlined
def code_targets(codes, start, bits, first, last, program, guess):
    """Write the codes of one guess against the targets of words first:last."""
    p, end = program.starts[guess], program.starts[guess + 1]
    features, coefficients, radix = program.features, program.coefficients, program.radix
    word = first
    while word < last:
        base = word // TILE * program.total * TILE + word % TILE
        here = start + (word - first) * LANES
        if word % WIDE == 0 and word + WIDE <= last:
            feature_codes(codes, here, bits, base, features, coefficients, radix, p, True, WIDE)
            for q in range(p + 1, end):
                feature_codes(codes, here, bits, base, features, coefficients, radix, q, False, WIDE)
            word += WIDE
        else:
            feature_codes(codes, here, bits, base, features, coefficients, radix, p, True, 1)
            for q in range(p + 1, end):
                feature_codes(codes, here, bits, base, features, coefficients, radix, q, False, 1)
            word += 1
    fold(codes, start, (last - first) * LANES, program)


@inlined
def fold(codes, start, count, program):
    """Replace codes by those that they count as."""
    if program.folded.shape[0]:
        flat = codes.reshape(-1)
        for t in range(start, start + count):
            flat[t] = program.folded[flat[t]]


@inlined
def code_rows(codes, start, rows, program, guess):
    """Write the codes of one guess against the 32 targets of a slot table."""
    p = program.starts[guess]
    slot_codes(codes, start, rows, program.slots, program.radix, p, True)
    for q in range(p + 1, program.starts[guess + 1]):
        slot_codes(codes, start, rows, program.slots, program.radix, q, False)
    fold(codes, start, ROW, program)

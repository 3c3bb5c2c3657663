"""Rows of bits, in numpy: the bits that rows share, and the first of many rows contained in another."""

from __future__ import annotations

import numpy as np

from gpulingo.tensors.arrays import Array
from gpulingo.tensors.cpu.compile import compiled


def common_bits(rows: Array, members: Array, offsets: Array) -> Array:
    """Return [S, K] uint64: for each of S sets the bits that the [W, K] rows of all its members share."""
    common = np.full((offsets.shape[0] - 1, rows.shape[1]), np.iinfo(np.uint64).max)
    _keep_common(rows, members, offsets, common)
    return common


def first_within(bits: Array, most: Array, rows: Array, worth: Array) -> Array:
    """Return [S] int64: for each [S, K] row of bits the value of the first of [P, K] rows contained in it.

    `worth` are the [P] int64 values of the rows, ascending; `most` [S] the result if none is smaller.
    """
    least = most.copy()
    _find_first(bits, most, rows, worth, least)
    return least


@compiled
def _keep_common(rows, members, offsets, common):
    for s in range(common.shape[0]):
        for t in range(offsets[s], offsets[s + 1]):
            for k in range(rows.shape[1]):
                common[s, k] &= rows[members[t], k]


@compiled
def _find_first(bits, most, rows, worth, least):
    """Write the value of the first contained row; sets without one keep their entry."""
    for s in range(bits.shape[0]):
        for p in range(rows.shape[0]):
            if worth[p] >= most[s]:
                break
            outside = np.uint64(0)
            for k in range(rows.shape[1]):
                outside |= rows[p, k] & ~bits[s, k]
            if outside == 0:
                least[s] = worth[p]
                break

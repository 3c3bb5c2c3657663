"""Rows of bits on the CPU: what rows have in common, and the first of many rows that lies within another."""

from __future__ import annotations

import numpy as np

from gpulingo.tensors.compiled import compiled


@compiled
def common_bits(rows, members, offsets):
    """[S, K] uint64: the bits that [W, K] rows of all members of each of S sets have."""
    common = np.empty((offsets.shape[0] - 1, rows.shape[1]), np.uint64)
    for s in range(common.shape[0]):
        common[s] = rows[members[offsets[s]]]
        for t in range(offsets[s] + 1, offsets[s + 1]):
            for k in range(rows.shape[1]):
                common[s, k] &= rows[members[t], k]
    return common


@compiled
def first_within(bits, most, rows, worth):
    """[S] int64: of each of [S, K] rows of bits the worth of the first of [P, K] rows that lies within it.

    Args:
        most: [S] int64, what it is where none does whose worth is less.
        worth: [P] int64, ascending.
    """
    found = most.copy()
    for s in range(bits.shape[0]):
        for p in range(rows.shape[0]):
            if worth[p] >= most[s]:
                break
            outside = np.uint64(0)
            for k in range(rows.shape[1]):
                outside |= rows[p, k] & ~bits[s, k]
            if outside == 0:
                found[s] = worth[p]
                break
    return found

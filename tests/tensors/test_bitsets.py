"""Rows of bits against sets of numbers."""

from itertools import pairwise

import numpy as np
import pytest
from gpulingo.tensors.bitsets import common_bits, first_within


def sets_of(rows):
    """The positions of the bits of each row."""
    return [
        {64 * k + bit for k, word in enumerate(row) for bit in range(64) if int(word) >> bit & 1}
        for row in rows
    ]


def drawn(draw, count, wide, share):
    """Random rows with a given share of their bits set."""
    bits = draw.random((count, wide, 64)) < share
    return (bits.astype(np.uint64) << np.arange(64, dtype=np.uint64)).sum(2, dtype=np.uint64)


@pytest.mark.parametrize("wide", [1, 5])
def test_the_bits_that_all_members_have(wide):
    draw = np.random.default_rng(wide)
    rows = drawn(draw, 40, wide, 0.7)
    sizes = draw.integers(1, 6, 30)
    members, offsets = draw.integers(0, 40, sizes.sum(), np.int32), np.concatenate([[0], sizes.cumsum()])
    held = sets_of(rows)
    expected = [
        set.intersection(*(held[member] for member in members[lo:hi])) for lo, hi in pairwise(offsets)
    ]
    found = common_bits(rows, members, offsets)
    assert found.dtype == np.uint64 and sets_of(found) == expected
    assert any(expected)


@pytest.mark.parametrize("wide", [1, 5])
def test_the_first_row_within_another(wide):
    draw = np.random.default_rng(wide)
    rows, worth = drawn(draw, 200, wide, 0.03 / wide), np.sort(draw.integers(0, 50, 200))
    bits, most = drawn(draw, 100, wide, 0.4), draw.integers(0, 20, 100)
    held = [*zip(sets_of(rows), worth.tolist(), strict=True)]
    expected = [
        min([least, *(value for inside, value in held if inside <= outside)])
        for outside, least in zip(sets_of(bits), most.tolist(), strict=True)
    ]
    assert first_within(bits, most, rows, worth).tolist() == expected
    assert 0 < sum(found < least for found, least in zip(expected, most, strict=True)) < 100

"""Numbers by lot: from a seed those of torch.Generator, without torch; from counters on any device."""

from __future__ import annotations

import numpy as np

from gpulingo.tensors.arrays import Array, Tensor

MIX = (30, -0x40A7B892E31B1A47), (27, -0x6B2FB644ECCEEE15), (31, 1)  # shifts and factors of splitmix64
NEXT = -0x61C8864680B583EB  # from one of its states to the next
ALL = (1 << 63) - 1


class Draw:
    """A generator: the same seed draws the same numbers; one of 32 bits those of torch.

    >>> Draw(7).order(5).tolist()
    [0, 1, 3, 2, 4]
    """

    def __init__(self, seed: int = 0) -> None:
        low, high = seed & 0xFFFF_FFFF, seed >> 32 & 0xFFFF_FFFF
        self._numbers = np.random.RandomState([low, high] if high else low)

    def order(self, count: int) -> Array:
        """Return [count] int64: 0 to count - 1 in random order, as torch.randperm."""
        order, left = list(range(count)), np.arange(count, 1, -1)
        ahead = self.bits(len(left)).astype(np.int64) % left
        for place, other in enumerate((ahead + np.arange(len(left))).tolist()):
            order[place], order[other] = order[other], order[place]
        return np.array(order, np.int64)

    def shares(self, count: int) -> Array:
        """Return [count] float64 from 0 to below 1, as torch.rand."""
        high, low = self.bits(2 * count).astype(np.uint64).reshape(-1, 2).T
        return ((high << np.uint64(32) | low) & np.uint64((1 << 53) - 1)) * 2.0**-53

    def bits(self, count: int) -> Array:
        """Return [count] uint32: random bits."""
        return self._numbers.randint(0, 1 << 32, count, np.uint32)


def lots(counters: Tensor, limit: int) -> Tensor:
    """[B] int64 from 0 to below a limit: splitmix64 of [B] int64 counters, the same on every device."""
    bits = counters * NEXT
    for shift, factor in MIX:
        bits = (bits ^ (bits >> shift & ALL >> shift - 1)) * factor
    return (bits & ALL) % limit

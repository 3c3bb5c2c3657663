"""Racks of tiles as numbers without gaps: all that a bag allows.

A tile is its kind, 0 to K - 1; a rack is a multiset of them. Letters and points of tiles are not known here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import accumulate
from math import comb

import torch
from torch import Tensor

from gpulingo.words.shown import brief

MOST_KINDS = 255
MOST = (1 << 63) - 1  # of what is counted: racks, and draws


@dataclass(frozen=True, eq=False)
class RackNumbers:
    """The racks that a bag allows, numbered from 0 for each number of tiles.

    They come in colexicographic order: by their greatest tile, then by the next. With tiles s_1 <= .. <= s_n
    a rack has the number below[s_1, 1] + .. + below[s_n, n].

    Attributes:
        limits: [K] int64: how many tiles of each kind there are, 1 or more.
        below: [K + 1, M + 1] int64: how many racks of m tiles there are of the kinds below k.
    Source: the combinatorial number system, for multisets.

    >>> from gpulingo import rack_table
    >>> rack_table(["quiz", "zax", "ax"], "scrabble", 3).numbers
    RackNumbers(27 kinds, up to 3 tiles)
    """

    limits: Tensor
    below: Tensor

    def __repr__(self) -> str:
        return brief("RackNumbers", f"{self.kinds} kinds, up to {self.most} tiles")

    @property
    def kinds(self) -> int:
        """Kinds of tiles, K."""
        return self.limits.shape[0]

    @property
    def most(self) -> int:
        """Most tiles of a rack, M."""
        return self.below.shape[1] - 1

    def count(self, tiles: int) -> int:
        """Return the number of racks of `tiles` tiles."""
        return int(self.below[-1, tiles])

    def allowed(self, racks: Tensor) -> Tensor:
        """Return [B] bool: which of [B, n] uint8 racks, tiles ascending, the bag has."""
        run = torch.ones(racks.shape[0], dtype=torch.int64, device=racks.device)
        fits = run > 0
        for place in range(racks.shape[1]):
            if place:
                run = torch.where(racks[:, place] == racks[:, place - 1], run + 1, 1)
            fits &= run <= self.limits[racks[:, place].long()]
        return fits

    def numbers(self, racks: Tensor) -> Tensor:
        """Return [B] int64: the numbers of [B, n] uint8 racks that the bag has, tiles ascending."""
        total = torch.zeros(racks.shape[0], dtype=torch.int64, device=racks.device)
        for place in range(racks.shape[1]):
            total += self.below[racks[:, place].long(), place + 1]
        return total

    def racks(self, numbers: Tensor, tiles: int) -> Tensor:
        """Return [B, n] uint8: the racks of `tiles` tiles with [B] int64 numbers; the twin of `numbers`."""
        rest = numbers.clone()
        racks = torch.empty(len(numbers), tiles, dtype=torch.uint8, device=numbers.device)
        for place in reversed(range(tiles)):
            column = self.below[:, place + 1].contiguous()
            tile = torch.searchsorted(column, rest, right=True) - 1
            racks[:, place] = tile
            rest -= column[tile]
        return racks


def rack_numbers(limits: Sequence[int], most: int, device: torch.device | str = "cpu") -> RackNumbers:
    """Return the numbers of the racks of up to `most` tiles of a bag.

    Args:
        limits: tiles of each kind in the bag.
    Raises:
        ValueError: no tiles, fewer than 1 of a kind, or over 2**63 - 1 racks.

    >>> racks = rack_numbers([2, 1], 2)  # two tiles 0 and one tile 1: 00 and 01
    >>> racks.racks(torch.arange(racks.count(2)), 2).tolist()
    [[0, 0], [0, 1]]
    """
    if not 1 <= len(limits) <= MOST_KINDS or min(limits) < 1 or most < 0:
        seen = f"{len(limits)} kinds of tiles, {list(limits)[:5]} of them"
        raise ValueError(f"{seen}, expected 1 to {MOST_KINDS} kinds with at least one each")
    rows = [[1] + [0] * most]
    for limit in limits:
        sums = [0, *accumulate(rows[-1])]
        rows.append([sums[tiles + 1] - sums[max(0, tiles - limit)] for tiles in range(most + 1)])
    if max(rows[-1]) > MOST:
        raise ValueError(
            f"{Decimal(max(rows[-1])):.1e} racks of up to {most} tiles, expected at most {MOST:.1e}"
        )
    counts = torch.tensor(limits, dtype=torch.int64, device=device)
    return RackNumbers(counts, torch.tensor(rows, dtype=torch.int64, device=device))


def check_draws(limits: Sequence[int], tiles: int) -> int:
    """Return the number of draws of `tiles` tiles.

    Raises:
        ValueError: they are too many to be counted.
    """
    # On the way to a number of draws are those of fewer tiles, most of them of half the bag, times the tiles.
    most = min(tiles, sum(limits) // 2)
    if (draws := comb(sum(limits), most)) * max(1, tiles) > MOST:
        fewer = "" if most == tiles else f" on the way to {tiles}"
        seen = f"{Decimal(draws):.1e} draws of {most} tiles{fewer}"
        raise ValueError(f"{seen}, expected at most {MOST / max(1, tiles):.1e}")
    return comb(sum(limits), tiles)

"""Racks of tiles as consecutive numbers: all that a bag allows; their best words, and their draws.

A tile is its kind, 0 to K - 1; a rack is a multiset of kinds. Letters and points of tiles are elsewhere.
Words come as the racks that they use completely, with a rank; a greater rank is better.

Kernels pass over all racks of a size by ascending number. Racks that differ only in their least tile have
consecutive numbers: a row. If one of the other tiles is removed, they are a range within a row of the racks
of one tile less, so whole rows are compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import accumulate
from math import comb

import numpy as np

from gpulingo.tensors.arrays import Array
from gpulingo.tensors.cpu.compile import compiled, inner
from gpulingo.words.shown import brief

MOST = (1 << 63) - 1  # a limit of counts: racks, and draws


@dataclass(frozen=True, eq=False)
class RackNumbers:
    """The racks that a bag allows, numbered from 0 for each number of tiles.

    The order is colexicographic: by the greatest tile, then by the next. With tiles s_1 <= .. <= s_n
    a rack has the number below[s_1, 1] + .. + below[s_n, n].

    Attributes:
        limits: [K] int64: number of tiles of each kind, 1 or more.
        below: [K + 1, M + 1] int64: number of racks of m tiles of the kinds below k.
    Source: the combinatorial number system, for multisets.

    >>> from gpulingo import rack_table
    >>> rack_table(["quiz", "zax", "ax"], "scrabble", 3).numbers
    RackNumbers(27 kinds, up to 3 tiles)
    """

    limits: Array
    below: Array

    def __repr__(self) -> str:
        return brief("RackNumbers", f"{self.kinds} kinds, up to {self.most} tiles")

    @property
    def kinds(self) -> int:
        return self.limits.shape[0]

    @property
    def most(self) -> int:
        return self.below.shape[1] - 1

    def count(self, tiles: int) -> int:
        """Return the number of racks of `tiles` tiles."""
        return int(self.below[-1, tiles])

    def allowed(self, racks: Array) -> Array:
        """Return [B] bool: whether the bag allows each of [B, n] uint8 racks, tiles ascending."""
        run = np.ones(len(racks), np.int64)
        fits = run > 0
        for place in range(racks.shape[1]):
            if place:
                run = np.where(racks[:, place] == racks[:, place - 1], run + 1, 1)
            fits &= run <= self.limits[racks[:, place]]
        return fits

    def numbers(self, racks: Array) -> Array:
        """Return [B] int64: the numbers of [B, n] uint8 racks that the bag allows, tiles ascending."""
        total = np.zeros(len(racks), np.int64)
        for place in range(racks.shape[1]):
            total += self.below[racks[:, place], place + 1]
        return total

    def racks(self, numbers: Array, tiles: int) -> Array:
        """Return [B, n] uint8: racks of `tiles` tiles with [B] int64 numbers; the inverse of `numbers`."""
        rest, racks = numbers, np.empty((len(numbers), tiles), np.uint8)
        for place in reversed(range(tiles)):
            column = self.below[:, place + 1]
            tile = np.searchsorted(column, rest, side="right") - 1
            racks[:, place] = tile
            rest = rest - column[tile]
        return racks


def rack_numbers(limits: Sequence[int], most: int) -> RackNumbers:
    """Return numbers of racks of up to `most` tiles, `limits` of each kind, that `check_draws` passes."""
    rows = [[1] + [0] * most]
    for limit in limits:
        sums = [0, *accumulate(rows[-1])]
        rows.append([sums[tiles + 1] - sums[max(0, tiles - limit)] for tiles in range(most + 1)])
    return RackNumbers(np.array(limits, np.int64), np.array(rows, np.int64))


def check_draws(limits: Sequence[int], tiles: int) -> None:
    """Check that draws of `tiles` tiles can be counted."""
    # Counting uses draws of fewer tiles, most of them for half the bag, times the tiles.
    most = min(tiles, sum(limits) // 2)
    if (draws := comb(sum(limits), most)) * max(1, tiles) > MOST:
        fewer = "" if most == tiles else f" on the way to {tiles}"
        seen = f"{Decimal(draws):.1e} draws of {most} tiles{fewer}"
        raise ValueError(f"{seen}, expected at most {MOST / max(1, tiles):.1e}")


@compiled
def _raise_to_smaller(below, limits, rest, after, smaller, best, size):
    """Raise the rank of each rack to that of each rack without one of its tiles.

    `rest` are a row's tiles except the least, `size` of them; `after[j]` sums the contributions to the number
    of those from place j on, after one before them was removed.
    """
    start, kinds = 0, limits.shape[0]
    _fill(limits, rest, size)
    for row in range(smaller.shape[0]):
        if row:
            _advance(limits, rest, size, kinds)
        width = _width(limits, rest, size)
        for j in range(size - 1, -1, -1):
            after[j] = after[j + 1] + below[rest[j], j + 1]
        least = smaller[row]  # the rack without the least tile
        for k in range(start, start + width):
            best[k] = max(best[k], least)
        before = 0
        for j in range(size):
            if j + 1 == size or rest[j] != rest[j + 1]:  # once per kind is enough
                first = before + after[j + 1]
                for k in range(width):
                    best[start + k] = max(best[start + k], smaller[first + k])
            before += below[rest[j], j + 2]
        start += width


@compiled
def _add_draws(limits, rest, copies, draws, ranks, found, size):
    """Add the draws of each rack to its rank.

    For the tiles of a row except the least, `copies[j]` counts equal tiles from place j on, and
    `draws[j]` the draws of all tiles from there on.
    """
    start, kinds, changed = 0, limits.shape[0], size
    _fill(limits, rest, size)
    while start < ranks.shape[0]:
        for j in range(changed - 1, -1, -1):
            copies[j] = copies[j + 1] + 1 if j + 1 < size and rest[j] == rest[j + 1] else 1
            draws[j] = draws[j + 1] * (limits[rest[j]] - copies[j] + 1) // copies[j]
        width = _width(limits, rest, size)
        for k in range(width):
            ways, rank = draws[0] * limits[k], ranks[start + k]
            if size and k == rest[0]:
                ways = draws[0] * (limits[k] - copies[0]) // (copies[0] + 1)
            else:
                found[k, rank] += ways
            found[kinds, rank] += ways
            for j in range(size):
                if j + 1 == size or rest[j] != rest[j + 1]:
                    found[rest[j], rank] += ways
        start += width
        if start < ranks.shape[0]:
            changed = _advance(limits, rest, size, kinds)


@inner
def _width(limits, rest, size):
    """Return the number of racks in a row: those whose least tile is at most the next one."""
    if size == 0:
        return limits.shape[0]
    copies = 1
    while copies < size and rest[copies] == rest[0]:
        copies += 1
    return rest[0] + (1 if copies < limits[rest[0]] else 0)


@inner
def _fill(limits, rest, size):
    """Fill the first places with the least tiles available."""
    place, kind = 0, 0
    while place < size:
        for _ in range(min(limits[kind], size - place)):
            rest[place] = kind
            place += 1
        kind += 1


@inner
def _advance(limits, rest, size, kinds):
    """Advance to the next rack of the same size; return the number of places that changed."""
    place = 0
    while True:
        kind, copies = rest[place] + 1, 0
        while place + 1 + copies < size and rest[place + 1 + copies] == kind:
            copies += 1
        if kind < kinds and copies < limits[kind] and (place + 1 == size or kind <= rest[place + 1]):
            rest[place] = kind
            _fill(limits, rest, place)
            return place + 1
        place += 1


def best_of_racks(racks: RackNumbers, tiles: int, smaller: Array, own: Array) -> Array:
    """Return the greatest rank of a word on each rack of n tiles, from those of n - 1 tiles.

    A word that does not take all tiles of a rack can be laid without one of them. Ranks are int16 or int32:
    `smaller` of the racks of n - 1 tiles, `own` of the words that take just these n; 0 for no word.
    """
    best = own.copy()
    if len(best):
        rest, after = np.zeros(max(1, tiles - 1), np.int64), np.zeros(tiles, np.int64)
        _raise_to_smaller(racks.below, racks.limits, rest, after, smaller, best, tiles - 1)
    return best


def draws_by_rank(racks: RackNumbers, tiles: int, ranks: Array, count: int) -> Array:
    """Return [K + 1, count] int64: draws that give a rack of each rank, with a tile of each kind, and all.

    A draw is a set of single tiles, any of one kind being apart from the others. Ranks are int16 or int32.
    """
    found = np.zeros((racks.kinds + 1, count), np.int64)
    if tiles == 0:
        found[-1, int(ranks[0])] = 1
    elif len(ranks):
        rest, copies = np.zeros(max(1, tiles - 1), np.int64), np.zeros(tiles, np.int64)
        draws = np.ones(tiles, np.int64)
        _add_draws(racks.limits, rest, copies, draws, ranks, found, tiles - 1)
    return found

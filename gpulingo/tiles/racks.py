"""Racks of tiles as consecutive numbers: all that a bag allows; their best words, and their draws.

A tile is its kind, 0 to K - 1; a rack is a multiset of kinds. Letters and points of tiles are elsewhere.
Words come as the racks that they use completely, with a rank; a greater rank is better.

Kernels pass over all racks of a size by ascending number. Racks that differ only in their least tile have
consecutive numbers: a row. If one of the other tiles is removed, they are a range within a row of the racks
of one tile less, so whole rows are compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import accumulate
from math import comb

import numpy as np

from gpulingo.tensors.arrays import (
    CPU,
    Device,
    Tensor,
    add_at,
    array_of,
    as_type,
    contiguous,
    like,
    moved,
    namespace,
    wide,
)
from gpulingo.tensors.cpu.compile import compiled, inner
from gpulingo.words.shown import brief

MOST = (1 << 63) - 1  # a limit of counts: racks, and draws
BLOCK = 1 << 20  # racks at once; about 8 bytes each per kind of tile


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

    limits: Tensor
    below: Tensor

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

    def allowed(self, racks: Tensor) -> Tensor:
        """Return [B] bool: whether the bag allows each of [B, n] uint8 racks, tiles ascending."""
        xp = namespace(racks)
        run = xp.ones(racks.shape[0], dtype=xp.int64, device=racks.device)
        fits = run > 0
        for place in range(racks.shape[1]):
            if place:
                run = xp.where(racks[:, place] == racks[:, place - 1], run + 1, 1)
            fits &= run <= self.limits[wide(racks[:, place])]
        return fits

    def numbers(self, racks: Tensor) -> Tensor:
        """Return [B] int64: the numbers of [B, n] uint8 racks that the bag allows, tiles ascending."""
        xp = namespace(racks)
        total = xp.zeros(racks.shape[0], dtype=xp.int64, device=racks.device)
        for place in range(racks.shape[1]):
            total += self.below[wide(racks[:, place]), place + 1]
        return total

    def racks(self, numbers: Tensor, tiles: int) -> Tensor:
        """Return [B, n] uint8: racks of `tiles` tiles with [B] int64 numbers; the inverse of `numbers`."""
        xp, rest = namespace(numbers), numbers
        racks = xp.empty((len(numbers), tiles), dtype=xp.uint8, device=numbers.device)
        for place in reversed(range(tiles)):
            column = contiguous(self.below[:, place + 1])
            tile = xp.searchsorted(column, rest, side="right") - 1
            racks[:, place] = as_type(tile, "uint8")
            rest = rest - column[tile]
        return racks


def rack_numbers(limits: Sequence[int], most: int, device: Device = CPU) -> RackNumbers:
    """Return the numbers of the racks of up to `most` tiles of a bag; `limits` are tiles of each kind."""
    rows = [[1] + [0] * most]
    for limit in limits:
        sums = [0, *accumulate(rows[-1])]
        rows.append([sums[tiles + 1] - sums[max(0, tiles - limit)] for tiles in range(most + 1)])
    if max(rows[-1]) > MOST:
        raise ValueError(
            f"{Decimal(max(rows[-1])):.1e} racks of up to {most} tiles, expected at most {MOST:.1e}"
        )
    return RackNumbers(*(moved(np.array(numbers, np.int64), device) for numbers in (limits, rows)))


def check_draws(limits: Sequence[int], tiles: int) -> None:
    """Check that draws of `tiles` tiles can be counted."""
    # Counting uses draws of fewer tiles, most of them for half the bag, times the tiles.
    most = min(tiles, sum(limits) // 2)
    if (draws := comb(sum(limits), most)) * max(1, tiles) > MOST:
        fewer = "" if most == tiles else f" on the way to {tiles}"
        seen = f"{Decimal(draws):.1e} draws of {most} tiles{fewer}"
        raise ValueError(f"{seen}, expected at most {MOST / max(1, tiles):.1e}")


def plain_best(racks: RackNumbers, tiles: int, smaller: Tensor, own: Tensor) -> Tensor:
    """As `best_of_racks`: looks up, for each rack, all racks without one of its tiles."""
    blocks, xp = [own[:0]], namespace(own)
    for start, rows in _every_rack(racks, tiles):
        best = own[start : start + rows.shape[0]]
        for place in range(tiles):
            rest = xp.concat([rows[:, :place], rows[:, place + 1 :]], axis=1)
            best = xp.maximum(best, smaller[racks.numbers(rest)])
        blocks.append(best)
    return xp.concat(blocks)


def plain_draws(racks: RackNumbers, tiles: int, ranks: Tensor, count: int) -> Tensor:
    """As `draws_by_rank`: one rack after the other, by the draws that its tiles allow."""
    xp = namespace(ranks)
    of = {"dtype": xp.int64, "device": ranks.device}
    found = xp.zeros((racks.kinds + 1, count), **of)
    for start, rows in _every_rack(racks, tiles):
        draws, numbers = xp.ones(rows.shape[0], **of), xp.arange(rows.shape[0], **of)
        copies = xp.zeros((rows.shape[0], racks.kinds), **of)
        for place in range(tiles):
            # C(n, k + 1) = C(n, k) (n - k) / (k + 1), where k of the n tiles of a kind came before.
            tile = wide(rows[:, place])
            before = copies[numbers, tile]
            draws = draws * (racks.limits[tile] - before) // (before + 1)
            copies[numbers, tile] = before + 1
        own = wide(ranks[start : start + rows.shape[0]])
        for kind in range(racks.kinds):
            add_at(found[kind], own, draws * (copies[:, kind] > 0))
        add_at(found[-1], own, draws)
    return found


def _every_rack(racks: RackNumbers, tiles: int) -> Iterator[tuple[int, Tensor]]:
    """Yield all racks of `tiles` tiles in order, in blocks: the first number, and [B, n] uint8."""
    for start in range(0, racks.count(tiles), BLOCK):
        end = min(start + BLOCK, racks.count(tiles))
        numbers = namespace(racks.limits).arange(start, end, device=racks.limits.device)
        yield start, racks.racks(numbers, tiles)


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


def best_of_racks(racks: RackNumbers, tiles: int, smaller: Tensor, own: Tensor) -> Tensor:
    """Return the greatest rank of a word on each rack of n tiles, from those of n - 1 tiles.

    A word that does not take all tiles of a rack can be laid without one of them. Ranks are int16 or int32:
    `smaller` of the racks of n - 1 tiles, `own` of the words that take just these n; 0 for no word.
    """
    if str(own.device) != CPU:
        return plain_best(racks, tiles, smaller, own)
    best = namespace(own).asarray(own, copy=True)
    if len(best):
        rest, after = np.zeros(max(1, tiles - 1), np.int64), np.zeros(tiles, np.int64)
        below, limits, below_one, ranks = map(array_of, (racks.below, racks.limits, smaller, best))
        _raise_to_smaller(below, limits, rest, after, below_one, ranks, tiles - 1)
    return best


def draws_by_rank(racks: RackNumbers, tiles: int, ranks: Tensor, count: int) -> Tensor:
    """Return [K + 1, count] int64: draws that give a rack of each rank, with a tile of each kind, and all.

    A draw is a set of single tiles, any of one kind being apart from the others. Ranks are int16 or int32.
    """
    if str(ranks.device) != CPU:
        return plain_draws(racks, tiles, ranks, count)
    found = np.zeros((racks.kinds + 1, count), np.int64)
    if tiles == 0:
        found[-1, int(ranks[0])] = 1
    elif len(ranks):
        rest, copies = np.zeros(max(1, tiles - 1), np.int64), np.zeros(tiles, np.int64)
        draws = np.ones(tiles, np.int64)
        _add_draws(array_of(racks.limits), rest, copies, draws, array_of(ranks), found, tiles - 1)
    return like(found, ranks)

"""The operations on racks on the CPU: one pass over all racks of a size, by ascending number.

Racks that differ in their least tile only have consecutive numbers: a row. Without one of the other tiles
they are a range within a row of the racks of one tile less, so whole rows are compared.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from gpulingo.tensors.cpu.compile import compiled, inner
from gpulingo.tiles.racks import RackNumbers


def best_of_racks(racks: RackNumbers, tiles: int, smaller: Tensor, own: Tensor) -> Tensor:
    """As `rack_ranks.best_of_racks`."""
    best = own.clone()
    if len(best):
        rest, after = np.zeros(max(1, tiles - 1), np.int64), np.zeros(tiles, np.int64)
        below, limits = racks.below.numpy(), racks.limits.numpy()
        _raise_to_smaller(below, limits, rest, after, smaller.numpy(), best.numpy(), tiles - 1)
    return best


def draws_by_rank(racks: RackNumbers, tiles: int, ranks: Tensor, count: int) -> Tensor:
    """As `rack_ranks.draws_by_rank`."""
    found = np.zeros((racks.kinds + 1, count), np.int64)
    if tiles == 0:
        found[-1, int(ranks[0])] = 1
    elif len(ranks):
        rest, copies = np.zeros(max(1, tiles - 1), np.int64), np.zeros(tiles, np.int64)
        draws = np.ones(tiles, np.int64)
        _add_draws(racks.limits.numpy(), rest, copies, draws, ranks.numpy(), found, tiles - 1)
    return torch.from_numpy(found)


@compiled
def _raise_to_smaller(below, limits, rest, after, smaller, best, size):
    """Raise the rank of each rack to that of each rack without one of its tiles.

    `rest` is a row's tiles but the least, `size` of them; `after[j]` sums what those from place j on add to
    a number when one before them is gone.
    """
    start, kinds = 0, limits.shape[0]
    _fill(limits, rest, size)
    for row in range(smaller.shape[0]):
        if row:
            _advance(limits, rest, size, kinds)
        width = _width(limits, rest, size)
        for j in range(size - 1, -1, -1):
            after[j] = after[j + 1] + below[rest[j], j + 1]
        least = smaller[row]  # without the least tile
        for k in range(start, start + width):
            best[k] = max(best[k], least)
        before = 0
        for j in range(size):
            if j + 1 == size or rest[j] != rest[j + 1]:  # one of several alike is enough
                first = before + after[j + 1]
                for k in range(width):
                    best[start + k] = max(best[start + k], smaller[first + k])
            before += below[rest[j], j + 2]
        start += width


@compiled
def _add_draws(limits, rest, copies, draws, ranks, found, size):
    """Add what each rack can be drawn in to its rank.

    Of the tiles of a row but the least, `copies[j]` counts those like that of place j from there on, and
    `draws[j]` in how many ways all from there on can be drawn.
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
    """Take the least tiles that there are for the first places."""
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

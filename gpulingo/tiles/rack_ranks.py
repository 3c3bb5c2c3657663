"""Rank of the best word on each rack of a bag, `best_of_racks`, and its number of draws, `draws_by_rank`.

Words come as the racks that they take whole, with a rank that says which is better.
"""

from __future__ import annotations

import torch
from torch import Tensor

from gpulingo.tensors.checks import check_place, check_tensor, check_within
from gpulingo.tiles import rack_kernels, rack_reference
from gpulingo.tiles.racks import RackNumbers, check_draws

RANKS = (torch.int16, torch.int32)  # what ranks may be


def best_of_racks(
    racks: RackNumbers, tiles: int, smaller: Tensor, own: Tensor, *, plain: bool = False
) -> Tensor:
    """Return the greatest rank of a word on each rack, when that on each rack of one tile less is known.

    A word that does not take all tiles of a rack can be laid without one of them.

    Args:
        tiles: of each rack, n, 1 to `racks.most`.
        smaller: [racks of n - 1 tiles] int16 or int32, 0 or more: of the racks of one tile less.
        own: [racks of n tiles], alike: the greatest rank of a word that takes just these tiles; 0: none does.
        plain: by torch alone; as it is wherever the racks are on no CPU.
    Returns:
        As `own`.

    >>> from gpulingo.tiles.racks import rack_numbers
    >>> numbers = rack_numbers([2, 1], 2)
    >>> one = best_of_racks(numbers, 1, torch.tensor([0]).int(), torch.tensor([0, 5]).int())
    >>> best_of_racks(numbers, 2, one, torch.tensor([3, 0]).int()).tolist()  # of 00 and 01
    [3, 5]
    """
    chosen = rack_reference if plain or own.device.type != "cpu" else rack_kernels
    return chosen.best_of_racks(racks, tiles, smaller.contiguous(), own.contiguous())


def draws_by_rank(
    racks: RackNumbers, tiles: int, ranks: Tensor, count: int, *, plain: bool = False
) -> Tensor:
    """Return the number of draws that give a rack of each rank: in total, and with a tile of each kind.

    A draw is a set of single tiles, any of one kind being apart from the others.

    Args:
        tiles: drawn, 0 to `racks.most`.
        ranks: [racks of `tiles` tiles] int16 or int32, 0 to `count` - 1.
        plain: by torch alone; as it is wherever the racks are on no CPU.
    Returns:
        [K + 1, count] int64: with a tile of each kind, and last all draws.
    Raises:
        ValueError: other shapes, types or devices, a rank out of range, or over 2**63 / n draws.

    >>> from gpulingo.tiles.racks import rack_numbers
    >>> draws_by_rank(rack_numbers([2, 1], 2), 2, torch.tensor([3, 5]).int(), 6)[-1].tolist()
    [0, 0, 0, 1, 0, 2]
    """
    if not 0 <= tiles <= racks.most:
        raise ValueError(f"tiles is {tiles}, expected 0 to {racks.most}")
    check_tensor("ranks", ranks, RANKS, (racks.count(tiles),))
    check_place("ranks", ranks, racks.limits.device)
    check_within("ranks", ranks, count)
    check_draws(racks.limits.tolist(), tiles)
    chosen = rack_reference if plain or ranks.device.type != "cpu" else rack_kernels
    return chosen.draws_by_rank(racks, tiles, ranks.contiguous(), count)

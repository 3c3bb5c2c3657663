"""Racks that words take whole: which words, and the points of their tiles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from gpulingo.tiles.rack_ranks import RANKS
from gpulingo.tiles.racks import RackNumbers
from gpulingo.tiles.spelling import Spelling


@dataclass(frozen=True, eq=False)
class Taken:
    """Words of one length and the racks that they take whole, M pairs: with blanks a word has several.

    Words on one rack have the same points, those of its tiles.

    Attributes:
        places: [M] int64: numbers of the racks.
        words: [M] int64: indices of the words.
        points: [M] int64: of all tiles of the rack.
    """

    places: Tensor
    words: Tensor
    points: Tensor

    def exact(self, points: Tensor, racks: int) -> Tensor:
        """[racks] int16 or int32: the rank of the words that take each rack whole, from 1 on; 0: none does.

        Args:
            points: [P] int64, ascending: those of every rank.
        """
        dtype = rank_dtype(points)
        exact = torch.zeros(racks, dtype=dtype, device=points.device)
        exact[self.places] = (torch.searchsorted(points, self.points) + 1).to(dtype)
        return exact


def taken_racks(spelling: Spelling, numbers: RackNumbers, tiles: int) -> Taken:
    """Return the racks of `tiles` tiles of the bag that words take whole."""
    parts = [torch.empty(3, 0, dtype=torch.int64, device=spelling.letters.device)]
    for racks, words in spelling.taking(tiles):
        fits = numbers.allowed(racks)
        own = racks[fits]
        parts.append(torch.stack([numbers.numbers(own), words[fits], spelling.values[own.long()].sum(1)]))
    return Taken(*torch.cat(parts, 1))


def every_points(taken: Sequence[Taken]) -> Tensor:
    """Return [P] int64, ascending: the points that words can have."""
    return torch.cat([own.points for own in taken]).unique()


def rank_dtype(points: Tensor) -> torch.dtype:
    """Return the smallest type for the ranks of these points."""
    return next(dtype for dtype in RANKS if len(points) <= torch.iinfo(dtype).max)

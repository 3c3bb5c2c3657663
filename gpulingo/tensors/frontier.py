"""Many candidate sets at once, as one list of members and the offsets that cut it; knows no guesses."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from gpulingo.words.encode import WordTable


@dataclass(frozen=True, eq=False)
class Frontier:
    """S candidate sets, like the rows of a CSR matrix.

    Attributes:
        members: [M] int32 indices into a word table, ascending inside each set.
        offsets: [S + 1] int64; set s is members[offsets[s]:offsets[s + 1]], never empty.
    """

    members: Tensor
    offsets: Tensor

    @property
    def sets(self) -> int:
        """Number of candidate sets."""
        return self.offsets.shape[0] - 1

    @property
    def sizes(self) -> Tensor:
        """[S] int64, candidates of each set."""
        return self.offsets.diff()

    @property
    def owners(self) -> Tensor:
        """[M] int64, the set each member belongs to."""
        sets = torch.arange(self.sets, device=self.members.device)
        return sets.repeat_interleave(self.sizes, output_size=self.members.shape[0])

    @property
    def firsts(self) -> Tensor:
        """[S] int32, the first member of each set in list order."""
        return self.members[self.offsets[:-1]]

    def candidates(self, at: int) -> Tensor:
        """[n] int32, the members of one set."""
        return self.members[self.offsets[at] : self.offsets[at + 1]]

    def take(self, sets: Tensor) -> Frontier:
        """The frontier of [R] int64 sets of this one, in that order; a set may be taken more than once."""
        sizes = self.sizes[sets]
        offsets = torch.cat([sizes.new_zeros(1), sizes.cumsum(0)])
        places = torch.arange(int(offsets[-1]), device=self.members.device)
        shift = (self.offsets[sets] - offsets[:-1]).repeat_interleave(sizes, output_size=places.shape[0])
        return Frontier(self.members[places + shift], offsets)


def frontier(sets: list[Tensor]) -> Frontier:
    """Join candidate sets into a frontier.

    Args:
        sets: one or more [n] int32 tensors of ascending indices, on one device.
    Returns:
        Frontier on that device.
    Raises:
        ValueError: a set is empty.
    """
    sizes = [one.shape[0] for one in sets]
    if not all(sizes):
        raise ValueError("an empty candidate set, expected at least one word in each: drop it")
    offsets = torch.tensor([0, *sizes], dtype=torch.int64, device=sets[0].device).cumsum(0)
    return Frontier(torch.cat(sets).to(torch.int32), offsets)


def whole(table: WordTable) -> Frontier:
    """All words of a table as one set."""
    return frontier([table.everything])


def joined(fronts: list[Frontier]) -> Frontier:
    """The sets of several frontiers on one device, in order."""
    ends = torch.tensor([front.members.shape[0] for front in fronts]).cumsum(0).tolist()
    starts = [0, *ends[:-1]]
    offsets = [front.offsets[:-1] + start for front, start in zip(fronts, starts, strict=True)]
    last = fronts[0].offsets.new_tensor([ends[-1]])
    return Frontier(torch.cat([front.members for front in fronts]), torch.cat([*offsets, last]))

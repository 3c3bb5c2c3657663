"""The classes of one opening: by which word each is held, what was found of them, and which come next."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from gpulingo.tensors.frontier import Frontier, whole
from gpulingo.tensors.operations import split
from gpulingo.tensors.outcomes import Split
from gpulingo.tensors.wordtable import WordTable


@dataclass(frozen=True, eq=False)
class Parted:
    """The C classes of an opening, by pattern, without the opening itself.

    Attributes:
        ids: [W] int16 or int32, the class of every word; C for the opening.
        sizes: [C] int64.
    """

    ids: Tensor
    sizes: Tensor


@dataclass(frozen=True, eq=False)
class Seen:
    """An opening of which every class was looked at.

    Attributes:
        parted: its classes.
        found: [C] int64, the most of each that two turns can find.
        three: [C] int64, no more of each can be found by three turns (`twofold`), where that was looked at.
    """

    parted: Parted
    found: Tensor
    three: Tensor | None = None


@dataclass(frozen=True, eq=False)
class View:
    """An opening whose classes are looked at.

    Attributes:
        opening: its index.
        classes: the C classes.
        order: [C] int64, the classes from the largest down.
        worth: [C] int64, their bounds before they are looked at.
        large: how many have more than two words.
    """

    opening: int
    classes: Frontier
    order: Tensor
    worth: Tensor
    large: int

    def next(self, looked: int, words: int) -> Tensor:
        """The next classes to look at, with about so many words together."""
        held = self.classes.sizes[self.order[looked : self.large]].cumsum(0)
        return self.order[looked : looked + int((held < words).sum()) + 1]


def largest_first(sizes: Tensor) -> Tensor:
    """[C] int64: classes from the largest down, equal sizes in their order."""
    return sizes.sort(descending=True, stable=True).indices


def parted(table: WordTable, opening: int) -> Parted:
    """The classes of the whole list by one word."""
    classes = split_whole(table, opening).frontier
    small = torch.int16 if classes.sets < 1 << 15 else torch.int32
    ids = torch.full((table.words,), classes.sets, dtype=small, device=table.device)
    ids[classes.members.long()] = classes.owners.to(small)
    return Parted(ids, classes.sizes)


def split_whole(table: WordTable, opening: int) -> Split:
    """The classes of the whole list by one word, with their members."""
    return split(table, whole(table), torch.tensor([opening], dtype=torch.int32, device=table.device))

"""The classes of one opening, their counts, and the bounds that these give for other openings' classes."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from gpulingo.bounds.formulas import part_sum, part_term
from gpulingo.tensors.checks import narrowest
from gpulingo.tensors.frontier import Frontier, whole
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.operations import refined, split
from gpulingo.tensors.wordtable import WordTable
from gpulingo.words.shown import brief, counted


@dataclass(frozen=True, eq=False)
class Partition:
    """The C classes of an opening, by pattern, without the opening itself.

    Attributes:
        ids: [T] int16 or int32, the class of every target; C for the opening itself.
        sizes: [C] int64.

    >>> Partition(torch.tensor([0, 0, 1, 2], dtype=torch.int16), torch.tensor([2, 1]))
    Partition(2 classes of 4 targets)
    """

    ids: Tensor
    sizes: Tensor

    def __repr__(self) -> str:
        return brief("Partition", f"{counted(len(self.sizes), 'class')} of {len(self.ids):,} targets")


@dataclass(frozen=True, eq=False)
class Evaluated:
    """An opening whose classes have all been counted.

    Attributes:
        partition: its classes.
        two: [C] int64, upper bound of the value of each class with two turns left.
        three: [C] int64, the same with three turns left, if known.

    >>> classes = Partition(torch.tensor([0, 0, 1, 2], dtype=torch.int16), torch.tensor([2, 1]))
    >>> Evaluated(classes, two=torch.tensor([2, 1]))
    Evaluated(2 classes)
    """

    partition: Partition
    two: Tensor
    three: Tensor | None = None

    def __repr__(self) -> str:
        return brief("Evaluated", counted(len(self.two), "class"))


@dataclass(eq=False)
class Pending:
    """An opening whose C classes are counted one after the other."""

    opening: int
    classes: Frontier
    order: Tensor  # [C] int64, the classes from the largest down
    bounds: Tensor  # [C] int64, the lowest known bound of each
    counted: Tensor  # [K] int32, two-turn values of the first K of that order
    large: int  # number of classes with more than two words; the value of the others is known
    bound: int  # upper bound of the opening, in credits

    def next(self, words: int) -> Tensor:
        """Return the next classes to count, with about `words` words in total."""
        counted = self.counted.shape[0]
        together = self.classes.sizes[self.order[counted : self.large]].cumsum(0)
        return self.order[counted : counted + int((together < words).sum()) + 1]


def largest_first(sizes: Tensor) -> Tensor:
    """Return [C] int64: classes from the largest down, equal sizes in their order."""
    return sizes.sort(descending=True, stable=True).indices


def opening_classes(table: WordTable, opening: int) -> Frontier:
    """Return the classes of all targets by one word, by pattern, without the word itself."""
    guess = torch.tensor([opening], dtype=torch.int32, device=table.device)
    return split(table, whole(table), guess).frontier


def classes_of_each(table: WordTable, openings: list[int]) -> tuple[list[int], Frontier]:
    """Return the number of classes of each opening, without the word itself, and the classes by pattern."""
    guesses = torch.tensor(openings, dtype=torch.int32, device=table.device)
    parted = split(table, whole(table).take(torch.zeros_like(guesses, dtype=torch.int64)), guesses)
    return parted.parents.bincount(minlength=len(openings)).tolist(), parted.frontier


def partition_of(table: WordTable, classes: Frontier) -> Partition:
    """Return the classes of an opening without a list of their members."""
    small = narrowest(classes.sets, torch.int16, torch.int32)
    by_word = torch.full((table.words,), classes.sets, dtype=small, device=table.device)
    by_word[classes.members.long()] = classes.owners.to(small)
    return Partition(by_word[table.targets.long()], classes.sizes)


def bounds_by_parts(
    table: WordTable,
    openings: Tensor,
    evaluated: Evaluated,
    left: int,
    *,
    progress: Progress | None = None,
) -> tuple[list[int], Tensor, Tensor]:
    """Return bounds of openings' classes from their intersections with an evaluated opening's classes.

    No number of turns finds more of a set than of a larger one, or more than of its parts together; the first
    turn finds one word. Parts are counted on the table's device.

    Returns:
        The number of classes of each of [G] int64 openings, C in total; [C] int64 their sizes, [C] int64
            bounds of their values, on the device of the openings.
    """
    here, there = openings.device, table.device
    sets, steps = _part_steps(table, evaluated, left)
    parts = refined(table, openings.to(torch.int32).to(there), sets.to(there), steps.to(there), progress)
    return parts.counts.tolist(), parts.sizes.to(here), part_sum(parts.worth.to(here))


def _part_steps(table: WordTable, evaluated: Evaluated, left: int) -> tuple[Frontier, Tensor]:
    """The classes of an evaluated opening, itself last, and the term that each further word adds."""
    sizes, two, three = evaluated.partition.sizes, evaluated.two, evaluated.three
    ids = evaluated.partition.ids.long()
    if int(sizes.sum()) < ids.shape[0]:  # the opening is a target: a class of its own
        sizes, two = (torch.cat([column, column.new_full((1,), n)]) for column, n in ((sizes, 1), (two, 2)))
        three = None if three is None else torch.cat([three, three.new_full((1,), 3)])
    targets = table.targets.to(ids.device)
    members = targets[ids.sort(stable=True).indices]
    ends = torch.cat([sizes.new_zeros(1), sizes.cumsum(0)])
    sets = Frontier.unchecked(members, ends, table.words)
    owners, starts = sets.owners, sets.offsets[:-1]
    words = torch.arange(1, members.shape[0] + 1, device=members.device) - starts[owners]
    of_three = None if three is None or left < 3 else three[owners]
    terms = part_term(words, two[owners], of_three, left)
    steps = terms.diff(prepend=terms.new_zeros(1))
    steps[starts] = terms[starts]
    return sets, steps

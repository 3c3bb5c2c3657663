"""The classes of one opening, their counts, and the bounds that these give for other openings' classes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from gpulingo.bounds.formulas import part_steps, part_sum
from gpulingo.tensors.arrays import Array, Tensor, array_of, as_type, like, namespace, offsets_of, wide
from gpulingo.tensors.checks import narrowest
from gpulingo.tensors.frontier import Frontier, whole
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.operations import greatest_capped, refined, split
from gpulingo.tensors.outcomes import CappedClasses, Split
from gpulingo.tensors.wordtable import WordTable
from gpulingo.words.shown import brief, counted


@dataclass(frozen=True, eq=False)
class Partition:
    """The C classes of an opening, by pattern, without the opening itself.

    Attributes:
        ids: [T] int16 or int32, the class of every target; C for the opening itself.
        sizes: [C] int64.

    >>> Partition(np.array([0, 0, 1, 2], np.int16), np.array([2, 1]))
    Partition(2 classes of 4 targets)
    """

    ids: Array
    sizes: Array

    def __repr__(self) -> str:
        return brief("Partition", f"{counted(len(self.sizes), 'class')} of {len(self.ids):,} targets")


@dataclass(frozen=True, eq=False)
class Evaluated:
    """An opening whose classes have all been counted.

    Attributes:
        partition: its classes.
        two: [C] int64, upper bound of the value of each class with two turns left.
        three: [C] int64, the same with three turns left, if known.

    >>> classes = Partition(np.array([0, 0, 1, 2], np.int16), np.array([2, 1]))
    >>> Evaluated(classes, two=np.array([2, 1]))
    Evaluated(2 classes)
    """

    partition: Partition
    two: Array
    three: Array | None = None

    def __repr__(self) -> str:
        return brief("Evaluated", counted(len(self.two), "class"))


def largest_first(sizes: Tensor) -> Tensor:
    """Return [C] int64: classes from the largest down, equal sizes in their order."""
    return namespace(sizes).argsort(~sizes, stable=True)


def opening_classes(table: WordTable, opening: int) -> Frontier:
    """Return the classes of all targets by one word, by pattern, without the word itself."""
    return split(table, whole(table), like(np.array([opening], np.int32), table.letters)).frontier


def split_by_each(table: WordTable, openings: Tensor) -> Split:
    """Return the classes of all targets by each of [K] words, by pattern, without the word itself."""
    guesses = like(as_type(openings, "int32"), table.letters)
    return split(table, whole(table).take(wide(guesses * 0)), guesses)


def partition_of(table: WordTable, classes: Frontier) -> Partition:
    """Return the classes of an opening without a list of their members."""
    by_word = np.full(table.words, classes.sets, narrowest(classes.sets, "int16", "int32"))
    by_word[classes.members] = classes.owners
    return Partition(by_word[table.targets], classes.sizes)


def bounds_by_parts(
    table: WordTable, openings: list[int] | Array, evaluated: Evaluated, left: int, progress: Progress | None
) -> tuple[list[int], Array, Array]:
    """Return bounds of openings' classes from their intersections with an evaluated opening's classes.

    No number of turns finds more of a set than of a larger one, or more than of its parts together; the first
    turn finds one word. Parts are counted on the table's device.

    Returns:
        The number of classes of each of G openings, C in total; [C] int64 their sizes, [C] int64 bounds of
            their values.
    """
    sizes, two, three = evaluated.partition.sizes, evaluated.two, evaluated.three
    ids, targets = evaluated.partition.ids, table.here.targets
    if int(sizes.sum()) < ids.shape[0]:  # the opening is a target: a class of its own, the last
        sizes, two = np.append(sizes, 1), np.append(two, 2)
        three = None if three is None else np.append(three, 3)
    sets = Frontier.unchecked(targets[ids.argsort(stable=True)], offsets_of(sizes), table.words)
    steps = part_steps(sets, two, three if left >= 3 else None, left)
    guesses = like(np.array(openings, np.int32), table.letters)
    parts = refined(table, guesses, sets.to(table.device), like(steps, guesses), progress)
    return parts.counts.tolist(), array_of(parts.sizes), part_sum(array_of(parts.worth))


def all_classes(table: WordTable, two: Mapping[int, Tensor]) -> CappedClasses:
    """Return the class of each word by each opening, and the two-turn values of the classes, of all openings.

    `two` are [C] int64 by opening, on any device.
    """
    words, xp, widest = table.words, namespace(table.letters), max(map(len, two.values()))
    small = narrowest(widest, "uint8", "int16", "int32")
    by_word = xp.zeros((words, words), dtype=getattr(xp, small), device=table.device)
    caps = xp.zeros((words, widest + 1), dtype=xp.int32, device=table.device)
    for opening, counts in two.items():
        sets = opening_classes(table, opening)
        by_word[opening] = sets.sets  # the opening itself: alone in its class, with two-turn value 2
        by_word[opening, sets.members] = as_type(sets.owners, small)
        caps[opening, : sets.sets], caps[opening, sets.sets] = like(counts, caps), 2
    return CappedClasses(by_word, caps)


def three_turns(
    capped: CappedClasses, sets: Frontier, two: Tensor, progress: Progress | None = None
) -> Tensor:
    """[S] int64: bounds of three-turn values of sets, from their two-turn values and those of all classes.

    A class of one guess inside a class of another lies in both: its two-turn value is at most that of either.
    """
    most = 1 + int(capped.caps.sum(1).max())  # upper bound of all targets
    return greatest_capped(capped, sets, two, progress).clip(max=most)

"""Value of an opening, by a search for the values of its classes."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import torch
from torch import Tensor

from gpulingo.solvers.payoffs import target_weights, top_value
from gpulingo.tensors.cpu.split import split
from gpulingo.tensors.features import Array
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.wordtable import WordTable


def opened(
    table: WordTable,
    opening: int,
    left: int,
    *,
    floor: int,
    credits: Array,
    upper: Tensor | None,
    large_first: bool = False,
    value: Callable[[Array, int], int],
) -> tuple[int, Tensor, bool]:
    """Bound an opening by the values of its classes, one by one, until it is no more than the floor.

    The smallest come first, where one is not enough for that.

    Its excess over the floor is shared out by words, and each class has to fall by its share: to show that
    takes less than its value, and where a class has its value those after it have to make up for it.

    Args:
        large_first: begin with the largest where one that is not wholly found is enough.
        value: of the words of a class that has to be above a floor; negative if it is not known.
    Returns:
        Value, bounds of the classes and whether it is complete, as in `Opened`.
    """
    every = Frontier.unchecked(table.targets, torch.tensor([0, len(table.targets)]), table.words)
    parted = split(table, every, torch.tensor([opening], dtype=torch.int32))
    ends, members = parted.frontier.offsets.tolist(), parted.frontier.members.numpy()
    weights = target_weights(table)
    sets = [members[start:stop] for start, stop in pairwise(ends)]
    bounds = [top_value(weights[words], left - 1, credits) for words in sets]
    if upper is not None:
        bounds = [min(pair) for pair in zip(bounds, upper.tolist(), strict=True)]
    total = int(weights[opening] * credits[left]) * int(parted.hits[0]) + sum(bounds)
    sizes, complete = [len(words) for words in sets], True
    unknown = [
        number for number in range(len(sets)) if left > 2 and sizes[number] > 2
    ]  # others have their bounds
    one_is_enough = large_first and total - int(credits[1]) <= floor
    unknown.sort(key=lambda number: sizes[number], reverse=one_is_enough)
    while unknown and complete and total > floor:
        left_over, words = [], sum(sizes[number] for number in unknown)
        for number in unknown:
            share = -(-(total - floor) * sizes[number] // words)
            below = max(bounds[number] - share, -1)
            found = value(sets[number], below)
            complete = found >= 0
            if not complete:
                break
            if found <= below:
                left_over.append(number)
            total -= max(bounds[number] - found, 0)
            bounds[number] = min(found, bounds[number])
            words -= sizes[number]
            if total <= floor:
                break
        unknown = left_over
    return total, torch.tensor(bounds, dtype=torch.int64), complete

"""How many classes guesses make of sets: of one set by every word, and the most of many sets."""

from __future__ import annotations

import torch
from torch import Tensor

from gpulingo.tensors.frontier import Frontier, frontier
from gpulingo.tensors.objective import Objective, Progress
from gpulingo.tensors.rank import rank
from gpulingo.words.encode import WordTable


def count_dtype(words: int) -> torch.dtype:
    """The smallest unsigned type that holds the number of classes of any set of so many words."""
    return torch.uint16 if words < 1 << 16 else torch.uint32


def class_counts(table: WordTable, members: Tensor, progress: Progress | None = None) -> Tensor:
    """How many classes every word of a table makes of one set.

    Args:
        table: the words all indices point into.
        members: [n] int32, ascending, not empty, on the table's device.
        progress: called with pairs evaluated since the last call.
    Returns:
        [W] uint16, or uint32 where a list has more words than that holds.
    """
    if table.device.type == "cpu":
        from gpulingo.tensors import cpu_classes as kernels

        return kernels.class_counts(table, members, progress)
    return plain_class_counts(table, members, progress)


def plain_class_counts(table: WordTable, members: Tensor, progress: Progress | None = None) -> Tensor:
    """The same on any device: every word ranked, and put back into the order of the list."""
    objective = classes(members.shape[0], bonus=0)
    ranked = rank(table, frontier([members]), table.everything, objective, table.words, progress=progress)
    return ranked.by_word[0].to(count_dtype(table.words))


def most_classes(
    table: WordTable,
    sets: Frontier,
    ceilings: Tensor,
    rows: list[Tensor],
    progress: Progress | None = None,
) -> tuple[Tensor, Tensor]:
    """The most classes that a guess makes of each set, where a candidate of the set counts one more.

    That is what can be found of a set with two turns left.

    Args:
        table: the words all indices point into.
        sets: S sets on the table's device.
        ceilings: [P, W] as by `class_counts`.
        rows: for each set [K] int64, some of the P: no word makes more classes of the set than each says.
            They save work, the answer is the same.
        progress: called with pairs evaluated since the last call.
    Returns:
        [S] int64 the most, and [S] int64 pairs evaluated for it.
    """
    if table.device.type == "cpu":
        from gpulingo.tensors import cpu_classes as kernels

        return kernels.most_classes(table, sets, ceilings, rows, progress)
    return plain_most_classes(table, sets, progress)


def plain_most_classes(
    table: WordTable, sets: Frontier, progress: Progress | None = None
) -> tuple[Tensor, Tensor]:
    """The same on any device, without ceilings."""
    most, pairs = sets.sizes + 1, torch.zeros_like(sets.sizes)  # right for one word and for two
    large = (sets.sizes > 2).nonzero().squeeze(1)
    if large.shape[0]:
        some = sets.take(large)
        objective = classes(int(some.sizes.max()), bonus=1)
        most[large] = rank(table, some, table.everything, objective, progress=progress).ranks[:, 0]
        pairs[large] = some.sizes * table.words
    return most, pairs


def classes(largest: int, bonus: int) -> Objective:
    """Number of classes of sets up to a size, more for a candidate."""
    worth = torch.ones(largest + 1, dtype=torch.int64)
    worth[0] = 0
    return Objective(worth, bonus)

"""How many classes guesses make of sets: of one set by every word, and the most of many sets."""

from __future__ import annotations

import torch
from torch import Tensor

from gpulingo.tensors.checks import (
    check_ascending,
    check_called,
    check_kind,
    check_row,
    check_tensor,
    check_within,
)
from gpulingo.tensors.frontier import Frontier, check_sets
from gpulingo.tensors.objective import Objective, Progress
from gpulingo.tensors.rank import rank
from gpulingo.tensors.wordtable import WordTable


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
    Raises:
        TypeError, ValueError: the members are something else.
    """
    check_kind("table", table, WordTable)
    check_called(None, progress)
    members = check_row("members", members, torch.int32, table.device)
    if members.shape[0] == 0:
        raise ValueError("an empty candidate set, expected at least one word")
    check_ascending("members", members, table.words)
    if table.device.type == "cpu":
        from gpulingo.tensors.cpu import classes as kernels

        return kernels.class_counts(table, members, progress)
    return plain_class_counts(table, members, progress)


def plain_class_counts(table: WordTable, members: Tensor, progress: Progress | None = None) -> Tensor:
    """The same on any device: every word ranked, and put back into the order of the list."""
    objective = classes(members.shape[0], bonus=0)
    ends = torch.tensor([0, members.shape[0]], device=members.device)
    one = Frontier.unchecked(members, ends, table.words)
    ranked = rank(table, one, table.pool, objective, table.words, progress=progress)
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
    Raises:
        ValueError: sets of words beyond the table, ceilings of another list, rows beyond the ceilings.
        TypeError: an argument is of another kind.
    """
    check_sets(table, sets)
    check_called(None, progress)
    if table.device.type == "cpu":
        from gpulingo.tensors.cpu import classes as kernels

        _check_rows(table, sets, ceilings, rows)
        return kernels.most_classes(table, sets, ceilings, rows, progress)
    return plain_most_classes(table, sets, progress)


def _check_rows(table: WordTable, sets: Frontier, ceilings: Tensor, rows: list[Tensor]) -> None:
    """Raise TypeError or ValueError unless there are rows of ceilings of this list for every set."""
    check_tensor("ceilings", ceilings, (torch.uint16, torch.uint32), ("P", table.words))
    if len(rows) != sets.sets:
        raise ValueError(f"rows of ceilings for {len(rows)} sets, expected {sets.sets}")
    for one in rows:
        check_tensor("rows", one, (torch.int64,), ("K",))
    check_within("rows", torch.cat(rows) if rows else ceilings.new_empty(0), ceilings.shape[0])


def plain_most_classes(
    table: WordTable, sets: Frontier, progress: Progress | None = None
) -> tuple[Tensor, Tensor]:
    """The same on any device, without ceilings."""
    most, pairs = sets.sizes + 1, torch.zeros_like(sets.sizes)  # right for one word and for two
    large = (sets.sizes > 2).nonzero().squeeze(1)
    if large.shape[0]:
        some = sets.take(large)
        objective = classes(int(some.sizes.max()), bonus=1)
        most[large] = rank(table, some, table.pool, objective, progress=progress).ranks[:, 0]
        pairs[large] = some.sizes * table.words
    return most, pairs


def classes(largest: int, bonus: int) -> Objective:
    """Number of classes of sets up to a size, more for a candidate."""
    worth = torch.ones(largest + 1, dtype=torch.int64)
    worth[0] = 0
    return Objective(worth, bonus)

"""`refined`: the classes of guesses, and what sets make each of them worth that hold its parts."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from gpulingo.tensors.checks import check_called, check_row, check_within
from gpulingo.tensors.frontier import Frontier, check_sets
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.rank import backend_of
from gpulingo.tensors.wordtable import WordTable


@dataclass(frozen=True, eq=False)
class Refined:
    """The classes of G guesses by pattern, each guess without its own word.

    Attributes:
        counts: [G] int64, classes of each guess, C in all.
        sizes: [C] int64.
        worth: [C] int64, sum over the sets of what the part is worth that the class holds.
    """

    counts: Tensor
    sizes: Tensor
    worth: Tensor


def refined(
    table: WordTable, guesses: Tensor, sets: Frontier, steps: Tensor, progress: Progress | None = None
) -> Refined:
    """Part all words of some sets by each guess, and add up what the parts of each class are worth.

    Args:
        table: the words all indices point into.
        guesses: [G] int32.
        sets: disjoint sets on the table's device, M words in all.
        steps: [M] int64; k words of set s are worth the sum of the first k steps from sets.offsets[s] on.
        progress: called with pairs evaluated since the last call.
    Returns:
        The classes, the same on every device.
    Raises:
        ValueError: sets or guesses of words beyond the table, or on another device; not a step for each word.
        TypeError: an argument is of another kind.
    """
    check_sets(table, sets)
    check_called(None, progress)
    steps = check_row("steps", steps, torch.int64, table.device, sets.members.shape[0])
    guesses = check_row("guesses", guesses, torch.int32, table.device, "G")
    check_within("guesses", guesses, table.words)
    if table.device.type == "cpu":
        from gpulingo.tensors.cpu import rank as cpu
        from gpulingo.tensors.cpu import refine as cpu_refinement

        if cpu.codes_fit(table):
            return cpu_refinement.refined(table, guesses, sets, steps, progress)
    return plain_refined(table, guesses, sets, steps, progress)


def plain_refined(
    table: WordTable, guesses: Tensor, sets: Frontier, steps: Tensor, progress: Progress | None = None
) -> Refined:
    """The same in plain torch on any device, guess by guess."""
    total = torch.cat([steps.new_zeros(1), steps.cumsum(0)])
    starts, owners, members = sets.offsets[:-1], sets.owners, sets.members
    counts, sizes, worth = [], [], []
    for guess in guesses:
        others = members != guess
        mine = members[others]
        marks = backend_of(table).paired_patterns(table, guess.expand_as(mine), mine)
        patterns, classes = marks.unique(return_inverse=True)
        parts, held = (classes * sets.sets + owners[others]).unique(return_counts=True)
        start = starts[parts % sets.sets]
        empty = steps.new_zeros(patterns.shape[0])
        counts.append(patterns.shape[0])
        sizes.append(empty.index_add(0, parts // sets.sets, held))
        worth.append(empty.index_add(0, parts // sets.sets, total[start + held] - total[start]))
        if progress:
            progress(members.shape[0])
    none = steps.new_zeros(0)
    return Refined(steps.new_tensor(counts), torch.cat([none, *sizes]), torch.cat([none, *worth]))

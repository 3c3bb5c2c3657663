"""Play out several guesses of each set, the most promising first, and stop where none left can be better."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.operations import split
from gpulingo.tensors.wordtable import WordTable

EXPANDED = 1 << 22  # candidates of all guesses that are played out together
TOGETHER = 16  # guesses of one set that are played out together at most


@dataclass(frozen=True, eq=False)
class Values:
    """What is known of S sets.

    Attributes:
        lower: [S] int64, turns: the value of a strategy that was found.
        upper: [S] int64, turns: no strategy has more; equal to `lower` where that is the best.
        guesses: [S] int32, the first guess of that strategy.
    """

    lower: Tensor
    upper: Tensor
    guesses: Tensor


ValuesOf = Callable[[Frontier, int], Values]  # sets, turns left


def played(
    table: WordTable,
    front: Frontier,
    left: int,
    tried: Tensor,
    bounds: Tensor,
    beyond: Tensor,
    values_of: ValuesOf,
) -> Values:
    """The best of the guesses that were played out.

    Args:
        table: the words all indices point into.
        front: S sets.
        left: turns left, this guess included, at least 2.
        tried: [S, K] int32 guesses in the order they are to be played in; -1 for none, at the end only.
        bounds: [S, K] int64, turns: neither the guess nor any after it has more; not rising.
        beyond: [S] int64, turns: no guess that is not among `tried` has more.
        values_of: values of the classes, with one turn less.
    """
    best = torch.full((front.sets,), -1, dtype=torch.int64, device=tried.device)
    reach, guesses = best.clone(), front.firsts.clone()
    left_out = torch.full_like(best, -1)  # bound of the guesses of `tried` that were not played
    open_ = torch.arange(front.sets, device=tried.device)
    done, together, width = 0, 1, tried.shape[1]
    while done < width and open_.shape[0]:
        together = min(together, width - done)
        for some in _blocks(front, open_, together):
            sets = some.repeat_interleave(together)
            chosen = tried[some, done : done + together].reshape(-1)
            sets, chosen = sets[chosen >= 0], chosen[chosen >= 0]
            lower, upper = guess_values(table, front.take(sets), chosen, left, values_of)
            reach.scatter_reduce_(0, sets, upper, "amax")
            top = torch.full_like(best, -1).scatter_reduce_(0, sets, lower, "amax")
            # The first of several equally good guesses: so the answer is the same on every device.
            hit = ((lower == top[sets]) & (lower > best[sets])).nonzero().squeeze(1)
            first = torch.full_like(best, sets.shape[0])
            first.scatter_reduce_(0, sets[hit], hit, "amin")
            better = (first < sets.shape[0]).nonzero().squeeze(1)
            guesses[better] = chosen[first[better]]
            best = torch.maximum(best, top)
        done += together
        together = min(2 * together, TOGETHER)
        if done < width:
            more = (tried[open_, done] >= 0) & (best[open_] < bounds[open_, done])
            stopped = open_[~more]
            left_out[stopped] = torch.where(tried[stopped, done] >= 0, bounds[stopped, done], -1)
            open_ = open_[more]
    upper = torch.stack([best, reach, left_out, beyond]).amax(0)
    return Values(best, upper, guesses)


def guess_values(
    table: WordTable, front: Frontier, guesses: Tensor, left: int, values_of: ValuesOf
) -> tuple[Tensor, Tensor]:
    """[S] lower values and upper bounds of one guess for each set."""
    parted = split(table, front, guesses)
    lower = parted.hits.to(torch.int64) * left
    upper = lower.clone()
    if parted.frontier.sets:
        below = values_of(parted.frontier, left - 1)
        lower.index_add_(0, parted.parents, below.lower)
        upper.index_add_(0, parted.parents, below.upper)
    return lower, upper


def _blocks(front: Frontier, sets: Tensor, times: int) -> Iterator[Tensor]:
    """Runs of the sets with about EXPANDED candidates each, every set taken `times` times."""
    block = (front.sizes[sets].cumsum(0) - 1) * times // EXPANDED
    edges = (block.diff() != 0).nonzero().squeeze(1) + 1
    yield from torch.tensor_split(sets, edges.cpu())

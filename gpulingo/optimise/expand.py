"""Expand several guesses of each set, the most promising first, and stop where none left can be better."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from gpulingo.games.game import Game
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.operations import split
from gpulingo.tensors.wordtable import WordTable

EXPANDED = 1 << 22  # candidates of all guesses that are expanded together: a limit of memory
MOST_TOGETHER = (
    16  # guesses of one set that are expanded together: a limit, each round twice as many until it
)


@dataclass(frozen=True, eq=False)
class Values:
    """Values that are known of S sets.

    Attributes:
        lower: [S] int64, credits: the value of a strategy that was found.
        guesses: [S] int32, the first guess of that strategy.
    """

    lower: Tensor
    guesses: Tensor


ValuesOf = Callable[[Frontier, int], Values]  # sets, turns left


@dataclass(frozen=True, eq=False)
class Tried:
    """Guesses to expand, up to K for each of S sets.

    Attributes:
        guesses: [S, K] int32 in the order they are to be expanded in; -1 for none, at the end only.
        bounds: [S, K] int64, credits: neither the guess nor any after it has more; not rising.
    """

    guesses: Tensor
    bounds: Tensor


@dataclass(frozen=True, eq=False)
class Expander:
    """Values of guesses from the values of the classes they leave.

    Attributes:
        table: the words all indices point into.
        game: payoff of a found target.
        values_of: values of the classes, with one turn less.
    """

    table: WordTable
    game: Game
    values_of: ValuesOf

    def guess_values(self, front: Frontier, guesses: Tensor, left: int) -> Tensor:
        """Return [S] int64 values of one guess for each set; it finds itself if it is a member."""
        classes = split(self.table, front, guesses)
        lower = classes.hits.to(torch.int64) * self.game.payoff[left]
        if classes.frontier.sets:
            below = self.values_of(classes.frontier, left - 1)
            lower.index_add_(0, classes.parents, below.lower)
        return lower

    def best_of_expanded(self, front: Frontier, left: int, tried: Tried) -> Values:
        """Return the best of the guesses that were expanded.

        Args:
            front: S sets.
            left: turns left, this guess included, at least 2.
            tried: guesses and what bounds them.
        """
        best = torch.full((front.sets,), -1, dtype=torch.int64, device=tried.guesses.device)
        guesses = front.firsts.clone()
        going = torch.arange(front.sets, device=best.device)
        done, together, width = 0, 1, tried.guesses.shape[1]
        while done < width and going.shape[0]:
            together = min(together, width - done)
            for block in _blocks(front, going, together):
                sets = block.repeat_interleave(together)
                chosen = tried.guesses[block, done : done + together].reshape(-1)
                sets, chosen = sets[chosen >= 0], chosen[chosen >= 0]
                _take_better(best, guesses, sets, chosen, self.guess_values(front.take(sets), chosen, left))
            done += together
            together = min(2 * together, MOST_TOGETHER)
            if done < width:
                more = (tried.guesses[going, done] >= 0) & (best[going] < tried.bounds[going, done])
                going = going[more]
        return Values(best, guesses)


def _take_better(best: Tensor, guesses: Tensor, sets: Tensor, chosen: Tensor, lower: Tensor) -> None:
    """Replace, in place, the best values and guesses of sets by better ones of [E] expanded guesses."""
    top = torch.full_like(best, -1).scatter_reduce_(0, sets, lower, "amax")
    # The first of several equally good guesses: so the answer is the same on every device.
    better = ((lower == top[sets]) & (lower > best[sets])).nonzero().squeeze(1)
    first = torch.full_like(best, sets.shape[0])
    first.scatter_reduce_(0, sets[better], better, "amin")
    changed = (first < sets.shape[0]).nonzero().squeeze(1)
    guesses[changed] = chosen[first[changed]]
    torch.maximum(best, top, out=best)


def _blocks(front: Frontier, sets: Tensor, times: int) -> Iterator[Tensor]:
    """Runs of the sets with about EXPANDED candidates each, every set taken `times` times."""
    block = (front.sizes[sets].cumsum(0) - 1) * times // EXPANDED
    edges = (block.diff() != 0).nonzero().squeeze(1) + 1
    yield from torch.tensor_split(sets, edges.cpu())

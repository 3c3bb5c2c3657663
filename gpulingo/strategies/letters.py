"""Strategies that look at the letters of the candidates only, or at nothing; they guess candidates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import torch
from torch import Tensor

from gpulingo.strategies.strategy import Choice, Position
from gpulingo.tensors.features import letter_copies
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Progress

LetterValue = Callable[[Tensor, Tensor, Tensor], Tensor]


def most_held(holds: Tensor, holders: Tensor, copies: Tensor) -> Tensor:
    """Candidates that hold a letter, summed over the distinct letters."""
    return (holds * holders).sum(1)


def histogram(holds: Tensor, holders: Tensor, copies: Tensor) -> Tensor:
    """Copies of a letter among the candidates, summed over the distinct letters.

    Source: chinese-perl-goth.pl of noirotm/lingo.
    """
    return (holds * copies).sum(1)


def distinct(holds: Tensor, holders: Tensor, copies: Tensor) -> Tensor:
    """Number of distinct letters."""
    return holds.sum(1)


def statistician(holds: Tensor, holders: Tensor, copies: Tensor) -> Tensor:
    """Number of distinct letters, times what `histogram` sums.

    Source: statistician.rb of noirotm/lingo.
    """
    return holds.sum(1) * (holds * copies).sum(1)


@dataclass(frozen=True)
class Letters:
    """The candidate whose letters have most value.

    Attributes:
        name: of the strategy.
        value: of each candidate, [M] int64, after [M, A] int64: 1 where it holds the letter, the number of
            candidates of its set that hold it, and the number of copies of it they have.
        draws: where ties are drawn at random; the first in list order without. On the CPU, so that every
            device draws the same.
    """

    name: str = "letters"
    value: LetterValue = most_held
    draws: torch.Generator | None = None

    def choose(self, position: Position, progress: Progress | None = None) -> Choice:
        """Guesses of all sets at once."""
        frontier = position.frontier
        copies = letter_copies(position.table)[frontier.members.long()]  # [M, A]
        holds = (copies > 0).long()
        values = self.value(holds, in_set(frontier, holds), in_set(frontier, copies))
        if self.draws is not None:
            frontier, values = shuffled(frontier, values, self.draws)
        return Choice(greatest(frontier, values, 1)[:, 0])


@dataclass(frozen=True)
class Random:
    """Any candidate, each as likely.

    Attributes:
        draws: on the CPU, so that every device draws the same.
        name: of the strategy.
    """

    draws: torch.Generator = field(default_factory=lambda: torch.Generator().manual_seed(0))
    name: str = "random"

    def choose(self, position: Position, progress: Progress | None = None) -> Choice:
        """Guesses of all sets at once."""
        frontier = position.frontier
        shares = torch.rand(frontier.sets, dtype=torch.float64, generator=self.draws).to(
            frontier.sizes.device
        )
        places = (shares * frontier.sizes).long().minimum(frontier.sizes - 1)
        return Choice(frontier.members[frontier.offsets[:-1] + places])


def in_set(frontier: Frontier, counts: Tensor) -> Tensor:
    """[M, A], the counts [M, A] of each member summed over its set."""
    return summed(frontier, counts)[frontier.owners]


def summed(frontier: Frontier, counts: Tensor) -> Tensor:
    """[S, A], the counts [M, A] of the members summed over each set."""
    sums = torch.zeros(frontier.sets, counts.shape[1], dtype=counts.dtype, device=counts.device)
    return sums.index_add_(0, frontier.owners, counts)


def shuffled(frontier: Frontier, keys: Tensor, draws: torch.Generator) -> tuple[Frontier, Tensor]:
    """The members of every set, and their [M] keys, in random order."""
    order = torch.randperm(keys.shape[0], generator=draws).to(keys.device)
    order = order[frontier.owners[order].sort(stable=True).indices]
    # Unchecked, as a shuffled set does not rise; it goes no further than `greatest`.
    return Frontier.unchecked(frontier.members[order], frontier.offsets, frontier.below), keys[order]


def greatest(frontier: Frontier, keys: Tensor, width: int) -> Tensor:
    """[S, width] int32, of each set the members of greatest key; of equal keys the earlier member first.

    A set of fewer members fills its row with its first.
    """
    owners = frontier.owners
    order = keys.sort(descending=True, stable=True).indices
    order = order[owners[order].sort(stable=True).indices]
    places = torch.arange(order.shape[0], device=order.device) - frontier.offsets[owners]
    kept = places < width
    members = frontier.firsts[:, None].repeat(1, width)
    members[owners[kept], places[kept]] = frontier.members[order[kept]]
    return members

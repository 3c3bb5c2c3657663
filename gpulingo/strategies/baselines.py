"""Strategies that look at letters or at nothing, as every paper has them; they guess candidates only."""

from __future__ import annotations

from dataclasses import dataclass, field

import torch
from torch import Tensor

from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Progress
from gpulingo.words.encode import WordTable


@dataclass(frozen=True)
class Choice:
    """The guess of every set of a frontier.

    Attributes:
        guesses: [S] int32 indices into the word table.
        pairs: pairs of guess and candidate evaluated for it.
    """

    guesses: Tensor
    pairs: int = 0


@dataclass(frozen=True)
class Letters:
    """The candidate whose distinct letters are held by most candidates, summed over the letters."""

    name: str = "letters"

    def choose(
        self, table: WordTable, frontier: Frontier, left: int, progress: Progress | None = None
    ) -> Choice:
        """Guesses of all sets at once; ties by list order."""
        alphabet = len(table.alphabet)
        held = torch.zeros(table.words, alphabet, dtype=torch.int64, device=table.device)
        held.scatter_(1, table.letters.long(), 1)  # [W, A]
        mine, owners = held[frontier.members.long()], frontier.owners
        counts = torch.zeros(frontier.sets, alphabet, dtype=torch.int64, device=table.device)
        counts.index_add_(0, owners, mine)
        sums = (mine * counts[owners]).sum(1)  # [M]
        best = torch.full((frontier.sets,), -1, dtype=torch.int64, device=table.device)
        best.scatter_reduce_(0, owners, sums, "amax")
        places = torch.arange(sums.shape[0], device=table.device)
        first = torch.where(sums == best[owners], places, sums.shape[0])
        at = torch.full((frontier.sets,), sums.shape[0], dtype=torch.int64, device=table.device)
        at.scatter_reduce_(0, owners, first, "amin")
        return Choice(frontier.members[at])


@dataclass(frozen=True)
class Random:
    """Any candidate, each as likely.

    Attributes:
        generator: on the CPU, so that every device draws the same.
    """

    generator: torch.Generator = field(default_factory=lambda: torch.Generator().manual_seed(0))
    name: str = "random"

    def choose(
        self, table: WordTable, frontier: Frontier, left: int, progress: Progress | None = None
    ) -> Choice:
        """Guesses of all sets at once."""
        draws = torch.rand(frontier.sets, dtype=torch.float64, generator=self.generator).to(table.device)
        at = frontier.offsets[:-1] + (draws * frontier.sizes).long().minimum(frontier.sizes - 1)
        return Choice(frontier.members[at])

"""What a strategy answers, and the one that looks at nothing."""

from __future__ import annotations

from dataclasses import dataclass, field

import torch
from torch import Tensor

from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.wordtable import WordTable


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

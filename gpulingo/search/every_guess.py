"""The strategy that a search of every guess finds: the best guess of every set."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from gpulingo.bounds.every_guess import Searches
from gpulingo.strategies.strategy import Choice, Position
from gpulingo.tensors.objective import Progress


@dataclass(frozen=True)
class EveryGuess:
    """A strategy; what its searches have seen they do not search again."""

    searches: Searches
    name: str = "solve"

    def choose(self, position: Position, progress: Progress | None = None) -> Choice:
        """The best guess of every set."""
        sets, left = position.frontier, position.turns_left
        found = [self.searches.value(sets.candidates(number), left) for number in range(sets.sets)]
        guesses = torch.tensor([each.guess for each in found], dtype=torch.int32)
        return Choice(guesses.to(position.table.device), sum(each.pairs for each in found))

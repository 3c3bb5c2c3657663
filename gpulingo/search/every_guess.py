"""The strategy that a search of every guess finds: the best guess of every set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

from gpulingo.strategies.strategy import Choice, Position
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.outcomes import Valued


class SearchesOfSets(Protocol):
    """Searches for the value of a set, as `bounds.every_guess.Searches` or one `ValueSearch`."""

    def value(self, members: Tensor, left: int, *, legal: Tensor | None = None) -> Valued:
        """The value of one set, and a best guess."""


@dataclass(frozen=True)
class EveryGuess:
    """A strategy.

    Attributes:
        searches: what they have seen they do not search again. often: told the pairs; may raise to end it.
    """

    searches: SearchesOfSets
    often: Progress
    name: str = "solve"

    def choose(self, position: Position, progress: Progress | None = None) -> Choice:
        """The best guess of every set."""
        sets, guesses, pairs = position.frontier, [], 0
        for number in range(sets.sets):
            members, legal = sets.candidates(number).cpu(), position.allowed_of(number)
            found = self.searches.value(members, position.turns_left, legal=legal)
            self.often(found.pairs)
            guesses.append(found.guess)
            pairs += found.pairs
        return Choice(torch.tensor(guesses, dtype=torch.int32).to(position.table.device), pairs)

"""The best guess of every set, by a search of every guess that ends when it has to."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from gpulingo.search.deadline import Deadline, OutOfTime
from gpulingo.solvers.letters import LetterSearch
from gpulingo.solvers.value import ValueSearch
from gpulingo.strategies.strategy import Choice, Position
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.operations import split


@dataclass(frozen=True)
class Perfect:
    """The best word of every set.

    Attributes:
        search: of values. deadline: that it keeps. name: of the strategy.
    """

    search: ValueSearch
    deadline: Deadline
    name: str = "search"

    def choose(self, position: Position, progress: Progress | None = None) -> Choice:
        """Guesses of all sets.

        Raises:
            OutOfTime: the search was stopped.
        """
        front, guesses = position.frontier, []
        for own in range(front.sets):
            legal = position.allowed_of(own)
            self.deadline.check()  # a search that begins forgets that it was stopped
            valued = self.search.value(front.candidates(own).cpu(), position.turns_left, legal=legal)
            if valued.guess < 0:
                raise OutOfTime
            guesses.append(valued.guess)
        return Choice(torch.tensor(guesses, dtype=torch.int32, device=front.members.device))


@dataclass(frozen=True)
class PerfectLetters:
    """The best letter of every set.

    Attributes:
        search: of values. deadline: that it keeps. name: of the strategy.
    """

    search: LetterSearch
    deadline: Deadline
    name: str = "search"

    def choose(self, position: Position, progress: Progress | None = None) -> Choice:
        """Guesses of all sets.

        Raises:
            OutOfTime: the search was stopped.
        """
        front, lives = position.frontier, position.turns_left
        guesses = []
        for own in range(front.sets):
            self._value(front, own, lives, len(position.table.alphabet))
            members = front.candidates(own).cpu()
            guesses.append(int(self.search.tree(members, lives, 0, 1).guess[0]))
        return Choice(torch.tensor(guesses, dtype=torch.int32, device=front.members.device))

    def value_after(self, position: Position, guess: int) -> int:
        """Credits of a letter in a position's only set, summed over its words.

        Raises:
            OutOfTime: the search was stopped.
        """
        row = torch.tensor([guess], dtype=torch.int32, device=position.table.device)
        after = position.after(row, split(position.table, position.frontier, row))
        lives = [] if after.lives is None else after.lives.tolist()
        letters = len(position.table.alphabet)
        return sum(self._value(after.frontier, own, left, letters) for own, left in enumerate(lives) if left)

    def _value(self, front: Frontier, own: int, lives: int, letters: int) -> int:
        """Credits of one set."""
        self.deadline.check()  # a search that begins forgets that it was stopped
        value = self.search.value(front.candidates(own).cpu(), lives, letters)
        if value is None:
            raise OutOfTime
        return value

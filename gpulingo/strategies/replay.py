"""A decision tree as a strategy: the guesses of a checkpoint, played again by the engine."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from gpulingo.strategies.strategy import Choice
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.wordtable import WordTable
from gpulingo.trees.checkpoint import CheckpointError
from gpulingo.trees.kept import BEST
from gpulingo.trees.tree import Tree


@dataclass(frozen=True, eq=False)
class Followed:
    """The best tree that is known for a list, from its opening on.

    Attributes:
        tree: both it and a frontier that is split turn by turn are in breadth-first order.
        name: of the strategy; that of the tree's own stands in its header.
    """

    tree: Tree
    name: str = BEST

    def choose(
        self, table: WordTable, frontier: Frontier, left: int, progress: Progress | None = None
    ) -> Choice:
        """Guesses of all sets of a turn.

        Raises:
            CheckpointError: the tree has another number of sets on that turn.
        """
        levels = self.tree.levels()
        turn = self.tree.turns - left
        level = levels[turn] if 0 <= turn < len(levels) else range(0)
        if len(level) != frontier.sets:
            raise CheckpointError(
                f"the tree has {len(level)} sets on turn {turn + 1}, the list {frontier.sets}: build it again"
            )
        guesses = list(self.tree.guess[level.start : level.stop])
        return Choice(torch.tensor(guesses, dtype=torch.int32, device=frontier.members.device))

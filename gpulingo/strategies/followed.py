"""A decision tree as a strategy: the guesses of a checkpoint, played again by the engine."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from gpulingo.rules.lingo import Lingo
from gpulingo.strategies.baselines import Choice
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Progress
from gpulingo.trees.checkpoint import FOLDERS, CheckpointError, check_fits, find_checkpoint, read_checkpoint
from gpulingo.trees.tree import Tree
from gpulingo.words.encode import WordTable
from gpulingo.words.lists import WordList


@dataclass(frozen=True, eq=False)
class Followed:
    """The guesses of a tree, for a whole list played from its opening on.

    Attributes:
        tree: both it and a frontier that is split turn by turn are in breadth-first order.
    """

    tree: Tree

    @property
    def name(self) -> str:
        """Of the strategy that the tree is of."""
        return self.tree.strategy

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


def best_tree(wordlist: WordList, turns: int) -> Tree | None:
    """The tree of the checkpoint that is kept for a list and rounds of so many turns, if there is one.

    Raises:
        CheckpointError: the checkpoint of that name is damaged, or of another list.
    """
    path = find_checkpoint(FOLDERS, Lingo.name, wordlist.length, wordlist.fingerprint)
    if path is None:
        return None
    tree = read_checkpoint(path)
    check_fits(tree, wordlist)
    return tree if tree.turns == turns else None

"""A decision tree as a strategy: the guesses of a checkpoint, found again by what the words answered.

Importing it loads no torch, which is needed to choose only: what a whole tree does can be read off the tree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gpulingo.trees.checkpoint import CheckpointError
from gpulingo.trees.kept import BEST
from gpulingo.trees.tree import Tree

if TYPE_CHECKING:
    from torch import Tensor

    from gpulingo.strategies.strategy import Choice, Position
    from gpulingo.tensors.objective import Progress
    from gpulingo.tensors.wordtable import WordTable


@dataclass(frozen=True, eq=False)
class TreeReplay:
    """The best tree that is known for a list, from its opening on.

    Attributes:
        tree: of the list that is played.
        name: of the strategy; the header has that of the tree's own.
    """

    tree: Tree
    name: str = BEST

    def choose(self, position: Position, progress: Progress | None = None) -> Choice:
        """Return the guesses of all sets, each that of the node to which the answers of its candidates lead.

        Raises:
            CheckpointError: no node has such a set, or the candidates of one set lead to several.
        """
        import torch

        from gpulingo.strategies.strategy import Choice

        frontier = position.frontier
        nodes = self._nodes(position)
        firsts = nodes[frontier.offsets[:-1].cpu()]
        if bool((nodes != firsts[frontier.owners.cpu()]).any()):
            raise CheckpointError(f"sets of turn {position.turn} are not those of the tree: build it again")
        guesses = [self.tree.guess[node] for node in firsts.tolist()]
        return Choice(torch.tensor(guesses, dtype=torch.int32, device=frontier.members.device))

    def _nodes(self, position: Position) -> Tensor:
        """Return [M] int64: the node of every member, by walking from its root.

        Raises:
            CheckpointError: the tree has none.
        """
        import torch

        from gpulingo.tensors.feedback import feedback_of

        table, members = position.table, position.frontier.members
        nodes, feedback = self._roots(table, members), feedback_of(table)
        for _ in range(1, position.turn):
            guesses = [self.tree.guess[node] for node in nodes]
            guessed = torch.tensor(guesses, dtype=torch.int32, device=members.device)
            patterns = feedback.paired(table, guessed, members).tolist()
            children = [self.tree.child(*step) for step in zip(nodes, patterns, strict=True)]
            nodes = [child for child in children if child is not None]
            if len(nodes) < len(children):
                text = f"the tree has no guess for a set of turn {position.turn}"
                raise CheckpointError(f"{text}: build it again")
        return torch.tensor(nodes, dtype=torch.int64)

    def _roots(self, table: WordTable, members: Tensor) -> list[int]:
        """Return the node that the round of each member begins with.

        Raises:
            CheckpointError: the tree has none.
        """
        by_letter = [self.tree.root(letter) for letter in table.alphabet]
        roots = [by_letter[number] for number in table.letters[members.long(), 0].tolist()]
        known = [root for root in roots if root is not None]
        if len(known) < len(roots):
            raise CheckpointError("the tree has no first guess for some first letter: build it again")
        return known

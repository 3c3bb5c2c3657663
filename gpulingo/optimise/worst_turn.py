"""The fewest turns within which as few words are lost: one question for each number of turns, from above.

Each is a search of its own, of the game in which finding words is all that counts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gpulingo.games.catalogue import find_game
from gpulingo.games.game import Game
from gpulingo.trees.tree import Tree


@dataclass(frozen=True)
class Answer:
    """Result of a search of some turns.

    Attributes:
        tree: the best that is known.
        value: words that it finds, by weight where they have any.
        bound: no strategy finds more.
    """

    tree: Tree
    value: int
    bound: int


@dataclass(frozen=True)
class WorstTurn:
    """The last turn that a strategy needs.

    Attributes:
        tree: that finds all its words by that turn. turns: number of it.
        lost: words that the tree does not find, by weight where they have any.
        proven: whether no strategy finds as many in fewer turns.
    """

    tree: Tree
    turns: int
    lost: int
    proven: bool


Ask = Callable[[Game, int], Answer]  # a game and the words that are to be found in it


def last_turn(tree: Tree) -> int:
    """Return the turn by which a tree has found all that it finds, 1-based."""
    return max((turn for turn, count in enumerate(tree.turn_counts(), 1) if count), default=tree.turns)


def worst_turn(tree: Tree, ask: Ask) -> WorstTurn:
    """Lower the last turn of a strategy as far as it loses no more words.

    Args:
        tree: a strategy to begin with.
        ask: searches a game of fewer turns for strategies that find at least a number of words.
    """
    found, base = tree.total_weight - tree.lost, tree.game.name.rpartition("-")[0]
    while (turns := last_turn(tree)) > 1:
        answer = ask(find_game(f"{base}-found", turns - 1), found)
        if answer.value < found:
            return WorstTurn(tree, turns, tree.total_weight - found, proven=answer.bound < found)
        tree = answer.tree
    return WorstTurn(tree, 1, tree.total_weight - found, proven=True)

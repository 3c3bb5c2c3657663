"""Values as their game shows them, in tables, sentences and JSON: mean points, guesses, words won, misses.

A value of a strategy and a bound of all of them come as mean points, whatever the game; what is shown of them
is decided here alone. Nothing here asks for the name of a game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpulingo.report.lost_first import SHOWN, LostFirst
from gpulingo.report.points import FEW, Points

if TYPE_CHECKING:
    from gpulingo.games.game import Game
    from gpulingo.report.results import Result
    from gpulingo.trees.tree import Tree


def shown(game: Game, targets: int, digits: int = FEW) -> Points:
    """Return the display of a game's values over `targets` targets."""
    lost_first = game.bonus and not game.counts_misses
    return (LostFirst if lost_first else SHOWN[game.shown])(game, targets, digits)


def of_tree(tree: Tree, digits: int = FEW) -> Points:
    """Return the display of values for a tree's game."""
    return shown(tree.game, tree.total_weight, digits)


def of_result(result: Result) -> Points:
    """Return the display of values for a result's game."""
    return shown(result.rules, result.total_weight)


def value_text(tree: Tree, digits: int = FEW) -> str:
    """Return the value of a tree in a sentence."""
    return of_tree(tree, digits).text(tree.mean_points)

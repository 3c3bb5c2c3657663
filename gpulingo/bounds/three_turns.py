"""Openings of games of three turns in which found words count first: values, and bounds from their classes.

With two turns left the value of a class is one ranking of all guesses, so the value of an opening is a sum.
Its classes also bound the words found of the classes of other openings. Any word is legal, and each target
counts the same.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from gpulingo.bounds.partitions import Evaluated, found_by_parts, largest_first, opening_classes, partition_of
from gpulingo.games.game import Game
from gpulingo.tensors.objective import Objective, Progress, perfect_split
from gpulingo.tensors.operations import rank
from gpulingo.tensors.wordtable import WordTable

TURNS = 3  # in which the value of a class after an opening is one ranking
NEAR = 128  # similar openings bounded by the classes of one
STEPS = 4  # rankings of the classes of an opening, the largest first, each of as many words


class InThreeTurns(NamedTuple):
    """Bound of an opening, exact if above the floor, and bounds of other openings by its classes."""

    value: int  # credits
    others: Tensor  # [K] int64 credits
    pairs: int


def ranks_alone(game: Game, table: WordTable) -> bool:
    """Return True if rankings give the values of openings."""
    return game.turns == TURNS and game.bonus > 0 and game.legal == "any" and table.weights is None


def in_three_turns(
    table: WordTable, game: Game, opening: int, others: Tensor, floor: int, progress: Progress | None = None
) -> InThreeTurns:
    """Rank the guesses for the classes of an opening, the largest first, until its bound is at most a floor.

    Args:
        game: one of `ranks_alone`. others: [K] int64 openings to bound by the same classes.
    """
    last, found, now = game.payoff[1:]
    classes = opening_classes(table, opening)
    sizes, order, pairs = classes.sizes, largest_first(classes.sizes), 0
    own = torch.zeros(table.words, dtype=torch.int64, device=sizes.device)
    own[table.targets.long()] = now
    values = perfect_split(sizes, 2, game.payoff)
    order = order[: int((sizes > 2).sum())]
    words = sizes[order].cumsum(0)
    step = (words - 1) * STEPS // words[-1:].clamp(min=1)
    for part in (order[step == number] for number in range(STEPS)):
        if not part.shape[0] or int(own[opening] + values.sum()) <= floor:
            continue
        worth = torch.full((int(sizes[part[0]]) + 1,), last, dtype=torch.int64)
        worth[0] = 0
        ranked = rank(
            table, classes.take(part), table.pool, Objective(worth, found - last), 1, progress=progress
        )
        values[part], pairs = ranked.ranks[:, 0], pairs + ranked.pairs
    evaluated = Evaluated(partition_of(table, classes), values // last)
    most, counts = found_by_parts(table, others, evaluated)
    bounds = own[others] + most * last + counts * (found - last)
    return InThreeTurns(int(own[opening] + values.sum()), bounds, pairs)

"""Openings of games of three turns in which found words count first: values, or bounds up to a floor.

With two turns left the value of a class is one ranking of all guesses, so the value of an opening is a sum.
Most openings need no ranking: the most classes that a guess makes of each class bound the words found. Any
word is legal, and each target counts the same.
"""

from __future__ import annotations

import numpy as np

from gpulingo.bounds.partitions import classes_of_each, largest_first
from gpulingo.bounds.supersets import SupersetCounts
from gpulingo.games.game import Game
from gpulingo.tensors.arrays import Tensor, add_at, like, namespace, offsets_of
from gpulingo.tensors.objective import Objective, Progress
from gpulingo.tensors.operations import rank
from gpulingo.tensors.wordtable import WordTable

TURNS = 3  # in which the value of a class after an opening is one ranking
OPENINGS = 64  # whose classes are counted in one call
SMALLEST = 40  # words of the largest class that is counted without supersets
STEPS = 16  # counts of the classes of an opening, the largest first, each of as many words


def ranks_alone(game: Game, table: WordTable) -> bool:
    """Return True if rankings give the values of openings."""
    return game.turns == TURNS and game.bonus > 0 and game.legal == "any" and table.weights is None


def in_three_turns(
    counts: SupersetCounts, game: Game, openings: Tensor, floor: int, progress: Progress | None = None
) -> Tensor:
    """Bound openings by counts of their classes, the largest first, until each bound is at most a floor.

    Args:
        game: one of `ranks_alone`. openings: [K] int64. floor: credits.
    Returns:
        [K] int64 credits, exact if above the floor: then the classes are ranked.
    """
    table, (last, second, now) = counts.table, game.payoff[1:]
    xp = namespace(table.letters)
    itself = xp.isin(like(openings, table.letters), table.targets) * now
    of_each, classes = classes_of_each(table, openings.tolist())
    sizes = classes.sizes
    owners = like(np.repeat(np.arange(len(of_each)), of_each), sizes)
    order = largest_first(sizes)
    order = order[xp.argsort(owners[order], stable=True)]
    words = add_at(itself * 0, owners, sizes)
    larger = offsets_of(sizes[order])[:-1] - offsets_of(words)[:-1][owners[order]]
    step = xp.empty_like(sizes)
    step[order] = larger * STEPS // table.targets.shape[0]
    values = last * xp.minimum(counts.supersets.bounds(classes), sizes) + second - last

    def open_classes() -> Tensor:
        return (sizes > 2) & (add_at(itself + 0, owners, values) > floor)[owners]

    for number in range(STEPS):
        if (part := xp.nonzero((step == number) & open_classes())[0]).shape[0]:
            two = counts.two_turns(classes.take(part), True, progress, SMALLEST)
            values[part] = last * xp.minimum(two, sizes[part]) + second - last
    if (part := xp.nonzero(open_classes())[0]).shape[0]:
        worth = np.full(int(sizes[part].max()) + 1, last)
        worth[0] = 0
        objective = Objective(worth, second - last)
        values[part] = rank(table, classes.take(part), table.pool, objective, progress=progress).ranks[:, 0]
    return like(add_at(itself, owners, values), openings)

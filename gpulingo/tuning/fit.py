"""Values fitted to what a search finds: the mean value of the sets it meets, by turns left and size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise

import torch

from gpulingo.games.game import Game
from gpulingo.search.expand import Values
from gpulingo.search.lookahead import Lookahead
from gpulingo.strategies.objectives import ObjectiveOf
from gpulingo.strategies.strategy import first_position
from gpulingo.strategies.values import RISING, SCALE, Knots, LeftKnots, fitted_table, perfect_split
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.wordtable import WordTable

# Guesses that are expanded: openings, and after them on every turn except the last two. A fit of the starting
# values gained 0.08 points at 5 letters and lost 0.40 at 4: `gpulingo tune --length 4 --seed 1`, trials 2, 3.
OPENINGS, WIDTH = 4, 2
FEW = 12  # sizes up to which each has a knot; the format of the files rests on no size
GROWTH = 1.25  # from there the size grows by this factor from knot to knot: 36 knots at 50,655 words


class ValueSampler(Lookahead):
    """A search that sums up the values of all sets it meets, those of guesses that it does not choose too.

    Attributes:
        sums, counts: [turns + 1, words + 1] int64 by turns left and size, in credits and in sets.
    """

    def __init__(
        self, table: WordTable, game: Game, widths: Mapping[int, int], order: ObjectiveOf,
        progress: Progress | None = None,
    ) -> None:  # fmt: skip
        super().__init__(table, game, widths, order, progress=progress)
        shape = (game.turns + 1, table.words + 1)
        self.sums = torch.zeros(shape, dtype=torch.int64, device=table.device)
        self.counts = torch.zeros_like(self.sums)

    def values(self, front: Frontier, left: int) -> Values:
        """Values of all sets of a frontier with `left` turns left."""
        values = super().values(front, left)
        self.sums[left].index_add_(0, front.sizes, values.lower)
        self.counts[left].index_add_(0, front.sizes, torch.ones_like(values.lower))
        return values

    def means(self, left: int, payoff: Sequence[int]) -> list[tuple[int, int]]:
        """(mean size, mean value) of sets of about one size, by rising size; two rows at least, by rule."""
        sums, counts = self.sums[left].cpu(), self.counts[left].cpu()
        words = torch.arange(sums.shape[0]) * counts
        # The least that three words are worth, where none were met.
        points = {3: perfect_split(2, left, payoff) * SCALE}
        for low, high in pairwise(knot_sizes(sums.shape[0])):
            if count := int(counts[low:high].sum()):
                size = round(int(words[low:high].sum()) / count)
                points[size] = int(sums[low:high].sum()) * SCALE // count
        return sorted(points.items())


def knot_sizes(largest: int) -> list[int]:
    """Sizes that have a knot: 3, 4, .., then by a factor, to the first that is no less than `largest`."""
    sizes = [3]
    while sizes[-1] < largest:
        sizes.append(sizes[-1] + 1 if sizes[-1] < FEW else int(sizes[-1] * GROWTH))
    return sizes


def fitted(
    table: WordTable, game: Game, order: ObjectiveOf, progress: Progress | None = None
) -> dict[int, LeftKnots]:
    """Knots from one search of the whole list.

    Args:
        table: the words.
        game: the rules, with at least 3 turns.
        order: which guesses are expanded.
        progress: told about pairs.
    Returns:
        For 2 to turns - 1 turns left, a knot at each of `knot_sizes`.
    """
    turns = game.turns
    widths = dict.fromkeys(range(3, turns), WIDTH) | {turns: OPENINGS}
    search = ValueSampler(table, game, widths, order, progress)
    search.choose(first_position(table, game))
    means = {left: search.means(left, game.payoff) for left in range(2, turns)}
    return on_knots(means, table.words, game)


def on_knots(knots: Knots, largest: int, game: Game) -> dict[int, LeftKnots]:
    """The same values with their knots at `knot_sizes`."""
    sizes, payoff = knot_sizes(largest), game.payoff
    table = fitted_table(knots, sizes[-1], game.turns - 1, payoff)
    return {
        left: with_values(left, sizes, table[left, sizes].tolist(), payoff) for left in range(2, game.turns)
    }


def with_values(
    left: int, sizes: list[int], values: list[int], payoff: Sequence[int] = RISING
) -> tuple[tuple[int, int], ...]:
    """Knots of these values, raised where they would fall and cut to what a set can be worth."""
    least = perfect_split(2, left, payoff) * SCALE
    cut = [min(value, most(left, size, payoff)) for size, value in zip(sizes, values, strict=True)]
    return tuple(zip(sizes, list(accumulate(cut, max, initial=least))[1:], strict=True))


def most(left: int, size: int, payoff: Sequence[int] = RISING) -> int:
    """Upper bound of the value of a set, in units of 1/SCALE credit."""
    return perfect_split(size, left, payoff) * SCALE

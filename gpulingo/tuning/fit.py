"""Values fitted to what a search finds: the mean value of the sets it meets, by turns left and size."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate, pairwise

import torch
from torch import Tensor

from gpulingo.search.expand import Values
from gpulingo.search.lookahead import Lookahead
from gpulingo.strategies.objectives import ObjectiveOf
from gpulingo.strategies.values import SCALE, Knots, fitted_table
from gpulingo.tensors.frontier import Frontier, whole
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.wordtable import WordTable

OPENINGS, WIDTH = 4, 2  # guesses that are played out: openings, and after them on every turn but the last two
FEW = 12  # sizes up to which each has a knot
GROWTH = 1.25  # from there the size grows by this factor from knot to knot


class Watched(Lookahead):
    """A search that sums up the values of all sets it meets, those of guesses that it does not choose too."""

    def __init__(self, table: WordTable, widths: Mapping[int, int], order: ObjectiveOf, turns: int) -> None:
        super().__init__(table, widths, order)
        shape = (turns + 1, table.words + 1)
        self.sums = torch.zeros(shape, dtype=torch.int64, device=table.device)  # turns
        self.counts = torch.zeros_like(self.sums)

    def values(self, front: Frontier, left: int) -> Values:
        """Values of all sets of a frontier with `left` turns left."""
        found = super().values(front, left)
        self.sums[left].index_add_(0, front.sizes, found.lower)
        self.counts[left].index_add_(0, front.sizes, torch.ones_like(found.lower))
        return found


def knot_sizes(largest: int) -> list[int]:
    """Sizes that have a knot: 3, 4, .., then by a factor, to the first that is no less than `largest`."""
    sizes = [3]
    while sizes[-1] < largest:
        sizes.append(sizes[-1] + 1 if sizes[-1] < FEW else int(sizes[-1] * GROWTH))
    return sizes


def fitted(
    table: WordTable, turns: int, order: ObjectiveOf, progress: Progress | None = None
) -> dict[int, tuple[tuple[int, int], ...]]:
    """Knots from one search of the whole list.

    Args:
        table: the words.
        turns: of a round, at least 3.
        order: which guesses are played out.
        progress: told about pairs.
    Returns:
        For 2 to turns - 1 turns left, a knot at each of `knot_sizes`.
    """
    widths = dict.fromkeys(range(3, turns), WIDTH) | {turns: OPENINGS}
    search = Watched(table, widths, order, turns)
    search.choose(table, whole(table), turns, progress)
    means = {
        left: _means(search.sums[left].cpu(), search.counts[left].cpu(), left) for left in range(2, turns)
    }
    return on_knots(means, table.words, turns)


def on_knots(knots: Knots, largest: int, turns: int) -> dict[int, tuple[tuple[int, int], ...]]:
    """The same values with their knots at `knot_sizes`."""
    sizes = knot_sizes(largest)
    table = fitted_table(knots, sizes[-1], turns - 1)
    return {left: with_values(left, sizes, table[left, sizes].tolist()) for left in range(2, turns)}


def with_values(left: int, sizes: list[int], values: list[int]) -> tuple[tuple[int, int], ...]:
    """Knots of these values, raised where they would fall and cut to what a set can be worth."""
    least = (2 * left - 1) * SCALE
    cut = [min(value, most(left, size)) for size, value in zip(sizes, values, strict=True)]
    return tuple(zip(sizes, list(accumulate(cut, max, initial=least))[1:], strict=True))


def most(left: int, size: int) -> int:
    """What a set is worth at most, in units of 1/SCALE turn."""
    return (left + (size - 1) * (left - 1)) * SCALE


def _means(sums: Tensor, counts: Tensor, left: int) -> list[tuple[int, int]]:
    """(mean size, mean value) of sets of about one size, by rising size; two sets of 3 at least, by rule."""
    sizes = knot_sizes(sums.shape[0])
    held = torch.arange(sums.shape[0]) * counts
    found = {3: (2 * left - 1) * SCALE}  # the least that three words are worth, where none were met
    for low, high in pairwise(sizes):
        if count := int(counts[low:high].sum()):
            found[round(int(held[low:high].sum()) / count)] = int(sums[low:high].sum()) * SCALE // count
    return sorted(found.items())

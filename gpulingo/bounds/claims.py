"""An opening bounded by the values of all its classes, with the claims that make these values easy to check.

No guess may lead to more than the value of a set. Most guesses are ruled out by their growth bound; of each
other, the classes that it makes are bounded in turn: exactly where they have two words or two turns left, by
their growth bound where that is enough, and else by a claim, which is checked in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import torch
from torch import Tensor

from gpulingo.bounds.evidence import Claimed, Evidence, Searched
from gpulingo.bounds.formulas import count_bound, growth_bound
from gpulingo.bounds.partitions import opening_classes
from gpulingo.bounds.state import BoundState
from gpulingo.strategies.values import perfect_split
from gpulingo.tensors.frontier import Frontier, joined
from gpulingo.tensors.objective import Progress, classes
from gpulingo.tensors.operations import rank, split
from gpulingo.tensors.outcomes import Split

# Of sets with so many turns left, what a strategy has of each, and what none exceeds: [S] int64 credits.
ValuesOf = Callable[[Frontier, int], tuple[Tensor, Tensor]]
WIDTH = 32  # a limit of memory: guesses of a set listed first; eight times as many while that is too few


def by_values(
    state: BoundState, opening: int, values_of: ValuesOf, progress: Progress | None = None
) -> tuple[int, int, Evidence | None]:
    """Search all classes of an opening.

    Args:
        state: what is known. opening: its index.
        values_of: searches sets; where it says that a value is the best, it says the same again.
        progress: called with pairs evaluated for the claims.
    Returns:
        The value that the search has, the most that it left open, both in credits, and evidence where what
        it says shows that the values of all classes are the best.
    """
    sets, left = opening_classes(state.table, opening), state.game.turns - 1
    lower, upper = values_of(sets, left)
    value, most = (int(state.credits[opening] + credits.sum()) for credits in (lower, upper))
    if value < most:
        return value, most, None
    try:
        claims = _Claims(state, values_of, progress).of(sets, upper, left)
    except _LeftOpen:
        return value, most, None
    rows = state.evidence.rows(torch.tensor([opening], device=state.table.device))
    rows.bounds.clamp_(max=value)
    return value, most, replace(rows, searched={opening: Searched(upper, claims)})


class _LeftOpen(Exception):
    """What the search says of the sets after a guess does not rule it out."""


class _Claims:
    """Lists the claims that a check needs; arguments as of `by_values`."""

    def __init__(self, state: BoundState, values_of: ValuesOf, progress: Progress | None) -> None:
        self.state, self.values_of, self.progress = state, values_of, progress

    def of(self, classes: Frontier, values: Tensor, left: int) -> Tensor:
        """[K, 4] int64: parent, guess, place and value of sets that follow the classes; see `Searched`."""
        level = Claimed(classes, values, torch.arange(classes.sets, device=values.device))
        rows, last = [values.new_empty(0, 4)], classes.sets
        while left > 3 and level.sets.sets:  # with three turns left all that follows has its exact value
            following: list[Claimed] = []
            for parents, guesses in self._open(level, left):
                parted = split(self.state.table, parents.sets, guesses)
                needed, claimed = self._needed(parents, parted, left)
                if needed.shape[0] == 0:
                    continue
                owners = parted.parents[needed]
                places = needed - torch.searchsorted(parted.parents, owners)
                rows.append(torch.stack([parents.names[owners], guesses.long()[owners], places, claimed], 1))
                names = last + torch.arange(needed.shape[0], device=needed.device)
                following.append(Claimed(parted.frontier.take(needed), claimed, names))
                last += needed.shape[0]
            level, left = _joined(following) if following else level.take(level.names[:0]), left - 1
        return torch.cat(rows)

    def _open(self, level: Claimed, left: int) -> Iterator[tuple[Claimed, Tensor]]:
        """Sets, each with a guess that its growth bound does not rule out; all such, one after the other."""
        table, first, width = self.state.table, 0, WIDTH
        most = table.pool.shape[0]
        level = level.take((level.values < perfect_split(level.sets.sizes, left)).nonzero().squeeze(1))
        while level.sets.sets and first < most:
            width = min(width, most)
            sizes = level.sets.sizes[:, None]
            counts = classes(int(sizes.max()), bonus=1)
            ranked = rank(table, level.sets, table.pool, counts, width, progress=self.progress)
            bounds = growth_bound(sizes, ranked.ranks, ranked.ranks[:, :1].minimum(sizes), left)
            above = bounds > level.values[:, None]
            for place in range(first, width):
                exceeding = above[:, place].nonzero().squeeze(1)
                if exceeding.shape[0]:
                    yield level.take(exceeding), ranked.guesses[exceeding, place]
            level = level.take(above[:, -1].nonzero().squeeze(1))
            first, width = width, 8 * width

    def _needed(self, parents: Claimed, parted: Split, left: int) -> tuple[Tensor, Tensor]:
        """Which of the sets after a guess need a claim, and their values: [M] int64 both."""
        sets, owners = parted.frontier, parted.parents
        bounds = perfect_split(sets.sizes, left - 1)
        needed = torch.arange(sets.sets, device=owners.device)[sets.sizes > 2]
        for better in (self._by_growth, self._by_search):
            total = (parted.hits.long() * left).index_add(0, owners, bounds)
            needed = needed[(total > parents.values)[owners[needed]]]
            if needed.shape[0] == 0:
                return needed, needed
            before, bounds[needed] = bounds[needed], better(sets.take(needed), left - 1)
        if bool(((parted.hits.long() * left).index_add(0, owners, bounds) > parents.values).any()):
            raise _LeftOpen
        needed = needed[bounds[needed] < before]
        return needed, bounds[needed]

    def _by_growth(self, sets: Frontier, left: int) -> Tensor:
        return count_bound(sets.sizes, self.state.counts.two_turns(sets, progress=self.progress), left)

    def _by_search(self, sets: Frontier, left: int) -> Tensor:
        return self.values_of(sets, left)[1]


def _joined(levels: list[Claimed]) -> Claimed:
    """The sets of several levels as one."""
    sets = joined([level.sets for level in levels])
    values, names = (torch.cat([getattr(level, name) for level in levels]) for name in ("values", "names"))
    return Claimed(sets, values, names)

"""Check that sets are worth no more than is claimed: no guess leads to more.

Where claims for the sets that follow are listed they are checked one by one; where none are, every guess of
every set is searched.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, partial

import torch
from torch import Tensor

from gpulingo.bounds.every_guess import Searches
from gpulingo.bounds.evidence import Claimed, Searched
from gpulingo.bounds.formulas import count_bound, growth_bound
from gpulingo.bounds.supersets import SupersetCounts
from gpulingo.strategies.values import perfect_split
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Progress, classes
from gpulingo.tensors.operations import rank, split
from gpulingo.tensors.outcomes import Split
from gpulingo.tensors.threads import shared
from gpulingo.tensors.wordtable import WordTable

WIDTH = 32  # a limit of memory: guesses of a set listed first; eight times as many while that is too few
SEARCH_MEMORY = 1 << 28  # a limit of memory: bytes that a search of every guess may take
Listed = Mapping[tuple[int, int], list[tuple[int, int, int]]]  # parent, guess -> place, name and value each


class ValueChecker:
    """Checks values of sets.

    Args:
        table: the words.
        counts: counts what two turns find of sets.
        progress: told the pairs evaluated.
    """

    def __init__(self, table: WordTable, counts: SupersetCounts, progress: Progress | None) -> None:
        self.table, self.counts, self.progress = table, counts, progress

    def holds(self, sets: Frontier, left: int, searched: Searched) -> bool:
        """Whether no strategy has more of the classes of an opening than the claimed values."""
        if searched.claims.shape[0] == 0:
            return self._by_every_guess(sets, left, searched.values.tolist())
        listed: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
        for row, (parent, guess, place, value) in enumerate(searched.claims.tolist()):
            listed.setdefault((parent, guess), []).append((place, sets.sets + row, value))
        names = torch.arange(sets.sets, device=self.table.device)
        return not self._exceeds(Claimed(sets, searched.values.to(names.device), names), left, listed)

    def _by_every_guess(self, sets: Frontier, left: int, values: list[int]) -> bool:
        """Whether no set has a strategy of more than its value; small ones first, which are soon searched."""
        order = sets.sizes.argsort(stable=True).tolist()
        items = [partial(self.searches.value, sets.candidates(n), left, values[n]) for n in order]
        progress = self.progress
        found = shared(items, None if progress is None else lambda each: progress(each.pairs))
        return all(each.value <= values[n] for each, n in zip(found, order, strict=True))

    @cached_property
    def searches(self) -> Searches:
        """Searches of every guess, kept from one opening to the next."""
        return Searches(self.table, SEARCH_MEMORY)

    def _exceeds(self, claimed: Claimed, left: int, listed: Listed, width: int = WIDTH) -> bool:
        """Whether some set has a guess that leads to more than its value."""
        most = perfect_split(claimed.sets.sizes, left)
        claimed = claimed.take((claimed.values < most).nonzero().squeeze(1))
        if claimed.sets.sets == 0:
            return False
        guesses, bounds = self._ranked(claimed.sets, left, width)
        above = bounds > claimed.values[:, None]
        for place in range(guesses.shape[1]):
            exceeding = above[:, place].nonzero().squeeze(1)
            if exceeding.shape[0] == 0:
                return False
            if self._leads_to_more(claimed.take(exceeding), guesses[exceeding, place], left, listed):
                return True
        if guesses.shape[1] == self.table.pool.shape[0]:
            return False
        return self._exceeds(claimed.take(above[:, -1].nonzero().squeeze(1)), left, listed, 8 * width)

    def _leads_to_more(self, claimed: Claimed, guesses: Tensor, left: int, listed: Listed) -> bool:
        """Whether one guess for each set leads to more than its value."""
        parted = split(self.table, claimed.sets, guesses)
        after, hits = parted.frontier, parted.hits.to(torch.int64) * left
        bounds = perfect_split(after.sizes, left - 1)
        following = _listed_after(parted, claimed.names, guesses, listed)
        if following is not None:
            places, values, names = following
            if bool((places < 0).any()) or self._exceeds(
                Claimed(after.take(places), values, names), left - 1, listed
            ):
                return True
            bounds[places] = bounds[places].minimum(values)
        more = hits.index_add(0, parted.parents, bounds) > claimed.values
        large = (more[parted.parents] & (after.sizes > 2)).nonzero().squeeze(1)
        if large.shape[0] and left > 2:
            two = self.counts.two_turns(after.take(large), progress=self.progress)
            bounds[large] = bounds[large].minimum(count_bound(after.sizes[large], two, left - 1))
        return bool((hits.index_add(0, parted.parents, bounds) > claimed.values).any())

    def _ranked(self, sets: Frontier, left: int, width: int) -> tuple[Tensor, Tensor]:
        """The [S, width] guesses with most classes, and the bound of each and of all after it."""
        sizes, pool = sets.sizes[:, None], self.table.pool
        objective, width = classes(int(sizes.max()), bonus=1), min(width, pool.shape[0])
        ranked = rank(self.table, sets, pool, objective, width, progress=self.progress)
        most = ranked.ranks[:, :1].minimum(sizes)
        return ranked.guesses, growth_bound(sizes, ranked.ranks, most, left)


def _listed_after(
    parted: Split, parents: Tensor, guesses: Tensor, listed: Listed
) -> tuple[Tensor, Tensor, Tensor] | None:
    """The sets after a guess that are claimed: [M] int64 their places (-1: no such set), values and names."""
    if not listed:
        return None
    counts = parted.parents.bincount(minlength=parents.shape[0])
    starts, ends, rows = (counts.cumsum(0) - counts).tolist(), counts.cumsum(0).tolist(), []
    for row, named in enumerate(zip(parents.tolist(), guesses.tolist(), strict=True)):
        for place, name, value in listed.get(named, ()):
            rows.append((starts[row] + place if starts[row] + place < ends[row] else -1, value, name))
    if not rows:
        return None
    places, values, names = torch.tensor(rows, device=parents.device).T
    return places, values, names

"""Upper bounds for every opening at once, made smaller where they are greatest.

A bound of an opening is the sum of the bounds of its classes. A class is bounded by its size; then, from the
largest class down, by the most classes that any guess makes of it; last by a search of all its classes.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import torch
from torch import Tensor

from gpulingo.search.bounds import by_size, capped
from gpulingo.search.lookahead import Lookahead
from gpulingo.strategies.objectives import parts
from gpulingo.tensors.frontier import Frontier, frontier
from gpulingo.tensors.objective import Objective, Progress
from gpulingo.tensors.rank import rank
from gpulingo.tensors.split import split
from gpulingo.words.encode import WordTable

TOGETHER = 8  # openings made smaller in one call
SHARE = 50  # one call looks at classes that hold a fiftieth of the list, for each opening


@dataclass(eq=False)
class OpeningBounds:
    """Bounds of all W openings of a list, and how they came about.

    Attributes:
        table: the words. turns: of a round, at least 3.
        classes: [W] int64, of the whole list by each opening.
        bounds: [W] int64, turns: no strategy that begins with this word has more.
        looked: [W] int32: so many classes, from the largest down, are bounded by the most classes that any
            guess makes of them.
        complete: [W] bool: no class is left to look at.
        searched: opening -> [C] int64, values of its classes in the order of `split`, where those were found.
    """

    table: WordTable
    turns: int
    classes: Tensor
    bounds: Tensor
    looked: Tensor
    complete: Tensor
    searched: dict[int, Tensor] = field(default_factory=dict)

    @property
    def bound(self) -> int:
        """No strategy has more, whatever its opening."""
        return int(self.bounds.max())

    def by_size(self, sizes: Tensor) -> Tensor:
        """[C] int64: bounds of classes of which only the size is known, after the opening."""
        return by_size(sizes, int(self.classes.max()), self.turns - 1)

    def lower_to(self, openings: Tensor, goal: int, progress: Progress | None = None) -> None:
        """Look at classes of [K] openings until their bounds are at most the goal, or no class is left."""
        guesses = openings.to(torch.int32)
        parted = split(self.table, whole(self.table).take(torch.zeros_like(openings)), guesses)
        sizes, parents = parted.frontier.sizes, parted.parents
        # From the largest class down, inside each opening.
        order = (parents * (self.table.words + 1) + self.table.words - sizes).sort(stable=True).indices
        classes, sizes, parents = parted.frontier.take(order), sizes[order], parents[order]
        starts = torch.searchsorted(parents, torch.arange(openings.shape[0] + 1, device=parents.device))
        place = torch.arange(parents.shape[0], device=parents.device) - starts[parents]
        before = sizes.cumsum(0) - sizes
        before = (
            before - before[starts[:-1].clamp(max=sizes.shape[0] - 1)][parents]
        )  # words of larger classes
        share = max(1, self.table.words // SHARE)
        while True:
            bounds, looked = self.bounds[openings], self.looked[openings]
            open_ = (bounds > goal) & ~self.complete[openings]
            begin = torch.where(place == looked[parents], before, 0)
            begin = torch.zeros_like(bounds).scatter_reduce_(0, parents, begin, "amax")
            now = open_[parents] & (place >= looked[parents]) & (before < begin[parents] + share)
            now &= sizes > 2  # smaller ones have their value already
            if not bool(now.any()):
                self.complete[openings] |= open_
                return
            at = now.nonzero().squeeze(1)
            gain = self.by_size(sizes[at]) - self._by_guess(classes.take(at), progress)
            self.bounds[openings] -= torch.zeros_like(bounds).index_add_(0, parents[at], gain)
            count = torch.zeros_like(bounds).index_add_(0, parents[at], torch.ones_like(at))
            self.looked[openings] += count.to(torch.int32)

    def _by_guess(self, classes: Frontier, progress: Progress | None) -> Tensor:
        """[C] int64: bounds of classes by the most that any guess makes of them."""
        sizes = classes.sizes
        pool = torch.arange(self.table.words, dtype=torch.int32, device=self.table.device)
        first = rank(self.table, classes, pool, parts(int(sizes.max()), 2), progress=progress).ranks[:, 0]
        bound = capped(sizes, first, first.minimum(sizes), self.turns - 1)
        return bound.minimum(self.by_size(sizes))

    def search(self, opening: int, lookahead: Lookahead) -> tuple[int, int]:
        """Search all classes of an opening; the bound counts if the search found the best of every class.

        Returns:
            The value that the search found, and the most that it left open.
        """
        guess = torch.tensor([opening], dtype=torch.int32, device=self.table.device)
        parted = split(self.table, whole(self.table), guess)
        found = lookahead.values(parted.frontier, self.turns - 1)
        value = self.turns + int(found.lower.sum())
        if bool((found.lower == found.upper).all()):
            self.searched[opening] = found.upper
            self.bounds[opening] = min(int(self.bounds[opening]), value)
        return value, self.turns + int(found.upper.sum())


def opening_bounds(table: WordTable, turns: int, progress: Progress | None = None) -> OpeningBounds:
    """Bounds of all openings by the sizes of their classes."""
    classes = _of_all(table, parts(table.words, 3), progress)
    none = torch.zeros_like(classes, dtype=torch.int32)
    made = OpeningBounds(table, turns, classes, classes, none, none.bool())
    sizes = torch.arange(1, table.words + 1, device=table.device)
    worth = torch.cat([sizes.new_zeros(1), made.by_size(sizes)]).cpu()
    # The opening itself is found a turn sooner than a class of one word.
    made.bounds = _of_all(table, Objective(worth), progress) + 1
    return made


def _of_all(table: WordTable, objective: Objective, progress: Progress | None) -> Tensor:
    """[W] int64: rank of every word as an opening."""
    pool = torch.arange(table.words, dtype=torch.int32, device=table.device)
    ranked = rank(table, whole(table), pool, objective, table.words, progress=progress)
    return torch.empty_like(ranked.ranks[0]).scatter_(0, ranked.guesses[0].long(), ranked.ranks[0])


def whole(table: WordTable) -> Frontier:
    """The whole list as one set."""
    return frontier([torch.arange(table.words, dtype=torch.int32, device=table.device)])

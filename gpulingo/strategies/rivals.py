"""Strategies of the pit's other programs; their openings are words of the pit's list."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from gpulingo.strategies.objectives import largest_class
from gpulingo.strategies.shortlists import Shortlists
from gpulingo.strategies.strategy import Choice
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Objective, Progress
from gpulingo.tensors.operations import rank
from gpulingo.tensors.wordtable import WordTable

EDC65_OPENINGS = (
    "ares raise sailer saltier costlier clarities anthelices petulancies incarcerates allergenicity"
)
CONFUSION_OPENINGS = (
    "orae seora ariose erasion serotina tensorial psalterion ulcerations culteranismo persecutional"
)
FEW = 10  # candidates up to which `confusion` looks at every word, as it has short lists for more
Rule = Callable[[WordTable, Frontier, Progress | None], Choice]


@dataclass(frozen=True)
class Rival:
    """A fixed opening, then a rule; the last turn guesses the first candidate.

    Attributes:
        name: of the strategy.
        openings: words, at most one of each length; where the list has none of them the rule opens.
        rule: the guesses of all sets of a frontier.
    """

    name: str
    openings: str
    rule: Rule

    def choose(
        self, table: WordTable, frontier: Frontier, left: int, progress: Progress | None = None
    ) -> Choice:
        """Guesses of all sets at once."""
        if left <= 1:
            return Choice(frontier.firsts)
        opening = next((word for word in self.openings.split() if len(word) == table.length), "")
        first = table.get(opening)
        # Only before the first guess are all words left, as the guess itself leaves every set.
        begun = (frontier.sizes < table.words).nonzero()[:, 0]
        if first is None or begun.shape[0] == frontier.sets:
            return self.rule(table, frontier, progress)
        ruled = self.rule(table, frontier.take(begun), progress)
        guesses = torch.full((frontier.sets,), first, dtype=torch.int32, device=table.device)
        guesses[begun] = ruled.guesses
        return Choice(guesses, ruled.pairs)


@dataclass(frozen=True)
class SmallestClass:
    """The candidate whose largest class is smallest; another word only where its own is below 0.75 of that.

    The product is cut to a whole number first, as the program does.

    Attributes:
        consistent: guess candidates only.
    Source: proposal() in cpp_entries/edc65.cpp of noirotm/lingo, whose ties fall by an order of its own.
    """

    consistent: bool = False

    def __call__(self, table: WordTable, frontier: Frontier, progress: Progress | None) -> Choice:
        """Guesses of all sets at once."""
        if frontier.sets == 0:
            return Choice(frontier.firsts)
        objective = largest_class(int(frontier.sizes.max()), 0)
        mine = rank(table, frontier, None, objective, progress=progress)
        guesses, limits = mine.guesses[:, 0].clone(), -mine.ranks[:, 0] * 3 // 4
        wide = (limits > 1).nonzero()[:, 0]  # no class is smaller than 1
        if self.consistent or wide.shape[0] == 0:
            return Choice(guesses, mine.pairs)
        pool = table.pool
        # Where a candidate is best of all it is not below its own limit, so what wins here is no candidate.
        any_word = rank(table, frontier.take(wide), pool, objective, progress=progress)
        below = -any_word.ranks[:, 0] < limits[wide]
        guesses[wide] = torch.where(below, any_word.guesses[:, 0], guesses[wide])
        return Choice(guesses, mine.pairs + any_word.pairs)


def confusion(largest: int) -> Objective:
    """The least sum over the candidates of (size of its class - 1)^2: n (n - 1)^2 for a class of n."""
    sizes = torch.arange(largest + 1, dtype=torch.int64)
    return Objective(-sizes * (sizes - 1) ** 2)


@dataclass(frozen=True)
class Confusion:
    """The guess of least `confusion`: of all words for few candidates, else of a short list for each set.

    Attributes:
        shortlists: for sets of more than FEW candidates; all words without.
        consistent: guess candidates only.
    Source: the Java entry of the pit, as told; its copy in noirotm/lingo ranks otherwise: see docs/rivals.md.
    """

    shortlists: Shortlists | None
    consistent: bool = False

    def __call__(self, table: WordTable, frontier: Frontier, progress: Progress | None) -> Choice:
        """Guesses of all sets at once."""
        if self.shortlists is None:
            return self._of_all(table, frontier, progress)
        few = frontier.sizes <= FEW
        small, large = frontier.take(few.nonzero()[:, 0]), frontier.take((~few).nonzero()[:, 0])
        guesses = torch.empty(frontier.sets, dtype=torch.int32, device=table.device)
        of_all = self._of_all(table, small, progress)
        guesses[few] = of_all.guesses
        if large.sets == 0:
            return Choice(guesses, of_all.pairs)
        listed = self.shortlists.choose(table, large, confusion(int(large.sizes.max())), progress)
        guesses[~few] = listed.guesses
        return Choice(guesses, of_all.pairs + listed.pairs)

    def _of_all(self, table: WordTable, frontier: Frontier, progress: Progress | None) -> Choice:
        """Guesses of all sets, of the whole vocabulary or of the candidates."""
        if frontier.sets == 0:
            return Choice(frontier.firsts)
        pool: Tensor | None = table.pool
        objective = confusion(int(frontier.sizes.max()))
        ranked = rank(table, frontier, None if self.consistent else pool, objective, progress=progress)
        return Choice(ranked.guesses[:, 0], ranked.pairs)

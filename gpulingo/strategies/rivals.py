"""Strategies of the pit's other programs; their openings are words of the pit's list."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from gpulingo.strategies.letters import greatest, summed
from gpulingo.strategies.objectives import largest_class
from gpulingo.strategies.strategy import Choice, Position
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Objective, Progress
from gpulingo.tensors.operations import rank, split
from gpulingo.tensors.wordtable import WordTable, letter_copies, unweighted

EDC65_OPENINGS = (
    "ares raise sailer saltier costlier clarities anthelices petulancies incarcerates allergenicity"
)
CONFUSION_OPENINGS = (
    "orae seora ariose erasion serotina tensorial psalterion ulcerations culteranismo persecutional"
)
FEW, LISTED = 10, 25  # of the Java program: candidates up to which it tries all words; length of its lists
BLOCK = 1 << 24  # a limit of memory: keys of sets x words in memory at once, 8 bytes each
Rule = Callable[[Position, Progress | None], Choice]


@dataclass(frozen=True)
class Rival:
    """A fixed opening, if all sets allow it, then a rule; the last turn guesses the first candidate.

    Those programs know no weights: words count 1 each.

    The openings are words, at most one per length; if the list has none of them the rule opens.
    """

    name: str
    openings: str
    rule: Rule

    def choose(self, position: Position, progress: Progress | None = None) -> Choice:
        firsts = position.frontier.firsts
        if position.turns_left <= 1 or position.frontier.sets == 0:
            return Choice(firsts)
        if position.turn == 1 and (opening := self._opening(position.table)) is not None:
            guesses = torch.full_like(firsts, opening)
            if not position.illegal(guesses).shape[0]:
                return Choice(guesses)
        return self.rule(replace(position, table=unweighted(position.table)), progress)

    def _opening(self, table: WordTable) -> int | None:
        """Return the opening for words of this length, if it is a legal guess."""
        word = next((word for word in self.openings.split() if len(word) == table.length), "")
        index = table.get(word)
        return index if index is not None and bool((table.pool == index).any()) else None


def smallest_class(position: Position, progress: Progress | None) -> Choice:
    """The candidate whose largest class is smallest; another word only where its own is below 0.75 of that.

    The product is cut to a whole number first, as the program does.

    Source: proposal() in cpp_entries/edc65.cpp of noirotm/lingo, whose ties fall by an order of its own.
    """
    table, frontier = position.table, position.frontier
    objective = largest_class(int(frontier.sizes_here.max()), position.turns_left)
    candidates = rank(table, frontier, None, objective, progress=progress)
    guesses, limits = candidates.guesses[:, 0].clone(), -candidates.ranks[:, 0] * 3 // 4
    wide = (limits > 1).nonzero()[:, 0]  # no class is smaller than 1
    if position.pool is None or wide.shape[0] == 0:
        return Choice(guesses, candidates.pairs)
    # If a candidate is best of all it is not below its own limit, so a winner here is not a candidate.
    open_sets = position.take(wide)
    any_word = rank(table, open_sets.frontier, open_sets.pool, objective, progress=progress)
    below = -any_word.ranks[:, 0] < limits[wide]
    guesses[wide] = torch.where(below, any_word.guesses[:, 0], guesses[wide])
    return Choice(guesses, candidates.pairs + any_word.pairs)


def confusion(largest: int) -> Objective:
    """The least sum over the candidates of (size of its class - 1)^2: n (n - 1)^2 for a class of n."""
    sizes = torch.arange(largest + 1, dtype=torch.int64)
    return Objective(-sizes * (sizes - 1) ** 2)


@dataclass(frozen=True)
class Confusion:
    """The guess of least `confusion`: of all words for few candidates, of a short list for more than FEW.

    Source: the Java entry of the pit, as reported; its copy in noirotm/lingo ranks otherwise: docs/rivals.md.
    """

    shortlists: Shortlists | None

    def __call__(self, position: Position, progress: Progress | None) -> Choice:
        table, frontier = position.table, position.frontier
        if self.shortlists is None or position.pool is None:
            return self._of_all(position, progress)
        few = frontier.sizes <= FEW
        large = position.take((~few).nonzero()[:, 0])
        guesses = torch.empty(frontier.sets, dtype=torch.int32, device=table.device)
        of_all = self._of_all(position.take(few.nonzero()[:, 0]), progress)
        guesses[few] = of_all.guesses
        if large.frontier.sets == 0:
            return Choice(guesses, of_all.pairs)
        listed = self.shortlists.choose(large, confusion(int(large.frontier.sizes_here.max())), progress)
        guesses[~few] = listed.guesses
        return Choice(guesses, of_all.pairs + listed.pairs)

    def _of_all(self, position: Position, progress: Progress | None) -> Choice:
        """Return guesses of all sets, from the whole pool or the candidates."""
        frontier = position.frontier
        if frontier.sets == 0:
            return Choice(frontier.firsts)
        objective = confusion(int(frontier.sizes_here.max()))
        ranked = rank(position.table, frontier, position.pool, objective, progress=progress)
        return Choice(ranked.guesses[:, 0], ranked.pairs)


@dataclass(frozen=True)
class Shortlists:
    """A short list of guesses for each set: legal words rich in its candidates' letters, random candidates.

    The value of a word is the number of copies that the candidates have of its letters, counting each
    distinct letter once. The lists are ranked by splitting the sets by one column at a time.

    It draws on the CPU, so that every device draws the same.
    """

    draws: torch.Generator
    width: int = LISTED

    def choose(self, position: Position, objective: Objective, progress: Progress | None = None) -> Choice:
        """Return the listed guess of greatest rank for every set; ties as in `rank`."""
        table, frontier = position.table, position.frontier
        keys = torch.rand(frontier.members.shape[0], dtype=torch.float64, generator=self.draws)
        drawn = greatest(frontier, keys.to(table.device), self.width)
        listed = torch.cat([self._richest(position), drawn], 1)
        return best_listed(table, frontier, listed, objective, progress)

    def _richest(self, position: Position) -> Tensor:
        """[S, width] int32, on ties of value the earlier word first."""
        table, frontier, legal = position.table, position.frontier, position.pool
        copies = letter_copies(table)
        holds = (copies > 0).double()  # float64 is exact for these integers, and has a matrix product
        counts = summed(frontier, copies[frontier.members.long()]).double()
        if isinstance(legal, Frontier):
            size = max(1, BLOCK // holds.shape[1])
            rows = zip(legal.members.split(size), legal.owners.split(size), strict=True)
            values = [(holds[words.long()] * counts[owners]).sum(1) for words, owners in rows]
            return greatest(legal, torch.cat(values), self.width)
        pool = table.pool.long()
        rich = []
        for block in counts.split(max(1, BLOCK // pool.shape[0])):
            # All keys are distinct, because topk breaks ties arbitrarily.
            keys = (block @ holds[pool].T) * table.words - pool
            rich.append(pool[keys.topk(min(self.width, pool.shape[0]), 1).indices])
        return torch.cat(rich).to(torch.int32)


def best_listed(table: WordTable, frontier: Frontier, guesses: Tensor, objective: Objective,
                progress: Progress | None = None) -> Choice:  # fmt: skip
    """Return each set's guess of greatest rank in its row of [S, K]; on ties candidates, then list order."""
    values = objective.table.to(table.device)
    best, top, inside = guesses[:, 0], None, None
    for column in guesses.T:
        children = split(table, frontier, column)
        # The solved word is a separate class, which `split` leaves out.
        ranks = children.hits * (values[1] + objective.bonuses[0])
        ranks.index_add_(0, children.parents, values[children.frontier.sizes])
        if progress:
            progress(frontier.members.shape[0])
        if top is None or inside is None:
            best, top, inside = column, ranks, children.hits
            continue
        earlier = (children.hits > inside) | ((children.hits == inside) & (column < best))
        better = (ranks > top) | ((ranks == top) & earlier)
        best, top = torch.where(better, column, best), torch.where(better, ranks, top)
        inside = torch.where(better, children.hits, inside)
    return Choice(best, guesses.shape[1] * frontier.members.shape[0])

"""Programs of the Lingo pit as strategies, each a class with `choose(position)`: see docs/rivals.md.

PYTHONPATH=examples gpulingo compare --lengths 5 --strategies rivals:edc65,rivals:confusion,parts
"""

from dataclasses import replace

import torch
from torch import Tensor

import gpulingo
from gpulingo import Choice, Frontier, Objective, Position, rank

FEW, LISTED = 10, 25  # of the Java program: candidates up to which it tries all words; length of its lists
BLOCK = 1 << 24  # a limit of memory: values of sets x words in memory at once, 8 bytes each


class Rival:
    """A fixed opening, if all sets allow it, then `rule`; the last turn guesses the first candidate.

    Those programs know no weights: words count 1 each.

    The openings are words, at most one per length; if the list has none of them the rule opens.
    """

    name = openings = ""

    def choose(self, position: Position, progress=None) -> Choice:
        """The opening, the choice of the rule, or the first candidate."""
        table, firsts = position.table, position.frontier.firsts
        if position.turns_left <= 1 or position.frontier.sets == 0:
            return Choice(firsts)
        word = next((word for word in self.openings.split() if len(word) == table.length), "")
        opening = table.get(word) if position.turn == 1 else None
        if opening is not None and opening in table.pool:
            guesses = torch.full_like(firsts, opening)
            if not position.illegal(guesses).shape[0]:
                return Choice(guesses)
        if table.weights is not None:
            position = replace(position, table=table.with_sets(table.targets, table.pool))
        return Choice(self.rule(position, progress))

    def rule(self, position: Position, progress) -> Tensor:
        """[S] int32, the guess of each set."""
        raise NotImplementedError


class edc65(Rival):
    """The candidate whose largest class is smallest; another word only where its own is below 0.75 of that.

    The product is cut to a whole number first, as the program does.

    Source: proposal() in cpp_entries/edc65.cpp of noirotm/lingo, whose ties fall by an order of its own.
    """

    name = "edc65"
    openings = (
        "ares raise sailer saltier costlier clarities anthelices petulancies incarcerates allergenicity"
    )

    def rule(self, position: Position, progress) -> Tensor:
        table, sets = position.table, position.frontier
        objective = Objective(-torch.arange(int(sets.sizes.max()) + 1), largest=True)
        candidates = rank(table, sets, None, objective, progress=progress)
        guesses, limits = candidates.guesses[:, 0].clone(), -candidates.ranks[:, 0] * 3 // 4
        wide = (limits > 1).nonzero()[:, 0]  # no class is smaller than 1
        if position.pool is None or wide.shape[0] == 0:
            return guesses
        # If a candidate is best of all it is not below its own limit, so a winner here is not a candidate.
        open_sets = position.take(wide)
        any_word = rank(table, open_sets.frontier, open_sets.pool, objective, progress=progress)
        below = -any_word.ranks[:, 0] < limits[wide]
        guesses[wide] = torch.where(below, any_word.guesses[:, 0], guesses[wide])
        return guesses


class confusion_full(Rival):
    """The least sum over the candidates of (size of its class - 1)^2: n (n - 1)^2 for a class of n.

    Source: the Java entry of the pit, as reported; its copy in noirotm/lingo ranks otherwise: docs/rivals.md.
    """

    name = "confusion_full"
    openings = (
        "orae seora ariose erasion serotina tensorial psalterion ulcerations culteranismo persecutional"
    )

    def rule(self, position: Position, progress) -> Tensor:
        sets = position.frontier
        sizes = torch.arange(int(sets.sizes.max()) + 1)
        objective = Objective(-sizes * (sizes - 1) ** 2)
        return rank(position.table, sets, position.pool, objective, progress=progress).guesses[:, 0]


class confusion(confusion_full):
    """The same; for more than FEW candidates, of a short list: rich words and random candidates.

    It draws on the CPU, so that every device draws the same.
    """

    name = "confusion"

    def __init__(self, seed: int = 0) -> None:
        self.draws = torch.Generator().manual_seed(seed)

    def rule(self, position: Position, progress) -> Tensor:
        few = position.frontier.sizes <= FEW
        if position.pool is None or bool(few.all()):
            return super().rule(position, progress)
        guesses = torch.empty_like(position.frontier.firsts)
        if bool(few.any()):
            guesses[few] = super().rule(position.take(few.nonzero()[:, 0]), progress)
        large = position.take((~few).nonzero()[:, 0])
        keys = torch.rand(large.frontier.members.shape[0], dtype=torch.float64, generator=self.draws)
        drawn = greatest(large.frontier, keys.to(guesses.device), LISTED)
        lists = as_sets(torch.cat([richest(large, LISTED), drawn], 1))
        guesses[~few] = super().rule(replace(large, pool=lists), progress)
        return guesses


def as_sets(words: Tensor) -> Frontier:
    """The distinct words of each row of [S, K], as one set a row."""
    rows = words.sort(1).values
    kept = torch.ones_like(rows, dtype=torch.bool)
    kept[:, 1:] = rows[:, 1:] != rows[:, :-1]
    ends = kept.sum(1).cumsum(0)
    return Frontier(rows[kept], torch.cat([ends.new_zeros(1), ends]))


def richest(position: Position, width: int) -> Tensor:
    """[S, width] int32: legal words rich in the candidates' letters; on ties the earlier word first.

    The value of a word is the number of copies that the candidates have of its letters, counting each
    distinct letter once.
    """
    table, sets, legal = position.table, position.frontier, position.pool
    copies = torch.nn.functional.one_hot(table.letters.long(), len(table.alphabet)).sum(1)
    holds = (copies > 0).double()  # float64 is exact for these integers, and has a matrix product
    counts = holds.new_zeros(sets.sets, holds.shape[1])
    counts.index_add_(0, sets.owners, copies[sets.members.long()].double())
    if isinstance(legal, Frontier):
        size = max(1, BLOCK // holds.shape[1])
        rows = zip(legal.members.split(size), legal.owners.split(size), strict=True)
        values = [(holds[words.long()] * counts[owners]).sum(1) for words, owners in rows]
        return greatest(legal, torch.cat(values), width)
    pool = table.pool.long()
    rich = []
    for block in counts.split(max(1, BLOCK // pool.shape[0])):
        keys = (block @ holds[pool].T) * table.words - pool  # distinct, because topk breaks ties arbitrarily
        rich.append(pool[keys.topk(min(width, pool.shape[0]), 1).indices])
    return torch.cat(rich).int()


def greatest(sets: Frontier, keys: Tensor, width: int) -> Tensor:
    """[S, width] int32: the members of greatest key of each set; a shorter row is filled with its first."""
    owners, order = sets.owners, keys.sort(descending=True, stable=True).indices
    order = order[owners[order].sort(stable=True).indices]
    places = torch.arange(order.shape[0], device=order.device) - sets.offsets[owners]
    kept = places < width
    members = sets.firsts[:, None].repeat(1, width)
    members[owners[kept], places[kept]] = sets.members[order[kept]]
    return members


if __name__ == "__main__":
    words = gpulingo.embedded().of_length(13)
    for strategy in (edc65(), confusion(), confusion_full(), "parts"):
        played = gpulingo.simulate(words, strategy)
        print(f"{played.strategy:14} {played.mean_points:.2f} mean points, opening {played.opening}")

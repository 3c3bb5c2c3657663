"""The strategy that ranks guesses by an objective, and the pools of guesses that may be searched for all."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor

from gpulingo.strategies.objectives import SCALE_FREE, ObjectiveOf, two_turns, weighed
from gpulingo.strategies.strategy import Choice, Position
from gpulingo.tensors.frontier import whole
from gpulingo.tensors.objective import Objective, Progress, classes
from gpulingo.tensors.operations import rank
from gpulingo.tensors.wordtable import WordTable, letter_copies


@dataclass(frozen=True)
class Pool:
    """Choice of the words to search.

    Attributes:
        rule: one of RULES.
        words: their number, or None: the whole list, whatever the rule.
    """

    rule: str = "classes"
    words: int | None = None
    seed: int = 0

    def members(self, table: WordTable) -> Tensor:
        """Return [P] int32, ascending: the words that are searched, all of them legal guesses."""
        if self.words is None or self.words >= table.pool.shape[0]:
            return table.pool
        order = RULES[self.rule](table, self.words, self.seed)
        legal = order[torch.isin(order, table.pool)]
        return legal[: self.words].sort().values


def by_classes(table: WordTable, words: int, seed: int) -> Tensor:
    """[P] int32, the legal guesses by the classes that they make of all targets, then by list order."""
    return rank(table, whole(table), table.pool, classes(table.words, 0), table.pool.shape[0]).guesses[0]


def by_letters(table: WordTable, words: int, seed: int) -> Tensor:
    """[W] int32, the words by how many words hold their distinct letters, summed; then by list order."""
    holds = (letter_copies(table) > 0).long()
    return (holds * holds.sum(0)).sum(1).sort(descending=True, stable=True).indices.to(torch.int32)


def by_balance(table: WordTable, words: int, seed: int) -> Tensor:
    """Return [words] int32, taken one by one: each time the word whose distinct letters have most value.

    The value of a letter is the square root of the words of the list that hold it, divided by 1 + the words
    taken that hold it, so that words with other letters come next.
    """
    # In numpy: torch shares each of the many small sums out among threads, which costs more than the sums.
    holds = np.ascontiguousarray((letter_copies(table) > 0).long().T.cpu().numpy())  # [A, W]
    roots = [math.isqrt(int(count) << 40) for count in holds.sum(1)]
    taken = [0] * len(roots)
    sums = np.array(roots, np.int64) @ holds  # [W], whole, to be alike on all devices
    order: list[int] = []
    for _ in range(min(words, table.words)):
        best = int(sums.argmax())
        order.append(best)
        for letter in holds[:, best].nonzero()[0]:
            taken[letter] += 1
            sums += holds[letter] * (roots[letter] // (1 + taken[letter]) - roots[letter] // taken[letter])
        sums[best] = -(1 << 62)
    return torch.tensor(order, dtype=torch.int32, device=table.device)


def at_random(table: WordTable, words: int, seed: int) -> Tensor:
    """Return [W] int32, the words in random order."""
    draws = torch.Generator().manual_seed(seed)
    return torch.randperm(table.words, generator=draws).to(table.device, torch.int32)


RULES: dict[str, Callable[[WordTable, int, int], Tensor]] = {
    "classes": by_classes,
    "letters": by_letters,
    "balanced": by_balance,
    "random": at_random,
}


@dataclass(frozen=True)
class Ranking:
    """The guess of greatest rank.

    The last turn guesses the first candidate, of words with weights the heaviest. The turn before is exact
    whatever the objective: there the classes of a guess, or the heaviest words of these, are what it yields
    (`two_turns`).

    Attributes:
        exact: rank by `two_turns` with two turns left; without, by the objective, as on the turns before.
        pool: the words that are searched, beside the candidates of each set; None: all that are legal.
        opening: index of the first guess; None: that of greatest rank.
    """

    name: str
    objective: ObjectiveOf
    exact: bool = True
    pool: Pool | None = None
    opening: int | None = None
    _members: dict[WordTable, Tensor] = field(default_factory=dict, repr=False, compare=False)

    def choose(self, position: Position, progress: Progress | None = None) -> Choice:
        """Guesses of all sets at once."""
        table, frontier = position.table, position.frontier
        if position.names_words or frontier.sets == 0:
            return Choice(position.likeliest())
        if self.opening is not None and position.turn == 1:
            self.objective(1, position.turns_left)  # which refuses more turns than it has values for
            return Choice(torch.full_like(frontier.firsts, self.opening))
        objective = self._objective(position)
        part = None if position.pool is None or self.pool is None else self.members(table, self.pool)
        if part is None or part.shape[0] == table.pool.shape[0]:
            searched = rank(table, frontier, position.pool, objective, progress=progress)
            return Choice(searched.guesses[:, 0], searched.pairs)
        position.shared_pool()  # which refuses one for each set
        searched = rank(table, frontier, part, objective, progress=progress)
        own = rank(table, frontier, None, objective, progress=progress)
        # A candidate of equal rank comes first, and of the candidates `own` has the first.
        better = searched.ranks[:, 0] > own.ranks[:, 0]
        guesses = torch.where(better, searched.guesses[:, 0], own.guesses[:, 0])
        return Choice(guesses, searched.pairs + own.pairs)

    def _objective(self, position: Position) -> Objective:
        """Return the objective of a position."""
        largest = position.largest
        if self.exact and position.decided_by_classes:
            return two_turns(largest, position.payoff)
        if self.exact and position.decided_by_heaviest:
            return two_turns(largest, position.payoff, heaviest=True)
        if position.table.weights is None or self.objective in SCALE_FREE:
            return self.objective(largest, position.turns_left, position.payoff)
        total, targets = position.weight
        words = max(largest * targets // total + 1, int(position.frontier.sizes_here.max()))
        return weighed(self.objective(words, position.turns_left, position.payoff), largest, total, targets)

    def members(self, table: WordTable, pool: Pool) -> Tensor:
        """Return [P] int32, ascending: the words of a pool, chosen once for a table."""
        if table not in self._members:
            self._members.clear()
            self._members[table] = pool.members(table)
        return self._members[table]

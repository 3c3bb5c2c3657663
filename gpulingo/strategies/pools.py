"""Guess pools: only the words that a cheap rule puts first are searched, and the candidates of each set."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor

from gpulingo.strategies.letters import letter_copies
from gpulingo.strategies.objectives import ObjectiveOf, parts
from gpulingo.strategies.strategy import Choice
from gpulingo.tensors.frontier import Frontier, whole
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.operations import rank
from gpulingo.tensors.wordtable import WordTable


@dataclass(frozen=True)
class Pool:
    """Which words are searched.

    Attributes:
        rule: one of RULES. words: so many, or None: the whole list, whatever the rule.
        seed: of the rule that draws by lot.
    """

    rule: str = "classes"
    words: int | None = None
    seed: int = 0


def by_classes(table: WordTable, words: int, seed: int) -> Tensor:
    """[W] int32, the words by the classes that they make of the whole list, then by list order."""
    return rank(table, whole(table), table.pool, parts(table.words, 3), table.words).guesses[0]


def by_letters(table: WordTable, words: int, seed: int) -> Tensor:
    """[W] int32, the words by how many words hold their distinct letters, summed; then by list order."""
    held = (letter_copies(table) > 0).long()
    return (held * held.sum(0)).sum(1).sort(descending=True, stable=True).indices.to(torch.int32)


def by_balance(table: WordTable, words: int, seed: int) -> Tensor:
    """[words] int32, taken one by one: the word whose distinct letters are worth most at that time.

    A letter is worth the square root of the words of the list that hold it, divided by 1 + the words taken
    that hold it, so that words with other letters come next.
    """
    # In numpy: torch shares each of the many small sums out among threads, which costs more than the sums.
    held = np.ascontiguousarray((letter_copies(table) > 0).long().T.cpu().numpy())  # [A, W]
    roots = [math.isqrt(int(count) << 40) for count in held.sum(1)]
    taken = [0] * len(roots)
    sums = np.array(roots, np.int64) @ held  # [W], whole, to be alike on all devices
    order: list[int] = []
    for _ in range(min(words, table.words)):
        best = int(sums.argmax())
        order.append(best)
        for letter in held[:, best].nonzero()[0]:
            taken[letter] += 1
            sums += held[letter] * (roots[letter] // (1 + taken[letter]) - roots[letter] // taken[letter])
        sums[best] = -(1 << 62)
    return torch.tensor(order, dtype=torch.int32, device=table.device)


def by_lot(table: WordTable, words: int, seed: int) -> Tensor:
    """[W] int32, the words in an order drawn by lot."""
    draws = torch.Generator().manual_seed(seed)
    return torch.randperm(table.words, generator=draws).to(table.device, torch.int32)


RULES: dict[str, Callable[[WordTable, int, int], Tensor]] = {
    "classes": by_classes,
    "letters": by_letters,
    "balanced": by_balance,
    "random": by_lot,
}


@dataclass
class Pooled:
    """The guess of greatest rank among the words of a pool and the candidates of each set.

    The last two turns are as those of `Ranking`.

    Attributes:
        name: of the strategy.
        objective: for the size of the largest set and the turns left.
        pool: which words are searched.
        opening: index of the first guess; None: that of greatest rank.
    """

    name: str
    objective: ObjectiveOf
    pool: Pool = Pool()
    opening: int | None = None
    _held: tuple[WordTable, Tensor] | None = field(default=None, repr=False)  # the last table and its pool

    def choose(
        self, table: WordTable, frontier: Frontier, left: int, progress: Progress | None = None
    ) -> Choice:
        """Guesses of all sets at once."""
        if left <= 1 or frontier.sets == 0:
            return Choice(frontier.firsts)
        # Only before the first guess are all words left, as the guess itself leaves every set.
        if self.opening is not None and frontier.members.shape[0] == table.words:
            self.objective(1, left)  # which refuses more turns than it has values for
            return Choice(torch.tensor([self.opening], dtype=torch.int32, device=table.device))
        objective = (parts if left == 2 else self.objective)(int(frontier.sizes.max()), left)
        pool = self.members(table)
        searched = rank(table, frontier, pool, objective, progress=progress)
        if pool.shape[0] == table.words:
            return Choice(searched.guesses[:, 0], searched.pairs)
        own = rank(table, frontier, None, objective, progress=progress)
        # A candidate of equal rank comes first, and of the candidates `own` has the first.
        better = searched.ranks[:, 0] > own.ranks[:, 0]
        guesses = torch.where(better, searched.guesses[:, 0], own.guesses[:, 0])
        return Choice(guesses, searched.pairs + own.pairs)

    def members(self, table: WordTable) -> Tensor:
        """[P] int32, ascending: the words of the pool."""
        if self.pool.words is None or self.pool.words >= table.words:
            return table.pool
        if self._held is None or self._held[0] is not table:
            order = RULES[self.pool.rule](table, self.pool.words, self.pool.seed)
            self._held = table, order[: self.pool.words].sort().values
        return self._held[1]

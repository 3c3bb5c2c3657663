"""Guess pools: the words that a cheap rule puts first, to be searched instead of all."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from gpulingo.tensors.features import letter_copies
from gpulingo.tensors.frontier import whole
from gpulingo.tensors.objective import classes
from gpulingo.tensors.operations import rank
from gpulingo.tensors.wordtable import WordTable


@dataclass(frozen=True)
class Pool:
    """Choice of the words to search.

    Attributes:
        rule: one of RULES.
        words: their number, or None: the whole list, whatever the rule.
        seed: of the rule that draws at random.
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

"""Credits of found words, by turns left and weight."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gpulingo.tensors.arrays import Array, array_of
from gpulingo.tensors.wordtable import WordTable

FOUND = (0, *([1] * 255))  # the payoff of a game in which only finding a word counts


def is_searched(payoff: Sequence[int]) -> bool:
    """Return True if searches support a payoff: 0 for a lost word, at least 1 for others, never falling."""
    return len(payoff) > 1 and payoff[0] == 0 < payoff[1] and list(payoff) == sorted(payoff)


def total_weight(table: WordTable) -> int:
    """Return the sum of the weights of all words."""
    return table.words if table.weights is None else int(table.weights.sum())


def checked_payoff(table: WordTable, payoff: Sequence[int], most: int) -> Array:
    """Return [turns + 1] int64: the payoff of a word; ValueError if all words together exceed `most`."""
    paid = [int(credits) for credits in payoff]
    if not is_searched(paid):
        seen = f"payoff is {paid[:10]}"
        raise ValueError(f"{seen}, expected 0 for a lost word, then 1 or more that does not fall")
    if (weight := total_weight(table)) * paid[-1] >= most:
        raise ValueError(f"{weight} words of up to {paid[-1]} credits, expected less than {most} together")
    return np.array(paid, np.int64)


def target_weights(table: WordTable) -> Array:
    """Return [W] int64: the weight of each word."""
    if table.weights is None:
        return np.ones(table.words, np.int64)
    return array_of(table.weights).astype(np.int64)


def top_value(weights: Array, left: int, credits: Array) -> int:
    """Return an upper bound: the heaviest of [n] words is found at once and splits all others."""
    if left < 1:
        return 0
    now = int(credits[left] - credits[left - 1])
    return now * int(weights.max()) + int(credits[left - 1]) * int(weights.sum())

"""Objectives: integer tables that turn class sizes into the rank of a guess.

Where targets have weights, the size of a class is the weight of its words. Objectives with values for numbers
of words are made for words, and then `weighed`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import torch

from gpulingo.strategies.values import RISING, SCALE, value_table
from gpulingo.tensors.objective import Objective, classes

# Units a bit: differences of 2^-32 bit decide, smaller ones are ties. A limit: the sums of 2^26 words fit.
ENTROPY_SCALE = 1 << 32
MOST_SUM = 1 << 61  # of a table's entries over a set: a limit, so that sums and what is added to them fit
LARGEST = 1 << 30  # words of a set, 8 bytes each


@runtime_checkable
class ObjectiveOf(Protocol):
    """An objective for the size of the largest set, the turns left and the payoff of targets then.

    `payoff[k]` are the credits of a target found with k turns left, for k up to the turns left at least.

    >>> ways: list[ObjectiveOf] = [parts, entropy]
    >>> [way(2, 3) for way in ways]
    [Objective(sizes 0 to 2, bonus 0, cpu), Objective(sizes 0 to 2, bonus 0, cpu)]
    """

    def __call__(self, largest: int, turns_left: int, payoff: Sequence[int] = RISING, /) -> Objective: ...


def two_turns(largest: int, payoff: Sequence[int] = RISING, *, heaviest: bool = False) -> Objective:
    """The credits themselves with two turns left, up to a constant of the set: so it is exact.

    Each class gives the one word that the last turn guesses, a candidate is found a turn sooner; where a
    turn is a credit that is the number of classes, one more for a candidate.

    Args:
        heaviest: words have weights: each class gives that of its heaviest word.
    """
    sizes = torch.arange(largest + 1, dtype=torch.int64)
    found = sizes if heaviest else sizes.clamp(max=1)
    return Objective(found * (payoff[1] - payoff[0]), bonus=payoff[2] - payoff[1], heaviest=heaviest)


def parts(largest: int, turns_left: int, payoff: Sequence[int] = RISING) -> Objective:
    """The most classes; with two turns left a candidate counts one more, which is then exact.

    With more turns left the bonus costs points over every list measured, so it is left out: see
    docs/strategies.md.

    >>> parts(2, turns_left=2)
    Objective(sizes 0 to 2, bonus 1, cpu)
    """
    if not 0 <= largest <= LARGEST:
        raise ValueError(f"largest is {largest}, expected 0 to {LARGEST} words")
    return classes(largest, bonus=1 if turns_left <= 2 else 0)


def entropy(largest: int, turns_left: int, payoff: Sequence[int] = RISING) -> Objective:
    """The most information in bits, which is the entropy of the classes.

    The sum of -n log2 n, up to a constant of the set, in fixed point.
    """
    sizes = torch.arange(largest + 1, dtype=torch.float64)
    bits = torch.special.xlogy(sizes, sizes) / math.log(2)
    return Objective(-(bits * ENTROPY_SCALE).round().to(torch.int64))


def expected_size(largest: int, turns_left: int, payoff: Sequence[int] = RISING) -> Objective:
    """The fewest candidates left, as expected.

    The sum of -n^2, up to a constant of the set.
    """
    return Objective(-(torch.arange(largest + 1, dtype=torch.int64) ** 2))


def largest_class(largest: int, turns_left: int, payoff: Sequence[int] = RISING) -> Objective:
    """The smallest largest class: the fewest candidates left when things go worst."""
    return Objective(-torch.arange(largest + 1, dtype=torch.int64), largest=True)


def points(largest: int, turns_left: int, payoff: Sequence[int] = RISING) -> Objective:
    """The most expected points, by a table of the value of a class of each size.

    The starting values: V[left - 1][n] for a class, the payoff of a turn sooner for a candidate.
    """
    after = max(turns_left - 1, 0)
    values = value_table(largest, after, payoff)[after]
    sooner = payoff[after + 1] - payoff[after]
    return Objective(values, bonus=sooner * SCALE)


def weighed(objective: Objective, largest: int, total: int, targets: int) -> Objective:
    """Return an objective of weights from one of numbers of words.

    A weight is read as its number of words of mean weight, linear between whole numbers, rounded down. As a
    bonus counts as often as the candidate weighs, all entries are multiplied by the mean weight where there
    is a bonus, or the bonus is divided by it where sums would not fit.

    Args:
        objective: for one word more than the largest weight.
        largest: weight of a set.
        total: weight of all targets.
        targets: number of targets.
    """
    if objective.counts_classes:
        return objective
    parts = torch.arange(largest + 1, dtype=torch.int64) * targets
    words, rest = parts // total, parts % total
    low, rise = objective.table[words], objective.table.diff()[words]
    # Quotient and rest apart, as products could exceed 63 bits.
    table = low + rise // total * rest + rise % total * rest // total
    if objective.bonus and int(table.abs().max()) // targets * total < MOST_SUM:
        table = table // targets * total + table % targets * total // targets
        return Objective(table, objective.bonus, objective.largest)
    return Objective(table, objective.bonuses[0] * targets // total, objective.largest)


SCALE_FREE = (entropy, expected_size, largest_class)  # which rank alike whatever unit sizes have
BY_NAME: dict[str, ObjectiveOf] = {
    "parts": parts,
    "entropy": entropy,
    "expected_size": expected_size,
    "largest_class": largest_class,
    "points": points,
}

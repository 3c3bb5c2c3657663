"""Objectives: integer tables that turn class sizes into the rank of a guess.

Where targets have weights, the size of a class is the weight of its words. Objectives with values for numbers
of words are made for words, and then `weighed`.

The value table V[r][n] estimates the value of a set of n candidates with r turns left, in credits. Without a
given payoff a target counts as many credits as turns are left.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar, runtime_checkable

import torch
from torch import Tensor

from gpulingo.tensors.objective import Objective, classes

SCALE = 1 << 20  # units a credit: V is in fixed point, so that sums of it do not depend on their order
# Classes that a good guess makes of a very large set, in the starting formula. Of 60, 100, 150, 200 and 300
# `gpulingo simulate --length 4-6 --strategy points` has, over the pit's list, 128.97 129.41 129.61 129.68
# 129.88 mean points at 4 letters, 194.03 194.01 194.00 193.96 193.90 at 5, 231.77 231.82 231.91 231.93 231.89
# at 6: it hardly matters.
CLASSES = 150.0
RISING = range(256)  # payoff by turns left, of any game that rises by one credit a turn
Number = TypeVar("Number", int, Tensor)
LeftKnots = Sequence[tuple[int, int]]  # (size, value) by rising size
Knots = Mapping[int, LeftKnots]  # by turns left
# Units a bit: differences of 2^-32 bit decide, smaller ones are ties. A limit: the sums of 2^26 words fit.
ENTROPY_SCALE = 1 << 32
MOST_SUM = 1 << 61  # of a table's entries over a set: a limit, so that sums and what is added to them fit
LARGEST = 1 << 30  # words of a set, 8 bytes each


def perfect_split(sizes: Number, turns_left: int, payoff: Sequence[int] = RISING) -> Number:
    """Credits of sets that a candidate of theirs splits into single words: the most for sets of that size.

    One word is found now, the others on the next turn, if there is one.
    """
    return payoff[turns_left] + (sizes - 1) * payoff[turns_left - 1]


def value_table(largest: int, turns: int, payoff: Sequence[int] = RISING) -> Tensor:
    """Start values from a model of one guess, until they are fitted to trees.

    Exact are V[1][n], V[r][1] and V[r][2], where each guess finds a word. Otherwise a guess, itself a
    candidate, is taken to make p = 1 + (n - 1) k / (n - 1 + k) classes: itself and p - 1 of equal size, so
    V[r][n] = payoff[r] + (p - 1) V[r - 1][(n - 1) / (p - 1)], linear between whole sizes; k is CLASSES.

    Returns:
        [turns + 1, largest + 1] int64, in units of 1/SCALE credit; column 0 is 0.
    """
    sizes = torch.arange(largest + 1, dtype=torch.float64)
    rows = [payoff[0] * sizes, perfect_split(sizes, 1, payoff)]
    others = (sizes[1:] - 1).clamp(min=0)
    parts = others * CLASSES / (others + CLASSES)
    share = torch.where(parts > 0, others / parts.clamp(min=1e-9), torch.ones_like(parts)).clamp(1, largest)
    low = share.floor().long().clamp(max=max(largest - 1, 0))
    for left in range(2, turns + 1):
        below = rows[-1]
        between = below[low] + (share - low) * (below[(low + 1).clamp(max=largest)] - below[low])
        row = torch.cat([torch.zeros(1, dtype=torch.float64), payoff[left] + parts * between])
        row[1:3] = perfect_split(sizes, left, payoff)[1:3]
        rows.append(row)
    table = (torch.stack(rows[: turns + 1]) * SCALE).round().to(torch.int64)
    table[:, 0] = 0
    return table


def fitted_table(knots: Knots, largest: int, turns: int, payoff: Sequence[int] = RISING) -> Tensor:
    """Return values that are known at some sizes as a table of all sizes.

    Between two knots the value is linear, rounded down; after the last it continues as between the last two.
    V[1][n], V[r][1] and V[r][2] are exact, whatever the knots say; no value is over that of a set whose
    candidate splits it into single words (`perfect_split`).

    Args:
        knots: for 2 to `turns` turns left; sizes at least 3, values not falling, in units of 1/SCALE credit.
    Returns:
        [turns + 1, largest + 1] int64, in units of 1/SCALE credit; no row falls; column 0 is 0.
    """
    sizes = torch.arange(largest + 1, dtype=torch.int64)
    table = torch.zeros(turns + 1, largest + 1, dtype=torch.int64)
    table[0] = payoff[0] * sizes * SCALE
    if turns >= 1:
        table[1] = perfect_split(sizes, 1, payoff) * SCALE
    for left in range(2, turns + 1):
        exact = [(size, perfect_split(size, left, payoff) * SCALE) for size in (1, 2)]
        known, values = torch.tensor([*exact, *knots[left]], dtype=torch.int64).T.contiguous()
        low = (torch.searchsorted(known, sizes, right=True) - 1).clamp(0, known.shape[0] - 2)
        gap, rise = known[low + 1] - known[low], values[low + 1] - values[low]
        # Quotient and rest apart, as the product of a rise and a distance could exceed 63 bits.
        over = sizes - known[low]
        row = values[low] + rise // gap * over + rise % gap * over // gap
        table[left] = row.minimum(perfect_split(sizes, left, payoff) * SCALE).clamp(min=0)
    table[:, 0] = 0
    return table


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

    Each class gives the one word that the last turn guesses, with weights its heaviest; a candidate is found
    a turn sooner. Where a turn is a credit that is the number of classes, one more for a candidate.
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
    is a bonus, or the bonus is divided by it where sums would not fit. The objective is for one word more
    than the largest weight.
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

"""Value table V[r][n]: estimated value of a set of n candidates with r turns left.

Values are in credits. Without a given payoff a target counts as many credits as turns are left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

import torch
from torch import Tensor

SCALE = 1 << 20  # units a credit: V is in fixed point, so that sums of it do not depend on their order
# Classes that a good guess makes of a very large set, in the starting formula. Of 60, 100, 150, 200 and 300
# `gpulingo simulate --length 4-6 --strategy points` has, over the pit's list, 128.97 129.41 129.61 129.68
# 129.88 mean points at 4 letters, 194.03 194.01 194.00 193.96 193.90 at 5, 231.77 231.82 231.91 231.93 231.89
# at 6: it hardly matters.
CLASSES = 150.0
RISING = range(256)  # payoff by turns left, of any game that rises by one credit a turn
Number = TypeVar("Number", int, Tensor)


def perfect_split(sizes: Number, turns_left: int, payoff: Sequence[int] = RISING) -> Number:
    """Credits of sets that a candidate of theirs splits into single words: the most for sets of that size.

    Args:
        sizes: candidates, at least 1.
        turns_left: at least 1.
        payoff: credits of a target found with 0, 1, .. turns left.
    Returns:
        One word found now, the others on the next turn, if there is one.
    """
    return payoff[turns_left] + (sizes - 1) * payoff[turns_left - 1]


def value_table(
    largest: int, turns: int, payoff: Sequence[int] = RISING, *, classes: float = CLASSES
) -> Tensor:
    """Start values from a model of one guess, until they are fitted to trees.

    Exact are V[1][n], V[r][1] and V[r][2], where each guess finds a word. Otherwise a guess, itself a
    candidate, is taken to make p = 1 + (n - 1) k / (n - 1 + k) classes: itself and p - 1 of equal size, so
    V[r][n] = payoff[r] + (p - 1) V[r - 1][(n - 1) / (p - 1)], linear between whole sizes.

    Args:
        largest: size of the largest set, at least 1.
        turns: turns left at most.
        payoff: credits of a target found with 0, 1, .. turns left.
        classes: k above.
    Returns:
        [turns + 1, largest + 1] int64, in units of 1/SCALE credit; column 0 is 0.
    """
    sizes = torch.arange(largest + 1, dtype=torch.float64)
    rows = [payoff[0] * sizes, perfect_split(sizes, 1, payoff)]
    others = (sizes[1:] - 1).clamp(min=0)
    parts = others * classes / (others + classes)
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


LeftKnots = Sequence[tuple[int, int]]  # (size, value) by rising size
Knots = Mapping[int, LeftKnots]  # by turns left


def fitted_table(knots: Knots, largest: int, turns: int, payoff: Sequence[int] = RISING) -> Tensor:
    """Return values that are known at some sizes as a table of all sizes.

    Between two knots the value is linear, rounded down; after the last it continues as between the last two.
    V[1][n], V[r][1] and V[r][2] are exact, whatever the knots say; no value is over that of a set whose
    candidate splits it into single words (`perfect_split`).

    Args:
        knots: for 2 to `turns` turns left; sizes at least 3, values not falling, in units of 1/SCALE credit.
        largest: size of the largest set, at least 1.
        turns: turns left at most.
        payoff: credits of a target found with 0, 1, .. turns left.
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

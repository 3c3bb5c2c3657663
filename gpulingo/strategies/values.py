"""The value table V[r][n]: what a set of n candidates is worth with r turns left, before it is played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

SCALE = 1 << 20  # units a turn: V is in fixed point, so that sums of it do not depend on their order
CLASSES = 150.0  # classes that a good guess makes of a very large set, in the starting formula


def value_table(largest: int, turns: int, *, classes: float = CLASSES) -> Tensor:
    """Start values from a model of one guess, until they are fitted to trees.

    Exact are V[1][n] = 1, V[r][1] = r, V[r][2] = 2 r - 1. Otherwise a guess, itself a candidate, is taken to
    make p = 1 + (n - 1) k / (n - 1 + k) classes: itself and p - 1 of equal size, so
    V[r][n] = r + (p - 1) V[r - 1][(n - 1) / (p - 1)], linear between whole sizes.

    Args:
        largest: size of the largest set, at least 1.
        turns: turns left at most.
        classes: k above.
    Returns:
        [turns + 1, largest + 1] int64, in units of 1/SCALE turn; row 0 and column 0 are 0.
    """
    sizes = torch.arange(largest + 1, dtype=torch.float64)
    rows = [torch.zeros_like(sizes), torch.ones_like(sizes)]
    others = (sizes[1:] - 1).clamp(min=0)
    parts = others * classes / (others + classes)
    share = torch.where(parts > 0, others / parts.clamp(min=1e-9), torch.ones_like(parts)).clamp(1, largest)
    low = share.floor().long().clamp(max=max(largest - 1, 0))
    for left in range(2, turns + 1):
        below = rows[-1]
        between = below[low] + (share - low) * (below[(low + 1).clamp(max=largest)] - below[low])
        row = torch.cat([torch.zeros(1, dtype=torch.float64), left + parts * between])
        row[1:2], row[2:3] = left, 2 * left - 1
        rows.append(row)
    table = (torch.stack(rows[: turns + 1]) * SCALE).round().to(torch.int64)
    table[:, 0] = 0
    return table


Knots = Mapping[int, Sequence[tuple[int, int]]]  # turns left -> (size, value) by rising size


def fitted_table(knots: Knots, largest: int, turns: int) -> Tensor:
    """Values that are known at some sizes, as a table of all sizes.

    Between two knots the value is linear, rounded down; after the last it goes on as between the last two.
    V[1][n] = 1, V[r][1] = r and V[r][2] = 2 r - 1 are exact, whatever the knots say; no value is over that of
    a set whose candidate parts it into single words, r + (n - 1)(r - 1).

    Args:
        knots: for 2 to `turns` turns left; sizes at least 3, values not falling, in units of 1/SCALE turn.
        largest: size of the largest set, at least 1.
        turns: turns left at most.
    Returns:
        [turns + 1, largest + 1] int64, in units of 1/SCALE turn; no row falls; row 0 and column 0 are 0.
    """
    sizes = torch.arange(largest + 1, dtype=torch.int64)
    table = torch.zeros(turns + 1, largest + 1, dtype=torch.int64)
    if turns >= 1:
        table[1, 1:] = SCALE
    for left in range(2, turns + 1):
        exact = [(1, left * SCALE), (2, (2 * left - 1) * SCALE)]
        at, worth = torch.tensor([*exact, *knots[left]], dtype=torch.int64).T.contiguous()
        low = (torch.searchsorted(at, sizes, right=True) - 1).clamp(0, at.shape[0] - 2)
        gap, rise = at[low + 1] - at[low], worth[low + 1] - worth[low]
        # Quotient and rest apart, as the product of a rise and a distance could pass 63 bits.
        over = sizes - at[low]
        row = worth[low] + rise // gap * over + rise % gap * over // gap
        most = (left + (sizes - 1) * (left - 1)) * SCALE
        table[left] = row.minimum(most).clamp(min=0)
    table[:, 0] = 0
    return table

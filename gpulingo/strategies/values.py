"""The value table V[r][n]: what a set of n candidates is worth with r turns left, before it is played."""

from __future__ import annotations

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

"""`greatest_capped` on the CPU: a kernel, and threads that share out the guesses."""

from __future__ import annotations

from functools import partial

import numpy as np
import torch
from torch import Tensor

from gpulingo.tensors.cpu.compile import compiled
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.outcomes import CappedClasses
from gpulingo.tensors.threads import shared, threads

ITEMS = 4  # blocks of guesses for each thread


def greatest_capped(
    capped: CappedClasses, front: Frontier, most: Tensor, progress: Progress | None = None
) -> Tensor:
    """As `operations.greatest_capped`."""
    members, offsets = front.members.numpy(), front.offsets.numpy()
    rows, limits, room = capped.classes.numpy(), capped.caps.numpy(), most.numpy()
    totals = limits.sum(1)  # no set is worth more after a guess, but for the guess itself
    order, parts = (-totals).argsort(kind="stable"), ITEMS * threads()
    best_by_part = np.zeros((parts, front.sets), np.int64)

    def pairs(part: int) -> int:
        guesses, best, counts = order[part::parts], best_by_part[part], np.zeros(limits.shape[1], np.int32)
        return int(_greatest_capped(rows, limits, totals, members, offsets, room, guesses, best, counts))

    shared([partial(pairs, part) for part in range(parts)], progress)
    return torch.from_numpy(best_by_part.max(0))


@compiled
def _greatest_capped(classes, caps, totals, members, offsets, most, guesses, best, counts):
    """The best of some guesses for each set; return pairs evaluated.

    Args:
        totals: [P] int64, of the caps of each guess; those of great totals come first.
        counts: [K] int32, zeros, and so again afterwards.
    """
    pairs = 0
    for g in guesses:
        row, limits = classes[g], caps[g]
        for s in range(most.shape[0]):
            if totals[g] + 1 <= best[s]:
                continue
            lo, hi, room = offsets[s], offsets[s + 1], most[s]
            pairs += hi - lo
            value = np.int64(0)
            for t in range(lo, hi):
                k = row[members[t]]
                size = counts[k]
                # A class is worth two with its first word, and one more with each that it has room for.
                value += min(2, limits[k], room) if size == 0 else size + 2 <= min(limits[k], room)
                counts[k] = size + 1
                value += members[t] == g
            for t in range(lo, hi):
                counts[row[members[t]]] = 0
            best[s] = max(best[s], value)
    return pairs

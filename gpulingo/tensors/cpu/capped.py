"""`greatest_capped` on the CPU: a kernel, and threads that share out the guesses."""

from __future__ import annotations

from functools import partial

import numpy as np
import torch
from torch import Tensor

from gpulingo.tensors.cpu.compile import compiled
from gpulingo.tensors.features import Array
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
    cuts = np.linspace(0, len(limits), ITEMS * threads() + 1).astype(np.int64)
    best_by_span = np.zeros((len(cuts) - 1, front.sets), np.int64)
    spans = zip(cuts[:-1], cuts[1:], best_by_span, strict=True)

    def pairs(first: int, last: int, best: Array) -> int:
        counts = np.zeros(limits.shape[1], np.int32)
        return int(_greatest_capped(rows, limits, members, offsets, room, first, last, best, counts))

    shared([partial(pairs, *span) for span in spans], progress)
    return torch.from_numpy(best_by_span.max(0))


@compiled
def _greatest_capped(classes, caps, members, offsets, most, first, last, best, counts):
    """The best of the guesses first:last for each set; return pairs evaluated.

    Args:
        counts: [K] int32, zeros, and so again afterwards.
    """
    for g in range(first, last):
        row, limits = classes[g], caps[g]
        for s in range(most.shape[0]):
            lo, hi, room = offsets[s], offsets[s + 1], most[s]
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
    return members.shape[0] * (last - first)

"""`greatest_capped` on the CPU: a kernel, and threads that share out the guesses."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from gpulingo.tensors.cpu.compile import compiled, inner
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.outcomes import CappedClasses
from gpulingo.tensors.threads import shared, threads

ITEMS = 4  # blocks of guesses for each thread
ROOM = (1 << 31) - 1  # which no class fills
FEW = 16  # classes a word; where there are more, a set is gone through word by word


def greatest_capped(
    capped: CappedClasses, front: Frontier, most: Tensor, progress: Progress | None = None
) -> Tensor:
    """As `operations.greatest_capped`."""
    members, rows = unsigned(front.members.numpy()), unsigned(capped.classes.numpy())
    offsets, limits = front.offsets.numpy(), capped.caps.numpy()
    room = most.clamp(max=ROOM).to(torch.int32).numpy()
    totals = limits.sum(1)  # no set is worth more after a guess, but for the guess itself
    order, parts = (-totals).argsort(kind="stable"), ITEMS * threads()
    best_by_part = np.zeros((parts, front.sets), np.int64)

    def pairs(part: int) -> int:
        guesses, best, counts = order[part::parts], best_by_part[part], np.zeros(limits.shape[1], np.int32)
        return int(_greatest_capped(rows, limits, totals, members, offsets, room, guesses, best, counts))

    shared([partial(pairs, part) for part in range(parts)], progress)
    return torch.from_numpy(best_by_part.max(0))


def unsigned(places: NDArray[Any]) -> NDArray[Any]:
    """Places, none below 0, as numbers that cannot be: those would count from the end, so each is asked."""
    return places.view(f"u{places.itemsize}")


@compiled
def _greatest_capped(classes, caps, totals, members, offsets, most, guesses, best, counts):
    """Raise the best sums of sets by those of some guesses; return the pairs evaluated.

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
            words = members[offsets[s] : offsets[s + 1]]
            pairs += words.shape[0]
            for word in words:
                counts[row[word]] += 1
            few = FEW * words.shape[0] < counts.shape[0]
            value = (
                _few_capped(row, words, counts, limits, most[s]) if few else _capped(counts, limits, most[s])
            )
            if value >= best[s]:
                for word in words:
                    value += word == g
                best[s] = max(best[s], value)
    return pairs


@inner
def _capped(counts, limits, room):
    """Return the total value of the classes of a set; their counts are zeros again.

    All of them, not those alone that the set has: there is no branch, so eight at a time.
    """
    total = np.int64(0)
    for k in range(counts.shape[0]):
        worth = min(np.int32(counts[k] + np.int32(1)), limits[k], room)
        total += worth if counts[k] > 0 else np.int32(0)
        counts[k] = 0
    return total


@inner
def _few_capped(row, words, counts, limits, room):
    """The same, class by class of the words of a set."""
    total = np.int64(0)
    for word in words:
        k = row[word]
        if counts[k] > 0:
            total += min(np.int32(counts[k] + np.int32(1)), limits[k], room)
            counts[k] = 0
    return total

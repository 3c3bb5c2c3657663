"""`greatest_capped` on the CPU: a kernel, and threads that share out the guesses."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, as_completed

import numpy as np
import torch
from torch import Tensor

from gpulingo.tensors.compiled import compiled
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Progress

ITEMS = 4  # blocks of guesses for each thread


def greatest_capped(
    classes: Tensor, caps: Tensor, front: Frontier, most: Tensor, progress: Progress | None = None
) -> Tensor:
    """As `capped.greatest_capped`."""
    members, offsets = front.members.numpy(), front.offsets.numpy()
    rows, limits, room = classes.numpy(), caps.numpy(), most.numpy()
    threads = torch.get_num_threads()
    cuts = np.linspace(0, caps.shape[0], ITEMS * threads + 1).astype(np.int64)
    found = np.zeros((len(cuts) - 1, front.sets), np.int64)
    workers = ThreadPoolExecutor(threads)
    try:
        items = [
            workers.submit(_greatest_capped, rows, limits, members, offsets, room, lo, hi, out)
            for lo, hi, out in zip(cuts, cuts[1:], found, strict=False)
        ]
        for item in as_completed(items):
            item.result()
            if progress:
                progress(len(members) * caps.shape[0] // len(items))
    finally:
        workers.shutdown(cancel_futures=True)
    return torch.from_numpy(found.max(0))


@compiled
def _greatest_capped(classes, caps, members, offsets, most, first, last, best):
    """The best of the guesses first:last for each set."""
    wide = caps.shape[1]
    counts, room = np.zeros(wide, np.int32), np.zeros(wide, np.int32)
    for g in range(first, last):
        row = classes[g]
        for s in range(most.shape[0]):
            for k in range(wide):
                counts[k] = 0
                room[k] = min(caps[g, k], most[s])
            value = np.int64(0)
            for t in range(offsets[s], offsets[s + 1]):
                k = row[members[t]]
                held = counts[k]
                # A class is worth two with its first word, and one more with each that it has room for.
                value += min(np.int32(2), room[k]) if held == 0 else np.int32(held + 2 <= room[k])
                counts[k] = held + 1
                value += members[t] == g
            best[s] = max(best[s], value)

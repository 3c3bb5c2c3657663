"""`greatest_capped`: the most that a guess makes of a set whose classes are worth no more than caps."""

from __future__ import annotations

import torch
from torch import Tensor

from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Progress

BLOCK = 1 << 24  # entries of the tables of counts that are held at once


def greatest_capped(
    classes: Tensor, caps: Tensor, front: Frontier, most: Tensor, progress: Progress | None = None
) -> Tensor:
    """The greatest sum over classes of min(size + 1, caps[g, class], most of the set), of all guesses g.

    Args:
        classes: [W, W] uint8 or int16, the class that each guess puts each word in.
        caps: [W, K] int32; K is more than any class.
        front: S sets.
        most: [S] int64.
        progress: called with pairs evaluated since the last call.
    Returns:
        [S] int64; a guess that is a member of the set counts one more.
    """
    if classes.device.type == "cpu":
        from gpulingo.tensors.cpu_capped import greatest_capped as kernel

        return kernel(classes, caps, front, most, progress)
    return plain_greatest_capped(classes, caps, front, most, progress)


def plain_greatest_capped(
    classes: Tensor, caps: Tensor, front: Frontier, most: Tensor, progress: Progress | None = None
) -> Tensor:
    """The same in plain torch on any device."""
    words, wide = caps.shape
    best = torch.zeros_like(most)
    for at in range(front.sets):
        mine = front.candidates(at).long()
        block = max(1, BLOCK // max(wide, mine.shape[0]))
        for guesses in torch.arange(words, device=mine.device).split(block):
            inside = classes[guesses][:, mine].long()
            counts = torch.zeros(guesses.shape[0], wide, dtype=torch.int64, device=mine.device)
            counts.scatter_add_(1, inside, torch.ones_like(inside))
            worth = (counts + 1).minimum(caps[guesses].long()).minimum(most[at])
            total = torch.where(counts > 0, worth, 0).sum(1) + torch.isin(guesses, mine)
            best[at] = best[at].maximum(total.max())
            if progress:
                progress(inside.numel())
    return best

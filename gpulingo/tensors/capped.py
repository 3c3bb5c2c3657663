"""`greatest_capped`: the most that a guess makes of a set whose classes are worth no more than caps."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from gpulingo.tensors.checks import check_called, check_kind, check_place, check_row, check_tensor
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Progress

BLOCK = 1 << 24  # entries of the tables of counts that are held at once


@dataclass(frozen=True, eq=False)
class CappedClasses:
    """The classes that all W guesses make of the list, and what each is worth at most; checked when made.

    Attributes:
        classes: [W, W] uint8, int16 or int32, the class that each guess puts each word in.
        caps: [W, K] int32 on the same device; K is more than any class.
    Raises:
        TypeError, ValueError: they are something else.
    """

    classes: Tensor
    caps: Tensor

    def __post_init__(self) -> None:
        check_tensor("caps", self.caps, (torch.int32,), ("W", "K"))
        words, wide = self.caps.shape
        check_tensor("classes", self.classes, (torch.uint8, torch.int16, torch.int32), (words, words))
        check_place("caps", self.caps, self.classes.device)
        least, most = torch.stack(self.classes.aminmax()).tolist() if words else (0, -1)
        if least < 0 or most >= wide:
            seen = least if least < 0 else most
            raise ValueError(
                f"classes hold {seen}, expected 0 to {wide - 1} as there are {wide} caps of each guess"
            )


def greatest_capped(
    capped: CappedClasses, front: Frontier, most: Tensor, progress: Progress | None = None
) -> Tensor:
    """The greatest sum over classes of min(size + 1, caps[g, class], most of the set), of all guesses g.

    Args:
        capped: classes and caps of W words.
        front: S sets.
        most: [S] int64.
        progress: called with pairs evaluated since the last call.
    Returns:
        [S] int64; a guess that is a member of the set counts one more.
    Raises:
        ValueError: sets of words beyond the classes, or on another device; not one number for each set.
        TypeError: an argument is of another kind.
    """
    check_kind("capped", capped, CappedClasses)
    check_kind("frontier", front, Frontier)
    check_called(None, progress)
    device, words = capped.classes.device, capped.classes.shape[0]
    check_place("frontier", front.members, device)
    if front.below > words:
        raise ValueError(f"frontier holds word {front.below - 1}, the classes end at {words - 1}")
    most = check_row("most", most, torch.int64, device, front.sets)
    if device.type == "cpu":
        from gpulingo.tensors.cpu.capped import greatest_capped as kernel

        return kernel(capped.classes, capped.caps, front, most, progress)
    return plain_greatest_capped(capped.classes, capped.caps, front, most, progress)


def plain_greatest_capped(
    classes: Tensor, caps: Tensor, front: Frontier, most: Tensor, progress: Progress | None = None
) -> Tensor:
    """The same in plain torch on any device; classes and caps as in `CappedClasses`."""
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

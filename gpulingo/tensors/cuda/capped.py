"""`greatest_capped` on CUDA: sums of all guesses for all sets, of which only the greatest are kept."""

from __future__ import annotations

import torch
from torch import Tensor

from gpulingo.tensors.cuda.kernels import bins_kernel, counters_kernel
from gpulingo.tensors.cuda.launch import (
    MOST_PAIRS,
    SHARE,
    Launch,
    Memory,
    in_blocks,
    memory_of,
    on,
    power,
    programs_of,
)
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.outcomes import CappedClasses

LANES = 32  # of a guess, a warp
MOST_BINS = 512  # classes that are counted as a histogram; a lane of a warp keeps a 32nd of them


def greatest_capped(
    capped: CappedClasses, front: Frontier, most: Tensor, progress: Progress | None = None
) -> Tensor:
    """As `operations.greatest_capped`."""
    best, n = torch.zeros_like(most), front.members.shape[0]
    capped = CappedClasses(capped.classes.contiguous(), capped.caps.contiguous())

    def block(first: int, last: int) -> None:
        launch(capped, front, most.contiguous(), best, (first, last), memory).run()
        if progress:
            progress(n * (last - first))

    with on(most.device):
        memory = memory_of(most.device)
        if n:
            in_blocks(capped.caps.shape[0], MOST_PAIRS // n, block)
    return best


def launch(
    capped: CappedClasses, front: Frontier, most: Tensor, best: Tensor, span: tuple[int, int], memory: Memory
) -> Launch:
    """The kernel that raises the best sum of each set to those of a span of guesses."""
    (words, wide), (first, last) = capped.caps.shape, span
    arguments: tuple[Tensor | int, ...] = (
        capped.classes, capped.caps, words, wide, front.members.contiguous(), front.offsets, front.sets, most,
        best, first,
    )  # fmt: skip
    if wide <= MOST_BINS:
        constants = {"BINS": max(LANES, power(wide)), "LANES": LANES}
        return Launch(bins_kernel, (last - first,), arguments, constants, 1)
    fits = max(1, int(memory.free * SHARE) // (4 * wide))
    programs = min(last - first, fits, programs_of(memory, LANES))
    tables = memory.taken((programs, wide), torch.int32, zero=True)
    return Launch(counters_kernel, (programs,), (*arguments, last - first, tables), {"LANES": LANES}, 1)

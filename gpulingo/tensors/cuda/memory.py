"""Memory of a device, and work in blocks that fit into it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

import torch
from torch import Tensor

MOST_PAIRS = 1 << 36  # of a block, so that progress is told and an interrupt heard
MOST_ENTRIES = 1 << 30  # of a tensor of a block, so that torch's 32-bit indices do
CPU_MEMORY = 1 << 26  # bytes to work with under the interpreter
SHARE = 0.25  # of the free memory: for what a block is answered, and again for working memory
Out = torch.cuda.OutOfMemoryError


@dataclass(frozen=True)
class Memory:
    """Memory of a device that this call of an operation may use.

    Attributes:
        device: whose.
        free: bytes that were free at the start.
        most: bytes an allocation may take before it fails like one of the device; None: what the device says.
    """

    device: torch.device
    free: int
    most: int | None = None

    def taken(self, shape: tuple[int, ...], dtype: torch.dtype, *, zero: bool = False) -> Tensor:
        """A tensor of that shape.

        Raises:
            torch.cuda.OutOfMemoryError: there is no room.
        """
        size = dtype.itemsize
        for extent in shape:
            size *= extent
        if self.most is not None and size > self.most:
            raise Out(f"{size} bytes, expected at most {self.most}")
        return (torch.zeros if zero else torch.empty)(shape, dtype=dtype, device=self.device)


def memory_of(device: torch.device) -> Memory:
    """Free memory of a device, with what torch has reserved and not in use."""
    if device.type != "cuda":
        return Memory(device, CPU_MEMORY)
    free, stats = torch.cuda.mem_get_info(device)[0], torch.cuda.memory_stats(device)
    idle = stats.get("reserved_bytes.all.current", 0) - stats.get("allocated_bytes.all.current", 0)
    return Memory(device, free + idle)


def on(device: torch.device) -> AbstractContextManager[object]:
    """Triton launches on the current device, whatever the tensors lie on."""
    return torch.cuda.device(device) if device.type == "cuda" else nullcontext()


def in_blocks(count: int, most: int, work: Callable[[int, int], None]) -> None:
    """Do a number of things in blocks, of half as many whenever memory runs out.

    Args:
        count: things. most: of a block; one at least is tried.
        work: called with the first of a block and the one after its last.
    Raises:
        torch.cuda.OutOfMemoryError: there is no room for one.
    """
    done, most = 0, max(1, most)
    while done < count:
        last = min(count, done + most)
        try:
            work(done, last)
        except Out:
            if last - done == 1:
                raise
            most = (last - done) // 2
            continue
        done = last

"""The device for a user's name of it, and the backend of a device.

Backends are modules: `reference`, `cpu.backend` and `cuda.backend`. Arguments and results are those of
`gpulingo.tensors.operations`, with arguments that are already checked; every backend returns the same, bit
for bit.
"""

from __future__ import annotations

import os
import sys
import warnings
from importlib.util import find_spec
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from gpulingo.player.question import DeviceError, unknown_device
from gpulingo.storage.faults import USE_CPU
from gpulingo.tensors.arrays import CPU, Device, Tensor, is_gpu
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Objective, Progress
from gpulingo.tensors.outcomes import CappedClasses, Ranked, Refined, Split
from gpulingo.tensors.round_arrays import RoundArrays
from gpulingo.tensors.wordtable import WordTable

if TYPE_CHECKING:
    import torch

DRIVERS = "/dev/nvidiactl", "/dev/nvidia0", "/dev/dxg", "/dev/kfd"  # of NVIDIA, in WSL, of AMD


@runtime_checkable
class Backend(Protocol):
    """The operations of one kind of device.

    Attributes:
        uses_ceilings: whether `most_classes` is faster with ceilings.

    >>> from gpulingo.tensors import reference
    >>> isinstance(reference, Backend)
    True
    """

    uses_ceilings: bool

    def patterns(self, guesses: Tensor, targets: Tensor) -> Tensor:
        """[G, T] patterns of marks of [G, N] uint8 guesses against [T, N] targets."""

    def paired_patterns(self, table: WordTable, guesses: Tensor, targets: Tensor) -> Tensor:
        """Patterns of [M] guesses against [M] targets, all indices into the table."""

    def play(self, table: WordTable, rounds: RoundArrays, guesses: Tensor) -> Tensor:
        """Make the next guess of every round that is not done, and return its marks."""

    def rank(
        self,
        table: WordTable,
        frontier: Frontier,
        pool: Tensor | Frontier | None,
        objective: Objective,
        width: int,
        progress: Progress | None = None,
    ) -> Ranked:
        """Return the best guesses of every set; there is at least one set."""

    def split(self, table: WordTable, frontier: Frontier, guesses: Tensor) -> Split:
        """Split each set by one guess."""

    def using_hints(
        self, table: WordTable, legal: Frontier, guesses: Tensor, parents: Tensor, patterns: Tensor
    ) -> Frontier:
        """Return the legal guesses that use every hint of each class, maybe none."""

    def refined(
        self,
        table: WordTable,
        guesses: Tensor,
        sets: Frontier,
        steps: Tensor,
        progress: Progress | None = None,
    ) -> Refined:
        """Return the classes of guesses, with the values of the parts of known sets in each class."""

    def ranks(
        self,
        table: WordTable,
        frontier: Frontier,
        pool: Tensor | Frontier | None,
        objective: Objective,
        progress: Progress | None = None,
    ) -> Tensor:
        """Return the rank of every guess for every set; there is at least one set."""

    def most_classes(
        self,
        table: WordTable,
        sets: Frontier,
        ceilings: Tensor,
        rows: list[Tensor],
        progress: Progress | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Return the most classes that a guess makes of each set, and the pairs evaluated."""

    def greatest_capped(
        self, capped: CappedClasses, front: Frontier, most: Tensor, progress: Progress | None = None
    ) -> Tensor:
        """The greatest sum of capped classes of each set."""


def find_device(name: str | torch.device = "auto") -> Device:
    """Return the device of a name: `cpu`, `cuda`, `cuda:1`, or `auto`: CUDA if available, otherwise the CPU.

    The CPU is "cpu", where words are arrays of numpy, a GPU a torch.device. A torch.device is returned
    unchanged, that of the CPU too: words are tensors there.

    Raises:
        DeviceError: no such device on this machine.
    """
    if not isinstance(name, str):
        return name
    if name == CPU or (name == "auto" and not _may_have_gpu()):
        return CPU
    try:
        import torch
    except (ImportError, OSError) as error:  # not installed, or damaged
        if name == "auto":
            return CPU
        reason = str(error).partition("\n")[0]
        seen = f"device {name!r} needs torch, which does not load ({reason})"
        raise DeviceError(seen, USE_CPU) from None
    with warnings.catch_warnings(record=True) as warned:  # for example about a driver that is too old
        warnings.simplefilter("always")
        is_there = torch.cuda.is_available()
    why = "".join(f" ({str(each.message).partition(' (Triggered')[0].strip()})" for each in warned)
    if name == "auto":
        return torch.device("cuda") if is_there else CPU
    kind, _, number = name.partition(":")
    if kind not in ("cpu", "cuda") or (number and not number.isdecimal()) or (kind == "cpu" and number):
        raise DeviceError(unknown_device(name))
    if kind == "cuda" and not is_there:
        seen = f"device {name!r}, but torch {torch.__version__} sees no CUDA device{why}"
        raise DeviceError(seen, USE_CPU)
    if number and int(number) >= torch.cuda.device_count():
        raise DeviceError(f"device {name!r}, but there are {torch.cuda.device_count()}: count from cuda:0")
    return torch.device(name)


def _may_have_gpu() -> bool:
    """Return False if this machine has no driver of a GPU, which is known without loading torch."""
    return sys.platform != "linux" or "torch" in sys.modules or any(map(os.path.exists, DRIVERS))


def backend_of(device: Device) -> Backend:
    """Return the backend for arrays of a device: `cpu`, `cuda`, or `reference` if neither applies.

    `cuda` needs Triton, which comes with torch on Linux; each is imported only when it is needed.
    """
    if str(device) == CPU:
        from gpulingo.tensors.cpu import backend as cpu

        return cpu
    if is_gpu(device) and find_spec("triton") is not None:
        from gpulingo.tensors.cuda import backend as cuda

        return cuda
    from gpulingo.tensors import reference

    return reference

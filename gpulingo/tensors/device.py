"""The device for a user's name of it, and the backend of a device.

Backends are modules: `reference`, `cpu.backend` and `cuda.backend`; every one returns the same, bit for bit.
"""

from __future__ import annotations

import os
import sys
import warnings
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from gpulingo.player.question import DeviceError, unknown_device
from gpulingo.storage.faults import USE_CPU
from gpulingo.tensors.arrays import CPU, Device, Tensor, is_gpu
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.outcomes import Ranked, Refined, Split

if TYPE_CHECKING:
    import torch

DRIVERS = "/dev/nvidiactl", "/dev/nvidia0", "/dev/dxg", "/dev/kfd"  # of NVIDIA, in WSL, of AMD


@runtime_checkable
class Backend(Protocol):
    """The operations of one kind of device: arguments as in `operations`, checked, for at least one set.

    `using_hints` is `narrowed` by the rule `hard`, and may leave a class without guesses.

    >>> from gpulingo.tensors import reference
    >>> isinstance(reference, Backend)
    True
    """

    def patterns(self, *given: Any, **named: Any) -> Tensor: ...
    def paired_patterns(self, *given: Any, **named: Any) -> Tensor: ...
    def play(self, *given: Any, **named: Any) -> Tensor: ...
    def rank(self, *given: Any, **named: Any) -> Ranked: ...
    def ranks(self, *given: Any, **named: Any) -> Tensor: ...
    def split(self, *given: Any, **named: Any) -> Split: ...
    def using_hints(self, *given: Any, **named: Any) -> Frontier: ...
    def refined(self, *given: Any, **named: Any) -> Refined: ...
    def most_classes(self, *given: Any, **named: Any) -> Tensor: ...
    def greatest_capped(self, *given: Any, **named: Any) -> Tensor: ...


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

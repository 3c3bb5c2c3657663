"""Device of a user's name for it, and backend of a device."""

from __future__ import annotations

import warnings
from importlib.util import find_spec

import torch

from gpulingo.player.options import unknown_device
from gpulingo.tensors.backend import Backend


class DeviceError(ValueError):
    """A device that is not there.

    >>> find_device("gpu")
    Traceback (most recent call last):
    gpulingo.tensors.device.DeviceError: ...
    """


def find_device(name: str | torch.device = "auto") -> torch.device:
    """Return the device of a name: `cpu`, `cuda`, `cuda:1`, or `auto`: CUDA if available, otherwise the CPU.

    A torch.device is returned as it is.

    Raises:
        DeviceError: no such device on this machine.
    """
    if isinstance(name, torch.device):
        return name
    with warnings.catch_warnings(record=True) as told:  # of a driver that is too old, say
        warnings.simplefilter("always")
        is_there = torch.cuda.is_available()
    why = "".join(f" ({str(each.message).partition(' (Triggered')[0].strip()})" for each in told)
    if name == "auto":
        return torch.device("cuda" if is_there else "cpu")
    kind, _, number = name.partition(":")
    if kind not in ("cpu", "cuda") or (number and not number.isdecimal()) or (kind == "cpu" and number):
        raise DeviceError(unknown_device(name))
    if kind == "cuda" and not is_there:
        raise DeviceError(
            f"device {name!r}, but torch {torch.__version__} sees no CUDA device{why}: use --device cpu"
        )
    if number and int(number) >= torch.cuda.device_count():
        raise DeviceError(f"device {name!r}, but there are {torch.cuda.device_count()}: count from cuda:0")
    return torch.device(name)


def is_gpu(device: torch.device) -> bool:
    """Return True if a device works on its own, on much at once."""
    return device.type == "cuda"


def finish(device: torch.device) -> None:
    """Wait until a device has done what it was given."""
    if is_gpu(device):
        torch.cuda.synchronize(device)


def backend_of(device: torch.device) -> Backend:
    """Return the backend for tensors of a device: `cpu`, `cuda`, or `reference` where neither can.

    `cuda` needs Triton, which comes with torch on Linux; each is imported only when it is needed.
    """
    if device.type == "cpu":
        from gpulingo.tensors.cpu import backend as cpu

        return cpu
    if is_gpu(device) and find_spec("triton") is not None:
        from gpulingo.tensors.cuda import backend as cuda

        return cuda
    from gpulingo.tensors import reference

    return reference

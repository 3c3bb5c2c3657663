"""Which device a user's word for it means."""

from __future__ import annotations

import torch


class DeviceError(ValueError):
    """The device is not there."""


def find_device(name: str | torch.device = "auto") -> torch.device:
    """The device of that name: `cpu`, `cuda`, `cuda:1`, or `auto`: CUDA where there is some, else the CPU.

    A torch.device is returned as it is.

    Raises:
        DeviceError: no such device on this machine. TypeError: that is no name.
    """
    if isinstance(name, torch.device):
        return name
    if not isinstance(name, str):
        raise TypeError(f"device is of type {type(name).__name__}, expected a name: choose auto, cpu or cuda")
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    kind, _, number = name.partition(":")
    if kind not in ("cpu", "cuda") or (number and not number.isdecimal()) or (kind == "cpu" and number):
        raise DeviceError(f"device {name!r}, expected auto, cpu, cuda or cuda:1: choose one of them")
    if kind == "cuda" and not torch.cuda.is_available():
        raise DeviceError(
            f"device {name!r}, but torch {torch.__version__} sees no CUDA device: use --device cpu"
        )
    if number and int(number) >= torch.cuda.device_count():
        raise DeviceError(f"device {name!r}, but there are {torch.cuda.device_count()}: count from cuda:0")
    return torch.device(name)

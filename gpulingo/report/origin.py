"""Origin of figures: the day, the processor."""

from __future__ import annotations

import datetime
import platform
from pathlib import Path


def today() -> datetime.date:
    """Return the day, by the machine's clock."""
    return datetime.date.today()


def processor(device: str) -> str:
    """Name of the GPU or of the processor.

    Args:
        device: cpu, cuda or cuda:1.
    """
    if device.startswith("cuda"):
        import torch

        return torch.cuda.get_device_name(device)
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()

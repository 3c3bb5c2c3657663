"""The free memory of a device."""

from __future__ import annotations

import psutil
import torch


def free_memory(device: torch.device) -> int:
    """Return the free bytes of a device, with memory that torch has reserved and does not use."""
    if device.type != "cuda":
        return int(psutil.virtual_memory().available)
    free, stats = torch.cuda.mem_get_info(device)[0], torch.cuda.memory_stats_as_nested_dict(device)
    used = {name: each["all"]["current"] for name, each in stats.items() if name.endswith("ed_bytes")}
    return int(free + used.get("reserved_bytes", 0) - used.get("allocated_bytes", 0))

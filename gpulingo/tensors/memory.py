"""The free memory of a device."""

from __future__ import annotations

import psutil

from gpulingo.tensors.arrays import Device, is_gpu


def free_memory(device: Device) -> int:
    """Return the free bytes of a device, with memory that torch has reserved and does not use."""
    if not is_gpu(device):
        return int(psutil.virtual_memory().available)
    import torch

    free, stats = torch.cuda.mem_get_info(device)[0], torch.cuda.memory_stats_as_nested_dict(device)
    used = {name: each["all"]["current"] for name, each in stats.items() if name.endswith("ed_bytes")}
    return int(free + used.get("reserved_bytes", 0) - used.get("allocated_bytes", 0))

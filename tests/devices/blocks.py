"""Kernels in CUDA C++ of this package, compiled by a C++ compiler and run on this CPU by `blocks.cpp`."""

from __future__ import annotations

import ctypes
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import torch
from devices.ptx import library

SOURCE = Path(__file__).with_name("blocks.cpp")
KERNEL = Path(__file__).parents[2] / "gpulingo/tensors/cuda/classes.cu"
SHARED = 232448, 233472  # bytes of a block and of a multiprocessor, compute capability 9.0
SEEDS = count(1)


@cache
def machine(constants: tuple[tuple[str, int], ...]) -> Any:
    """The kernel compiled with its constants."""
    options = [f"-D{name}={int(value)}" for name, value in constants]
    return library((SOURCE, KERNEL), (*options, f'-DKERNEL="{KERNEL}"', "-O1", "-w")).run


def launch(kernel: Any, most: int, *arguments: Any, num_warps: int, **constants: int) -> None:
    """In place of `nvrtc.Kernel.launch`, on tensors of the CPU, by three blocks."""
    values = [
        ctypes.c_void_p(each.data_ptr()) if isinstance(each, torch.Tensor) else ctypes.c_int(each)
        for each in arguments
    ]
    places = (ctypes.c_void_p * len(values))(*map(ctypes.addressof, values))
    done = machine(tuple(sorted(constants.items())))(
        places, min(most, 3), arguments[-1], ctypes.c_uint64(next(SEEDS))
    )
    assert not done, ("threads never reach a barrier", "shared memory beyond the table is written")[done - 1]

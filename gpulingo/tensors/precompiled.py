"""The mark in the folder of kernels that those of first answers, simulations and `solve` are all in it."""

from __future__ import annotations

import sys
from pathlib import Path

import numba
from llvmlite.binding import get_host_cpu_name

from gpulingo.tensors.cpu.compile import kernel_folder


def precompiled_mark() -> tuple[Path, str]:
    """Return the file of the mark, and the text that it has if they were compiled for this machine.

    Raises:
        RuntimeError: the user has no home.
    """
    machine = f"numba {numba.__version__}, Python {sys.version_info[:2]}, {get_host_cpu_name()}"
    return kernel_folder() / "precompiled", machine

"""Compilation of the CPU kernels: machine code is kept on disk where there is a place for it."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

from numba import njit


def compiled(function: Callable[..., Any]) -> Any:
    """Compile on first use, and keep the result beside the source or in the user's cache folder.

    Where neither can be written and NUMBA_CACHE_DIR names no other folder, each process compiles anew.
    """
    try:
        return njit(cache=True, nogil=True)(function)
    except RuntimeError:  # numba: no locator available
        return njit(nogil=True)(function)


def digest() -> str:
    """Digest of the source of every kernel file on the CPU."""
    files = sorted(Path(__file__).parent.glob("cpu_*.py"))
    return sha256(b"".join(file.read_bytes() for file in files)).hexdigest()

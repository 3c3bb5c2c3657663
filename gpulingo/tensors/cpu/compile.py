"""Compilation of the CPU kernels: machine code is kept on disk where there is a place for it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from numba import njit
from numba.core import event

from gpulingo.tensors import clock

_njit: Any = partial(njit, nogil=True, no_cfunc_wrapper=True)  # no kernel is called from C


class _Listener(event.Listener):
    """Stops the clock; what comes from the cache is not compiled and starts no event."""

    def on_start(self, event: Any) -> None:
        clock.begin(event.data["dispatcher"].stats.cache_path is not None)

    def on_end(self, event: Any) -> None:
        clock.end()


event.register("numba:compile", _Listener())


def compiled(function: Callable[..., Any]) -> Any:
    """Compile on first use, and keep the result beside the source or in the user's cache folder.

    Where neither can be written and NUMBA_CACHE_DIR names no other folder, each process compiles anew.
    """
    try:
        return _njit(cache=True)(function)
    except RuntimeError:  # numba: no locator available
        return _njit()(function)


def inner(function: Callable[..., Any]) -> Any:
    """A part of kernels, which Python cannot call; compiled with each of them."""
    return _njit(no_cpython_wrapper=True)(function)


def digest() -> str:
    """Digest of the source of every file of this folder."""
    files = sorted(Path(__file__).parent.glob("*.py"))
    return sha256(b"".join(file.read_bytes() for file in files)).hexdigest()

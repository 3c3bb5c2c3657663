"""Compilation of the CPU kernels: machine code is kept on disk where there is a place for it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from numba import njit
from numba.core import event
from numba.core.caching import FunctionCache

from gpulingo.tensors import clock

_SOURCES = sorted(Path(__file__).parent.glob("*.py"))
DIGEST = sha256(b"".join(file.read_bytes() for file in _SOURCES)).hexdigest()  # of this folder
_njit: Any = partial(njit, nogil=True, no_cfunc_wrapper=True)  # no kernel is called from C


class _Listener(event.Listener):
    """Stops the clock; what comes from the cache is not compiled and starts no event."""

    def on_start(self, event: Any) -> None:
        clock.begin(event.data["dispatcher"].stats.cache_path is not None)

    def on_end(self, event: Any) -> None:
        clock.end()


event.register("numba:compile", _Listener())


class _Cache(FunctionCache):
    """Machine code on disk, for the kernels as they are now.

    numba's own takes what it has until the file of the function changes, whatever becomes of the files that
    the function calls into, and fails where one that defines its arguments is gone. It reads nothing that
    another version of numba wrote; here the digest is part of the version.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._cache_file._version += f" {DIGEST}"


def compiled(function: Callable[..., Any], **options: Any) -> Any:
    """Compile on first use, and keep the result beside the source or in the user's cache folder.

    Where neither can be written and NUMBA_CACHE_DIR names no other folder, each process compiles anew.
    """
    kernel = _njit(**options)(function)
    with suppress(RuntimeError):  # numba: no locator available
        kernel._cache = _Cache(kernel.py_func)
    return kernel


def inner(function: Callable[..., Any]) -> Any:
    """A part of kernels, which Python cannot call; compiled with each of them."""
    return _njit(no_cpython_wrapper=True)(function)


# Kernels that make no arrays need not count their users, which takes longer than what they do with few words.
uncounted = partial(compiled, _nrt=False)
inner_uncounted = partial(_njit, no_cpython_wrapper=True, _nrt=False)()
# Written into those that use it: a call would pass each array of its tuples on the stack.
inlined = partial(_njit, no_cpython_wrapper=True, _nrt=False, inline="always")()

"""Compilation of the CPU kernels: machine code is kept on disk where there is a place for it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import uuid4

from numba import njit
from numba.core import event
from numba.core.caching import CompileResultCacheImpl, FunctionCache, InTreeCacheLocator, _CacheLocator

from gpulingo.tensors import clock

_HERE = Path(__file__).parent
_SOURCES = sorted([*_HERE.glob("*.py"), *_HERE.parent.glob("*.py")])
DIGEST = sha256(b"".join(file.read_bytes() for file in _SOURCES)).hexdigest()  # of all that kernels may read
VERSIONS = 16  # how many of them the user's folder keeps
_njit: Any = partial(njit, nogil=True, no_cfunc_wrapper=True)  # no kernel is called from C


class _Listener(event.Listener):
    """Stops the clock; what comes from the cache is not compiled and starts no event."""

    def on_start(self, event: Any) -> None:
        clock.begin(event.data["dispatcher"].stats.cache_path is not None)

    def on_end(self, event: Any) -> None:
        clock.end()


event.register("numba:compile", _Listener())


@cache
def _source_digest(file: str) -> str:
    return sha256(Path(file).read_bytes()).hexdigest()


class _UserFolder(_CacheLocator):
    """NUMBA_CACHE_DIR, or the user's own; a folder per DIGEST, which checkouts of equal kernels share."""

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        self._line, self._stamp = function.__code__.co_firstlineno, _source_digest(file)
        named = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME")
        self._path = Path(named or Path("~/.cache").expanduser(), "gpulingo", DIGEST[:16])

    @classmethod
    def from_function(cls, py_func: Callable[..., Any], py_file: str) -> _UserFolder | None:
        with suppress(OSError, RuntimeError):  # no such file, no home, a folder that cannot be written
            locator = cls(py_func, py_file)
            locator.ensure_cache_path()
            return locator
        return None

    def ensure_cache_path(self) -> None:
        new = not self._path.exists()
        super().ensure_cache_path()
        if new:
            by_age = sorted(self._path.parent.iterdir(), key=lambda folder: folder.stat().st_mtime)
            for folder in by_age[:-VERSIONS]:
                shutil.rmtree(folder, ignore_errors=True)

    def get_cache_path(self) -> str:
        return str(self._path)

    def get_source_stamp(self) -> str:
        return self._stamp

    def get_disambiguator(self) -> str:
        return str(self._line)


class _Implementation(CompileResultCacheImpl):
    _locator_classes: list[type[Any]] = [_UserFolder, InTreeCacheLocator]  # noqa: RUF012 (numba's own name)


class _Cache(FunctionCache):
    """Machine code on disk, for the kernels as they are now.

    numba's own takes what it has until the file of the function changes, whatever becomes of the files that
    the function calls into, and fails where one that defines its arguments is gone. It reads nothing that
    another version of numba wrote; here the digest is part of the version. numba's names of files are
    numbers, which two processes may give to different signatures at once; here each is unique.
    """

    _impl_class = _Implementation

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._cache_file._version += f" {DIGEST}"
        self._cache_file._data_name_pattern = f"{self._impl.filename_base}.{{number}}-{uuid4().hex[:8]}.nbc"


def compiled(function: Callable[..., Any], **options: Any) -> Any:
    """Compile on first use, and keep the result in the user's cache folder or beside the source.

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

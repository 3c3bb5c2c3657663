"""A clock that stands still while kernels are compiled, and word to whoever asked that they are.

It imports no compiler: `compiled` says when one begins and ends, which it does on one thread at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from time import perf_counter

ONCE = "compiling kernels, once (some seconds)"
AGAIN = (
    "compiling kernels (some seconds); to keep them, let NUMBA_CACHE_DIR name a folder that can be written"
)


@dataclass
class _Compilations:
    """Those of this process: how many run within each other, since when, and what the earlier ones took."""

    running: int = 0
    since: float = 0.0
    seconds: float = 0.0
    told: list[Callable[[str], None]] = field(default_factory=list)


_compilations = _Compilations()


def clock() -> float:
    """Seconds from some moment on, like `time.perf_counter`, without those in which kernels were compiled."""
    now = perf_counter()
    return now - _compilations.seconds - (now - _compilations.since if _compilations.running else 0.0)


def when_compiling(tell: Callable[[str], None]) -> None:
    """Have a function called with a line of text when this process next compiles."""
    _compilations.told[:] = [tell]


def begin(kept: bool) -> None:
    """A kernel, or a part of one, is about to be compiled, and kept for later processes or not."""
    if _compilations.running == 0:
        _compilations.since = perf_counter()
    _compilations.running += 1
    while _compilations.told:
        _compilations.told.pop()(ONCE if kept else AGAIN)


def end() -> None:
    """It is."""
    _compilations.running -= 1
    if _compilations.running == 0:
        _compilations.seconds += perf_counter() - _compilations.since

"""A clock that stops while kernels are compiled, and notice of compiling to its listeners.

It imports no compiler: `compiled` says when one begins and ends, which it does on one thread at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter

ONCE = "compiling kernels, once (some seconds)"
AGAIN = "compiling kernels (some seconds); set NUMBA_CACHE_DIR to a folder that can be written to keep them"


class TimeIsUp(RuntimeError):
    """The time that the user gave is over; what a progress function raises to end the work."""


@dataclass
class _Compilations:
    """Those of this process: how many run, one within the other, and the listeners to the next that begins.

    `spent`: seconds on those that are over, and when the running one began; one value, because other threads
    read the clock meanwhile.
    """

    running: int = 0
    spent: tuple[float, float | None] = (0.0, None)
    listeners: list[Callable[[str], None]] = field(default_factory=list)


_compilations = _Compilations()


def clock() -> float:
    """Seconds, like `time.perf_counter`, without those in which kernels of the CPU were compiled."""
    before, since = _compilations.spent
    return (perf_counter() if since is None else since) - before


def when_compiling(tell: Callable[[str], None]) -> None:
    """Have a function called with a line of text when this process next compiles, and only then."""
    _compilations.listeners[:] = [tell]


@contextmanager
def told_of_compiling(tell: Callable[[str], None]) -> Iterator[None]:
    """Have a function called too when this process next compiles within the block."""
    _compilations.listeners.append(tell)
    try:
        yield
    finally:
        if tell in _compilations.listeners:
            _compilations.listeners.remove(tell)


def begin(kept: bool) -> None:
    """Note that a kernel or a part of one is about to be compiled, and stored for later processes or not."""
    if _compilations.running == 0:
        _compilations.spent = (_compilations.spent[0], perf_counter())
    _compilations.running += 1
    while _compilations.listeners:
        _compilations.listeners.pop()(ONCE if kept else AGAIN)


def end() -> None:
    """It is."""
    _compilations.running -= 1
    before, since = _compilations.spent
    if _compilations.running == 0 and since is not None:
        _compilations.spent = (before + perf_counter() - since, None)

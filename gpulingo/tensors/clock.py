"""A clock that stops while kernels are compiled, and a notice to listeners when compilation begins.

It imports no compiler: `compiled` reports when a compilation begins and ends, on one thread at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from time import perf_counter

from gpulingo.storage.faults import PRECOMPILE, Complain, Fault

ONCE = Fault("compiling kernels, once (some seconds)", PRECOMPILE)
REST = Fault(str(ONCE))  # of what `gpulingo precompile` leaves out
AGAIN = Fault(
    "compiling kernels (some seconds); set NUMBA_CACHE_DIR to a folder that can be written to keep them"
)


class TimeIsUp(RuntimeError):
    """The user's time limit is over; a progress function raises this to end the work."""


@dataclass
class _Compilations:
    """Compilations of this process: how many run, nested, and the listeners to call when the next begins.

    `spent`: seconds of the finished ones, and the start of the running one; one value, because other threads
    read the clock at any time. `complain`: the last of `when_compiling`.
    """

    running: int = 0
    spent: tuple[float, float | None] = (0.0, None)
    listeners: list[Complain] = field(default_factory=list)
    complain: Complain | None = None
    unkept: str = ""


_compilations = _Compilations()


def clock() -> float:
    """Return seconds, like `time.perf_counter`, without those in which CPU kernels were compiled."""
    before, since = _compilations.spent
    return (perf_counter() if since is None else since) - before


def when_compiling(tell: Complain) -> None:
    """Call a function with a one-line notice when this process next compiles, and only then."""
    _compilations.listeners[:], _compilations.complain = [tell], tell


@contextmanager
def told_of_compiling(tell: Complain) -> Iterator[None]:
    """Also call a function when this process next compiles within the block."""
    _compilations.listeners.append(tell)
    try:
        yield
    finally:
        if tell in _compilations.listeners:
            _compilations.listeners.remove(tell)


@cache
def tell(text: str) -> None:
    """Report a fault of the stored kernels, once."""
    if _compilations.complain:
        _compilations.complain(text)


def unkept(text: str = "") -> str:
    """Report why compiled kernels are not stored; return the first such text of this process."""
    if text:
        _compilations.unkept = _compilations.unkept or text
        tell(f"{_compilations.unkept}: they are compiled for this run alone")
    return _compilations.unkept


def begin(kept: bool, ahead: bool = False) -> None:
    """Record that a compilation begins; `kept`: stored for later; `ahead`: others were precompiled."""
    if _compilations.running == 0:
        _compilations.spent = (_compilations.spent[0], perf_counter())
    _compilations.running += 1
    while _compilations.listeners:
        _compilations.listeners.pop()((REST if ahead else ONCE) if kept else AGAIN)


def end() -> None:
    """Record that the compilation has ended."""
    _compilations.running -= 1
    before, since = _compilations.spent
    if _compilations.running == 0 and since is not None:
        _compilations.spent = (before + perf_counter() - since, None)

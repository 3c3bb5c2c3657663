"""A clock that stops while kernels are compiled, deadlines on it, and a notice when compilation begins.

It imports no compiler: `compiled` reports when a compilation begins and ends, on one thread at a time.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from time import perf_counter

from gpulingo.storage.faults import PRECOMPILE, Complain, Fault

BETWEEN = 0.02  # seconds between two checks of a running search
ONCE = Fault("compiling kernels, once (some seconds)", PRECOMPILE)
REST = Fault(str(ONCE))  # of what `gpulingo precompile` leaves out
AGAIN = Fault(
    "compiling kernels (some seconds); set NUMBA_CACHE_DIR to a folder that can be written to keep them"
)


class OutOfTime(RuntimeError):
    """A search was stopped early."""


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


class Deadline:
    """The end of a search, which all its phases check.

    Args:
        seconds: from now on, without time spent compiling.
        stop: event by which another thread ends the search; None without one.
    Attributes:
        ends: when the time is over, on the clock of `clock`.

    >>> Deadline(60).over(), Deadline(0).over()
    (False, True)
    """

    def __init__(self, seconds: float, stop: threading.Event | None = None) -> None:
        self.ends, self._stop = clock() + seconds, stop

    @property
    def left(self) -> float:
        """Seconds that are left, 0 if it is over."""
        return 0.0 if self.stopped() else max(0.0, self.ends - clock())

    def stopped(self) -> bool:
        """Return True if another thread has asked to stop."""
        return self._stop is not None and self._stop.is_set()

    def over(self) -> bool:
        """Return True if the search is to end now."""
        return self.stopped() or clock() >= self.ends

    def check(self, pairs: int = 0) -> None:
        """Raise OutOfTime if the search is to end; the progress callback of operations."""
        if self.over():
            raise OutOfTime

    def part(self, share: float) -> Deadline:
        """Return a deadline after this share of the time that is left."""
        return Deadline(share * max(0.0, self.ends - clock()), self._stop)

    def patient(self) -> Deadline:
        """Return a deadline without a time limit, which only the other thread ends."""
        return Deadline(math.inf, self._stop)


@contextmanager
def stopped_at(stop: Callable[[], None], deadline: Deadline) -> Iterator[None]:
    """Stop a search in the block once a deadline is over; repeatedly, because a new start clears the stop."""
    done = threading.Event()

    def watch() -> None:
        while not done.wait(BETWEEN):
            if deadline.over():
                stop()

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()

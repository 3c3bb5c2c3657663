"""The deadline that ends a search of sets."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from gpulingo.tensors.clock import clock

if TYPE_CHECKING:
    from gpulingo.solvers.hosts.misses import AdversaryMisses
    from gpulingo.solvers.solver import SearchOfSets

AGAIN = 0.02  # seconds between two checks of a running search


class OutOfTime(RuntimeError):
    """A search was stopped early."""


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
def stopped_at(search: SearchOfSets | AdversaryMisses, deadline: Deadline) -> Iterator[None]:
    """Stop a search in the block once a deadline is over; repeatedly, because a new start clears the stop."""
    done = threading.Event()

    def watch() -> None:
        while not done.wait(AGAIN):
            if deadline.over():
                search.stop()

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()

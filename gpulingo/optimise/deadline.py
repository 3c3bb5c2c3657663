"""Deadline of a search: its time is over, or another thread stops it."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from gpulingo.tensors.clock import clock

AGAIN = 0.02  # seconds after which a search that goes on is looked after again


class OutOfTime(RuntimeError):
    """A search was cut short."""


class Stoppable(Protocol):
    """A search that another thread can end."""

    def stop(self) -> None: ...


class Deadline:
    """The end of a search, which all its phases ask for.

    Args:
        seconds: from now on, in which nothing is compiled.
        stop: set by another thread that wants no more; None without one.
    Attributes:
        ends: when the time is over, on the clock of `clock`.

    >>> Deadline(60).over(), Deadline(0).over()
    (False, True)
    """

    def __init__(self, seconds: float, stop: threading.Event | None = None) -> None:
        self.ends, self._stop = clock() + seconds, stop

    @property
    def left(self) -> float:
        """Seconds that are left, 0 where it is over."""
        return 0.0 if self.stopped() else max(0.0, self.ends - clock())

    def stopped(self) -> bool:
        """Return True if another thread wants no more."""
        return self._stop is not None and self._stop.is_set()

    def over(self) -> bool:
        """Return True if the search is to end now."""
        return self.stopped() or clock() >= self.ends

    def check(self, pairs: int = 0) -> None:
        """Raise if the search is to end; the progress callback of operations.

        Raises:
            OutOfTime: the search is to end now.
        """
        if self.over():
            raise OutOfTime

    def part(self, share: float) -> Deadline:
        """Return a deadline that ends after this share of the time that is left."""
        return Deadline(share * max(0.0, self.ends - clock()), self._stop)

    def patient(self) -> Deadline:
        """One that ends by the other thread's word alone."""
        return Deadline(math.inf, self._stop)


@contextmanager
def stopped_at(search: Stoppable, deadline: Deadline) -> Iterator[None]:
    """Stop what is searched meanwhile once a deadline is over, again and again: a new start forgets it."""
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

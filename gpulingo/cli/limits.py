"""The end of a time that the user gave; the result so far is stored and printed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from gpulingo.cli.errors import tell
from gpulingo.tensors.clock import TimeIsUp, clock

T = TypeVar("T")


def end_of(time: float | None) -> float:
    """When a time in seconds is over, on the clock of `tensors.clock`; never without one."""
    return math.inf if time is None else clock() + time


def until(ends: float, check: Callable[[], None]) -> Callable[[], None]:
    """A check that raises TimeIsUp after the end, and does what another does before it."""

    def checked() -> None:
        check()
        if clock() > ends:
            raise TimeIsUp("the time was over before there was any result: give more with --time")

    return checked


def in_time(results: Iterable[T], ends: float, what: str, total: int | None = None) -> Iterator[T]:
    """The results that come before the end; if it cuts them short, that is reported on stderr.

    Args:
        what: the name of such results in the plural. total: how many there would be, if that is known.
    Raises:
        TimeIsUp: no time is left.
    """
    done = 0
    try:
        for result in results:
            done += 1
            yield result
            if clock() > ends and done != total:
                break
        else:
            return
    except TimeIsUp:
        if not done:
            raise
    out_of = "" if total is None else f" of {total:,}"
    tell(f"the time is up after {done:,}{out_of} {what}: --time was too short for all")

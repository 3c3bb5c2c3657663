"""Early ends of a run: the time that the user gave, Ctrl-C and SIGTERM.

Ctrl-C does harm in places: torch aborts while it is imported, numba swallows it while it loads kernels.
"""

from __future__ import annotations

import contextlib
import math
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from gpulingo.cli.errors import tell
from gpulingo.match.process import ENDING_SIGNALS
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
    """The results that come before the end; if it cuts them short, that is reported on stderr."""
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


@contextlib.contextmanager
def late_interrupt() -> Iterator[Callable[[], None]]:
    """Note the first Ctrl-C instead of raising KeyboardInterrupt; a second one raises it at once.

    So it is with SIGTERM and SIGHUP inside of `interrupted_by_sigterm`. What it yields raises a noted one,
    as the end of the block does.
    """
    noted: list[int] = []

    def note(number: int, frame: Any) -> None:
        noted.append(number)
        if len(noted) > 1:
            raise KeyboardInterrupt

    def check() -> None:
        if noted:
            raise KeyboardInterrupt

    # A process in the background ignores Ctrl-C, a caller may have a handler of its own, and only the main
    # thread may set one.
    main = threading.current_thread() is threading.main_thread()
    numbers = ENDING_SIGNALS if main else ()
    ours = [number for number in numbers if signal.getsignal(number) is signal.default_int_handler]
    for number in ours:
        signal.signal(number, note)
    try:
        yield check
    finally:
        for number in ours:
            signal.signal(number, signal.default_int_handler)
    check()


@contextlib.contextmanager
def interrupted_by_sigterm() -> Iterator[None]:
    """Within the block SIGTERM and SIGHUP are as good as Ctrl-C, so that no child is left behind."""
    main = threading.current_thread() is threading.main_thread()
    numbers = ENDING_SIGNALS[1:] if main else ()
    # What `nohup` ignores stays ignored.
    ours = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]
    for number in ours:
        signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)

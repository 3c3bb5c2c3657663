"""Ctrl-C where it does harm: torch aborts while it is imported, numba swallows it while it loads kernels."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from typing import Any

from gpulingo.match.orphans import ENDING


@contextlib.contextmanager
def late_interrupt() -> Iterator[Callable[[], None]]:
    """Note the first Ctrl-C instead of raising KeyboardInterrupt; a second one raises it at once.

    So it is with SIGTERM and SIGHUP inside of `interrupted_by_sigterm`.

    Yields:
        A function that raises it if there was one; the end of the block does so too.
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
    numbers = ENDING if main else ()
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
    numbers = ENDING[1:] if main else ()
    # What `nohup` ignores stays ignored.
    ours = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]
    for number in ours:
        signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)

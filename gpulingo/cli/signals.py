"""Signals that end a command: set here for all commands, and the blocks in which they wait or come at once.

The light path imports it: standard library only. Workers of a match set their own, see `match`.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

T = TypeVar("T")
INTERRUPTED = 130  # exit code
# Ctrl-C, and what ends a process like it, so that no result is lost and no child left behind.
ENDING_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


def set_signals(*, at_once: bool) -> None:
    """Let each of them raise KeyboardInterrupt, or end the process `at_once`; ignored ones stay ignored."""
    for number in ENDING_SIGNALS:
        if signal.getsignal(number) != signal.SIG_IGN:  # as in the background, or below `nohup`
            signal.signal(number, _end if at_once else signal.default_int_handler)


def _end(number: int, frame: object) -> None:
    with suppress(OSError):
        os.write(2, b"gpulingo: interrupted\n")
    os._exit(INTERRUPTED)


@contextmanager
def handled(before: Any, handler: Any) -> Iterator[None]:
    """Set a handler in the block for those ending signals that have the handler `before`.

    A caller may have set another handler; and only the main thread may set one.
    """
    import threading  # here: a player on pipes needs none

    main = threading.current_thread() is threading.main_thread()
    ours = [number for number in ENDING_SIGNALS if main and signal.getsignal(number) == before]
    for number in ours:
        signal.signal(number, handler)
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, before)


class Noted:
    """The signals in a `late_interrupt` block so far; a call raises KeyboardInterrupt if there was one."""

    _count = 0

    def __call__(self) -> None:
        if self._count:
            raise KeyboardInterrupt

    def note(self, number: int, frame: Any) -> None:
        self._count += 1
        if self._count > 1:
            raise KeyboardInterrupt

    def is_set(self) -> bool:
        """Return True if there was one; the event that stops a search."""
        return self._count > 0

    def waiting(self, wait: Callable[[], T]) -> T:
        """Return the result of a wait that a signal ends at once."""
        with handled(self.note, signal.default_int_handler):
            self()
            return wait()


@contextmanager
def late_interrupt() -> Iterator[Noted]:
    """Record the first Ctrl-C instead of raising KeyboardInterrupt; a second one raises it at once.

    The yielded function raises a recorded one, as does the end of the block; the same for all of them.
    """
    noted = Noted()
    with handled(signal.default_int_handler, noted.note):
        yield noted
    noted()

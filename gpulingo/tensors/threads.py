"""Threads that run the items of one operation on the CPU.

Kernels release the interpreter's lock, so a plain thread pool keeps every core busy, gives work to threads as
they become free, and handles Ctrl-C between items.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue
from typing import TypeVar

A_WHILE = 0.1  # seconds between two calls of `waiting`
T = TypeVar("T")


def threads() -> int:
    """Return the number of threads of `shared`: that of torch.

    Without torch, it is OMP_NUM_THREADS, or the number of cores of this process.
    """
    if (torch := sys.modules.get("torch")) is None:
        asked = os.environ.get("OMP_NUM_THREADS", "")
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
        return int(asked) if asked.isdecimal() and int(asked) else cores or 1
    return int(torch.get_num_threads())


def shared(
    items: Iterable[Callable[[], T]],
    done: Callable[[T], None] | None = None,
    waiting: Callable[[], None] | None = None,
    stop: Callable[[], None] | None = None,
) -> list[T]:
    """Run items on several threads, started in this order; return the results in the same order.

    `done` is called from this thread with each result as soon as its item ends, `waiting` now and then while
    no item ends; an error raised in either ends the work. `stop` is called after an error or an interrupt,
    before waiting for items that still run.
    """
    workers, ended = ThreadPoolExecutor(threads()), SimpleQueue[Future[T]]()
    try:
        running = [workers.submit(item) for item in items]
        for future in running:
            future.add_done_callback(ended.put)
        for _ in running:
            result = _next(ended, waiting).result()
            if done:
                done(result)
        return [future.result() for future in running]
    except BaseException:
        if stop:
            stop()
        raise
    finally:
        workers.shutdown(cancel_futures=True)


def alone(item: Callable[[], T], stop: Callable[[], None], progress: Callable[[int], None] | None) -> T:
    """Run one long item on another thread, so that Ctrl-C and `progress` can end it."""
    return shared([item], waiting=partial(progress or (lambda pairs: None), 0), stop=stop)[0]


def _next(ended: SimpleQueue[Future[T]], waiting: Callable[[], None] | None) -> Future[T]:
    while True:
        with suppress(Empty):
            return ended.get(timeout=None if waiting is None else A_WHILE)
        assert waiting is not None
        waiting()

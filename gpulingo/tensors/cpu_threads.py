"""Threads that share out the items of one operation on the CPU.

Kernels release the interpreter's lock, so a plain thread pool keeps every core busy, hands out work as
threads become free, and lets Ctrl-C through between items.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import TypeVar

import torch

T = TypeVar("T")


def shared(items: Iterable[Callable[[], T]], done: Callable[[T], None] | None = None) -> list[T]:
    """Run items on as many threads as torch uses.

    Args:
        items: each is started in this order.
        done: called from this thread with each result as soon as it is there; an error raised in it ends
            the work.
    Returns:
        The results in the order of the items.
    """
    workers = ThreadPoolExecutor(torch.get_num_threads())
    try:
        running = [workers.submit(item) for item in items]
        for one in as_completed(running):
            result = one.result()
            if done:
                done(result)
        return [one.result() for one in running]
    finally:
        workers.shutdown(cancel_futures=True)

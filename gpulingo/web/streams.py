"""Answers that take long: told as they grow, one JSON object a line, and stopped when nobody reads them."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator
from typing import Any

from anyio import CapacityLimiter, to_thread

from gpulingo.web.requests import MOST_WAITING, RequestError, Work

BEAT = 1.0  # seconds of silence after which an empty line asks whether anybody reads
FAILED = "the search failed: see what the server wrote"


class Streams:
    """What answers are worked out in: threads of their own, so that quick answers never wait for them."""

    def __init__(self) -> None:
        self._threads = CapacityLimiter(MOST_WAITING)

    async def lines(self, work: Work) -> AsyncIterator[str]:
        """The lines of an answer: some with `progress`, the last with the `answer` or an `error`.

        Args:
            work: that is told to stop when the reader is gone.
        """
        stop, loop = threading.Event(), asyncio.get_running_loop()
        queue: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()

        def tell(line: dict[str, Any] | None) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(queue.put_nowait, line)

        def worked() -> None:
            try:
                tell({"answer": work(lambda part: tell({"progress": part}), stop)})
            except RequestError as error:
                tell({"error": str(error)})
            except BaseException:
                tell({"error": FAILED})
                raise
            finally:
                tell(None)

        task = asyncio.ensure_future(
            to_thread.run_sync(worked, limiter=self._threads, abandon_on_cancel=True)
        )
        try:
            going = True
            while going:
                try:
                    line = await asyncio.wait_for(queue.get(), BEAT)
                except TimeoutError:
                    yield "\n"
                    continue
                going = line is not None
                if line is not None:
                    yield json.dumps(line) + "\n"
            await task
        finally:
            stop.set()
            task.cancel()

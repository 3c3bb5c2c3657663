"""Answers that take long: sent as they grow, one JSON object per line, and stopped when nobody reads them."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from gpulingo.tensors.clock import told_of_compiling
from gpulingo.web.requests import RequestError, Work
from gpulingo.words.letters import leave

MOST_WAITING = 128  # answers that wait for another to end
BEAT = 1.0  # seconds of silence after which an empty line asks whether anybody reads
FAILED = "the search failed: see what the server wrote"


class Streams:
    """Queue of answers, worked out one after the other in one thread, so that quick ones never wait.

    One thread, because what computes keeps memory for every thread that it was used from.
    """

    def __init__(self) -> None:
        self._worker = ThreadPoolExecutor(1)
        self._tasks: list[Future[None]] = []  # in their order; changed by the thread of the event loop alone

    def check(self) -> None:
        """Take one more.

        Raises:
            RequestError: too many wait already.
        """
        if sum(not own.done() for own in self._tasks) >= MOST_WAITING:
            raise RequestError("too many searches at once: try again", 503)

    async def lines(self, work: Work) -> AsyncIterator[str]:
        """Yield the lines of an answer: some with `progress`, the last with the `answer` or an `error`.

        Progress that has a `status` says in words what it waits for.

        Args:
            work: stopped when the reader is gone.
        """
        stop, loop = threading.Event(), asyncio.get_running_loop()
        queue: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()

        def tell(line: dict[str, Any] | None) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(queue.put_nowait, line)

        def worked() -> None:
            try:
                if earlier:
                    tell(_status("searching"))
                with told_of_compiling(lambda text: tell(_status(text))):
                    tell({"answer": work(lambda part: tell({"progress": part}), stop)})
            except RequestError as error:
                tell(error.entry())
            except BaseException:
                tell({"error": FAILED})
                raise
            finally:
                tell(None)

        earlier = [own for own in self._tasks if not own.done()]
        task = self._worker.submit(worked)
        self._tasks = [*earlier, task]
        try:
            going, before = True, 0
            while going:
                ahead = sum(not own.done() for own in earlier)
                if ahead not in (0, before):
                    searches = f"{ahead} search{'' if ahead == 1 else 'es'}"
                    yield json.dumps(_status(f"waiting behind {searches}")) + "\n"
                before = ahead
                try:
                    line = await asyncio.wait_for(queue.get(), BEAT)
                except TimeoutError:
                    yield "\n"
                    continue
                going = line is not None
                if line is not None:
                    yield leave(json.dumps(line, ensure_ascii=False)) + "\n"
            await asyncio.wrap_future(task)
        finally:
            stop.set()
            task.cancel()  # one whose turn has not come never begins


def _status(text: str) -> dict[str, Any]:
    """Return a line that says what an answer waits for."""
    return {"progress": {"status": f"{text[0].upper()}{text[1:]}."}}

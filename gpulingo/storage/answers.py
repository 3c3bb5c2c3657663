"""Calls that may never return, as to a network folder that does not answer: who waits for one can leave."""

from __future__ import annotations

import threading
from queue import Empty, SimpleQueue

TYPE_CHECKING = False  # not typing's: importing it costs the light path more than reading a checkpoint
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    T = TypeVar("T")

LOOKED = 0.1  # seconds between two looks whether to go on waiting


class Answers:
    """Calls in a thread of their own, one after the other.

    An abandoned call continues there; later calls wait for it.

    Args:
        often: called while a call does not return; what it raises abandons the call.
    """

    def __init__(self, often: Callable[[], None]) -> None:
        self.often = often
        self._calls: SimpleQueue[Any] = SimpleQueue()
        threading.Thread(target=_answer, args=(self._calls,), daemon=True).start()

    def __call__(self, call: Callable[..., T], *arguments: Any, patience: float | None = None) -> T:
        """Return the result of a call.

        Args:
            patience: seconds to wait without calling `often`; None: wait while `often` does not raise.
        Raises:
            TimeoutError: the call did not return within `patience`.
            Exception: any error that the call or `often` raises.
        """
        answer: SimpleQueue[Any] = SimpleQueue()
        self._calls.put((call, arguments, answer))
        while True:
            try:
                result, error = answer.get(timeout=LOOKED if patience is None else patience)
            except Empty:
                if patience is not None:
                    raise TimeoutError(f"no answer in {patience:g} s") from None
                self.often()
                continue
            if error is not None:
                raise error
            return result

    def __del__(self) -> None:
        """Let the thread end."""
        self._calls.put(None)


def _answer(calls: SimpleQueue[Any]) -> None:
    """Make calls until there are no more."""
    while (entry := calls.get()) is not None:
        call, arguments, answer = entry
        try:
            answer.put((call(*arguments), None))
        except BaseException as error:
            answer.put((None, error))

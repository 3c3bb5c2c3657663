"""A cache of bounded size for several threads: the least recently used entry goes first."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class LruCache(Generic[Key, Value]):
    """Values by key, at most `most`."""

    def __init__(self, most: int) -> None:
        self.most, self._guard = most, threading.RLock()
        self._values: OrderedDict[Key, Value] = OrderedDict()

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: Key) -> Value | None:
        """Return a value, if it is still known."""
        with self._guard:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def put(self, key: Key, value: Value) -> Value:
        """Keep a value, and return it."""
        with self._guard:
            self._values[key] = value
            while len(self._values) > self.most:
                self._values.popitem(last=False)
        return value

    def made(self, key: Key, make: Callable[[], Value]) -> Value:
        """Return a value; one that is not known is made, one at a time."""
        with self._guard:
            known = self.get(key)
            return self.put(key, make()) if known is None else known

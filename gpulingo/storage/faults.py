"""Errors in one line that carry facts: who prints them words the way out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Complain = Callable[[Any], object]  # takes what is wrong in one line, a text or a fault


class Fault(ValueError):
    """An error in one line: what was seen and, if anything helps everywhere, what to do.

    Attributes:
        seen: without what to do.
        kind: names the sentence of a command line that says what to do there, if there is one.
        facts: for that sentence.
    """

    def __init__(self, seen: str, remedy: str = "", kind: str = "", **facts: object) -> None:
        super().__init__(f"{seen}: {remedy}" if remedy else seen)
        self.seen, self.kind, self.facts = seen, kind, facts


class UsageError(Fault):
    """A request that nothing can answer."""

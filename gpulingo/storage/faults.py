"""One-line errors with facts, for which the printing code words the remedy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Complain = Callable[[Any], object]  # takes a one-line error, a text or a fault


class Fault(ValueError):
    """An error in one line: what was seen and, if something helps everywhere, what to do.

    Attributes:
        seen: the error without the remedy.
        kind: name of the command line's sentence about the remedy, if there is one.
        facts: values for that sentence.
    """

    def __init__(self, seen: str, remedy: str = "", kind: str = "", **facts: object) -> None:
        super().__init__(f"{seen}: {remedy}" if remedy else seen)
        self.seen, self.kind, self.facts = seen, kind, facts


class UsageError(Fault):
    """A request that cannot be answered."""

"""One-line errors with facts, for which the printing code words the remedy."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

Complain = Callable[[Any], object]  # takes a one-line error, a text or a fault


class Fault(ValueError):
    """An error in one line: what was seen and, if something helps everywhere, what to do.

    Attributes:
        seen, remedy: the error without the remedy, and the remedy; text, or another fault.
        kind: name of the command line's sentence about the remedy, if there is one; by default the remedy.
        facts: values for that sentence.
    """

    def __init__(
        self, seen: Exception | str, remedy: Exception | str = "", kind: str = "", **facts: object
    ) -> None:
        self.form = f"{{seen}}{'; ' if isinstance(seen, Fault) else ': '}{{remedy}}" if remedy else "{seen}"
        super().__init__(self.form.format(seen=seen, remedy=remedy))
        self.seen, self.remedy, self.kind, self.facts = seen, remedy, kind or str(remedy), facts


def warned(fault: object) -> None:
    """Report as Python does."""
    warnings.warn(str(fault), stacklevel=3)


class UsageError(Fault):
    """A request that cannot be answered."""

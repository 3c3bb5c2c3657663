"""Progress of a command over all its work."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from gpulingo.cli.run import Bar, Run

__all__ = ["Bar", "total_bar"]


@contextlib.contextmanager
def total_bar(name: str, total: float | None, *, lines: bool = True) -> Iterator[Bar]:
    """Show how far the work of the block is."""
    with Run(name).bar(total, lines=lines) as bar:
        yield bar

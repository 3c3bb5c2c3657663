"""A progress bar on stderr, only where stderr is a terminal."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

Report = Callable[[int, int, int], None]  # turn, pairs since the last call, pairs of the turn at most


@contextlib.contextmanager
def progress_bar(name: str) -> Iterator[Report]:
    """Show a bar while the block runs, which must print nothing itself.

    Args:
        name: of the work.
    Yields:
        A function to be told how far it is.
    """
    if not (sys.stderr and sys.stderr.isatty()):
        yield lambda turn, pairs, most: None
        return
    bar = _bar()
    task = bar.add_task(name, total=None)
    begun: set[int] = set()

    def report(turn: int, pairs: int, most: int) -> None:
        if turn not in begun:
            begun.add(turn)
            bar.update(task, description=f"{name}, turn {turn}", completed=0, total=most)
        bar.advance(task, pairs)

    with bar:
        yield report


@contextlib.contextmanager
def counting_bar(name: str, done: int, total: int) -> Iterator[Callable[[], None]]:
    """Show a bar of things counted while the block runs, which must print nothing itself.

    Args:
        name: of the things. done: so many are there. total: so many there will be.
    Yields:
        A function to be called for each one more.
    """
    if not (sys.stderr and sys.stderr.isatty()):
        yield lambda: None
        return
    bar = _bar("{task.completed}/{task.total}")
    task = bar.add_task(name, completed=done, total=total)
    with bar:
        yield lambda: bar.advance(task)


def _bar(*more: str) -> Progress:
    """A bar on stderr, gone when it is done; `more` are columns of text to its right."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    texts = [TextColumn(text) for text in more]
    columns = (TextColumn("{task.description}"), BarColumn(), *texts, TimeElapsedColumn())
    # No redirection: rich would send to stderr what others print to stdout.
    return Progress(
        *columns, console=Console(stderr=True), transient=True, redirect_stdout=False, redirect_stderr=False
    )

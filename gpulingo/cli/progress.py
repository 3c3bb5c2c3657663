"""A progress bar on stderr, only where stderr is a terminal."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator

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
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    # No redirection: rich would send to stderr what others print to stdout.
    bar = Progress(
        *columns, console=Console(stderr=True), transient=True, redirect_stdout=False, redirect_stderr=False
    )
    task = bar.add_task(name, total=None)
    begun: set[int] = set()

    def report(turn: int, pairs: int, most: int) -> None:
        if turn not in begun:
            begun.add(turn)
            bar.update(task, description=f"{name}, turn {turn}", completed=0, total=most)
        bar.advance(task, pairs)

    with bar:
        yield report

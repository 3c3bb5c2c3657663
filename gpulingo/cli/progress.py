"""A progress bar on stderr, only where stderr is a terminal."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator

Report = Callable[[int, int, int], None]  # turn, pairs since the last call, pairs of the turn at most


@contextlib.contextmanager
def progress_bar() -> Iterator[Callable[[str], Report]]:
    """Show a bar while the block runs.

    Yields:
        A function from a name of the work ahead to what is to be told about it.
    """
    if not (sys.stderr and sys.stderr.isatty()):
        yield lambda name: lambda turn, pairs, most: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)

        def named(name: str) -> Report:
            bar.update(task, description=name, completed=0, total=None)
            begun: set[int] = set()

            def report(turn: int, pairs: int, most: int) -> None:
                if turn not in begun:
                    begun.add(turn)
                    bar.update(task, description=f"{name}, turn {turn}", completed=0, total=most)
                bar.advance(task, pairs)

            return report

        yield named

"""Tables on stdout: as wide as they need, because a number that is cut to fit is a wrong number."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table

WIDEST = 10_000  # columns of text, so that nothing is cut while the width is measured


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str]], *, left: Sequence[str] = ()) -> None:
    """Print rows under column names; on a terminal the names are bold.

    Args:
        columns: names, one a column.
        rows: cells as text, as many as columns.
        left: names of the columns whose text stands to the left; the others are numbers.
    """
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for name in columns:
        table.add_column(name, justify="left" if name in left else "right", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    console = Console(file=sys.stdout, width=WIDEST, markup=False, highlight=False, emoji=False)
    console.width = console.measure(table).maximum
    console.print(table)


def points_text(points: float) -> str:
    """Mean points with three decimals: strategies of long words differ in the third."""
    return f"{points:.3f}"

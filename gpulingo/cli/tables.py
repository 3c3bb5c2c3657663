"""Tables on stdout, at most WIDEST columns of text wide; a number is never cut, a long text is wrapped."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from textwrap import wrap

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table

WIDEST = 100  # columns of text
LEAST = 16  # columns that a text keeps, if it is as long
GAPS = (2, 1)  # between two columns: as a rule, and where that is too wide


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Attributes:
        name: of it. cells: its rows.
        text: its cells are texts, which stand to the left and may be wrapped; else they are numbers.
        shorten: texts are shortened in the middle instead, as long as no two become the same.
    """

    name: str
    cells: tuple[str, ...]
    text: bool
    shorten: bool

    @property
    def natural(self) -> int:
        """Its width when nothing is wrapped."""
        return max(map(cell_len, (self.name, *self.cells)))

    @property
    def least(self) -> int:
        """The least width: names of columns are wrapped at spaces, texts to LEAST."""
        cells = max(map(cell_len, self.cells), default=0)
        return max(*map(cell_len, self.name.split()), min(cells, LEAST) if self.text else cells)

    def fitted(self, width: int) -> tuple[str, list[str]]:
        """Its name and its cells for a width."""
        name = "\n".join(wrap(self.name, width, break_long_words=False))
        short = [shortened(cell, width) for cell in self.cells]
        apart = len(set(short)) == len(set(self.cells))
        return name, short if self.shorten and apart else list(self.cells)


def print_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    left: Sequence[str] = (),
    shorten: Sequence[str] = (),
    keys: int = 1,
) -> None:
    """Print rows under column names; on a terminal the names are bold.

    What is too wide for one table is printed as several, one after the other.

    Args:
        columns: names, one a column.
        rows: cells as text, as many as columns.
        left: names of the columns of text; the others are numbers.
        shorten: those of `left` that are shortened in the middle rather than wrapped.
        keys: so many columns stand in each of several tables.
    """
    held = list(rows)
    made = [
        Column(name, tuple(row[at] for row in held), name in left, name in shorten)
        for at, name in enumerate(columns)
    ]
    for number, part in enumerate(_parts(made[:keys], made[keys:])):
        if number:
            print()
        _print_part(part)


def shortened(text: str, width: int) -> str:
    """A text of at most so many columns, three dots in place of its middle."""
    if cell_len(text) <= width:
        return text
    start = (width - 3 + 1) // 2
    return f"{text[:start]}...{text[len(text) - (width - 3 - start) :]}"


def points_text(points: float) -> str:
    """Mean points with three decimals: strategies of long words differ in the third."""
    return f"{points:.3f}"


def guesses_text(guesses: float) -> str:
    """Mean guesses with three decimals, as is usual; mean points beside them say more."""
    return f"{guesses:.3f}"


def _parts(keys: list[Column], rest: list[Column]) -> list[list[Column]]:
    """The columns as few tables, of about as many columns each, that fit."""
    for count in range(1, len(rest) + 1):
        size, more = divmod(len(rest), count)
        ends = [size * (at + 1) + min(at + 1, more) for at in range(count)]
        parts = [[*keys, *rest[start:end]] for start, end in zip([0, *ends], ends, strict=False)]
        if all(_wide([column.least for column in part], GAPS[-1]) <= WIDEST for part in parts):
            return parts
    return [[*keys, column] for column in rest] or [keys]


def _print_part(part: list[Column]) -> None:
    """Print one table, as wide as it is up to WIDEST, then narrower where that does no harm."""
    widths = [column.natural for column in part]
    gap = next((gap for gap in GAPS if _wide([column.least for column in part], gap) <= WIDEST), GAPS[-1])
    # The widest gives way first, and a number only what its name takes.
    while _wide(widths, gap) > WIDEST:
        spare = [width - column.least for width, column in zip(widths, part, strict=True)]
        if not any(spare):
            break
        at = max(range(len(part)), key=lambda at: (spare[at] > 0, not part[at].text, widths[at]))
        widths[at] = max(part[at].least, widths[at] - 1)
    table = Table(box=None, pad_edge=False, padding=(0, gap, 0, 0))
    fitted = [column.fitted(width) for column, width in zip(part, widths, strict=True)]
    for column, width, (name, _) in zip(part, widths, fitted, strict=True):
        table.add_column(
            name,
            justify="left" if column.text else "right",
            width=width,
            overflow="fold",
            no_wrap=not column.text,
        )
    for row in zip(*(cells for _, cells in fitted), strict=True):
        table.add_row(*row)
    wide = _wide(widths, gap)
    Console(file=sys.stdout, width=wide, markup=False, highlight=False, emoji=False).print(table)


def _wide(widths: list[int], gap: int) -> int:
    """Columns of text that a table of such columns takes."""
    return sum(widths) + gap * (len(widths) - 1)

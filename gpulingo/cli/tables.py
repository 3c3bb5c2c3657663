"""Tables on stdout, at most WIDEST columns of text wide; a number is never cut, a long text is wrapped."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap

from gpulingo.words.letters import leave

WIDEST = 100  # columns of text
LEAST = 16  # least columns of a text, unless it is shorter
GAPS = (2, 1)  # between two columns: usual, and in a table that is too wide


def cell_len(text: str) -> int:
    """Return the columns that a text takes."""
    from rich import cells  # here: not every command needs it

    return cells.cell_len(text)


@dataclass(frozen=True)
class Column:
    name: str
    cells: tuple[str, ...]
    text: bool  # whether cells are texts, aligned left, which may be wrapped; False: numbers
    shorten: bool  # whether texts are shortened in the middle instead, if they stay distinct

    @property
    def least(self) -> int:
        """The least width: headings are wrapped at spaces, texts to LEAST."""
        cells = max(map(cell_len, self.cells), default=0)
        return max(*map(cell_len, self.name.split()), min(cells, LEAST) if self.text else cells)

    def fitted(self, width: int) -> tuple[str, list[str]]:
        name = "\n".join(wrap(self.name, width, break_long_words=False))
        short = [shortened(cell, width) for cell in self.cells]
        apart = len(set(short)) == len(set(self.cells))
        return name, short if self.shorten and apart else list(self.cells)


def print_rows(
    rows: Sequence[Mapping[str, str]],
    *,
    left: Sequence[str] = (),
    shorten: Sequence[str] = (),
    keys: int = 1,
) -> None:
    """Print rows of column -> cell, all of the same columns, if there are any; names are bold on a terminal.

    A table that is too wide is printed as several, one after the other.

    Args:
        left: names of the text columns; the others are numbers.
        shorten: those of `left` that are shortened in the middle rather than wrapped.
        keys: number of first columns that each of several tables repeats.
    """
    table = [
        Column(name, tuple(leave(row[name]) for row in rows), name in left, name in shorten)
        for name in (rows[0] if rows else ())
    ]
    for number, part in enumerate(_parts(table[:keys], table[keys:]) if table else []):
        if number:
            print()
        _print_part(part)


def shortened(text: str, width: int) -> str:
    """Return a text of at most `width` columns, with three dots in place of its middle."""
    if cell_len(text) <= width:
        return text
    start = (width - 3 + 1) // 2
    return f"{text[:start]}...{text[len(text) - (width - 3 - start) :]}"


def _parts(keys: list[Column], rest: list[Column]) -> list[list[Column]]:
    """Return the columns as few tables that fit, of about equal numbers of columns."""
    for count in range(1, len(rest) + 1):
        size, more = divmod(len(rest), count)
        ends = [size * number + min(number, more) for number in range(1, count + 1)]
        parts = [[*keys, *rest[start:end]] for start, end in zip([0, *ends], ends, strict=False)]
        if all(_wide([column.least for column in part], GAPS[-1]) <= WIDEST for part in parts):
            return parts
    return [[*keys, column] for column in rest] or [keys]


def _print_part(part: list[Column]) -> None:
    """Print one table, as wide as it is up to WIDEST, then narrower if that loses nothing."""
    from rich.console import Console
    from rich.table import Table

    widths = [max(map(cell_len, (column.name, *column.cells))) for column in part]  # nothing is wrapped
    least = [column.least for column in part]
    gap = next((gap for gap in GAPS if _wide(least, gap) <= WIDEST), GAPS[-1])
    # The widest column is narrowed first; a number only as far as its heading allows.
    while _wide(widths, gap) > WIDEST and widths != least:
        place = max(range(len(part)), key=lambda n: (widths[n] > least[n], not part[n].text, widths[n]))
        widths[place] -= 1
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
    return sum(widths) + gap * (len(widths) - 1)

"""Building blocks of pages: tables and charts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Table:
    """A table as the page shows it: the first `left` columns are text, the others numbers."""

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    left: int = 1


@dataclass(frozen=True)
class Chart:
    """A drawing, what it is called, what it shows in words, and its figures where they stand nowhere else.

    Attributes:
        svg: the drawing. figures: its figures as a table.
    """

    title: str
    sentence: str
    svg: str
    figures: Table | None = None

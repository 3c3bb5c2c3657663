"""Pages of stored figures: tables, charts and their frame; one file that loads nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gpulingo.report.charts import STYLE


@dataclass(frozen=True)
class Table:
    """A table as the page shows it: the first `left` columns are text, the others numbers."""

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    left: int = 1


@dataclass(frozen=True)
class Chart:
    """A drawing, its title, what it shows in words, and its figures if no other table has them."""

    title: str
    sentence: str
    svg: str
    figures: Table | None = None


@dataclass(frozen=True)
class Making:
    """Origin of a page: the day, as 2026-11-22, the version of gpulingo, and the command."""

    date: str
    version: str
    command: str


def page_text(template: str, making: Making, title: str, heading: str, fields: Mapping[str, Any]) -> str:
    """Return a page of a template in this folder: HTML that loads nothing else, no script, font or image."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    pages = Environment(
        loader=FileSystemLoader(STYLE.parent), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    style = STYLE.read_text(encoding="utf-8")
    return pages.get_template(template).render(
        making=making, title=title, heading=heading, style=style, **fields
    )

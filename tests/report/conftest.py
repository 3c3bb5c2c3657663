"""Results to report on, without playing."""

from __future__ import annotations

from collections.abc import Callable
from html.parser import HTMLParser

import pytest

from gpulingo.report.results import PIT_LIST, Result


@pytest.fixture
def made() -> Callable[..., Result]:
    """A function that makes a result of the pit's list: 100 words, with numbers found on turn 1, 2, .."""

    def make(strategy: str, length: int, *turns: int, **fields: object) -> Result:
        points = sum(100 * (len(turns) + 1 - turn) * count for turn, count in enumerate(turns, 1)) / 100
        known = {
            "length": length, "words": 100, "list": "wordlist.txt", "strategy": strategy, "device": "cpu",
            "fingerprint": PIT_LIST[length] + "0" * 52, "opening": "o" * length, "turns": turns,
            "lost": 100 - sum(turns), "mean_points": points, "seconds": 0.5, "kernel_seconds": 0.1,
            "pairs": 9,
        }  # fmt: skip
        return Result(**(known | fields))  # type: ignore[arg-type]

    return make


class Html(HTMLParser):
    """Every start tag of a page with its attributes, and the text of table rows."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.rows: list[list[str]] = []
        self.within: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "br"):
            self.within.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("th", "td"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.within.pop() == tag  # every opened element is closed

    def handle_data(self, data: str) -> None:
        if {"th", "td"} & {*self.within}:
            self.rows[-1][-1] += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        """The attributes of all tags of a name."""
        return [attributes for name, attributes in self.tags if name == tag]

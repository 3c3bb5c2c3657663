"""Results to report on, without playing."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gpulingo.report.comparison import PIT_LIST
from gpulingo.report.results import Result


@pytest.fixture
def made() -> Callable[..., Result]:
    """A function that makes a result of the pit's list: 100 words, so many found on turn 1, 2, .."""

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

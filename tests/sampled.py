"""Parameters of which some are tried by the quick tests, and all by the whole run."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import pytest


def quick(values: Iterable[Any], tried: Collection[Any]) -> list[Any]:
    """The values of a parameter, or tuples of several; a test of any but those tried is slow."""
    rows = ((value, value if isinstance(value, tuple) else (value,)) for value in values)
    return [value if value in tried else pytest.param(*row, marks=pytest.mark.slow) for value, row in rows]

"""Parameters: quick tests try some of their values, the full run tries all."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import pytest


def quick(values: Iterable[Any], tried: Collection[Any]) -> list[Any]:
    """The values of a parameter, or tuples of several; tests with other values than `tried` are slow."""
    rows = ((value, value if isinstance(value, tuple) else (value,)) for value in values)
    return [value if value in tried else pytest.param(*row, marks=pytest.mark.slow) for value, row in rows]

"""Sentences as templates, in a file that the exported page fills too; see `web/static/strategy.js`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "sentences.json"
TABLES: dict[str, Any] = json.loads(FILE.read_text("utf-8"))


def filled(name: str, **fields: object) -> str:
    """Return the sentence of a name with its fields, which are texts and whole numbers.

    >>> filled("choice groups", best="SHOUT", words="38", noun="word", best_groups=24, groups=12)
    'SHOUT splits 38 words into 24 groups, yours into 12.'
    """
    text: str = TABLES[name].format(**fields)
    return text

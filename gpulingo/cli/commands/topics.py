"""`gpulingo help`: longer explanations than an option's text has room for; they are in topics.txt."""

from __future__ import annotations

from pathlib import Path

from gpulingo.cli.options import argument
from gpulingo.storage.faults import UsageError, unknown

TEXTS = Path(__file__).parent.parent / "topics.txt"
NAMES = ["games", "strategies", "marks", "lists", "files", "json"]


def topics(name: str | None = argument("TOPIC", f"One of {', '.join(NAMES)}.")) -> None:
    """Explain games, strategies, marks, lists, files or JSON output."""
    if name is None:
        print(f"Topics: {', '.join(NAMES)}. For example: gpulingo help games")
    elif name in NAMES:
        text = TEXTS.read_text(encoding="utf-8")
        print(text.partition(f"=== {name}\n")[2].partition("\n===")[0].strip())
    else:
        raise UsageError(unknown("topic", name, NAMES))

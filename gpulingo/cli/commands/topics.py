"""`gpulingo help`: longer explanations than an option's text has room for; they are in topics.txt."""

from __future__ import annotations

from pathlib import Path

from gpulingo.cli.errors import WrongUsage
from gpulingo.cli.options import argument
from gpulingo.storage.faults import unknown

TEXTS = Path(__file__).parent.parent / "topics.txt"
JSON = "json"  # after its text the page that is made from the schema
NAMES = ["games", "strategies", "marks", "lists", "files", JSON]


def topics(name: str | None = argument("TOPIC", f"One of {', '.join(NAMES)}.")) -> None:
    """Explain games, strategies, marks, lists, files or JSON output."""
    if name is None:
        print(f"Topics: {', '.join(NAMES)}. For example: gpulingo help games")
    elif name in NAMES:
        print(explained(name).strip())
    else:
        raise WrongUsage(unknown("topic", name, NAMES))


def explained(topic: str) -> str:
    text = TEXTS.read_text(encoding="utf-8").partition(f"=== {topic}\n")[2].partition("\n===")[0]
    if topic != JSON:
        return text
    from gpulingo.storage.schema import page

    return page(text)

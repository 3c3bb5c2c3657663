"""Writes docs/json.md from the schema of the output: .venv/bin/python scripts/json_page.py."""

from pathlib import Path

from gpulingo.cli.commands.topics import JSON, explained

PAGE = Path(__file__).resolve().parent.parent / "docs" / "json.md"

if __name__ == "__main__":
    PAGE.write_text(explained(JSON), encoding="utf-8")

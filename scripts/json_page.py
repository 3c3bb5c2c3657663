"""Writes docs/json.md from the schema of the output: .venv/bin/python scripts/json_page.py."""

from pathlib import Path

from gpulingo.cli.commands.topics import page

PAGE = Path(__file__).resolve().parent.parent / "docs" / "json.md"

if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

"""Writes docs/commands.md from the commands themselves: .venv/bin/python scripts/commands_page.py."""

from __future__ import annotations

from pathlib import Path

import typer

from gpulingo.cli.app import app_for

PAGE = Path(__file__).resolve().parent.parent / "docs" / "commands.md"
WIDTH = 100
HEAD = """# Commands

The output of `gpulingo COMMAND --help` for every command. `scripts/commands_page.py` writes this
page.

Results go to stdout, progress and complaints to stderr. Exit codes: 0 for success, 1 for a failed run, 2 for
wrong usage, 130 for an interrupted run, which prints the results so far. Sizes are bytes or have a suffix,
for example 500M or 4G; times have a suffix too, for example 90s, 10m or 2h.
"""


def text() -> str:
    """Return the page."""
    parts = [HEAD]
    for name, command in sorted(typer.main.get_command(app_for()).commands.items()):
        if command.hidden:
            continue
        context = command.context_class(
            command, info_name=f"gpulingo {name}", max_content_width=WIDTH, terminal_width=WIDTH
        )
        lines = "\n".join(line.rstrip() for line in command.get_help(context).splitlines())
        parts.append(f"## {name}\n\n```text\n{lines.strip()}\n```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(text(), encoding="utf-8")

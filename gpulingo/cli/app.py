"""The app that every command hangs on.

What a command needs is imported when it runs: torch alone takes a second.
"""

from __future__ import annotations

from importlib import import_module
from typing import Annotated

import typer

from gpulingo.cli.commands import play
from gpulingo.cli.errors import Guard, tell
from gpulingo.cli.panels import Panelled
from gpulingo.cli.signatures import Spread
from gpulingo.tensors.clock import when_compiling

app = typer.Typer(
    cls=Guard,
    rich_markup_mode=None,  # plain help leaves twice the width to the texts
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"], "max_content_width": 100},
)
# The groups and the order are those of the help; a command is the function of its module's name.
GROUPS = {
    "Help with a round": "suggest review play web",
    "Evaluate strategies": "simulate compare openings report",
    "Find the best strategy": "solve prove tune",
    "Words and trees": "words show",
    "Matches and other games": "pit tiles",
    "Hidden": "topics",
}
for group, names in GROUPS.items():
    for name in names.split():
        command = getattr(import_module(f"gpulingo.cli.commands.{name}"), name)
        app.command(
            rich_help_panel=group,
            name="help" if name == "topics" else None,
            hidden=group == "Hidden",
            cls=play.Unparsed if name in ("play", "suggest") else Panelled,
            short_help=str(command.__doc__).split("\n")[0],  # else completion cuts it at 45 characters
        )(Spread(command))


def _print_version(wanted: bool) -> None:
    """Print the version and end."""
    if wanted:
        from gpulingo.storage.printed import version

        print(f"gpulingo {version()}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool,
        typer.Option(
            "--version", "-V", callback=_print_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Find, evaluate and prove strategies for word-guessing games."""
    when_compiling(tell)

"""The app that every command hangs on.

What a command needs is imported when it runs: torch alone takes a second.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from gpulingo.cli.commands import (
    bench,
    compare,
    openings,
    pit,
    play,
    prove,
    report,
    review,
    show,
    simulate,
    solve,
    suggest,
    tiles,
    topics,
    tune,
    web,
    words,
)
from gpulingo.cli.errors import Guard, tell
from gpulingo.cli.machines import RayCommand
from gpulingo.cli.panels import Panelled
from gpulingo.cli.signatures import Spread
from gpulingo.tensors.clock import when_compiling

app = typer.Typer(
    cls=Guard,
    rich_markup_mode=None,  # plain help leaves twice the width to the texts
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"], "max_content_width": 100},
)
# The groups and the order are those of the help.
GROUPS: dict[str, tuple[Callable[..., None], ...]] = {
    "Help with a round": (suggest.suggest, review.review, play.play, web.web),
    "Evaluate strategies": (simulate.simulate, compare.compare, openings.openings, report.report),
    "Find the best strategy": (solve.solve, prove.prove, tune.tune),
    "Words and trees": (words.words, show.show),
    "Matches and other games": (pit.pit, tiles.tiles),
    "Hidden": (bench.bench, topics.topic),
}
CLASSES = {
    play.play: play.Unparsed,
    suggest.suggest: play.Unparsed,
    simulate.simulate: RayCommand,
    compare.compare: RayCommand,
    solve.solve: RayCommand,
    tune.tune: RayCommand,
}
for group, commands in GROUPS.items():
    for command in commands:
        app.command(
            rich_help_panel=group,
            name="help" if command is topics.topic else None,
            hidden=group == "Hidden",
            cls=CLASSES.get(command, Panelled),
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

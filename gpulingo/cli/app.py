"""The app that every command hangs on.

What a command needs is imported when it runs: torch alone takes a second.
"""

from __future__ import annotations

from typing import Annotated

import typer

from gpulingo.cli.commands import (
    bench,
    build,
    compare,
    openings,
    pit,
    play,
    prove,
    referee,
    report,
    review,
    show,
    simulate,
    solve,
    suggest,
    tiles,
    tune,
    verify,
    web,
    words,
)
from gpulingo.cli.errors import Guard, tell
from gpulingo.cli.machines import RayCommand
from gpulingo.cli.signatures import spread
from gpulingo.tensors.clock import when_compiling

app = typer.Typer(
    cls=Guard,
    rich_markup_mode=None,  # plain help leaves twice the width to the texts
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)
# The groups and the order are those of the help.
GROUPS = {
    "Play": (
        suggest.suggest,
        review.review,
        play.play,
        web.web,
        words.words,
        build.build,
        show.show,
        verify.verify,
    ),
    "Study": (simulate.simulate, compare.compare, report.report, bench.bench),
    "Search": (solve.solve, prove.prove, openings.openings, tune.tune),
    "Tiles": (tiles.tiles,),
    "Pit": (pit.pit, referee.referee),
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
            cls=CLASSES.get(command),
            short_help=str(command.__doc__).split("\n")[0],  # else completion cuts it at 45 characters
        )(spread(command))


def _print_version(wanted: bool) -> None:
    """Print the version and end."""
    if wanted:
        from gpulingo.report.origin import version

        print(f"gpulingo {version()}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and end."),
    ] = False,
) -> None:
    """Strategies for word-guessing games: simulate, build, verify and play them."""
    when_compiling(tell)

"""The app that every command hangs on.

What a command needs is imported when it runs: torch alone takes a second.
"""

from __future__ import annotations

from typing import Annotated

import typer

from gpulingo.cli import (
    bench,
    build,
    compare,
    openings,
    pit,
    play,
    prove,
    referee,
    report,
    show,
    simulate,
    solve,
    tune,
    verify,
    words,
)
from gpulingo.cli.guard import Guard

app = typer.Typer(
    cls=Guard,
    add_completion=False,
    rich_markup_mode=None,  # plain help leaves twice the width to the texts
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)
# The order is that of the help.
app.command()(simulate.simulate)
app.command()(build.build)
app.command()(verify.verify)
app.command()(show.show)
app.command()(words.words)
app.command()(bench.bench)
app.command(cls=play.Unparsed)(play.play)
app.command()(compare.compare)
app.command()(report.report)
app.command()(solve.solve)
app.command()(prove.prove)
app.command()(openings.openings)
app.command()(pit.pit)
app.command()(referee.referee)
app.command()(tune.tune)


def _print_version(wanted: bool) -> None:
    """Print the version and end."""
    if wanted:
        from importlib.metadata import PackageNotFoundError, version

        try:
            print(f"gpulingo {version('gpulingo')}")
        except PackageNotFoundError:  # a checkout on the path, never installed
            print("gpulingo, not installed")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and end."),
    ] = False,
) -> None:
    """Strategies for word-guessing games: simulate, build, verify and play them."""

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
    show,
    simulate,
    solve,
    tune,
    verify,
    words,
)
from gpulingo.cli.errors import Guard, tell
from gpulingo.tensors.clock import when_compiling

app = typer.Typer(
    cls=Guard,
    rich_markup_mode=None,  # plain help leaves twice the width to the texts
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)
# The groups and the order are those of the help.
PLAY, STUDY, SEARCH, PIT = "Play", "Study", "Search", "Pit"
app.command(rich_help_panel=PLAY, cls=play.Unparsed)(play.play)
app.command(rich_help_panel=PLAY)(words.words)
app.command(rich_help_panel=PLAY)(build.build)
app.command(rich_help_panel=PLAY)(show.show)
app.command(rich_help_panel=PLAY)(verify.verify)
app.command(rich_help_panel=STUDY)(simulate.simulate)
app.command(rich_help_panel=STUDY)(compare.compare)
app.command(rich_help_panel=STUDY)(report.report)
app.command(rich_help_panel=STUDY)(bench.bench)
app.command(rich_help_panel=SEARCH)(solve.solve)
app.command(rich_help_panel=SEARCH)(prove.prove)
app.command(rich_help_panel=SEARCH)(openings.openings)
app.command(rich_help_panel=SEARCH)(tune.tune)
app.command(rich_help_panel=PIT)(pit.pit)
app.command(rich_help_panel=PIT)(referee.referee)


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

"""`gpulingo play` and `suggest`: their help. The light path runs them, and reads their arguments."""

from __future__ import annotations

from dataclasses import MISSING
from typing import Annotated, Any

import typer

from gpulingo.cli.options import argument
from gpulingo.cli.request import ADVISER, HOST, LENGTH, LETTER, PLAYER

HISTORY = "Guesses with their marks, for example crane:BYBBG."


def play(
    context: typer.Context,
    word_length: str = argument("N", LENGTH, default=MISSING),
    **read_elsewhere: Annotated[Any, PLAYER + HOST + LETTER],
) -> None:
    """Play at the terminal, or run as a pit player on pipes.

    At a terminal it guesses and asks for the marks; with --host honest it draws a word, and you guess. On
    pipes it writes a guess per line and reads its marks. `gpulingo help games` has the rules of all hosts.
    """
    from gpulingo.cli.pipes import run

    raise typer.Exit(run(context.args))


def suggest(
    context: typer.Context,
    history: list[str] | None = argument("GUESS:MARKS", HISTORY),
    **read_elsewhere: Annotated[Any, ADVISER],
) -> None:
    """Suggest the next guess.

    Without guesses it reads one history per line from stdin, if that is not a terminal; a line of - is before
    the first guess. `gpulingo help marks` has all forms of marks.
    """
    from gpulingo.cli.suggest import run

    raise typer.Exit(run(context.args))

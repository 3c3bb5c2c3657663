"""`gpulingo suggest`: its help. What answers stays on the light path, which reads its own arguments."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from gpulingo.cli.options import argument
from gpulingo.player.options import ADVISER

HISTORY = "Guesses with their marks, for example crane:BYBBG."


def suggest(
    context: typer.Context,
    history: list[str] | None = argument("GUESS:MARKS", HISTORY),
    **read_elsewhere: Annotated[Any, ADVISER],
) -> None:
    """Suggest the next guess.

    Without guesses it reads one history per line from stdin, if that is not a terminal; a line of - is before
    the first guess. `gpulingo help marks` has all forms of marks.
    """
    from gpulingo.advice.suggest import run
    from gpulingo.player.protocol import complain, read_line, write_line

    def load_engine() -> Any:
        from gpulingo.search import outlooks
        from gpulingo.tensors.clock import when_compiling

        when_compiling(complain)
        return outlooks

    raise typer.Exit(run(context.args, load_engine, read_line, write_line, complain))

"""`gpulingo suggest`: its help. What answers stays on the light path, which reads its own arguments."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from gpulingo.advice.notation import FORMS
from gpulingo.cli.signatures import with_options
from gpulingo.player.options import ADVISER

HISTORY = f"Each guess with its marks, as crane:X?XXO; marks as {FORMS}, letters of hangman as e:_O__."


@with_options(ADVISER)
def suggest(
    context: typer.Context,
    history: Annotated[
        list[str] | None, typer.Argument(metavar="GUESS:MARKS", help=HISTORY, show_default=False)
    ] = None,
    **read_elsewhere: Any,
) -> None:
    """Say which words are left after some guesses, and what to guess next.

    Without a history it reads one a line from stdin, where that is no terminal; a line of - is before the
    first guess, a blank one is passed over. Guesses come with what is expected when they are followed up as
    the last line says, how likely the word is found by each turn, how many classes they make of the words
    left, the largest, and whether they can be the word themselves.
    """
    from gpulingo.advice.suggest import run
    from gpulingo.player.protocol import complain, read_line, write_line

    def load_engine() -> Any:
        from gpulingo.search import outlooks
        from gpulingo.tensors.clock import when_compiling

        when_compiling(complain)
        return outlooks

    raise typer.Exit(run(context.args, load_engine, read_line, write_line, complain))

"""`gpulingo play`: its help. The player itself stays on the light path, which reads its own arguments."""

from __future__ import annotations

from dataclasses import MISSING
from typing import Annotated, Any

import typer

from gpulingo.cli.options import argument
from gpulingo.cli.panels import Panelled
from gpulingo.player.options import HOST, LENGTH, LETTER, PLAYER


class Unparsed(Panelled):
    """A command that leaves its arguments to the light path, so that every way to call it acts the same.

    The shell's completion reads them here, as for any command.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Keep the arguments as they are, unless help is asked for."""
        if ctx.resilient_parsing:
            return super().parse_args(ctx, args)
        if {"--help", "-h"}.intersection(args):
            return super().parse_args(ctx, ["--help"])
        ctx.args = list(args)
        return []


def play(
    context: typer.Context,
    word_length: str = argument("N", LENGTH, default=MISSING),
    **read_elsewhere: Annotated[Any, PLAYER + HOST + LETTER],
) -> None:
    """Play at the terminal, or run as a pit player on pipes.

    At a terminal it guesses and asks for the marks; with --host honest it draws a word, and you guess. On
    pipes it writes a guess per line and reads its marks. `gpulingo help games` has the rules of all hosts.
    """
    from gpulingo.player.protocol import complain, run

    def load_engine() -> Any:
        from gpulingo.strategies import history
        from gpulingo.tensors.clock import when_compiling

        when_compiling(complain)
        return history

    raise typer.Exit(run(context.args, load_engine))

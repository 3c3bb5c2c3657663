"""`gpulingo play`: its help. The player itself stays on the light path, which reads its own arguments."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from gpulingo.cli import options
from gpulingo.player.arguments import FLAGS, LENGTH, OPTIONS


class Unparsed(TyperCommand):
    """A command that leaves its arguments to the light path, so that every way to call it acts the same.

    The shell's completion reads them here, as of any command.
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
    length: Annotated[str, typer.Argument(metavar="N", help=LENGTH, show_default=False)],
    checkpoint: Annotated[str | None, typer.Option(metavar="FILE.npz", help=OPTIONS["checkpoint"])] = None,
    wordlist: Annotated[str | None, typer.Option(metavar="FILE", help=OPTIONS["wordlist"])] = None,
    targets: Annotated[str | None, typer.Option(metavar="FILE|LEVEL", help=OPTIONS["targets"])] = None,
    strategy: Annotated[
        str | None, typer.Option(metavar="NAME", help=OPTIONS["strategy"], autocompletion=options.a_strategy)
    ] = None,
    game: Annotated[str | None, typer.Option(metavar="NAME", help=OPTIONS["game"])] = None,
    hard: options.Hard = False,
    consistent: options.Consistent = False,
    device: Annotated[
        str, typer.Option(metavar="NAME", help=OPTIONS["device"], autocompletion=options.a_device)
    ] = "auto",
    search: Annotated[bool, typer.Option("--search", help=FLAGS["search"])] = False,
) -> None:
    """Play one round of the Lingo pit on stdin and stdout."""
    from gpulingo.player.protocol import complain, run

    def load_engine() -> Any:
        from gpulingo.strategies import history
        from gpulingo.tensors.clock import when_compiling

        when_compiling(complain)
        return history

    raise typer.Exit(run(context.args, load_engine))

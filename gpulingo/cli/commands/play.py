"""`gpulingo play`: its help. The player itself stays on the light path, which reads its own arguments."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from gpulingo.cli.signatures import with_options
from gpulingo.player.options import HOST, LENGTH, LETTER, PLAYER


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


@with_options(PLAYER + HOST + LETTER)
def play(
    context: typer.Context,
    word_length: Annotated[str, typer.Argument(metavar="N", help=LENGTH, show_default=False)],
    **read_elsewhere: Any,
) -> None:
    """Play a round, or host one.

    At a terminal it is a conversation: the program guesses and asks for the marks, and help says what else
    can be typed; with --host honest it draws a word of lingo or wordle, and you guess. On pipes it is the
    pit's player: a guess a line, its marks a line.

    With --game absurdle or --game evil-wordle you guess: each line of input is a guess, its marks are a line
    of the answer, until the word is found. Absurdle's host keeps the largest class, and of equal ones that of
    fewest placed letters, then of fewest misplaced ones, then of the first marks in the order X, ?, O. Evil
    Wordle's keeps the class that takes most guesses: by a search of every guess where that is quick and at
    most 12 words would be left, else the one of which the best of up to 20 of its own words leaves most.

    With --game hangman each line of input shows a word as far as its letters are known, as _ i _ _, and the
    answer asks for a letter; the same line again says that the word has none. With --host you guess, a letter
    a line, and the answer is the word as far as it is shown, misses and lives. Host honest has drawn a word,
    largest keeps as many words as it can, diversity those with most different letters not guessed yet.
    """
    from gpulingo.player.protocol import complain, run

    def load_engine() -> Any:
        from gpulingo.strategies import history
        from gpulingo.tensors.clock import when_compiling

        when_compiling(complain)
        return history

    raise typer.Exit(run(context.args, load_engine))

"""`gpulingo play`: its help. The player itself stays on the light path, which reads its own arguments."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from gpulingo.cli import options
from gpulingo.hosts.arguments import FLAGS as HOST_FLAGS
from gpulingo.hosts.arguments import OPTIONS as HOST_OPTIONS
from gpulingo.hosts.letter_arguments import FLAGS as LETTER_FLAGS
from gpulingo.hosts.letter_arguments import OPTIONS as LETTER_OPTIONS
from gpulingo.hosts.letter_host import HOSTS
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
    word_length: Annotated[str, typer.Argument(metavar="N", help=LENGTH, show_default=False)],
    checkpoint: Annotated[str | None, typer.Option(metavar="FILE.npz", help=OPTIONS["checkpoint"])] = None,
    wordlist: Annotated[str | None, typer.Option(metavar="FILE", help=OPTIONS["wordlist"])] = None,
    targets: Annotated[str | None, typer.Option(metavar="FILE|LEVEL", help=OPTIONS["targets"])] = None,
    without: options.Without = None,
    strategy: Annotated[
        str | None, typer.Option(metavar="NAME", help=OPTIONS["strategy"], autocompletion=options.a_strategy)
    ] = None,
    game: Annotated[str | None, typer.Option(metavar="NAME", help=OPTIONS["game"])] = None,
    rule: options.Rule = "",
    letter: Annotated[str, typer.Option(metavar="LETTER", help=OPTIONS["letter"])] = "",
    device: Annotated[
        str, typer.Option(metavar="NAME", help=OPTIONS["device"], autocompletion=options.a_device)
    ] = "auto",
    search: Annotated[bool, typer.Option("--search", help=FLAGS["search"])] = False,
    length: Annotated[str | None, options.lengths_option(HOST_OPTIONS["length"])] = None,
    seed: Annotated[str, typer.Option(metavar="NUMBER", help=HOST_OPTIONS["seed"])] = "0",
    tell: Annotated[bool, typer.Option("--tell", help=HOST_FLAGS["tell"])] = False,
    host: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help=LETTER_OPTIONS["host"], autocompletion=options.one_of(*HOSTS, "exact")
        ),
    ] = None,
    lives: Annotated[str, typer.Option(metavar="NUMBER", help=LETTER_OPTIONS["lives"])] = "6",
    loop: Annotated[bool, typer.Option("--loop", help=LETTER_FLAGS["loop"])] = False,
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

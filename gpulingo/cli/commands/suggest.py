"""`gpulingo suggest`: its help. What answers stays on the light path, which reads its own arguments."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from gpulingo.advice.arguments import FLAGS, OPTIONS
from gpulingo.advice.notation import FORMS
from gpulingo.cli import options

HISTORY = f"Each guess with its marks, as crane:X?XXO; marks as {FORMS}, letters of hangman as e:_O__."


def suggest(
    context: typer.Context,
    history: Annotated[
        list[str] | None, typer.Argument(metavar="GUESS:MARKS", help=HISTORY, show_default=False)
    ] = None,
    game: Annotated[
        str, typer.Option(metavar="NAME", help=OPTIONS["game"], autocompletion=options.a_game)
    ] = "lingo",
    length: Annotated[str | None, options.lengths_option(OPTIONS["length"])] = None,
    colours: Annotated[str | None, typer.Option(metavar="N", help=OPTIONS["colours"])] = None,
    wordlist: Annotated[str | None, typer.Option(metavar="FILE", help=OPTIONS["wordlist"])] = None,
    targets: Annotated[
        str | None,
        typer.Option(metavar="FILE|LEVEL", help=OPTIONS["targets"], autocompletion=options.a_level),
    ] = None,
    without: options.Without = None,
    weights: Annotated[str | None, typer.Option(metavar="FILE.tsv|levels", help=OPTIONS["weights"])] = None,
    rule: options.Rule = "",
    letter: Annotated[str, typer.Option(metavar="LETTER", help=OPTIONS["letter"])] = "",
    top: Annotated[
        str | None,
        typer.Option(
            metavar="NUMBER", help=OPTIONS["top"], show_default="the tree's one, 10 where it has none"
        ),
    ] = None,
    every_left: Annotated[bool, typer.Option("--all", help=FLAGS["all"])] = False,
    every: Annotated[bool, typer.Option("--every", help=FLAGS["every"])] = False,
    search: Annotated[bool, typer.Option("--search", help=FLAGS["search"])] = False,
    time: Annotated[str, typer.Option(metavar="TIME", help=OPTIONS["time"])] = "2",
    device: Annotated[
        str, typer.Option(metavar="NAME", help=OPTIONS["device"], autocompletion=options.a_device)
    ] = "auto",
    as_json: options.Json = False,
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

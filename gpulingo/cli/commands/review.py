"""`gpulingo review`: what the choices of a played round lost and what its marks gave; many from a file."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from gpulingo.cli import options
from gpulingo.games.catalogue import LINGO

PLAYED = "Guesses with their marks, for example crane:X?XXO; or see --target."

Words = Annotated[
    str,
    typer.Option(metavar="WORD,..", help="With a share text on stdin: its guesses, in order."),
]
Target = Annotated[str, typer.Option(metavar="WORD", help="The answer; guesses then need no marks.")]
File = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Many rounds, one per line: guesses with marks, or target and guesses.",
    ),
]
Letter = Annotated[str, typer.Option(metavar="LETTER", help="The given first letter, with --first-letter.")]
Out = Annotated[
    Path | None, typer.Option(metavar="FILE.html", help="Also write the review as a page, with a chart.")
]
LONGEST = 1000  # characters of a round that the page's command line shows


def review(
    played: Annotated[
        list[str] | None,
        typer.Argument(metavar="GUESS:MARKS", help=PLAYED, show_default=False),
    ] = None,
    words: Words = "",
    target: Target = "",
    file: File = None,
    game: options.Game = LINGO,
    wordlist: options.Wordlist = None,
    targets: options.Targets = None,
    colours: options.Colours = None,
    without: options.Without = None,
    weights: options.Weights = None,
    rule: options.Rule = "",
    letter: Letter = "",
    time: options.Time = None,
    device: options.Device = "auto",
    out: Out = None,
    as_json: options.Json = False,
) -> None:
    """Review a finished round guess by guess.

    Without guesses it reads a round, or a share text, from stdin. The value at the start, with what choices
    and luck cost or saved, gives the result exactly. For a file it prints means.
    """
    from gpulingo.cli.errors import WrongUsage
    from gpulingo.cli.games import chosen_game
    from gpulingo.cli.pages import Page
    from gpulingo.cli.reviews import Asked, print_many, print_one

    rules = chosen_game(game, rule=rule, gives=True)
    given = {
        "--words": words, "--target": target, "--file": file, "--game": rules.code, "--wordlist": wordlist,
        "--targets": targets, "--without": without, "--weights": weights,
        "--colours": colours, "--letter": letter, "--time": time, "--out": out,
    }  # fmt: skip
    page = Page(out, _command(played or [], given)) if out else None
    asked = Asked(rules, wordlist, targets, without, weights, letter.lower(), device, time, page, colours)
    if file and (played or words or target):
        raise WrongUsage(f"--file {file} and a round: give one of them")
    if page:
        page.check(file)
    if file is None:
        print_one(asked, asked.given(played or [], words, target), as_json)
        return
    code = print_many(asked, file, as_json)
    if code:
        raise typer.Exit(code)


def _command(played: list[str], given: Mapping[str, Any]) -> str:
    """The command line, to be shown on the page; a long round is left out."""
    round_ = played if sum(map(len, played)) <= LONGEST else []
    options_ = [word for option, value in given.items() if value for word in (option, str(value))]
    return shlex.join(["gpulingo", "review", *round_, *options_])

"""`gpulingo review`: losses by the choices of a played round and gains by its marks; many from a file."""

from __future__ import annotations

import shlex

import typer

from gpulingo.cli import options
from gpulingo.cli.errors import WrongUsage, need_report
from gpulingo.cli.games import chosen_game
from gpulingo.cli.options import argument
from gpulingo.cli.run import FORM, check_destination
from gpulingo.cli.wording import typed
from gpulingo.games.game import Game

PLAYED = "Guesses with marks, such as crane:BYBBG, or a share text; or stdin."
LONGEST = 1000  # most characters of a round in the page's command line


def review(
    played: list[str] | None = argument("GUESS:MARKS", PLAYED),
    *,
    own: options.RoundOptions,
    as_json: bool = options.JSON,
) -> None:
    """Review a finished round guess by guess, or many rounds."""
    from gpulingo.cli.reviews import Asked, print_file, print_one, print_player

    game, file = chosen_game(own.game, own.turns, rule=own.hints.rule, gives=True), own.file
    asked = Asked(own, game, _command(played or [], own, game))
    many = f"--file {file}" if file else "--player" if own.player is not None else ""
    if many and (played or own.words or own.target):
        raise WrongUsage(f"{many} and a round: give one of them")
    if file and own.player is not None:
        raise WrongUsage(f"--file {file} and --player: give one of them")
    if own.player_name is not None and not file:
        raise WrongUsage("--player-name without --file: give the file of a match, or leave it out")
    for name in ("rounds", "all_words"):
        if getattr(own, name) and own.player is None:
            raise WrongUsage(f"--{name.replace('_', '-')} without --player: leave it out")
    if own.out:
        need_report()
        check_destination(own.out, [file], FORM)
    if not many:
        print_one(asked, asked.given(played or []), as_json)
        return
    if code := print_file(asked, file, as_json) if file else print_player(asked, as_json):
        raise typer.Exit(code)


def _command(played: list[str], own: options.RoundOptions, game: Game) -> str:
    """Return the command line for the page; a long round is left out."""
    round_ = played if sum(map(len, played)) <= LONGEST else []
    name, rule = typed(game)
    given = vars(own) | {"game": f"{name}{game.turns}", "turns": None, "hints": None, "device": None}
    given |= dict.fromkeys([] if own.player else ["jobs", "timeout"])
    options_ = [
        word for name, value in given.items() if value
        for word in (f"--{name.replace('_', '-')}", *([] if value is True else [str(value)]))
    ]  # fmt: skip
    return shlex.join(["gpulingo", "review", *round_, *options_, *rule.split()])

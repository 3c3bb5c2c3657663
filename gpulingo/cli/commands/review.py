"""`gpulingo review`: losses by the choices of a played round and gains by its marks; many from a file."""

from __future__ import annotations

import typer

from gpulingo.cli import options
from gpulingo.cli.errors import WrongUsage
from gpulingo.cli.games import chosen_game
from gpulingo.cli.options import argument
from gpulingo.games.catalogue import on_boards

PLAYED = "Guesses with marks, such as crane:BYBBG, or a share text; or stdin."


def review(
    played: list[str] | None = argument("GUESS:MARKS", PLAYED),
    *,
    own: options.RoundOptions,
    as_json: bool = options.JSON,
) -> None:
    """Review a finished round guess by guess, or many rounds."""
    from gpulingo.cli.reviews import Asked, print_boards, print_file, print_one, print_player

    name, file = on_boards(own.game, own.boards), own.file
    game = chosen_game(name, own.turns, rule=own.hints.rule, gives=True, boards=None)
    asked = Asked(own, game)
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
    if many and game.boards > 1:
        raise WrongUsage(f"{many} with {game.boards} boards: give one round")
    if game.boards > 1:
        print_boards(asked, played or [], as_json)
        return
    if not many:
        print_one(asked, asked.given(played or []), as_json)
        return
    if code := print_file(asked, file, as_json) if file else print_player(asked, as_json):
        raise typer.Exit(code)

"""`gpulingo review`: losses by the choices of a played round and gains by its marks; many from a file."""

from __future__ import annotations

import typer

from gpulingo.cli import options
from gpulingo.cli.errors import WrongUsage
from gpulingo.cli.options import argument

PLAYED = "Guesses with marks, such as crane:BYBBG, or a share text; or stdin."


def review(
    played: list[str] | None = argument("GUESS:MARKS", PLAYED),
    *,
    args: options.RoundOptions,
    as_json: bool = options.JSON,
) -> None:
    """Review a finished round guess by guess, or many rounds."""
    from gpulingo.cli.reviews import Asked, print_boards, print_file, print_one, print_player

    file, game = args.file, args.chosen(gives=True, boards=args.boards)
    adviser = Asked(args, game)
    many = f"--file {file}" if file else "--player" if args.player is not None else ""
    if many and (played or args.words or args.target):
        raise WrongUsage(f"{many} and a round: give one of them")
    if file and args.player is not None:
        raise WrongUsage(f"--file {file} and --player: give one of them")
    if args.player_name is not None and not file:
        raise WrongUsage("--player-name without --file: give the file of a match, or leave it out")
    for name in ("rounds", "all_words", "seed", "jobs", "timeout"):
        if getattr(args, name) != getattr(options.RoundOptions, name) and args.player is None:
            raise WrongUsage(f"--{name.replace('_', '-')} without --player: leave it out")
    if many and game.boards > 1:
        raise WrongUsage(f"{many} with {game.boards} boards: give one round")
    if game.boards > 1:
        print_boards(adviser, played or [], as_json)
        return
    if not many:
        print_one(adviser, adviser.given(played or []), as_json)
        return
    if code := print_file(adviser, file, as_json) if file else print_player(adviser, as_json):
        raise typer.Exit(code)

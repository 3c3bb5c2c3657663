"""`gpulingo review`: losses by the choices of a played round and gains by its marks; many from a file."""

from __future__ import annotations

import typer

from gpulingo.cli.options import RoundOptions, argument
from gpulingo.storage.faults import refuse

PLAYED = "Guesses with marks, such as crane:BYBBG, or a share text; or stdin."
OF_PLAYERS = "rounds", "all_words", "seed", "jobs", "timeout"


def review(played: list[str] | None = argument("GUESS:MARKS", PLAYED), *, args: RoundOptions) -> None:
    """Review a finished round guess by guess, or many rounds."""
    from gpulingo.cli.reviews import Asked, print_file, print_player, print_round

    file, game = args.file, args.chosen(gives=True, boards=args.boards)
    adviser, without = Asked(args, game), args.player is None
    many = f"--file {file}" if file else "" if without else "--player"
    own = [name for name in OF_PLAYERS if getattr(args, name) != getattr(RoundOptions, name)]
    refuse({
        f"{many} and a round: give one of them": many and (played or args.words or args.target),
        f"--file {file} and --player: give one of them": file and not without,
        "--player-name without --file: give the file of a match, or leave it out":
            args.player_name is not None and not file,
        **{f"--{name.replace('_', '-')} without --player: leave it out": without for name in own},
        f"{many} with {game.boards} boards: give one round": many and game.boards > 1,
    })  # fmt: skip
    if not many:
        print_round(adviser, played or [])
    elif code := print_file(adviser, file) if file else print_player(adviser):
        raise typer.Exit(code)

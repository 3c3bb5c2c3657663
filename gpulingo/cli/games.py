"""Which game a command plays: `--game` and `--turns` become one `Game`; lingo where neither is given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpulingo.cli.errors import WrongUsage, wrong_usage
from gpulingo.games.catalogue import BY_NAME, UnknownGameError, find_game
from gpulingo.player.names import meant

if TYPE_CHECKING:
    from gpulingo.games.game import Game
    from gpulingo.trees.tree import Tree

MOST_TURNS = 20  # that a command plays


def chosen_game(
    name: str, turns: int | None = None, *, hard: bool = False, least: int = 1, instead: str = ""
) -> Game:
    """The game that the options name.

    Args:
        name: of `--game`, with turns or without. turns: of `--turns`, None where it was not given.
        hard: whether `--hard` was given, which `--game NAME-hard` is too.
        least: turns that the command needs. instead: what to do with fewer.
    Raises:
        WrongUsage: there is no such game, the two name different turns, so many are not played, or the game
            has another rule of what may be guessed.
    """
    with wrong_usage("--game"):
        try:
            game = find_game(name, turns)
        except UnknownGameError as error:
            near = meant(name.rstrip("0123456789"), tuple(BY_NAME))
            raise UnknownGameError(f"{near}{error}") from None
    if hard and game.legal not in ("any", "hard"):
        raise WrongUsage(f"--hard with --game {name}, which has a rule of its own: leave one out")
    if hard and game.legal == "any":
        game = game.under("hard")
    given = f"--game {name}" if turns is None else f"--turns {turns}"
    if game.turns < least:
        raise WrongUsage(f"{given}, expected at least {least}{instead and f': {instead}'}")
    if game.turns > MOST_TURNS:
        raise WrongUsage(f"{given}, expected at most {MOST_TURNS} turns")
    return game


def check_game(name: str | None, tree: Tree, path: str) -> None:
    """Check that a tree is of the game that was named, if one was.

    Raises:
        WrongUsage: it is of another, or there is no such game.
    """
    if name is None:
        return
    wanted, own = chosen_game(name), tree.game
    if wanted.name != own.name or (name != wanted.name and wanted.turns != own.turns):
        raise WrongUsage(f"--game {name}: {path} is of {own.code}: leave it out")

"""The game of a command: `--game`, `--turns` and a rule become one `Game`; the default is lingo."""

from __future__ import annotations

from gpulingo.cli.errors import WrongUsage, wrong_usage
from gpulingo.cli.request import under_rule
from gpulingo.games.catalogue import find_game, on_boards, one_board, typed_name
from gpulingo.games.game import Game

MOST_TURNS = 20  # limit of a command
WHERE_GIVEN = "use simulate, compare, prove --tree-only, show, words or play"


def chosen_game(
    name: str,
    turns: int | None = None,
    *,
    rule: str = "",
    gives: bool = False,
    boards: int | None = 1,
    least: int = 1,
    instead: str = "",
) -> Game:
    """Return the game that the options name.

    Args:
        gives: whether the command supports games that give a letter.
        boards: 1 if the command knows no more; None: those of the game.
        least: least turns that the command supports.
        instead: what to do with fewer.
    """
    with wrong_usage("--game"):
        game = find_game(typed_name(on_boards(name, boards)), turns)
        game = one_board(game) if boards == 1 else game
    game = under_rule(game, rule)
    if game.given and not gives:
        raise WrongUsage(f"--game {name} gives the first letter: {WHERE_GIVEN}")
    given = f"--game {name}" if turns is None else f"--turns {turns}"
    if game.turns < least and not game.counts_misses:
        raise WrongUsage(f"{given}, expected at least {least}{instead and f': {instead}'}")
    if game.turns >= MOST_TURNS + game.boards:
        raise WrongUsage(f"{given}, expected at most {MOST_TURNS} turns")
    return game


def check_marks(game: Game, what: str) -> None:
    if not game.shows_marks:
        raise WrongUsage(f"--game {game.code}: {what} needs a game with marks")


def check_words_guessed(game: Game, instead: str) -> None:
    if game.guesses_letters:
        raise WrongUsage(f"--game {game.code}, where letters are guessed: {instead}")

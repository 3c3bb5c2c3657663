"""Values of options: the game that they name, and numbers: `5`, `4-13`, `4,6-8`, `10m`, `4G`.

Those of options raise a UsageError with what was seen and what is valid.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple, TypeVar

from gpulingo.cli.errors import wrong_usage
from gpulingo.cli.request import scaled, under_rule, whole_number
from gpulingo.games.catalogue import find_game, on_boards, one_board, typed_name
from gpulingo.games.game import Game
from gpulingo.games.marks import LONGEST
from gpulingo.storage.faults import refuse

T = TypeVar("T", int, float)
MOST_TURNS = 20  # limit of a command
WHERE_GIVEN = "use simulate, compare, prove --tree-only, show, words or play"


def chosen_game(
    name: str,
    turns: int | None = None,
    *,
    rule: str = "",
    gives: bool = False,
    boards: int | None = 1,
    fewer: str = "",
) -> Game:
    """Return the game that the options name.

    Args:
        gives: whether the command supports games that give a letter.
        boards: 1 if the command knows no more; None: those of the game.
        fewer: what to do with fewer than 3 turns; empty if the command supports them.
    """
    with wrong_usage("--game"):
        game = find_game(typed_name(on_boards(name, boards)), turns)
        game = one_board(game) if boards == 1 else game
    game = under_rule(game, rule)
    given = f"--game {name}" if turns is None else f"--turns {turns}"
    refuse({
        f"--game {name} gives the first letter: {WHERE_GIVEN}": game.given and not gives,
        f"{given}, expected at least 3: {fewer}": fewer and game.turns < 3 and not game.counts_misses,
        f"{given}, expected at most {MOST_TURNS} turns": game.turns >= MOST_TURNS + game.boards,
    })  # fmt: skip
    return game


def check_marks(game: Game, what: str) -> None:
    has_marks = game.shows_marks or game.guesses_letters
    refuse({f"--game {game.code}: {what} needs a game with marks": not has_marks})


def check_words_guessed(game: Game, instead: str) -> None:
    refuse({f"--game {game.code}, where letters are guessed: {instead}": game.guesses_letters})


def parsed_numbers(text: str, what: str, most: int) -> list[int]:
    """Return the numbers from 1 of a text such as 4,6-8, each once, in order; `what` names one."""
    form = f"write {what}s as 5, 4-13 or 4,6-8"
    numbers: list[int] = []
    for part in text.split(","):
        ends = [whole_number(end.strip()) for end in part.split("-")]
        first, last = ends[0], ends[-1]
        refuse({
            f"{text!r} is not a {what}: {form}": len(ends) > 2 or -1 in ends,
            f"{text!r} has a range from {first} to {last}: write the smaller {what} first": first > last,
            f"{text!r} has {what}s outside 1 to {most}: {form}": first < 1 or last > most,
        })  # fmt: skip
        numbers += range(first, last + 1)
    return list(dict.fromkeys(numbers))


def parsed_lengths(text: str | int, option: str = "--length") -> list[int]:
    """Word lengths of the text of an option, 1 to 39 letters."""
    with wrong_usage(option):
        return parsed_numbers(str(text), "length", LONGEST)


def within(number_of: Callable[[str], T], least: float, most: float, what: str) -> Callable[[str], T]:
    """Return a parser of a number in a range, for an option; an error says what it should be."""

    def parsed(text: str) -> T:
        number = number_of(text)
        refuse({f"{text!r} is not {what}": not least <= number <= most})
        return number

    return parsed


def between(least: int, most: int) -> Callable[[str], int]:
    return within(whole_number, least, most, f"a whole number from {least} to {most}")


def seconds_between(least: float, most: float) -> Callable[[str], float]:
    """Return a parser of times such as 90s, 10m or 2h, in seconds, for an option."""
    what = f"a time from {least:g}s to {most / 3600:g}h: write it as 90s, 10m or 2h"
    return within(lambda text: scaled(text, {"s": 1.0, "m": 60.0, "h": 3600.0}), least, most, what)


SIZE = "a size: use bytes or a suffix, for example 500M or 4G"
SUFFIXES = {"k": 2.0**10, "m": 2.0**20, "g": 2.0**30}
memory_bytes = within(lambda text: int(scaled(text, SUFFIXES)), 0, math.inf, SIZE)
points_number = within(lambda text: scaled(text, {}), 0, math.inf, "a number of points, 0 or more")


def memory_text(size: int) -> str:
    return f"{size / 2**30:.1f} GiB" if size >= 2**29 else f"{size / 2**20:.1f} MiB"


class Part(NamedTuple):
    number: int
    parts: int


def a_part(text: str) -> Part:
    number, parts = (whole_number(part) for part in text.partition("/")[::2])
    refuse({
        f"{text!r} is not a part: write for example 2/8, the second of eight": -1 in (number, parts),
        f"{text!r} is not a part: the first number is from 1 up to the second": not 1 <= number <= parts,
    })  # fmt: skip
    return Part(number, parts)


def parsed_widths(text: str, turns: int) -> dict[int, int]:
    """Return guesses to expand by turns left, from a text such as 5:50,4:20,3:10."""
    widths: dict[int, int] = {}
    for part in text.split(","):
        left, width = (whole_number(number) for number in part.partition(":")[::2])
        form = f"write turns left, 3 to {turns}, and guesses, for example 5:50,4:20,3:10"
        refuse({
            f"{text[:40]!r}: {form}": not (3 <= left <= turns and width > 0),
            f"{text!r} has {left} turns left twice: name each once": left in widths,
        })  # fmt: skip
        widths[left] = width
    return widths

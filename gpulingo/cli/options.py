"""Options of commands: one name, help text, range, default and completion each, in groups; and their values.

A command takes a group as one object; `spread` replaces the group by its fields. Values: a game, and numbers
such as `5`, `4-13`, `4,6-8`, `10m`, `4G`; a UsageError has what was seen and what is valid.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from functools import partial, wraps
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeVar, dataclass_transform, get_type_hints

import typer

from gpulingo.cli import request
from gpulingo.cli.errors import wrong_usage
from gpulingo.cli.request import HOSTS, OPTIONS, SHORT, SPELLINGS, Request, Ruled
from gpulingo.games import catalogue
from gpulingo.games.catalogue import LINGO, MOST_BOARDS, is_of_codes, is_of_wordle
from gpulingo.games.game import Game
from gpulingo.games.marks import LONGEST
from gpulingo.match.referee import USUAL_TIMEOUT
from gpulingo.optimise import MEMORY as USUAL_MEMORY
from gpulingo.player.question import DEVICES, NAMES, TUNED, USUAL_LENGTH, USUAL_PEGS
from gpulingo.storage.faults import UsageError, refuse
from gpulingo.trees.checkpoint import BEST
from gpulingo.words.targets import BY_LEVEL
from gpulingo.words.targets import NAMES as TARGET_NAMES

T = TypeVar("T")
Number = TypeVar("Number", int, float)
HOUR = 3600  # seconds
Completion = Callable[[str], list[str]]
MOST_TURNS = 20  # limit of a command
WHERE_GIVEN = "use simulate, compare, prove --tree-only, show, words or play"


def chosen_game(
    name: str, turns: int | None = None, *, rule: str = "", gives: bool = False, boards: int | None = 1,
    fewer: str = "",
) -> Game:  # fmt: skip
    """Return the game that the options name.

    Args:
        gives: whether the command supports games that give a letter.
        boards: 1 if the command knows no more; None: those of the game.
        fewer: what to do with fewer than 3 turns; empty if the command supports them.
    """
    with wrong_usage("--game"):
        game = catalogue.find_game(catalogue.typed_name(catalogue.on_boards(name, boards)), turns)
        game = catalogue.one_board(game) if boards == 1 else game
    game = request.under_rule(game, rule)
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
        ends = [request.whole_number(end.strip()) for end in part.split("-")]
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


def within(
    number_of: Callable[[str], Number], least: float, most: float, what: str
) -> Callable[[str], Number]:
    """Return a parser of a number in a range, for an option; an error says what it should be."""

    def parsed(text: str) -> Number:
        number = number_of(text)
        refuse({f"{text!r} is not {what}": not least <= number <= most})
        return number

    return parsed


def between(least: int, most: int) -> Callable[[str], int]:
    return within(request.whole_number, least, most, f"a whole number from {least} to {most}")


def seconds_between(least: float, most: float) -> Callable[[str], float]:
    """Return a parser of times such as 90s, 10m or 2h, in seconds, for an option."""
    what = f"a time from {least:g}s to {most / 3600:g}h: write it as 90s, 10m or 2h"
    return within(lambda text: request.scaled(text, {"s": 1.0, "m": 60.0, "h": 3600.0}), least, most, what)


SIZE = "a size: use bytes or a suffix, for example 500M or 4G"
SUFFIXES = {"k": 2.0**10, "m": 2.0**20, "g": 2.0**30}
memory_bytes = within(lambda text: int(request.scaled(text, SUFFIXES)), 0, math.inf, SIZE)
points_number = within(lambda text: request.scaled(text, {}), 0, math.inf, "a number of points, 0 or more")


def memory_text(size: int) -> str:
    return f"{size / 2**30:.1f} GiB" if size >= 2**29 else f"{size / 2**20:.1f} MiB"


class Part(NamedTuple):
    number: int
    parts: int


def a_part(text: str) -> Part:
    number, parts = (request.whole_number(part) for part in text.partition("/")[::2])
    refuse({
        f"{text!r} is not a part: write for example 2/8, the second of eight": -1 in (number, parts),
        f"{text!r} is not a part: the first number is from 1 up to the second": not 1 <= number <= parts,
    })  # fmt: skip
    return Part(number, parts)


def parsed_widths(text: str, turns: int) -> dict[int, int]:
    """Return guesses to expand by turns left, from a text such as 5:50,4:20,3:10."""
    widths: dict[int, int] = {}
    for part in text.split(","):
        left, width = (request.whole_number(number) for number in part.partition(":")[::2])
        form = f"write turns left, 3 to {turns}, and guesses, for example 5:50,4:20,3:10"
        refuse({
            f"{text[:40]!r}: {form}": not (3 <= left <= turns and width > 0),
            f"{text!r} has {left} turns left twice: name each once": left in widths,
        })  # fmt: skip
        widths[left] = width
    return widths


def one_of(*names: str) -> Completion:
    return lambda incomplete: [name for name in names if name.startswith(incomplete)]


def several_of(*names: str) -> Completion:
    """Return a completion of the last of comma-separated names, each used once."""

    def completed(incomplete: str) -> list[str]:
        before, comma, last = incomplete.rpartition(",")
        given = before.split(",")
        return [f"{before}{comma}{name}" for name in names if name.startswith(last) and name not in given]

    return completed


def option(
    metavar: str, text: str, *names: str, default: Any = None, shown: str | bool = True,
    among: Completion | None = None, parser: Callable[..., Any] | None = None, kind: Any = typer.Option,
    **more: Any,
) -> Any:  # fmt: skip
    """Return the field of an option, in a group or as the default of a parameter.

    Args:
        metavar: of its value; empty for a flag, in brackets if the value is optional.
        names: its spellings; without a long one the field's name comes first.
        default: MISSING if it is required. shown: the default as text.
        among: completes a value; None: by the field's name in COMPLETIONS, if any.
    """
    told: dict[str, Any] = {"metavar": metavar or None, "help": text, "show_default": shown}
    told["parser"] = parser and partial(_parsed, parser)
    metadata = {"made": partial(kind, **told, **more), "names": names, "among": among}
    return field(default=default if metavar else False, metadata=metadata)


def _parsed(parser: Callable[[str], Any], value: Any) -> Any:
    """Return the parsed value of an option; a default is a value already."""
    try:
        return parser(value) if isinstance(value, str) else value
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def argument(metavar: str, text: str, **more: Any) -> Any:
    return option(metavar, text, shown=False, kind=typer.Argument, **more)


@dataclass_transform(kw_only_default=True, frozen_default=True)
def group(kind: type[T]) -> type[T]:
    """Make a class of options: a frozen dataclass without comparison, which takes time to generate."""
    return dataclass(frozen=True, kw_only=True, eq=False, repr=False)(kind)


COMPLETIONS = {
    "game": one_of(*catalogue.GAMES), "targets": one_of(*TARGET_NAMES), "device": one_of(*DEVICES),
    "strategy": one_of(*NAMES, TUNED, BEST), "weights": one_of(BY_LEVEL),
}  # fmt: skip


def light_option(name: str) -> Any:
    """Return the field of an option from the table of `play` and `suggest`."""
    stated = OPTIONS[name]
    names = [f"--{alias}" for alias in (name, *(alias for alias, long in SPELLINGS.items() if long == name))]
    names += [short for short, long in SHORT.items() if long == names[0]]
    usual = vars(Request()).get(name)
    default = f"{usual}".removesuffix(".0") if usual else None
    among = one_of(*HOSTS, "exact") if name == "host" else None
    return option(stated.metavar, stated.text, *names, default=default, among=among)


def turns_option(least: int) -> Any:
    """Return the option for the turns of a round, for a command that needs at least `least`."""
    text = f"Guesses allowed, {least} to {MOST_TURNS}; hangman: misses."
    names = ("--turns", "--lives")[: 2 if least == 1 else 1]  # commands that need more turns have no lives
    return option("NUMBER", text, *names, shown="5 or 6", parser=between(least, MOST_TURNS))


def lengths_option(text: str, **kinds: Any) -> Any:
    return option("N", text, "--length", "--lengths", "--pegs", **kinds)


def one_length(text: str) -> int:
    try:
        lengths = parsed_lengths(text)
    except ValueError:
        raise ValueError(f"{text!r} is not a length: give one from 1 to {LONGEST}") from None
    refuse({f"{text!r} is {len(lengths)} lengths: give one, as in --length {lengths[0]}": len(lengths) > 1})
    return lengths[0]


def cluster_address(text: str) -> str:
    from gpulingo.machines.ray_tasks import checked_address

    return checked_address(text)


# Options of several commands; each is a field of the same name in all of them.
BOARDS = option(
    "N", "Words to find at once, each on its board.", shown="by game", parser=between(2, MOST_BOARDS)
)
WORDLIST = option("FILE", "Words to guess from.", "-w", shown="wordlist.txt or embedded")
SAME = option("A=B,..", OPTIONS["same"].text, default="", shown=False)
WITHOUT = light_option("without")
GAME = option("NAME", "Game; see `gpulingo help games`.", "-g", default=LINGO)
LETTER = option("LETTER", "The given first letter, with --first-letter.", default="")
DEVICE = light_option("device")
SEED = option("NUMBER", "Random seed.", default=0, parser=between(0, 2**63 - 1))
TIME = option(
    "TIME", "Stop after 90s, 10m or 2h and print the results so far.",
    parser=seconds_between(0, 1000 * HOUR),
)  # fmt: skip
MEMORY = option(
    "SIZE", "Memory limit of tables, for example 500M.", default=USUAL_MEMORY, shown="4G", parser=memory_bytes
)
RAY = option(
    "[ADDRESS]", "Run on a Ray cluster: HOST:PORT, or local.", shown="no cluster", parser=cluster_address
)
OUT = option("FILE.jsonl", "Append each result to this file, one JSON object per line.")
RESUME = option("", "Skip what the file of --out has, and continue.")


@group
class Length:
    """A length, which may also be given by position."""

    n: Any = argument("N", "Word length, one.", parser=one_length)
    length: Any = lengths_option("The same as an option.", parser=one_length)

    def lengths_for(self, game: str, command: str) -> list[int]:
        """Return what is given; the default of codes, and of Wordle and its hosts."""
        given = list(dict.fromkeys(number for number in (self.n, self.length) if number is not None))
        fault = f"length given twice, as {self.n} and as --length {self.length}"
        refuse({f"{fault}: keep one": len(given) > 1})
        if not given and not (is_of_codes(game) or is_of_wordle(game)):
            raise UsageError(f"no word length: give one, for example `gpulingo {command} 5`")
        return parsed_lengths(given[0] if given else USUAL_PEGS if is_of_codes(game) else USUAL_LENGTH)


@group
class Lengths(Length):
    n: str | None = argument("N", "Word length: 5, 4-13 or 4,6-8.")
    length: str | None = lengths_option("The same as an option: 5, 4-13 or 4,6-8.")


@group
class Listed:
    wordlist: Path | None = WORDLIST
    targets: str | None = option("FILE|LEVEL", "Possible answers: a file, a level, all.", shown="by game")


@group
class Lettered(Listed):
    same: str = SAME


@group
class WordOptions(Lettered):
    colours: int | None = option("N", "Number of colours, in games of codes.", shown="6 or 10", min=1)
    weights: str | None = option(
        "FILE.tsv|levels", "Weight of each answer: a file, or levels.", shown="1 each"
    )


@group
class Hints(Ruled):
    hard: bool = light_option("hard")
    hard_from: str | None = light_option("hard-from")
    consistent: bool = light_option("consistent")


@group
class LetterHints(Hints):
    first_letter: bool = light_option("first-letter")


@group
class Rules(Hints):
    game: str = GAME
    turns: int | None = turns_option(1)

    def chosen(self, **limits: Any) -> Game:
        return chosen_game(self.game, self.turns, rule=self.rule, **limits)


@group
class Timed:
    device: str = DEVICE
    time: float | None = TIME


@group
class Printed:
    as_json: bool = light_option("json")


@group
class PlayOptions(Lengths, WordOptions, LetterHints, Rules, Timed, Printed):
    seed: int = SEED
    ray: str | None = RAY


@group
class Played:
    rounds: int | None = option("NUMBER", "Words drawn per length.", shown="100", parser=between(1, 10**6))
    all_words: bool = option("", "Play every word of the lengths.")
    seed: int = SEED
    jobs: int = option("NUMBER", "Rounds at a time.", default=1, parser=between(1, 1024))
    timeout: float = option(
        "TIME", "Time limit of a player per round, such as 90s.", default=USUAL_TIMEOUT,
        parser=seconds_between(0.1, 24 * HOUR),
    )  # fmt: skip
    time: float | None = TIME


@group
class Stored(LetterHints):
    checkpoint: str = argument(
        "FILE.npz|N", "A checkpoint, or a word length: its best stored tree.", default=MISSING
    )
    wordlist: Path | None = option("FILE", "The list of the tree.", "-w", shown="wordlist.txt or embedded")
    targets: str | None = option("FILE|LEVEL", "The answers of the tree: a file or a level.", shown="by game")
    weights: str | None = option(
        "FILE.tsv|levels", "The weights of the tree: a file, or levels.", shown="the checkpoint's own"
    )  # fmt: skip
    same: str = SAME
    game: str | None = option(
        "NAME", "Game of the tree; `gpulingo help games`.", "-g",
        shown="the file's; lingo for a length"
    )  # fmt: skip


@group
class RoundOptions(WordOptions, LetterHints, Rules, Timed, Played, Printed):
    words: str = option("WORD,..", "Guesses of a share text, in order, if its rows lack them.", default="")
    target: str = option(
        "WORD", "The answer, or those of all boards; guesses then need no marks.", default=""
    )
    file: Path | None = option("FILE", "Many rounds: one per line, or a log or the --out file of `pit`.")
    player_name: str | None = option("NAME", "Only this player's rounds of the file of a match.")
    player: str | None = option("COMMAND", "Review the rounds that this player plays.", "-P")
    exact: float | None = option(
        "TIME", "Time to search large sets.", shown="60s with --player",
        parser=seconds_between(0, 1000 * HOUR),
    )  # fmt: skip
    length: int | None = lengths_option("Letters of the word, pegs of the code.", parser=one_length)
    without: Path | None = WITHOUT
    boards: int | None = BOARDS
    letter: str = LETTER


def spread(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command that takes the options of its groups, in the place of these."""
    groups, parameters = dict[str, Any](), list[inspect.Parameter]()
    for name, parameter in inspect.signature(command, eval_str=True).parameters.items():
        if is_dataclass(kind := parameter.annotation):
            groups[name], types = kind, get_type_hints(kind)
            parameters += [_parameter(attr.name, types[attr.name], attr) for attr in fields(kind)]
        elif isinstance(parameter.default, Field):
            parameters.append(_parameter(name, kind, parameter.default))
        elif parameter.kind == parameter.VAR_KEYWORD:  # those of some readers of the table
            readers = {*kind.__metadata__[0]}
            for spelling, stated in OPTIONS.items():
                if readers.intersection(stated.readers):
                    value = str | None if stated.metavar else bool
                    parameters.append(_parameter(spelling.replace("-", "_"), value, light_option(spelling)))
        else:
            parameters.append(parameter)

    @wraps(command)
    def spread_out(**given: Any) -> None:
        for name, kind in groups.items():
            given[name] = kind(**{attr.name: given.pop(attr.name) for attr in fields(kind)})
        command(**given)

    named = [parameter.replace(kind=parameter.KEYWORD_ONLY) for parameter in parameters]
    spread_out.__signature__ = inspect.Signature(named)  # type: ignore[attr-defined]  # for typer
    return spread_out


def _parameter(name: str, kind: Any, field: Field[Any]) -> inspect.Parameter:
    made, names = field.metadata["made"], field.metadata["names"]
    if made.func is typer.Option and not any(spelling.startswith("--") for spelling in names):
        names = (f"--{name.replace('_', '-')}", *names)
    default = inspect.Parameter.empty if field.default is MISSING else field.default
    among = field.metadata["among"] or COMPLETIONS.get(name)
    annotation = Annotated[kind, made(*names, autocompletion=among)]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)

"""Options that more than one command has: one name, one help text, one range, one completion by the shell."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from gpulingo.cli.games import MOST_TURNS
from gpulingo.cli.parse import between, cluster_address, memory_bytes, one_length, seconds_between
from gpulingo.games.catalogue import BY_NAME
from gpulingo.player.names import NAMES, TUNED
from gpulingo.player.options import DEVICES, HELP, RULES
from gpulingo.search import MEMORY as MEMORY
from gpulingo.trees.kept import BEST
from gpulingo.words.targets import NAMES as TARGET_NAMES
from gpulingo.words.weights import BY_LEVEL

HOUR = 3600  # seconds
Completion = Callable[[str], list[str]]


def one_of(*names: str) -> Completion:
    """A completion of one name."""

    def completed(incomplete: str) -> list[str]:
        return [name for name in names if name.startswith(incomplete)]

    return completed


def several_of(*names: str) -> Completion:
    """A completion of the last of names that are joined by commas, each once."""

    def completed(incomplete: str) -> list[str]:
        before, comma, last = incomplete.rpartition(",")
        given = before.split(",")
        return [f"{before}{comma}{name}" for name in names if name.startswith(last) and name not in given]

    return completed


a_strategy = one_of(*NAMES, TUNED, BEST)
a_device = one_of(*DEVICES)
a_game = one_of(*BY_NAME)
a_level = one_of(*TARGET_NAMES)


def lengths_option(text: str, *more: str, **kinds: Any) -> Any:
    """The option for the letters of the words: the same two spellings everywhere, and `more` of them."""
    return typer.Option("--length", "--lengths", "--pegs", *more, metavar="N", help=text, **kinds)


Lengths = Annotated[str, lengths_option("The same as an option: 5, 4-13 or 4,6-8.")]
Length = Annotated[int, lengths_option("The same as an option.", parser=one_length)]
Colours = Annotated[
    int | None,
    typer.Option(
        "--colours", metavar="N", min=1, help="Number of colours, in games of codes.",
        show_default="6 or 10",
    ),
]  # fmt: skip
Wordlist = Annotated[
    Path | None,
    typer.Option(
        "--wordlist", "-w", metavar="FILE", help="Words to guess from.",
        show_default="wordlist.txt or embedded",
    ),
]  # fmt: skip
TARGETS_DEFAULT = "by game"
Targets = Annotated[
    str | None,
    typer.Option(
        metavar="FILE|LEVEL",
        autocompletion=a_level,
        help="Possible answers: a file, answers, a level, all.",
        show_default=TARGETS_DEFAULT,
    ),
]
WEIGHTS = "Weight of each answer: a file, or levels."
Without = Annotated[Path | None, typer.Option(metavar="FILE", help=HELP["without"])]
Weights = Annotated[
    str | None,
    typer.Option(
        metavar="FILE.tsv|levels", autocompletion=one_of(BY_LEVEL), help=WEIGHTS, show_default="1 each"
    ),
]
StrategyName = Annotated[
    str | None,
    typer.Option(
        "--strategy",
        "-s",
        metavar="NAME",
        autocompletion=a_strategy,
        show_default="best, or parts if none is stored",
        help="Name or module:name; `gpulingo help strategies`.",
    ),
]
Opening = Annotated[
    str | None,
    typer.Option(metavar="WORD", help="First guess; one length only."),
]
# What some options ask for together, as a command takes it: the name of the rule. See `signatures.spread`.
HintRule = Annotated[str, RULES[:3]]
Rule = Annotated[str, RULES]
Game = Annotated[
    str,
    typer.Option(
        "--game",
        "-g",
        metavar="NAME",
        autocompletion=a_game,
        help="Game; see `gpulingo help games`.",
    ),
]
CheckpointGame = Annotated[
    str | None,
    typer.Option(
        "--game",
        "-g",
        metavar="NAME",
        autocompletion=a_game,
        show_default="the file's; lingo for a length",
        help="Game of the tree; `gpulingo help games`.",
    ),
]


def turns_option(least: int) -> Any:
    """The option for the turns of a round, where a command needs at least `least`."""
    text = f"Guesses allowed, {least} to {MOST_TURNS}; hangman: misses."
    parser = between(least, MOST_TURNS)
    usual = "5 or 6"
    names = ("--turns", "--lives")[: 2 if least == 1 else 1]  # who needs more turns knows no lives
    return typer.Option(*names, parser=parser, metavar="NUMBER", help=text, show_default=usual)


Turns = Annotated[int | None, turns_option(1)]
Lives = Annotated[
    int | None,
    typer.Option(
        parser=between(1, MOST_TURNS),
        metavar="NUMBER",
        help=f"In hangman, misses that lose a word, 1 to {MOST_TURNS}.",
        show_default="6",
    ),
]
Device = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        autocompletion=a_device,
        help="auto (CUDA if available), cpu, cuda or cuda:N.",
    ),
]
Seed = Annotated[
    int,
    typer.Option(parser=between(0, 2**63 - 1), metavar="NUMBER", help="Random seed."),
]
Timeout = Annotated[
    float,
    typer.Option(
        parser=seconds_between(0.1, 24 * HOUR),
        metavar="TIME",
        help="Time limit of a player for a whole round, for example 90s.",
    ),
]
Time = Annotated[
    float | None,
    typer.Option(
        parser=seconds_between(0, 1000 * HOUR),
        metavar="TIME",
        help="Stop after 90s, 10m or 2h and print the results so far.",
    ),
]
Memory = Annotated[
    int,
    typer.Option(
        parser=memory_bytes,
        metavar="SIZE",
        show_default="4G",
        help="Memory limit of tables, for example 500M.",
    ),
]
Shared = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        help="Share the search with processes that name this folder.",
    ),
]
RAY = "Run on a Ray cluster: HOST:PORT, or local."
Ray = Annotated[
    str | None,
    typer.Option("--ray", parser=cluster_address, metavar="[ADDRESS]", help=RAY, show_default="no cluster"),
]
Json = Annotated[bool, typer.Option("--json", help=HELP["json"])]
Checkpoint = Annotated[
    str,
    typer.Argument(
        metavar="FILE.npz|N",
        help="A checkpoint, or a word length: its best stored tree.",
        show_default=False,
    ),
]
CheckpointList = Annotated[
    Path | None,
    typer.Option(
        "--wordlist",
        "-w",
        metavar="FILE",
        help="The list of the tree.",
        show_default="wordlist.txt or embedded",
    ),
]
CheckpointTargets = Annotated[
    str | None,
    typer.Option(
        "--targets",
        metavar="FILE|LEVEL",
        autocompletion=a_level,
        help="The answers of the tree: a file or a level.",
        show_default=TARGETS_DEFAULT,
    ),
]
CheckpointWeights = Annotated[
    str | None,
    typer.Option(
        "--weights",
        metavar="FILE.tsv|levels",
        autocompletion=one_of(BY_LEVEL),
        help="The weights of the tree: a file, or levels.",
        show_default="the checkpoint's own",
    ),
]


class Opponent(StrEnum):
    """The side that chooses the answer to a guess."""

    CHANCE = "chance"
    ADVERSARY = "adversary"


OPPONENT = "chance, or adversary: guesses that always suffice."
OpponentOf = Annotated[Opponent, typer.Option("--opponent", metavar="NAME", help=OPPONENT)]

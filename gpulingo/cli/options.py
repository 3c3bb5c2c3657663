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
from gpulingo.words.levels import LEVELS
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


Lengths = Annotated[str, lengths_option("Letters of the words: 5, 4-13 or 4,6-8.")]
Length = Annotated[int, lengths_option("Letters of the words, one length.", parser=one_length)]
Colours = Annotated[
    int | None,
    typer.Option(
        "--colours", metavar="N", min=1, help="Colours of the codes, in mastermind and its kin.",
        show_default="6; bulls-and-cows: 10",
    ),
]  # fmt: skip
Wordlist = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Use this list instead of wordlistN.txt, then wordlist.txt in the current folder, "
        "then the embedded list.",
    ),
]
TARGETS = f"or answers or a level of the embedded list ({', '.join(LEVELS)}), or all"
TARGETS_DEFAULT = "every word; of the embedded list in Wordle: answers"
Targets = Annotated[
    str | None,
    typer.Option(
        metavar="FILE|LEVEL",
        autocompletion=a_level,
        help=f"Only the words of this list may be the target, {TARGETS}; every word may still be guessed.",
        show_default=TARGETS_DEFAULT,
    ),
]
WEIGHTS = (
    "What each target counts in every mean, total and rank: levels of the embedded list, or a file with a "
    "word, a tab and a whole number a line."
)
Without = Annotated[Path | None, typer.Option(metavar="FILE", help=HELP["without"])]
Weights = Annotated[
    str | None,
    typer.Option(
        metavar="FILE.tsv|levels", autocompletion=one_of(BY_LEVEL), help=WEIGHTS, show_default="each target 1"
    ),
]
StrategyName = Annotated[
    str | None,
    typer.Option(
        "--strategy",
        metavar="NAME",
        autocompletion=a_strategy,
        show_default="the tree that is kept for the list, else parts, of hangman frequency",
        help="best (the tree that is kept), parts, entropy, expected_size, largest_class, points, letters or "
        "random; plain_parts, edc65, confusion, confusion_full, histogram, statistician or distinct as the "
        "pit's other programs; tuned for what `gpulingo tune` found; "
        "quiz and frequency guess letters; "
        "or module:name for your own: a function (candidates, history) -> word, one from class sizes 0..n to "
        "n + 1 whole numbers, or an object with choose(position).",
    ),
]
Opening = Annotated[
    str | None,
    typer.Option(metavar="GUESS", help="First guess instead of the strategy's own; one length only."),
]
# What some options ask for together, as a command takes it: the name of the rule. See `signatures.spread`.
HintRule = Annotated[str, RULES[:3]]
Rule = Annotated[str, RULES]
Game = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        autocompletion=a_game,
        help="What is played, with its usual turns or others right after its name: lingo, lingo6.",
    ),
]
CheckpointGame = Annotated[
    str | None,
    typer.Option(
        "--game",
        metavar="NAME",
        autocompletion=a_game,
        show_default="the file's; lingo for a length",
        help="What it is for: lingo, or with turns right after its name, as lingo6.",
    ),
]


def turns_option(least: int) -> Any:
    """The option for the turns of a round, where a command needs so many."""
    text = f"Guesses that a round allows, of hangman the misses that lose, {least} to {MOST_TURNS}."
    parser = between(least, MOST_TURNS)
    usual = "of lingo: 5, of hangman: 6"
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
        help="Where to compute: auto (CUDA where there is one), cpu, cuda, cuda:1.",
    ),
]
Seed = Annotated[
    int,
    typer.Option(parser=between(0, 2**63 - 1), metavar="NUMBER", help="Seed of whatever is drawn at random."),
]
Timeout = Annotated[
    float,
    typer.Option(
        parser=seconds_between(0.1, 24 * HOUR),
        metavar="TIME",
        help="Time a player has for a whole round: 90s, 10m or 2h; a plain number is seconds.",
    ),
]
Time = Annotated[
    float | None,
    typer.Option(
        parser=seconds_between(0, 1000 * HOUR),
        metavar="TIME",
        help="Stop after 90s, 10m or 2h with what there is by then; a plain number is seconds. "
        "Compiling kernels does not count.",
    ),
]
Memory = Annotated[
    int,
    typer.Option(
        parser=memory_bytes,
        metavar="SIZE",
        show_default="4G",
        help="What remembered sets, and tables of classes, may take: 500M or 4G; a plain number is bytes.",
    ),
]
Shared = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        help="Share the search with all processes, on whatever machines, that name this folder.",
    ),
]
RAY = (
    "Share the work out as tasks of a Ray cluster: HOST:PORT of its head, which this machine is a node of; "
    "local for this machine alone; without an address what RAY_ADDRESS names, else what runs here, else "
    "local. Needs the extra `ray`."
)
Ray = Annotated[
    str | None,
    typer.Option(
        "--ray", parser=cluster_address, metavar="[ADDRESS]", help=RAY, show_default="this process alone"
    ),
]
Json = Annotated[bool, typer.Option("--json", help=HELP["json"])]
Checkpoint = Annotated[
    str,
    typer.Argument(
        metavar="FILE.npz|N",
        help="The checkpoint, or a word length: the best that is kept for its words.",
        show_default=False,
    ),
]
CheckpointList = Annotated[
    Path | None,
    typer.Option(
        "--wordlist",
        metavar="FILE",
        help="The list it is for, if that is not wordlistN.txt, wordlist.txt or the embedded list.",
    ),
]
CheckpointTargets = Annotated[
    str | None,
    typer.Option(
        "--targets",
        metavar="FILE|LEVEL",
        autocompletion=a_level,
        help="The targets it is for, if these are not all words of its list: another list, or a level.",
        show_default=TARGETS_DEFAULT,
    ),
]
CheckpointWeights = Annotated[
    str | None,
    typer.Option(
        "--weights",
        metavar="FILE.tsv|levels",
        autocompletion=one_of(BY_LEVEL),
        help="The weights it is for: levels, or a file of words with a weight each.",
        show_default="the checkpoint's own",
    ),
]


class Opponent(StrEnum):
    """Who draws the class that a guess leaves."""

    CHANCE = "chance"
    ADVERSARY = "adversary"


OPPONENT = (
    "Who draws the class: chance; or adversary, who knows the strategy: the fewest guesses that always do."
)
OpponentOf = Annotated[Opponent, typer.Option("--opponent", help=OPPONENT)]

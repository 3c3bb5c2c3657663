"""`gpulingo referee`: the original pit's engine, byte for byte, but with a clock."""

from __future__ import annotations

import random
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gpulingo.cli import options
from gpulingo.cli.errors import WrongUsage, tell, wrong_usage
from gpulingo.cli.games import check_marks, check_words_guessed, chosen_game
from gpulingo.cli.lists import Source, limited_sources, opened_listing, unnamed_targets
from gpulingo.cli.parse import between, one_length
from gpulingo.cli.signals import interrupted_by_sigterm
from gpulingo.games.catalogue import LINGO
from gpulingo.match.timeout import USUAL

if TYPE_CHECKING:
    from gpulingo.games.game import Game
    from gpulingo.words.listing import WordList

# Each under the original's name too, which has one dash.
PlayerCommand = Annotated[
    str,
    typer.Option(
        "--player", "-player", metavar="COMMAND", help="The player; the word length is appended.",
        show_default=False,
    ),
]  # fmt: skip
Word = Annotated[
    str | None, typer.Option("--word", "-word", metavar="WORD", help="The word to find; drawn if not given.")
]
Length = Annotated[
    int, options.lengths_option("Letters of a word that is drawn.", "-length", parser=one_length)
]
Rounds = Annotated[
    int, typer.Option("--rounds", "-rounds", parser=between(1, 10**6), metavar="NUMBER", help="Rounds.")
]
Debug = Annotated[bool, typer.Option("--debug", "-debug", help="Show what the player writes to stderr.")]
Seed = Annotated[
    int | None,
    typer.Option(parser=between(0, 2**63 - 1), metavar="NUMBER", help="Draw the same words again."),
]
Cwd = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        help="Run the player here, not in the current folder or, if the list is not there, a temporary one.",
    ),
]


def referee(
    player: PlayerCommand,
    word: Word = None,
    length: Length = 5,
    rounds: Rounds = 1,
    timeout: options.Timeout = USUAL,
    debug: Debug = False,
    seed: Seed = None,
    game: options.Game = LINGO,
    rule: options.HintRule = "",
    wordlist: options.Wordlist = None,
    targets: options.Targets = None,
    cwd: Cwd = None,
) -> None:
    """Referee one program, as the original pit's engine does."""
    rules = chosen_game(game, rule=rule)
    check_words_guessed(rules, "use `gpulingo pit`")
    check_marks(rules, "the referee")
    with wrong_usage("--player"):
        from gpulingo.match.sandbox import split_command

        argv = split_command(player)
    if word == "":
        raise WrongUsage("--word is empty: give a word of the list")
    target = None if word is None else word.lower()
    source = found_source(len(target) if target else length, wordlist, targets, rules)
    if target is not None:
        with wrong_usage("--word"):
            source.wordlist.index(target)
    chance = random.Random(seed)
    drawn = source.wordlist.targets
    words = [target or drawn[chance.randrange(len(drawn))] for _ in range(rounds)]
    with interrupted_by_sigterm():
        from gpulingo.cli.matches import check_cwd
        from gpulingo.match.sandbox import player_folders

        own = Path(f"wordlist{source.wordlist.length}.txt"), Path("wordlist.txt")
        if wordlist is None and cwd is None and any(path.is_file() for path in own):
            start = Start(argv, None, timeout, debug)
            print_rounds(start, words, source.wordlist, rules)
            return
        check_cwd(cwd)
        with player_folders([source], 1, str(cwd) if cwd else None, tell) as (folder,):
            start = Start(split_command(player, str(Path.cwd())), folder, timeout, debug)
            print_rounds(start, words, source.wordlist, rules)


def found_source(length: int, path: Path | None, targets: str | None, game: Game) -> Source:
    """The words of a length; what it leaves out is not reported: a ranking script would show it each time.

    Raises:
        as `opened_listing` and `limited_sources`, and WordListError: there are no such words.
    """
    listing = opened_listing(length, path)
    source = Source(listing, listing.of_length(length))
    return limited_sources([source], targets, usual=unnamed_targets(path, game))[0]


@dataclass(frozen=True)
class Start:
    """The command of the player, as it is started.

    Attributes:
        argv: its command, without the word length. folder: it is started in, None for the current one.
        timeout: seconds for a round. shown: what it writes to stderr is shown.
    """

    argv: tuple[str, ...]
    folder: str | None
    timeout: float
    shown: bool


def print_rounds(start: Start, targets: list[str], words: WordList, game: Game) -> None:
    """Play rounds until one fails, and print them."""
    from gpulingo.match.orphans import adopt_orphans
    from gpulingo.match.process import ProcessPlayer
    from gpulingo.match.referee import PlayerError, play_round, total_text
    from gpulingo.match.trial import silence

    adopt_orphans()
    points, stderr = 0, None if start.shown else subprocess.PIPE
    for number, target in enumerate(targets):
        command = [*start.argv, str(words.length)]
        with ProcessPlayer(command, start.folder, timeout=start.timeout, alone=True, stderr=stderr) as player:
            played = play_round(player, target, words, game, hear=player.hear, tell=_print_line)
        if played.error:
            reason = "" if number or played.guesses else silence(player, PlayerError(played.error))
            if reason:
                tell(f"--player: {start.argv[0]!r} {reason}")
            return  # the original leaves with 0 too; its last line has no points
        points += played.points
    _print_line(total_text(points, len(targets), game))  # before the folder is removed


def _print_line(line: str) -> None:
    """Print a line at once."""
    print(line, flush=True)

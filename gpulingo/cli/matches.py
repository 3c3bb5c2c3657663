"""Options of `pit` become players, words and rounds, and paths of results and transcripts."""

from __future__ import annotations

import contextlib
import functools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from gpulingo.cli.errors import WrongUsage, tell, wrong_usage
from gpulingo.cli.lists import Source, found_sources, opened_listing, tell_skipped
from gpulingo.cli.outputs import check_destination
from gpulingo.cli.parse import parsed_lengths
from gpulingo.games.game import Game
from gpulingo.match.rounds import Result, Results, Round, drawn_words, planned_rounds
from gpulingo.match.sandbox import parsed_players, split_command
from gpulingo.match.workers import Played

LENGTHS = "4-13"


@dataclass(frozen=True)
class Match:
    """The players of a match, and their words.

    Attributes:
        players: their commands, in the order of the user.
        sources: a list for each length.
        words: to be found, a row for each source.
        game: that is played.
        drawn: the words were drawn from the sources, or are all of them.
    """

    players: list[str]
    sources: list[Source]
    words: list[list[str]]
    game: Game
    drawn: bool

    @functools.cached_property
    def rounds(self) -> list[Round]:
        """All rounds."""
        wordlists = [source.wordlist for source in self.sources]
        return planned_rounds(self.players, zip(wordlists, self.words, strict=True), self.game)

    @property
    def letters(self) -> bool:
        """Return True if letters are guessed."""
        return self.game.guesses_letters

    @property
    def whole(self) -> dict[int, int] | None:
        """Length -> words that the rounds were drawn from; None when they were not drawn."""
        sizes = {source.wordlist.length: source.wordlist.target_count for source in self.sources}
        return sizes if self.drawn else None


def found_players(commands: list[str], path: Path | None) -> list[str]:
    """The commands of the options and of a file.

    Raises:
        WrongUsage: there are no players, or one twice.
    """
    players = list(commands)
    if path:
        if not path.exists():
            raise WrongUsage(f"--players: no file at {path}: give one with one command per line")
        with wrong_usage("--players"):
            players += parsed_players(path.read_text(encoding="utf-8"))
    if not players:
        raise WrongUsage("no player: give --player COMMAND, or --players FILE with one command per line")
    for player in players:
        if players.count(player) > 1:
            raise WrongUsage(f"player {player!r} is there twice: give each once")
        with wrong_usage("--player"):
            split_command(player)
    return players


def drawn_match(
    players: list[str],
    wordlist: Path | None,
    lengths: str | None,
    game: Game,
    *,
    targets: str | None = None,
    rounds: int | None,
    seed: int,
) -> Match:
    """A match on targets drawn from a list; without `rounds` on all of them.

    Raises:
        WrongUsage: the lengths or the targets are wrong. WordListError: a list cannot be used.
    """
    with wrong_usage("--lengths"):
        numbers = parsed_lengths(lengths or LENGTHS)
    sources = found_sources(numbers, wordlist, targets, game)
    most = [source.wordlist.target_count if rounds is None else rounds for source in sources]
    words = [drawn_words(source.wordlist, n, seed) for source, n in zip(sources, most, strict=True)]
    return Match(players, sources, words, game, drawn=True)


def given_match(
    players: list[str], wordlist: Path | None, lengths: str | None, game: Game, *, path: Path
) -> Match:
    """A match on the words of a file. The list must have them, except where letters are guessed.

    Raises:
        WrongUsage: no such file, wrong lengths, a word that is not in the list. WordListError: a bad list.
    """
    targets = opened_listing(0, path, "--words")
    tell_skipped(targets)
    with wrong_usage("--lengths"):
        numbers = parsed_lengths(lengths) if lengths else list(targets.lengths())
    sources = found_sources(numbers, wordlist)
    words = [list(targets.of_length(source.wordlist.length).words) for source in sources]
    for source, row in zip(sources, words, strict=True):
        if game.guesses_letters:
            continue  # no word is guessed
        legal = set(source.wordlist.words)
        with wrong_usage("--words"):
            for word in row:
                if word not in legal:
                    source.wordlist.index(word)  # raises
    return Match(players, sources, words, game, drawn=False)


@contextlib.contextmanager
def results_file(path: Path | None) -> Iterator[Results | None]:
    """The file of results, if there is to be one.

    Raises:
        WrongUsage: it holds something else, or is not a regular file. OSError: it cannot be written.
    """
    if path is None:
        yield None
        return
    check_destination(path)
    with wrong_usage("--resume"):
        file = Results(path)
    with contextlib.closing(file):
        yield file


def results_of(match: Match, file: Results | None) -> list[Result]:
    """The results of a match that a file holds."""
    if file is None or not file.kept:
        return []
    results = [file.kept[planned] for planned in match.rounds if planned in file.kept]
    tell(f"{file.path}: {len(results)} of {len(match.rounds)} rounds are played")
    return results


def check_cwd(cwd: Path | None) -> None:
    """Check that a folder to play in is there, if one is named.

    Raises:
        WrongUsage: it is not.
    """
    if cwd and not cwd.is_dir():
        raise WrongUsage(f"--cwd: {cwd} is not a folder: name an existing one")


def log_writer(match: Match, folder: Path | None) -> Callable[[Played], None]:
    """A function that appends the transcript of a round to its player's file, if there is a folder for it."""
    if folder is None:
        return lambda played: None
    paths = {}
    for number, player in enumerate(match.players, 1):
        plain = re.sub(r"[^\w.]+", "-", player, flags=re.ASCII).strip("-.")[:60]
        paths[player] = folder / f"{number}-{plain}.log"

    def write(played: Played) -> None:
        with paths[played.result.round.player].open("a", encoding="utf-8") as file:
            file.write(played.log)

    return write

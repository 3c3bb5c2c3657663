"""What `pit` plays: options become words, seats and rounds, checked as a whole before anything is started."""

from __future__ import annotations

import contextlib
import functools
import re
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from gpulingo.cli.guard import WrongUsage, tell, wrong_usage
from gpulingo.cli.numbers import parsed_lengths
from gpulingo.cli.sources import Source, found_sources
from gpulingo.play.match import SHORT, Round, drawn_words, planned_rounds
from gpulingo.play.referees import House, Played, Seat
from gpulingo.play.seats import lay_lists, parsed_players, split_command
from gpulingo.words.lists import read

LENGTHS = "4-13"


@dataclass(frozen=True)
class Match:
    """Who plays what.

    Attributes:
        players: their commands, in the order of the user.
        sources: a list for each length.
        words: to be found, a row for each source.
        drawn: the words were drawn from the sources, or are all of them.
    """

    players: list[str]
    sources: list[Source]
    words: list[list[str]]
    drawn: bool

    @functools.cached_property
    def rounds(self) -> list[Round]:
        """All rounds."""
        wordlists = [source.wordlist for source in self.sources]
        return planned_rounds(self.players, zip(wordlists, self.words, strict=True))

    @property
    def whole(self) -> dict[int, int] | None:
        """Length -> words that the rounds were drawn from; None when they were not drawn."""
        sizes = {source.wordlist.length: len(source.wordlist) for source in self.sources}
        return sizes if self.drawn else None


def found_players(commands: list[str], path: Path | None) -> list[str]:
    """The commands of the options and of a file.

    Raises:
        WrongUsage: there is none, or one twice.
    """
    players = list(commands)
    if path:
        with wrong_usage("--players"):
            players += parsed_players(path.read_text(encoding="utf-8"))
    if not players:
        raise WrongUsage("no player: give --player COMMAND, or --players FILE with one command a line")
    for player in players:
        if players.count(player) > 1:
            raise WrongUsage(f"player {player!r} is there twice: give each once")
        with wrong_usage("--player"):
            split_command(player)
    return players


def drawn_match(
    players: list[str], wordlist: Path | None, lengths: str | None, rounds: int | None, seed: int
) -> Match:
    """A match on words drawn from a list; on all of them when `rounds` is None.

    Raises:
        WrongUsage: the lengths are wrong. WordListError: a list cannot be used.
    """
    with wrong_usage("--lengths"):
        numbers = parsed_lengths(lengths or LENGTHS)
    sources = found_sources(numbers, wordlist)
    most = [len(source.wordlist) if rounds is None else rounds for source in sources]
    words = [drawn_words(source.wordlist, n, seed) for source, n in zip(sources, most, strict=True)]
    return Match(players, sources, words, drawn=True)


def given_match(players: list[str], wordlist: Path | None, lengths: str | None, path: Path) -> Match:
    """A match on the words of a file.

    Raises:
        WrongUsage: the lengths are wrong, or a word is not in the list. WordListError: a list cannot be used.
    """
    listing = read(path)
    if listing.skipped:
        tell(f"{listing.source}: {listing.skipped}")
    held = list(listing.lengths())
    with wrong_usage("--lengths"):
        numbers = parsed_lengths(lengths) if lengths else held
    sources = found_sources(numbers, wordlist)
    words = [list(listing.of_length(source.wordlist.length).words) for source in sources]
    for source, row in zip(sources, words, strict=True):
        known = set(source.wordlist.words)
        with wrong_usage("--words"):
            for word in row:
                if word not in known:
                    source.wordlist.index(word)  # raises
    return Match(players, sources, words, drawn=False)


@contextlib.contextmanager
def seated(match: Match, cwd: Path | None, timeout: float, *, logged: bool) -> Iterator[House]:
    """Seat the players: each in a folder of its own with the lists in place, or all in `cwd`.

    The folders are removed with all that is in them at the end of the block.
    """
    home = str(Path.cwd())
    lists = {
        source.wordlist.fingerprint[:SHORT]: "\n".join(source.wordlist.words) for source in match.sources
    }
    with folders(match.sources, len(match.players), cwd) as places:
        seats = {
            player: Seat(split_command(player, home), place)
            for player, place in zip(match.players, places, strict=True)
        }
        yield House(seats, lists, timeout, logged)


@contextlib.contextmanager
def folders(sources: list[Source], count: int, cwd: Path | None) -> Iterator[list[str]]:
    """So many folders to play in.

    Raises:
        WrongUsage: `cwd` is none. WordListError: they cannot be filled.
    """
    if cwd:
        if not cwd.is_dir():
            raise WrongUsage(f"--cwd: {cwd} is no folder: name one that is there")
        yield [str(cwd.resolve())] * count
        return
    lists = {
        f"wordlist{source.wordlist.length}.txt": "".join(f"{word}\n" for word in source.wordlist.words)
        for source in sources
    }
    texts = {name: text.encode() for name, text in lists.items()}
    shared = {source.listing.source: source.listing.data for source in sources}
    # One list for all lengths is handed on as it is; else wordlist.txt holds the words of all lengths played.
    texts["wordlist.txt"] = next(iter(shared.values())) if len(shared) == 1 else b"".join(texts.values())
    # What a player makes unreadable must not end the match.
    with tempfile.TemporaryDirectory(prefix="gpulingo-", ignore_cleanup_errors=True) as top:
        places = [str(Path(top) / str(number)) for number in range(1, count + 1)]
        for place in places:
            lay_lists(place, texts, str(Path.cwd()))
        yield places


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

"""Where players sit down: folders with the lists in place, and the files that their transcripts go to."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from gpulingo.cli.errors import WrongUsage
from gpulingo.cli.lists import Source
from gpulingo.cli.matches import Match
from gpulingo.match.folders import held_folder, remove_abandoned
from gpulingo.match.rounds import SHORT
from gpulingo.match.sandbox import lay_lists, split_command
from gpulingo.match.workers import House, Played, Seat


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
        temporary = None if cwd else str(Path(places[0]).parent)
        yield House(seats, lists, timeout, logged, temporary)


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
    remove_abandoned()
    with held_folder() as top:
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

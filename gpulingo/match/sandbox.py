"""Folders where players run, with the word lists in place, and commands split as a shell would.

No shell is involved. A player's folder is like the user's own, except for the lists. Folders are removed by
the match, or by its referees if it was killed.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import signal
import subprocess
import tempfile
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from gpulingo.games.game import Game
from gpulingo.match.rounds import Planned, Question, RoundResult
from gpulingo.storage.faults import ANOTHER_FOLDER, Complain, Fault
from gpulingo.storage.files import SHORT, replace_file
from gpulingo.words.letters import equalled, joined, leave
from gpulingo.words.listing import Listing, WordList

PREFIX = "gpulingo-"
ENDING_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)  # signals that end a process of ours


@dataclass(frozen=True)
class Match:
    """Players, and the words of their rounds."""

    players: dict[str, str]  # name -> command, in the user's order; the default name is the command
    lists: Sequence[WordList]  # one per length
    words: list[list[str]]  # targets of the rounds, a row for each list
    game: Game
    drawn: bool  # whether the words were drawn from the lists, or are all of them
    listings: Mapping[str, Listing]  # of the lists, by their sources

    @cached_property
    def rounds(self) -> list[Planned]:
        """Every player on every word, word by word, so that a match cut short has the same words for all."""
        return [
            Planned(player, words.fingerprint[:SHORT], joined(leave(word)), self.game.code)
            for words, drawn in zip(self.lists, self.words, strict=True)
            for word in drawn
            for player in self.players
        ]

    def ordered(self, results: Mapping[Planned, RoundResult]) -> list[RoundResult]:
        """Return results in the order of the match, so that sums do not depend on the order of their ends."""
        return [results[planned] for planned in self.rounds if planned in results]

    @property
    def whole(self) -> dict[int, int] | None:
        """Length -> words that the rounds were drawn from; None when they were not drawn."""
        return {words.length: words.target_count for words in self.lists} if self.drawn else None

    def log_path(self, folder: Path, player: str) -> Path:
        plain = re.sub(r"[^\w.]+", "-", player, flags=re.ASCII).strip("-.")[:60]
        return folder / f"{[*self.players].index(player) + 1}-{plain}.log"


@dataclass(frozen=True)
class Workspace:
    """Command and folder of a player."""

    argv: tuple[str, ...]  # without the word length
    folder: str | None  # folder to start it in; None: the current one


@dataclass(frozen=True)
class MatchSetup:
    """Settings shared by all rounds of a match."""

    workspaces: Mapping[str, Workspace]  # by player
    words: Mapping[str, Container[str]]  # by the first digits of a list's fingerprint; none for letters
    timeout: float  # seconds per round
    game: Game
    logged: bool = False  # whether transcripts are wanted
    same: str = ""  # letters that are equal
    temporary: str | None = None  # removed after the match, or by its referees if the match is killed


@contextlib.contextmanager
def match_setup(
    match: Match, *, cwd: str | None, timeout: float, logged: bool, tell: Callable[[str], object]
) -> Iterator[MatchSetup]:
    """Give each player a separate folder with the lists in place, or `cwd` to all.

    The folders are removed with their content at the end of the block; if that fails, `tell` receives a line.
    ValueError: a command cannot be split. Fault: a folder cannot be filled.
    """
    home = os.getcwd()
    game, same, words = match.game, match.lists[0].same, dict[str, Container[str]]()
    for wordlist in () if game.guesses_letters else match.lists:
        words[wordlist.fingerprint[:SHORT]] = {*equalled("\n".join(wordlist.words), same).split("\n")}
    with player_folders(match, cwd, tell) as folders:
        workspaces = {
            player: Workspace(split_command(command, home), folder)
            for (player, command), folder in zip(match.players.items(), folders, strict=True)
        }
        temporary = None if cwd else os.path.dirname(folders[0])
        yield MatchSetup(workspaces, words, timeout, game, logged, same, temporary)


@contextlib.contextmanager
def player_folders(match: Match, cwd: str | None, tell: Callable[[str], object]) -> Iterator[list[str]]:
    """Yield a folder for each player; see `match_setup` for arguments and errors."""
    if cwd:
        yield [os.path.realpath(cwd)] * len(match.players)
        return
    texts = {f"wordlist{wordlist.length}.txt": _text(wordlist.words) for wordlist in match.lists}
    # As it was read; for the embedded list, which is not read as a whole, its words.
    shared = {name: listing.data or _text(listing.words) for name, listing in match.listings.items()}
    # One list for all lengths is copied unchanged; otherwise wordlist.txt has the words of all lengths.
    texts["wordlist.txt"] = next(iter(shared.values())) if len(shared) == 1 else b"".join(texts.values())
    top = ""
    try:
        with late_signals():
            top = tempfile.mkdtemp(prefix=PREFIX)
        folders = [os.path.join(top, str(number)) for number in range(1, len(match.players) + 1)]
        for folder in folders:
            lay_lists(folder, texts)
        yield folders
    finally:
        with late_signals():
            remove_folder(top)
        if os.path.lexists(top):
            tell(f"cannot remove the folder {top}: remove it by hand")


@contextlib.contextmanager
def late_signals() -> Iterator[None]:
    """Let signals that end this process wait for the end of the block."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _text(words: Iterable[str]) -> bytes:
    return leave("".join(f"{word}\n" for word in words)).encode()


def split_command(command: str, home: str | None = None) -> tuple[str, ...]:
    """Return the words of a command as a shell would split it, without pipes, variables and patterns.

    If it is started elsewhere than in `home`, a word that names a file through a folder, such as ./edc65,
    becomes an absolute path. ValueError: there is no word, or a quote is left open.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ValueError(f"command {command!r} cannot be split ({error}): quote it as in a shell") from None
    if not words:
        raise ValueError("a command is empty: give the program that plays")
    for number, word in enumerate(words if home is not None else ()):
        path = os.path.join(home or "", word)
        named = "/" in word and not word.startswith("-") and "\0" not in word
        if named and (number == 0 or os.path.exists(path)):
            words[number] = os.path.abspath(path)
    return tuple(words)


def parsed_players(text: str) -> list[str]:
    """The commands of the original pit's players.txt: one per line; without blank lines and those with #."""
    lines = [line.strip() for line in text.split("\n")]
    return [line for line in lines if line and not line.startswith("#")]


def lay_lists(folder: str, lists: Mapping[str, bytes]) -> None:
    """Write lists (name -> text) to a folder, with links to everything else in the current folder.

    So `ruby player.rb` and `java Player` find their files, and files that they write stay in the folder. It
    is created if needed; otherwise lists are replaced, and missing links are added.
    """
    home = os.getcwd()
    try:
        with contextlib.suppress(FileExistsError):
            os.mkdir(folder)
        for name, text in lists.items():
            replace_file(os.path.join(folder, name), text)
        for name in os.listdir(home):
            if not is_list(name) and not os.path.lexists(os.path.join(folder, name)):
                os.symlink(os.path.join(home, name), os.path.join(folder, name))
    except OSError as error:
        what = f"cannot lay the lists out in {folder} ({error.strerror})"
        raise Fault(what, ANOTHER_FOLDER) from None


def is_list(name: str) -> bool:
    return name.startswith("wordlist") and name.endswith(".txt")


def remove_folder(path: str) -> None:
    """Remove a folder with its content, as far as possible; the system's tools do it at any depth."""
    closed = ["find", path, "-type", "d", "!", "-perm", "-700", "-exec", "chmod", "u+rwx", "{}", ";"]
    with contextlib.suppress(OSError):
        for command in closed, ["rm", "-rf", path]:
            subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True)


class ListGuard:
    """The lists of a match in folders made for it, checked before every round; others are not checked.

    Players run as one user, so any of them can empty the lists of all. A list that is changed while others
    play is found before the next round; players that read it in between get the changed list.
    """

    def __init__(self, setup: MatchSetup, tell: Complain, *, alone: bool) -> None:
        """Before any player starts; `alone`: rounds run one at a time, so the last player is to blame."""
        self._tell, self._alone, self._last = tell, alone, ""
        places = setup.workspaces.items() if setup.temporary else ()
        self._folders = {player: place.folder for player, place in places if place.folder}
        self._texts: dict[str, bytes] = {}
        for folder in list(self._folders.values())[:1]:  # all have the same lists
            for name in sorted(filter(is_list, os.listdir(folder))):
                with open(os.path.join(folder, name), "rb") as file:
                    self._texts[name] = file.read()
        self._states = {player: self._state(player) for player in self._folders}
        self._told: set[str] = set()

    def before(self, items: Iterable[Question]) -> Iterator[Question]:
        """Yield the items; before each one the lists are restored."""
        for item in items:
            self.restore()
            yield item
            self._last = item.player

    def restore(self) -> None:
        spoiled, outcome = list[str](), Fault("restored")
        for player, folder in self._folders.items():
            if self._state(player) == self._states[player]:
                continue
            names = [name for name, text in self._texts.items() if not _holds(folder, name, text)]
            spoiled += [f"{name} of {player!r}" for name in names]
            if names:
                try:
                    lay_lists(folder, self._texts)
                except Fault as error:
                    outcome = error
            self._states[player] = self._state(player)
        culprit = repr(self._last) if self._alone and self._last else "a player"
        if spoiled and culprit not in self._told:
            self._told.add(culprit)
            what = spoiled[0] + (f" and {len(spoiled) - 1} more" if len(spoiled) > 1 else "")
            self._tell(Fault(f"{culprit} has changed or removed {what}", outcome))

    def _state(self, player: str) -> list[tuple[int, int, int] | None]:
        """Return file states that reveal a changed list; no player can set the time of a change."""
        states: list[tuple[int, int, int] | None] = []
        for name in self._texts:
            try:
                status = os.lstat(os.path.join(self._folders[player], name))
                states.append((status.st_ino, status.st_size, status.st_ctime_ns))
            except OSError:
                states.append(None)
        return states


def _holds(folder: str, name: str, text: bytes) -> bool:
    path = os.path.join(folder, name)
    try:
        if os.path.islink(path) or not os.path.isfile(path):  # a pipe would be read for ever
            return False
        with open(path, "rb") as file:
            return file.read(len(text) + 1) == text
    except OSError:
        return False

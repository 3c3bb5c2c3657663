"""Places where players run: commands split as a shell would, folders with the word lists in place.

No shell is involved. A player's folder is like the user's own, except for the lists.
"""

from __future__ import annotations

import contextlib
import os
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Protocol

from gpulingo.games.catalogue import find_game
from gpulingo.games.game import Game
from gpulingo.match.folders import held_folder, remove_abandoned
from gpulingo.match.messages import Message
from gpulingo.storage.files import SHORT, replace_file
from gpulingo.words.letters import leave
from gpulingo.words.listing import Listing, WordList, WordListError

ENDING = 10.0  # seconds for the end of a player that does not go on


class Source(Protocol):
    """The words of one length and the listing they come from."""

    @property
    def listing(self) -> Listing: ...
    @property
    def wordlist(self) -> WordList: ...


@dataclass(frozen=True)
class Workspace:
    """Command and folder of a player.

    Attributes:
        argv: its command, without the word length.
        folder: it is started in, None for the current one.
    """

    argv: tuple[str, ...]
    folder: str | None


@dataclass(frozen=True)
class MatchSetup:
    """Settings shared by all rounds of a match.

    Attributes:
        workspaces: of every player.
        lists: the words that may be guessed, joined by newlines, by the first digits of their fingerprint.
        timeout: seconds for a round.
        game: that is played.
        logged: whether transcripts are wanted.
        temporary: a folder that is removed after the match, by its referees if the match itself is killed.
    """

    workspaces: Mapping[str, Workspace]
    lists: Mapping[str, str]
    timeout: float
    game: Game
    logged: bool = False
    temporary: str | None = None

    @property
    def letters(self) -> bool:
        """Return True if letters are guessed, by a process that may stay for many words."""
        return self.game.guesses_letters

    @property
    def longest(self) -> float:
        """Seconds that a round may take, with a waiting player to end and the round to repeat."""
        return 2 * self.timeout + ENDING if self.letters else self.timeout

    def message(self) -> Message:
        """The same for a line; the twin of `of_message`."""
        workspaces = {player: asdict(workspace) for player, workspace in self.workspaces.items()}
        return vars(self) | {"workspaces": workspaces, "lists": dict(self.lists), "game": self.game.code}

    @classmethod
    def of_message(cls, message: Message) -> MatchSetup:
        """Return the setup of a message that `message` made."""
        workspaces = {
            player: Workspace(tuple(workspace["argv"]), workspace["folder"])
            for player, workspace in message["workspaces"].items()
        }
        return cls(**message | {"workspaces": workspaces, "game": find_game(message["game"])})


@contextlib.contextmanager
def match_setup(
    players: Mapping[str, str],
    sources: Sequence[Source],
    game: Game,
    *,
    cwd: str | None,
    timeout: float,
    logged: bool,
    tell: Callable[[str], object] = lambda line: None,
) -> Iterator[MatchSetup]:
    """Give each player a folder of its own with the lists in place, or `cwd` to all.

    The folders are removed with all that is in them at the end of the block.

    Args:
        players: name -> command.
        sources: a list for each length.
        game: that is played.
        cwd: a folder that all are started in, None for temporary ones.
        timeout, logged: see `MatchSetup`.
        tell: takes one line where the folders cannot be removed.
    Raises:
        ValueError: a command cannot be split.
        WordListError: a folder cannot be filled.
    """
    home = os.getcwd()
    lists = {source.wordlist.fingerprint[:SHORT]: "\n".join(source.wordlist.words) for source in sources}
    with player_folders(sources, len(players), cwd, tell) as folders:
        workspaces = {
            player: Workspace(split_command(command, home), folder)
            for (player, command), folder in zip(players.items(), folders, strict=True)
        }
        temporary = None if cwd else os.path.dirname(folders[0])
        yield MatchSetup(workspaces, lists, timeout, game, logged, temporary)


def _text(listing: Listing) -> bytes:
    """Return a whole list as it was read; of the embedded one, which is not read as a whole, the words."""
    return listing.data or leave("".join(f"{word}\n" for word in listing.words)).encode()


@contextlib.contextmanager
def player_folders(
    sources: Sequence[Source], count: int, cwd: str | None, tell: Callable[[str], object] = lambda line: None
) -> Iterator[list[str]]:
    """Yield `count` folders to play in; see `match_setup` for arguments and errors."""
    if cwd:
        yield [os.path.realpath(cwd)] * count
        return
    texts = {}
    for words in (source.wordlist for source in sources):
        texts[f"wordlist{words.length}.txt"] = leave("".join(f"{word}\n" for word in words.words)).encode()
    shared = {source.listing.source: _text(source.listing) for source in sources}
    # One list for all lengths is handed on as it is; else wordlist.txt holds the words of all lengths played.
    texts["wordlist.txt"] = next(iter(shared.values())) if len(shared) == 1 else b"".join(texts.values())
    remove_abandoned()
    with held_folder(tell) as top:
        folders = [os.path.join(top, str(number)) for number in range(1, count + 1)]
        for folder in folders:
            lay_lists(folder, texts, os.getcwd())
        yield folders


def split_command(command: str, home: str | None = None) -> tuple[str, ...]:
    """Return the words of a command.

    Args:
        command: as a shell would take it, without pipes, variables and patterns.
        home: the folder that its paths start from, when it is started elsewhere: a word that names a file
            through a folder, as ./edc65 does, gets its whole path.
    Raises:
        ValueError: there is no word, or a quote is left open.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ValueError(f"command {command!r} cannot be split ({error}): quote it as in a shell") from None
    if not words:
        raise ValueError("a command is empty: give the program that plays")
    if home is not None:
        words = [_placed(word, home, first=number == 0) for number, word in enumerate(words)]
    return tuple(words)


def _placed(word: str, home: str, *, first: bool) -> str:
    """Return a word of a command for a program that is started elsewhere."""
    path = os.path.join(home, word)
    named = "/" in word and not word.startswith("-") and "\0" not in word
    return os.path.abspath(path) if named and (first or os.path.exists(path)) else word


def parsed_players(text: str) -> list[str]:
    """The commands of the original pit's players.txt: one a line; without blank lines and those with #."""
    lines = [line.strip() for line in text.split("\n")]
    return [line for line in lines if line and not line.startswith("#")]


def lay_lists(folder: str, lists: Mapping[str, bytes], home: str) -> None:
    """Put lists into a folder and, beside them, links to whatever else the user's folder holds.

    So `ruby player.rb` and `java Player` find their files, and what they write stays in the folder.

    Args:
        folder: made here, if it is not there; then lists are replaced, and links that are missing are made.
        lists: name -> text.
        home: the user's folder.
    Raises:
        WordListError: the folder cannot be filled.
    """
    try:
        with contextlib.suppress(FileExistsError):
            os.mkdir(folder)
        for name, text in lists.items():
            replace_file(os.path.join(folder, name), text)
        for name in os.listdir(home):
            if not is_list(name) and not os.path.lexists(os.path.join(folder, name)):
                os.symlink(os.path.join(home, name), os.path.join(folder, name))
    except OSError as error:
        raise WordListError(
            f"cannot lay the lists out in {folder} ({error.strerror}): name a folder with --cwd"
        ) from None


def is_list(name: str) -> bool:
    """Return True if a file of that name is taken for a word list."""
    return name.startswith("wordlist") and name.endswith(".txt")

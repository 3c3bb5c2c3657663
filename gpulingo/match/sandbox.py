"""Where players play: commands split as a shell would, and folders with the word lists in place.

No shell is involved. What a player finds in its folder is what it would find in the user's own, but for the
lists.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping

from gpulingo.words.listing import WordListError


def split_command(command: str, home: str | None = None) -> tuple[str, ...]:
    """The words of a command.

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
    """A word of a command for a program that is started elsewhere."""
    path = os.path.join(home, word)
    named = "/" in word and not word.startswith("-") and "\0" not in word
    return os.path.abspath(path) if named and (first or os.path.exists(path)) else word


def parsed_players(text: str) -> list[str]:
    """The commands of the original pit's players.txt: one a line; without blank lines and those with #."""
    lines = [line.strip() for line in text.split("\n")]
    return [line for line in lines if line and not line.startswith("#")]


def lay_lists(folder: str, lists: Mapping[str, bytes], home: str) -> None:
    """Put lists into a new folder and, beside them, links to whatever else the user's folder holds.

    So `ruby player.rb` and `java Player` find their files, and what they write stays in the folder.

    Args:
        folder: made here.
        lists: name -> text.
        home: the user's folder.
    Raises:
        WordListError: the folder cannot be filled.
    """
    try:
        os.mkdir(folder)
        for name, text in lists.items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(text)
        for name in os.listdir(home):
            if not (name.startswith("wordlist") and name.endswith(".txt")):
                os.symlink(os.path.join(home, name), os.path.join(folder, name))
    except OSError as error:
        raise WordListError(
            f"cannot lay the lists out in {folder} ({error.strerror}): name a folder with --cwd"
        ) from None

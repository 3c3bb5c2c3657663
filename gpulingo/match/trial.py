"""Trials: whether a player can be started, by one start before the match, whose guess nobody marks."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gpulingo.match.process import ENDED, ProcessPlayer
from gpulingo.match.referee import PlayerError, printable
from gpulingo.match.rounds import Round
from gpulingo.words.shown import UNKNOWN, shown_line

SECONDS = 5.0  # for all starts of a player; one that still thinks then can be started
LONGEST_COMPLAINT = 200  # characters of the last line of stderr


@dataclass(frozen=True)
class Trial:
    """A player to be started once before the match, with the lengths of words that it will play."""

    player: str
    lengths: tuple[int, ...]


def trials_of(rounds: Iterable[Round]) -> list[Trial]:
    """Return a trial of each player of some rounds."""
    lengths: dict[str, dict[int, None]] = {}
    for planned in rounds:
        lengths.setdefault(planned.player, {})[len(planned.word)] = None
    return [Trial(player, tuple(of_player)) for player, of_player in lengths.items()]


def refusal(
    argv: Sequence[str],
    folder: str | None,
    lengths: Sequence[int],
    seconds: float = SECONDS,
    *,
    letters: bool = False,
) -> str:
    """Return why a player cannot be started.

    Args:
        argv: its command, without the word length.
        folder: it is started in, None for the current one.
        lengths: of words, of which a player need not know all.
        seconds: to spend at most, apart from the end of a player.
        letters: it gets a word with no letter revealed instead of the word length.
    Returns:
        The reason, for a sentence whose subject is the player; empty when it can be started: at one of the
            lengths it guesses, or does not end with an error before it does.
    """
    deadline = time.monotonic() + min(seconds, SECONDS)
    reason = ""
    for length in lengths:
        left = deadline - time.monotonic()
        if left <= 0:
            return ""
        command = [*argv] if letters else [*argv, str(length)]
        with ProcessPlayer(command, folder, timeout=left, alone=True, stderr=subprocess.PIPE) as player:
            try:
                if letters:
                    player.show(shown_line(UNKNOWN * length))
                player()
                return ""
            except PlayerError as error:
                failure = error
        obstacle = silence(player, failure)
        if not player.started:
            return obstacle
        if not obstacle or not player.ending.exit:
            return ""
        reason = reason or obstacle
    return reason


def silence(player: ProcessPlayer, error: PlayerError) -> str:
    """Return why a player has not made its first guess.

    Args:
        player: after its round; the reason quotes the end of its stderr, if recorded.
        error: what it raised instead of the guess.
    Returns:
        The reason, for a sentence whose subject is the player; empty when it might still have guessed.
    """
    ending = player.ending
    if not player.started:
        return f"cannot be started: {_obstacle(player.argv[0], player.cwd) or error}"
    if str(error) != ENDED or ending.lingered or ending.exit is None:
        return ""
    return f"{_end(ending.exit)} before its first guess{last_line(ending.complaints)}"


def _obstacle(name: str, folder: str | os.PathLike[str] | None) -> str:
    """Return what keeps a program from being started; empty when no obstacle is visible."""
    if folder and not os.path.isdir(folder):
        return f"there is no folder {os.fspath(folder)!r} to start it in"
    path = os.path.join(folder or "", name) if "/" in name else shutil.which(name)
    if not path:
        return f"no program {name!r} is in $PATH"
    if not os.path.isfile(path):  # a named pipe would be read for ever
        return f"{name!r} is a folder" if os.path.isdir(path) else f"there is no file {name!r}"
    if not os.access(path, os.X_OK):
        return f"{name!r} is not executable; name the program that runs it, or use chmod +x"
    try:
        with open(path, "rb") as file:
            first = file.readline(256)
    except OSError:
        return ""
    if not first.startswith(b"#!"):
        return f"{name!r} is neither a program of this machine nor begins with #!"
    interpreter = (first[2:].decode(errors="replace").split() or [""])[0]
    return "" if os.path.exists(interpreter) else f"its first line names {interpreter!r}, which is not there"


def _end(code: int) -> str:
    """Describe the end of a process by its exit code."""
    if code >= 0:
        return f"ended with exit code {code}"
    try:
        return f"was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"was ended by signal {-code}"


def last_line(complaints: str) -> str:
    """Return the last line of a player's stderr, for the end of a sentence."""
    lines = [line.strip() for line in complaints.splitlines() if line.strip()]
    return f": {printable(lines[-1][:LONGEST_COMPLAINT])}" if lines else ""

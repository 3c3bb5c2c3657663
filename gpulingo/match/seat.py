"""A player over the rounds that one referee plays with it; whether it can be started, and why not."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from gpulingo.match.process import ENDED, Ending, ProcessPlayer
from gpulingo.match.referee import PlayerError, Transcript, play_round, printable
from gpulingo.match.rounds import Planned
from gpulingo.match.sandbox import Match, MatchSetup, split_command
from gpulingo.words.shown import UNKNOWN, shown_line

GRACE = 5.0  # seconds for a player's last line of a word
TRIAL_SECONDS = 5.0  # for all starts of a player; one that still computes then counts as started
LONGEST_COMPLAINT = 200  # characters of the last line of stderr


class Seat:
    """A player over many rounds: a process for each, or for all words if it guesses letters and continues.

    A test decides: after the player's last line of a word it gets the next word. If it has ended before,
    or never writes a last line, every later word gets a separate process. So a player that is
    started without its option for a loop loses only the time of the test.
    """

    def __init__(self, setup: MatchSetup, player: str) -> None:
        self._setup, self._workspace = setup, setup.workspaces[player]
        self.waiting: ProcessPlayer | None = None  # for its next word
        self._single = not setup.game.guesses_letters  # whether a process plays one word
        self._silent = False  # whether it writes no last line
        self._cpu = 0.0  # seconds of the process that are assigned to rounds

    def play(
        self, planned: Planned, tell: Callable[[str], object] = lambda line: None
    ) -> tuple[Transcript, Ending]:
        """Play a round; the ending is that of the process, or the usage so far of a waiting one."""
        setup, lines = self._setup, list[str]()
        waiting, self.waiting = self.waiting, None
        player = waiting or self._process(len(planned.word), setup.timeout)
        if waiting:
            player.next_round()
        else:
            self._cpu = 0.0
        transcript = play_round(
            player, planned.word, setup.words.get(planned.wordlist, ()), setup.game, hear=player.hear,
            tell=lines.append, same=setup.same,
            hurry=lambda: player.time.cut(0.0 if self._silent else GRACE),
        )  # fmt: skip
        if waiting and transcript.fault and not transcript.guesses:
            # It did not continue with this word, which is played again in a new process.
            self._single = True
            player.end()
            return self.play(planned, tell)
        for line in lines:
            tell(line)
        before = self._cpu
        if transcript.ended and not self._single:
            self.waiting, wall, self._cpu = player, player.time.passed, cpu_seconds(player.pid)
            return transcript, Ending(cpu=round(max(0.0, self._cpu - before), 6), wall=round(wall, 6))
        if not transcript.fault and not transcript.ended:
            self._single = self._silent = True
        player.end()
        return transcript, replace(player.ending, cpu=round(max(0.0, player.ending.cpu - before), 6))

    def close(self) -> None:
        """End the waiting process, if any: close its input first, so that it can end by itself."""
        if self.waiting is not None:
            self.waiting.end()
        self.waiting = None

    def refusal(self, lengths: Sequence[int]) -> str:
        """Return why the player cannot be started, for a sentence whose subject is the player.

        Empty if it can: at one of the lengths it guesses, or does not end with an error before. A guesser of
        letters gets a word without revealed letters instead. The end of the player takes its own time.
        """
        deadline = time.monotonic() + min(self._setup.timeout, TRIAL_SECONDS)
        reason = ""
        for length in lengths:
            left = deadline - time.monotonic()
            if left <= 0:
                return ""
            with self._process(length, left) as player:
                try:
                    if self._setup.game.guesses_letters:
                        player.hear(shown_line(UNKNOWN * length))
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

    def _process(self, length: int, timeout: float) -> ProcessPlayer:
        argv = [*self._workspace.argv, *([] if self._setup.game.guesses_letters else [str(length)])]
        return ProcessPlayer(argv, self._workspace.folder, timeout=timeout)


def show_rounds(
    match: Match, folder: str | None, timeout: float, show: Callable[[str], None], *, debug: bool
) -> str:
    """Show the rounds of the only player of a match, and its points; return why it is silent, if it is.

    Args:
        folder: of the player; None: the current one. debug: show what it writes to stderr.
    """
    (command,), points, done = match.players.values(), 0, 0
    argv = split_command(command, None if folder is None else str(Path.cwd()))
    for words, targets in zip(match.lists, match.words, strict=True):
        for target in targets:
            started = [*argv, str(words.length)]
            sink = None if debug else subprocess.PIPE
            with ProcessPlayer(started, folder, timeout=timeout, stderr=sink) as player:
                played = play_round(
                    player, target, words, match.game, hear=player.hear, tell=show, same=words.same
                )
            if played.error:  # the original exits with 0 too; its last line has no points
                reason = "" if done or played.guesses else silence(player, PlayerError(played.error))
                return f"{argv[0]!r} {reason}" if reason else ""
            points, done = points + played.points, done + 1
    show(f"\nTotal score: {points} / {match.game.points(1) * done}")  # as the pit's own referee
    return ""


def cpu_seconds(pid: int) -> float:
    """Return the CPU seconds of a process, without its children; 0 if they are unknown."""
    try:
        # Linux derives the id of a process clock from the pid, as clock_getcpuclockid does.
        return time.clock_gettime((~pid << 3) | 2)
    except (OSError, OverflowError):
        return 0.0


def silence(player: ProcessPlayer, error: PlayerError) -> str:
    """Return why a player has not made its first guess; empty if it might still have guessed."""
    ending = player.ending
    if not player.started:
        return f"cannot be started: {_obstacle(player.argv[0], player.cwd) or error}"
    if str(error) != ENDED or ending.lingered or ending.exit is None:
        return ""
    code = ending.exit
    end = f"ended with exit code {code}" if code >= 0 else f"was ended by signal {-code}"
    with contextlib.suppress(ValueError):  # not the number of a signal that has a name
        end = f"was ended by {signal.Signals(-code).name}"
    return f"{end} before its first guess{last_line(ending.complaints)}"


def _obstacle(name: str, folder: str | os.PathLike[str] | None) -> str:
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


def last_line(complaints: str) -> str:
    """Return the last line of a player's stderr, for the end of a sentence."""
    lines = [line.strip() for line in complaints.splitlines() if line.strip()]
    return f": {printable(lines[-1][:LONGEST_COMPLAINT])}" if lines else ""

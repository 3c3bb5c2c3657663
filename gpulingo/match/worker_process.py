"""The process of a referee: it plays the rounds that the match sends over a line, one at a time.

It starts only players, so that every child left after a round is the player's. `workers` manages such
processes for the match. Messages are JSON objects over a socket; every wait has a limit. A
socket, because other processes of the user could open a pipe through /proc, and fill or empty it.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from multiprocessing.connection import Connection
from typing import Any

from gpulingo.games.game import Game
from gpulingo.match.process import (
    ENDED,
    ENDING_SIGNALS,
    Ending,
    ProcessPlayer,
    adopt_orphans,
    childless,
    end_with_parent,
    sweep,
)
from gpulingo.match.referee import PlayerError, Transcript, play_round, printable
from gpulingo.match.rounds import Planned, RoundResult, entry_of
from gpulingo.match.sandbox import MatchSetup, Message, remove_folder
from gpulingo.words.letters import equalled, joined, leave
from gpulingo.words.shown import UNKNOWN, shown_line

LONGEST_GUESS = 40  # characters of a guess that a result keeps
SWEEP = 2.0  # seconds to end what a player left, when this process ends
LIMITS = [value for name, value in vars(resource).items() if name.startswith("RLIMIT_")]
GRACE = 5.0  # seconds for a player's last line of a word
TRIAL_SECONDS = 5.0  # for all starts of a player; one that still computes then counts as started
LONGEST_COMPLAINT = 200  # characters of the last line of stderr


class Line(Connection):
    """One end of a pair of stream sockets; no part of a message is waited for longer than `seconds`."""

    def __init__(self, end: socket.socket, seconds: int | None = None) -> None:
        for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO) if seconds else ():
            end.setsockopt(socket.SOL_SOCKET, option, struct.pack("ll", seconds, 0))
        super().__init__(end.detach())

    def tell(self, message: Message) -> None:
        """Send a message; OSError: the other end is gone, or does not read in time."""
        text = leave(json.dumps(message, ensure_ascii=False))
        self.send_bytes(text.encode(errors="backslashreplace"))

    def told(self, seconds: float | None = None) -> Message | None:
        """Return the next message, or None if none has begun in `seconds`.

        EOFError, OSError: the other end is gone, or stopped within a message.
        """
        if not self.poll(seconds):
            return None
        message: Message = json.loads(joined(self.recv_bytes().decode()))
        return message


def work(descriptor: int, match: int) -> None:
    """Answer messages on a line until it is closed or a signal ends this process.

    `descriptor` is its end of the line; `match` the pid of the process at the other end, which has blocked
    the signals that end this one.
    """
    signal.signal(signal.SIGINT, _stay)
    signal.signal(signal.SIGTERM, _leave)
    signal.signal(signal.SIGHUP, _leave)
    end_with_parent()
    adopt_orphans()
    whole = _condition()
    line = Line(socket.socket(fileno=descriptor))
    setup = None
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING_SIGNALS)
        with contextlib.suppress(EOFError, OSError):  # the match is over, or gone
            setup = MatchSetup.of_message(line.told() or {})
            line.tell({})
            _answer_all(line, setup, match)
        for number in ENDING_SIGNALS:  # if the match is killed, it is gone before it ends this process
            signal.signal(number, _stay)
    except SystemExit:
        pass
    except Exception:
        if _condition() == whole:  # otherwise a player has taken memory or files from this process
            raise
    temporary = setup.temporary if setup and os.getppid() != match else None
    # A code other than 0 makes the match look for remaining processes.
    os._exit(0 if _cleaned(temporary) else 1)


def _answer_all(line: Line, setup: MatchSetup, match: int) -> None:
    whole = _condition()
    table = _Table(setup)
    while os.getppid() == match:
        try:
            question = line.told() or {}
        except (EOFError, OSError):  # the match is over, or gone
            table.leave()
            return
        answer = table.answer(question)
        # The next player must not suffer from what this one has done to this process.
        line.tell(answer | {"spoiled": _condition(kept=table.taken) != whole})


def _cleaned(temporary: str | None) -> bool:
    """End what is left of the players and remove a folder; return whether no process is left."""
    try:
        if not childless():
            sweep(SWEEP)
        if temporary:
            remove_folder(temporary)
    except Exception:  # a player may have used up limits of this process, but not of the match
        return False
    return childless()


def _stay(number: int, frame: Any) -> None:
    """Ignore a signal. Not SIG_IGN: players would inherit it, and Python can fail on a pending signal."""


def _leave(number: int, frame: Any) -> None:
    """End this process; only once, so that the end itself is not interrupted."""
    for ending in ENDING_SIGNALS:
        signal.signal(ending, _stay)
    sys.exit()


def _condition(kept: bool = False) -> tuple[object, ...]:
    """State of this process that a player could change for later ones; `kept`: one child is expected."""
    limits = tuple(resource.getrlimit(number) for number in LIMITS)
    place = (os.sched_getaffinity(0), os.sched_getscheduler(0)) if hasattr(os, "sched_getaffinity") else ()
    return limits, os.getpriority(os.PRIO_PROCESS, 0), place, kept or childless()


class _Table:
    def __init__(self, setup: MatchSetup) -> None:
        self._setup = setup
        self._words: dict[str, frozenset[str]] = {}
        self._seat: LetterSeat | None = None  # of the only player whose words are played here

    @property
    def taken(self) -> bool:
        return self._seat is not None and self._seat.taken

    def answer(self, question: Message) -> Message:
        """Play the requested round, or test whether a player can be started."""
        setup = self._setup
        workspace = setup.workspaces[question["player"]]
        argv, folder = workspace.argv, workspace.folder
        if "lengths" in question:
            lengths = question["lengths"]
            return {"refusal": refusal(argv, folder, lengths, setup.timeout, letters=setup.letters)}
        planned, lines = Planned(**question), list[str]()
        transcript, ending = (self._letters if setup.letters else self._word)(planned, lines)
        log = _log(lines, ending) if setup.logged else ""
        return {"result": entry_of(_summed(planned, transcript, ending)), "log": log}

    def _word(self, planned: Planned, lines: list[str]) -> tuple[Transcript, Ending]:
        setup, workspace = self._setup, self._setup.workspaces[planned.player]
        if planned.wordlist not in self._words:
            words = equalled(setup.lists[planned.wordlist], setup.same)
            self._words[planned.wordlist] = frozenset(words.split("\n"))
        legal, target = self._words[planned.wordlist], planned.word
        command, folder = [*workspace.argv, str(len(target))], workspace.folder
        with ProcessPlayer(
            command, folder, timeout=setup.timeout, alone=True, stderr=subprocess.PIPE
        ) as player:
            transcript = play_round(
                player, target, legal, setup.game, hear=player.hear, tell=lines.append, same=setup.same
            )
        return transcript, player.ending

    def _letters(self, planned: Planned, lines: list[str]) -> tuple[Transcript, Ending]:
        setup, workspace = self._setup, self._setup.workspaces[planned.player]
        self._seat = self._seat or LetterSeat(workspace.argv, workspace.folder, setup.timeout, setup.same)
        return self._seat.play(planned.word, setup.game, lines.append)

    def leave(self) -> None:
        """End the player that waits for its next word, if any."""
        if self._seat is not None:
            self._seat.close()


def _summed(planned: Planned, transcript: Transcript, ending: Ending) -> RoundResult:
    error = transcript.error + (last_line(ending.complaints) if transcript.fault else "")
    guesses = tuple(printable(guess[:LONGEST_GUESS]) for guess in transcript.guesses)
    return RoundResult(
        planned, transcript.points, guesses, transcript.invalid, transcript.fault, error,
        ending.exit, ending.lingered, ending.cpu, ending.wall,
    )  # fmt: skip


def _log(lines: Sequence[str], ending: Ending) -> str:
    said = "".join(f"  {printable(line)}\n" for line in ending.complaints.splitlines())
    lingered = ", ended by the referee" if ending.lingered else ""
    costs = f"exit {ending.exit}{lingered}, {ending.cpu:.3f} s of CPU, {ending.wall:.3f} s"
    return (
        "\n".join([*lines, f"Player: {costs}"]) + "\n" + (f"Player's stderr:\n{said}" if said else "") + "\n"
    )


class LetterSeat:
    """A guesser's process over many words: one for all words if it continues, otherwise one for each.

    A test decides: after the player's last line of a word it gets the next word. If it has ended before,
    or never writes a last line, every later word gets a separate process. So a player that is
    started without its option for a loop loses only the time of the test.
    """

    def __init__(self, argv: Sequence[str], folder: str | None, timeout: float, same: str = "") -> None:
        self._argv, self._folder, self._timeout, self._same = list(argv), folder, timeout, same
        self._player: ProcessPlayer | None = None
        self._single = False  # whether a process plays one word
        self._silent = False  # whether it writes no last line
        self._cpu = 0.0  # seconds already assigned to rounds
        self.starts = 0  # processes started so far

    @property
    def taken(self) -> bool:
        return self._player is not None

    def play(
        self, word: str, game: Game, tell: Callable[[str], object] = lambda line: None
    ) -> tuple[Transcript, Ending]:
        """Play a word; the ending is that of the process, or the usage so far of a waiting one."""
        if self._player is not None:
            self._player.next_round()
            lines: list[str] = []
            transcript = self._heard(self._player, word, game, lines.append)
            if transcript.guesses or not transcript.fault:
                for line in lines:
                    tell(line)
                return transcript, self._after(self._player, transcript)
            # It did not continue with this word, which is played again in a new process.
            self._single = True
            self._ended(self._player)
        player = ProcessPlayer(
            self._argv, self._folder, timeout=self._timeout, alone=True, stderr=subprocess.PIPE
        )
        self._player, self._cpu = player, 0.0
        self.starts += 1
        transcript = self._heard(player, word, game, tell)
        return transcript, self._after(player, transcript)

    def close(self) -> None:
        """End the waiting process, if any: close its input first, so that it can end by itself."""
        if self._player is not None:
            self._ended(self._player)

    def _heard(
        self, player: ProcessPlayer, word: str, game: Game, tell: Callable[[str], object]
    ) -> Transcript:
        def hurry() -> None:
            player.time.cut(0.0 if self._silent else GRACE)

        try:
            return play_round(
                player, word, (), game, hear=player.show, tell=tell, hurry=hurry, same=self._same
            )
        except BaseException as error:
            self._player = None
            player.__exit__(type(error), error, None)
            raise

    def _after(self, player: ProcessPlayer, transcript: Transcript) -> Ending:
        """Keep a process that waits for the next word, or end it; return the ending."""
        if transcript.ended and not self._single:
            wall, before, self._cpu = player.time.passed, self._cpu, cpu_seconds(player.pid)
            return Ending(None, False, round(max(0.0, self._cpu - before), 6), round(wall, 6))
        if not transcript.fault and not transcript.ended:
            self._single = self._silent = True
        ending = self._ended(player)
        return replace(ending, cpu=round(max(0.0, ending.cpu - self._cpu), 6))

    def _ended(self, player: ProcessPlayer) -> Ending:
        self._player = None
        player.__exit__(None, None, None)
        return player.ending


def cpu_seconds(pid: int) -> float:
    """Return the CPU seconds of a process, without its children; 0 if they are unknown."""
    if os.name != "posix" or not hasattr(time, "clock_gettime"):
        return 0.0
    try:
        # Linux derives the id of a process clock from the pid, as clock_getcpuclockid does.
        return time.clock_gettime((~pid << 3) | 2)
    except (OSError, OverflowError):
        return 0.0


def refusal(
    argv: Sequence[str],
    folder: str | None,
    lengths: Sequence[int],
    seconds: float = TRIAL_SECONDS,
    *,
    letters: bool = False,
) -> str:
    """Return why a player cannot be started, for a sentence whose subject is the player.

    Empty if it can: at one of the lengths it guesses, or does not end with an error before. A guesser of
    letters gets a word without revealed letters instead. `seconds` exclude the end of a player.
    """
    deadline = time.monotonic() + min(seconds, TRIAL_SECONDS)
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
    """Return why a player has not made its first guess; empty if it might still have guessed."""
    ending = player.ending
    if not player.started:
        return f"cannot be started: {_obstacle(player.argv[0], player.cwd) or error}"
    if str(error) != ENDED or ending.lingered or ending.exit is None:
        return ""
    return f"{_end(ending.exit)} before its first guess{last_line(ending.complaints)}"


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


def _end(code: int) -> str:
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

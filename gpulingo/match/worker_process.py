"""The process of a referee: it plays the rounds that the match sends over a line, one at a time.

It starts nothing but players, so that whatever child is left there after a round is the player's. How the
match keeps such processes is the business of `workers`.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from gpulingo.match import orphans
from gpulingo.match.folders import remove_folder
from gpulingo.match.letter_seat import LetterSeat
from gpulingo.match.messages import Line, Message
from gpulingo.match.process import Ending, ProcessPlayer
from gpulingo.match.referee import Transcript, play_round, printable
from gpulingo.match.rounds import Result, Round, entry_of
from gpulingo.match.sandbox import MatchSetup
from gpulingo.match.trial import last_line, refusal

LONGEST_GUESS = 40  # characters of a guess that a result keeps
SWEEP = 2.0  # seconds for what a player left when this process ends
LIMITS = [value for name, value in vars(resource).items() if name.startswith("RLIMIT_")]


def work(descriptor: int, match: int) -> None:
    """Answer messages on a line until it is closed or this process is asked to end.

    Args:
        descriptor: of this process' end of the line.
        match: number of the process at the other end, which has blocked the signals that end this one.
    """
    signal.signal(signal.SIGINT, _stay)
    signal.signal(signal.SIGTERM, _leave)
    signal.signal(signal.SIGHUP, _leave)
    orphans.end_with_parent()
    orphans.adopt_orphans()
    whole = _condition()
    line = Line(socket.socket(fileno=descriptor))
    setup = None
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, orphans.ENDING)
        with contextlib.suppress(EOFError, OSError):  # the match is over, or gone
            setup = MatchSetup.of_message(line.receive())
            line.send({})
            _answer_all(line, setup, match)
        for number in orphans.ENDING:  # a match that is killed is gone first, and then ends this process
            signal.signal(number, _stay)
    except SystemExit:
        pass
    except Exception:
        if _condition() == whole:  # else a player has taken memory or files from this process
            raise
    temporary = setup.temporary if setup and os.getppid() != match else None
    # Another code than 0 tells the match to look for what is left.
    os._exit(0 if _cleaned(temporary) else 1)


def _answer_all(line: Line, setup: MatchSetup, match: int) -> None:
    """Answer one question after the other until the match is gone."""
    whole = _condition()
    table = _Table(setup)
    while os.getppid() == match:
        answer = table.answer(line.receive())
        # The next player is not to suffer from what this one has done to this process.
        line.send(answer | {"spoiled": _condition(kept=table.taken) != whole})


def _cleaned(temporary: str | None) -> bool:
    """End what is left of the players and remove a folder; whether no process is left."""
    try:
        if not orphans.childless():
            orphans.sweep(SWEEP)
        if temporary:
            with contextlib.suppress(OSError):
                remove_folder(temporary)
    except Exception:  # what a player has taken from this process, the match still has
        return False
    return orphans.childless()


def _stay(number: int, frame: Any) -> None:
    """Ignore a signal. Not SIG_IGN: players would inherit it, and Python can fail on a pending signal."""


def _leave(number: int, frame: Any) -> None:
    """End this process; once only, so that the end itself is not cut short."""
    for ending in orphans.ENDING:
        signal.signal(ending, _stay)
    sys.exit()


def _condition(kept: bool = False) -> tuple[object, ...]:
    """Return what a player could take from its referee's process to the harm of later players.

    Args:
        kept: a player's process is waiting, so that there may be children.
    """
    limits = tuple(resource.getrlimit(number) for number in LIMITS)
    place = (os.sched_getaffinity(0), os.sched_getscheduler(0)) if hasattr(os, "sched_getaffinity") else ()
    return limits, os.getpriority(os.PRIO_PROCESS, 0), place, kept or orphans.childless()


class _Table:
    """A place to play rounds, one at a time.

    Args:
        setup: shared by all rounds.
    """

    def __init__(self, setup: MatchSetup) -> None:
        self._setup = setup
        self._words: dict[str, frozenset[str]] = {}
        self._seat: LetterSeat | None = None
        self._player = ""  # that the seat is of

    @property
    def taken(self) -> bool:
        """Return True if a player's process waits for the next word."""
        return self._seat is not None and self._seat.taken

    def answer(self, question: Message) -> Message:
        """Play the round that is asked for, try whether a player can be started, or end the one kept."""
        setup = self._setup
        if "player" not in question:
            self._leave()
            return {}
        workspace = setup.workspaces[question["player"]]
        argv, folder = workspace.argv, workspace.folder
        if "lengths" in question:
            lengths = question["lengths"]
            return {"refusal": refusal(argv, folder, lengths, setup.timeout, letters=setup.letters)}
        planned, lines = Round(**question), list[str]()
        transcript, ending = (self._letters if setup.letters else self._word)(planned, lines)
        log = _log(lines, ending) if setup.logged else ""
        return {"result": entry_of(_summed(planned, transcript, ending)), "log": log}

    def _word(self, planned: Round, lines: list[str]) -> tuple[Transcript, Ending]:
        """Play a round where words are guessed; its lines for a log are added."""
        setup, workspace = self._setup, self._setup.workspaces[planned.player]
        if planned.wordlist not in self._words:
            self._words[planned.wordlist] = frozenset(setup.lists[planned.wordlist].split("\n"))
        legal, target = self._words[planned.wordlist], planned.word
        command, folder = [*workspace.argv, str(len(target))], workspace.folder
        with ProcessPlayer(
            command, folder, timeout=setup.timeout, alone=True, stderr=subprocess.PIPE
        ) as player:
            transcript = play_round(player, target, legal, setup.game, hear=player.hear, tell=lines.append)
        return transcript, player.ending

    def _letters(self, planned: Round, lines: list[str]) -> tuple[Transcript, Ending]:
        """Play a round where letters are guessed; its lines for a log are added."""
        setup = self._setup
        if self._seat is None or self._player != planned.player:
            self._leave()
            workspace = setup.workspaces[planned.player]
            self._seat = LetterSeat(workspace.argv, workspace.folder, setup.timeout)
            self._player = planned.player
        return self._seat.play(planned.word, setup.game, lines.append)

    def _leave(self) -> None:
        """End the waiting process of the player, if any."""
        if self._seat is not None:
            self._seat.close()
        self._seat = None


def _summed(planned: Round, transcript: Transcript, ending: Ending) -> Result:
    """Return the result of a transcript and of how the player ended."""
    error = transcript.error + (last_line(ending.complaints) if transcript.fault else "")
    guesses = tuple(printable(guess[:LONGEST_GUESS]) for guess in transcript.guesses)
    return Result(
        planned, transcript.points, guesses, transcript.invalid, transcript.fault, error,
        ending.exit, ending.lingered, ending.cpu, ending.wall,
    )  # fmt: skip


def _log(lines: Sequence[str], ending: Ending) -> str:
    """The transcript of a round for a log: the pit's own lines, then how the player ended and its stderr."""
    said = "".join(f"  {printable(line)}\n" for line in ending.complaints.splitlines())
    lingered = ", ended by the referee" if ending.lingered else ""
    costs = f"exit {ending.exit}{lingered}, {ending.cpu:.3f} s of CPU, {ending.wall:.3f} s"
    return (
        "\n".join([*lines, f"Player: {costs}"]) + "\n" + (f"Player's stderr:\n{said}" if said else "") + "\n"
    )

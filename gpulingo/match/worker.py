"""The process of a referee: it plays the rounds that the match sends over a line, one at a time.

It starts nothing but players, so that whatever child is left there after a round is the player's. How the
match keeps such processes is the business of `referees`.
"""

from __future__ import annotations

import contextlib
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from gpulingo.games.catalogue import lingo
from gpulingo.match import orphans as leftovers
from gpulingo.match.messages import Line, Message
from gpulingo.match.process import Ending, ProcessPlayer
from gpulingo.match.referee import Transcript, play_round, printable
from gpulingo.match.rounds import Result, Round, entry_of
from gpulingo.match.trial import refusal

LONGEST_GUESS = 40  # characters of a guess that a result keeps
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
SWEEP = 2.0  # seconds for what a player left when this process ends
LIMITS = [value for name, value in vars(resource).items() if name.startswith("RLIMIT_")]


@dataclass(frozen=True)
class Seat:
    """Where a player plays.

    Attributes:
        argv: its command, without the word length.
        folder: it is started in, None for the current one.
    """

    argv: tuple[str, ...]
    folder: str | None


@dataclass(frozen=True)
class House:
    """What all rounds of a match have in common.

    Attributes:
        seats: of every player.
        lists: the words that may be guessed, joined by newlines, by the first digits of their fingerprint.
        timeout: seconds for a round.
        logged: whether transcripts are wanted.
        temporary: a folder that is removed after the match, by its referees if the match itself is killed.
    """

    seats: Mapping[str, Seat]
    lists: Mapping[str, str]
    timeout: float
    logged: bool = False
    temporary: str | None = None

    def message(self) -> Message:
        """The same for a line; the twin of `of_message`."""
        seats = {player: asdict(seat) for player, seat in self.seats.items()}
        return {**vars(self), "seats": seats, "lists": dict(self.lists)}

    @classmethod
    def of_message(cls, message: Message) -> House:
        """What `message` made a message of."""
        seats = {
            player: Seat(tuple(seat["argv"]), seat["folder"]) for player, seat in message["seats"].items()
        }
        return cls(**{**message, "seats": seats})


def work(descriptor: int, match: int) -> None:
    """Answer what comes over a line until it is closed or this process is told to end.

    Args:
        descriptor: of this process' end of the line.
        match: number of the process at the other end, which has blocked the signals that end this one.
    """
    signal.signal(signal.SIGINT, _stay)
    signal.signal(signal.SIGTERM, _leave)
    signal.signal(signal.SIGHUP, _leave)
    leftovers.end_with_parent()
    leftovers.adopt_orphans()
    whole = _condition()
    line = Line(socket.socket(fileno=descriptor))
    house = None
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)
        with contextlib.suppress(EOFError, OSError):  # the match is over, or gone
            house = House.of_message(line.receive())
            line.send({})
            _answer_all(line, house, match)
        for number in ENDING:  # a match that is killed is gone first, and then ends this process
            signal.signal(number, _stay)
    except SystemExit:
        pass
    except Exception:
        if _condition() == whole:  # else a player has taken memory or files from this process
            raise
    temporary = house.temporary if house and os.getppid() != match else None
    # Another code than 0 tells the match to look for what is left.
    os._exit(0 if _cleaned(temporary) else 1)


def _answer_all(line: Line, house: House, match: int) -> None:
    """Answer one question after the other until the match is gone."""
    whole = _condition()
    words: dict[str, frozenset[str]] = {}
    while os.getppid() == match:
        answer = _answer(line.receive(), house, words)
        # The next player is not to suffer from what this one has done to this process.
        line.send(answer | {"spoiled": _condition() != whole})


def _cleaned(temporary: str | None) -> bool:
    """End what is left of the players and remove a folder; whether no process is left."""
    try:
        if not leftovers.childless():
            leftovers.sweep(SWEEP)
        if temporary:
            shutil.rmtree(temporary, ignore_errors=True)
    except Exception:  # what a player has taken from this process, the match still has
        return False
    return leftovers.childless()


def _stay(number: int, frame: Any) -> None:
    """Go on. Not SIG_IGN: players would inherit it, and Python fails when a signal is just about to come."""


def _leave(number: int, frame: Any) -> None:
    """End this process; once only, so that the end itself is not cut short."""
    for ending in ENDING:
        signal.signal(ending, _stay)
    sys.exit()


def _condition() -> tuple[object, ...]:
    """What a player can take from the process of its referee, so that later players would be worse off."""
    limits = tuple(resource.getrlimit(number) for number in LIMITS)
    place = (os.sched_getaffinity(0), os.sched_getscheduler(0)) if hasattr(os, "sched_getaffinity") else ()
    return limits, os.getpriority(os.PRIO_PROCESS, 0), place, leftovers.childless()


def _answer(question: Message, house: House, words: dict[str, frozenset[str]]) -> Message:
    """Play the round that is asked for, or try whether the player can be started."""
    seat = house.seats[question["player"]]
    if "lengths" in question:
        return {"refusal": refusal(seat.argv, seat.folder, question["lengths"], house.timeout)}
    one = Round(**question)
    if one.wordlist not in words:
        words[one.wordlist] = frozenset(house.lists[one.wordlist].split("\n"))
    lines: list[str] = []
    stderr = subprocess.PIPE if house.logged else subprocess.DEVNULL
    argv = [*seat.argv, str(len(one.word))]
    player = ProcessPlayer(argv, seat.folder, timeout=house.timeout, alone=True, stderr=stderr)
    with player:
        transcript = play_round(player, one.word, words[one.wordlist], lingo(), tell=lines.append)
    log = _log(lines, player.ending) if house.logged else ""
    return {"result": entry_of(_summed(one, transcript, player.ending)), "log": log}


def _summed(one: Round, transcript: Transcript, ending: Ending) -> Result:
    """The result of a transcript and of how the player ended."""
    guesses = tuple(printable(guess[:LONGEST_GUESS]) for guess in transcript.guesses)
    return Result(
        one, transcript.points, guesses, transcript.invalid, transcript.fault, transcript.error,
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

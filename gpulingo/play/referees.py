"""Referees in processes of their own, each playing one round at a time: what a player breaks is one round.

A referee's process starts nothing but players, so that whatever child is left there after a round is the
player's.
"""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from gpulingo.play import leftovers
from gpulingo.play.match import Result, Round
from gpulingo.play.process import Ending, ProcessPlayer
from gpulingo.play.referee import Transcript, play_round, printable
from gpulingo.rules.lingo import Lingo

LONGEST_GUESS = 40  # characters of a guess that a result keeps


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


@dataclass(frozen=True)
class Played:
    """A result and, if wanted, the transcript in the pit's own form with what the player complained."""

    result: Result
    log: str = ""


def played_rounds(rounds: Iterable[Round], house: House, jobs: int = 1) -> Generator[Played]:
    """Play rounds, some at a time; what comes first is given first.

    Closing the iterator, or an interrupt, ends the rounds that are being played and their players.

    Args:
        rounds: to be played.
        house: what they have in common.
        jobs: rounds at a time.
    """
    waiting = iter(rounds)
    busy: dict[Connection, tuple[BaseProcess, Round]] = {}
    try:
        for one in waiting:
            _deal(_hired(house), one, busy)
            if len(busy) >= jobs:
                break
        while busy:
            for line in wait(list(busy)):
                assert isinstance(line, Connection)
                referee, one = busy.pop(line)
                try:
                    played = line.recv()
                    hired = line, referee
                except (EOFError, ConnectionError):
                    _dismiss([(line, referee)])
                    played = Played(_lost(one, "the referee was killed"))
                    hired = None
                following = next(waiting, None)
                if following is not None:
                    _deal(hired or _hired(house), following, busy)
                elif hired:
                    _dismiss([hired])
                yield played
    finally:
        _dismiss([(line, referee) for line, (referee, _) in busy.items()])


def _deal(
    hired: tuple[Connection, BaseProcess], one: Round, busy: dict[Connection, tuple[BaseProcess, Round]]
) -> None:
    """Give a round to a referee; one that has died meanwhile is noticed when its result is waited for."""
    line, referee = hired
    busy[line] = referee, one
    try:
        line.send(one)
    except OSError:
        pass


def _hired(house: House) -> tuple[Connection, BaseProcess]:
    """A new referee, ready to play, and the line to it.

    Raises:
        RuntimeError: it ends before it is.
    """
    context = multiprocessing.get_context("spawn")  # a fork would inherit the threads of a progress bar
    ours, theirs = context.Pipe()
    referee = context.Process(target=_work, args=(theirs, house), daemon=True)
    # A Ctrl-C while it starts would end it with a traceback: it unblocks the signal once it can take it. The
    # tracker is started before, because its start unblocks the signal here.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        referee.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    theirs.close()
    try:
        ours.recv()
    except EOFError:
        # Not a round's fault: else a broken installation would lose every player every round.
        raise RuntimeError("a referee's process ends as soon as it is started: see what it wrote") from None
    return ours, referee


def _dismiss(hired: Sequence[tuple[Connection, BaseProcess]]) -> None:
    """End referees, and with them the rounds that they play."""
    for line, referee in hired:
        line.close()
        referee.terminate()
    for _, referee in hired:
        referee.join(10)
        if referee.is_alive():
            referee.kill()
            referee.join()
        referee.close()


def _work(line: Connection, house: House) -> None:
    """Play the rounds that come over a line until it is closed or this process is told to end."""
    signal.signal(signal.SIGINT, lambda number, frame: None)  # not SIG_IGN, which players would inherit
    signal.signal(signal.SIGTERM, _leave)
    os.setsid()  # Ctrl-C and Ctrl-Z at the terminal are for the match, which tells its referees
    leftovers.end_with_parent()
    leftovers.adopt_orphans()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    words: dict[str, frozenset[str]] = {}
    try:
        line.send(None)
        while True:
            one = line.recv()
            if one.wordlist not in words:
                words[one.wordlist] = frozenset(house.lists[one.wordlist].split("\n"))
            line.send(_played(one, house, words[one.wordlist]))
    except (EOFError, OSError):
        pass  # the match is over, or gone
    finally:
        if not leftovers.childless():
            leftovers.sweep(2)
        match = multiprocessing.parent_process()
        if house.temporary and match and os.getppid() != match.pid:
            shutil.rmtree(house.temporary, ignore_errors=True)


def _leave(number: int, frame: Any) -> None:
    """End this process; once only, so that the end itself is not cut short."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit()


def _played(one: Round, house: House, words: frozenset[str]) -> Played:
    """Play one round in this process."""
    seat = house.seats[one.player]
    lines: list[str] = []
    stderr = subprocess.PIPE if house.logged else subprocess.DEVNULL
    argv = [*seat.argv, str(len(one.word))]
    player = ProcessPlayer(argv, seat.folder, timeout=house.timeout, alone=True, stderr=stderr)
    with player:
        transcript = play_round(player, one.word, words, Lingo(), tell=lines.append)
    log = _log(one, lines, player.ending) if house.logged else ""
    return Played(_summed(one, transcript, player.ending), log)


def _summed(one: Round, transcript: Transcript, ending: Ending) -> Result:
    """The result of a transcript and of how the player ended."""
    guesses = tuple(printable(guess[:LONGEST_GUESS]) for guess in transcript.guesses)
    return Result(
        one, transcript.points, guesses, transcript.invalid, transcript.fault, transcript.error,
        ending.exit, ending.lingered, ending.cpu, ending.wall,
    )  # fmt: skip


def _lost(one: Round, error: str) -> Result:
    """The result of a round that nobody saw the end of."""
    return Result(one, 0, (), 0, "crash", error, None, False, 0.0, 0.0)


def _log(one: Round, lines: Sequence[str], ending: Ending) -> str:
    """The transcript of a round for a log: the pit's own lines, then how the player ended and its stderr."""
    said = "".join(f"  {printable(line)}\n" for line in ending.complaints.splitlines())
    lingered = ", ended by the referee" if ending.lingered else ""
    costs = f"exit {ending.exit}{lingered}, {ending.cpu:.3f} s of CPU, {ending.wall:.3f} s"
    return (
        "\n".join([*lines, f"Player: {costs}"]) + "\n" + (f"Player's stderr:\n{said}" if said else "") + "\n"
    )

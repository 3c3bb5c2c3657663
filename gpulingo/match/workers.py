"""Referees in separate processes, each for the rounds of one player: a player can break only its own round.

Players can do to these processes what their user can: kill them, stop them, use up their resources. So every
answer of a referee has a time limit; one that is gone, late, spoiled or fails is killed with all processes
below it, and replaced. A referee starts only players, so that every child left after a round is the player's.
"""

from __future__ import annotations

import collections
import contextlib
import json
import os
import resource
import signal
import socket
import struct
import sys
import time
import warnings
from collections.abc import Generator, Iterable, Iterator, Sequence
from functools import partial
from multiprocessing.connection import Connection, wait
from typing import Any, NoReturn

from gpulingo.match.process import ADOPT_ORPHANS, CONTINUE_AFTER_PARENT, children, control, sweep, within
from gpulingo.match.referee import printable
from gpulingo.match.rounds import Planned, Question, RoundResult, StartTrial, entry_of, result_of
from gpulingo.match.sandbox import ENDING_SIGNALS, MatchSetup, late_signals, remove_folder
from gpulingo.match.seat import TRIAL_SECONDS, Seat, last_line
from gpulingo.storage.faults import FieldError

LEAVING = (*ENDING_SIGNALS, signal.SIGCONT)  # signals that may end a referee
MARGIN = 10.0  # seconds for an answer, in addition to the player's
ENDING = 10.0  # seconds to end a player that does not continue
LOOK = 1.0  # seconds between checks whether a referee is stopped
STARTS = 3  # tries to start a referee's process
PAUSE = 2.0  # seconds between them
LEAVE = 10.0  # seconds for referees to end their rounds and themselves
PART = 10  # seconds for the rest of an answer
SWEEP = 5.0  # seconds to end what a referee leaves
LONGEST_GUESS = 40  # characters of a guess that a result keeps
LIMITS = [value for name, value in vars(resource).items() if name.startswith("RLIMIT_")]
Message = dict[str, Any]


def played_rounds(
    rounds: Iterable[Planned], setup: MatchSetup, jobs: int = 1, trials: Iterable[StartTrial] = ()
) -> Generator[tuple[RoundResult, str]]:
    """Play rounds, `jobs` at a time, after one trial start of each player; results in the order of ends.

    With each result comes the transcript in the pit's form and the player's stderr, or nothing if not wanted.
    Closing the iterator, or an interrupt, ends the rounds in progress and their players. Until
    then this process must start no other: it might be taken for a player's.
    UsageError: a trial has failed; no round was played. OSError: a referee's process cannot be started.
    """
    with contextlib.closing(_Referees(setup, jobs)) as referees:
        refusals = {}
        for trial, answer in referees.answers(trials, min(TRIAL_SECONDS, setup.timeout) + MARGIN):
            # A player that kills its referee can be started.
            refusals[trial.player] = "" if isinstance(answer, str) else str(answer["refusal"])
        failed = [f"{player!r} {reason}" for player, reason in refusals.items() if reason]
        if failed:
            raise FieldError(f"{'; '.join(failed)}; nothing was played", "player")
        # A player that guesses letters may not continue: it is ended, and the round played again.
        limit = 2 * setup.timeout + ENDING if setup.game.guesses_letters else setup.timeout
        for planned, answer in referees.answers(rounds, limit + MARGIN):
            if isinstance(answer, str):
                yield RoundResult(planned, 0, (), 0, "crash", answer, None, False, 0.0, 0.0), ""
            else:
                yield result_of(answer["result"]), answer["log"]


class Referee:
    """A process forked for the rounds of a player; made while signals are blocked."""

    def __init__(self, setup: MatchSetup, player: str) -> None:
        self.player = player
        self.question: Any = None  # that it is busy with
        self.deadline = 0.0
        self.repeated = False  # whether the question was asked before, while others were being answered
        match, (ours, theirs) = os.getpid(), socket.socketpair()
        # A socket, because other processes of the user could open a pipe through /proc, and fill or empty it.
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", PART, 0))
        self.line = Connection(ours.detach())
        with theirs, warnings.catch_warnings():
            # From Python 3.12 on: other threads may hold locks. The referee needs none of theirs.
            warnings.simplefilter("ignore", DeprecationWarning)
            self.pid = os.fork()
            if not self.pid:
                _work(Connection(theirs.detach()), setup, player, match)

    def ask(self, question: Planned | StartTrial, limit: float, *, repeated: bool) -> None:
        """Ask; a referee that is gone is noticed when waiting for its answer."""
        self.question, self.repeated = question, repeated
        self.deadline = time.monotonic() + limit
        with contextlib.suppress(OSError):
            self.line.send_bytes(json.dumps(vars(question)).encode())

    def answer(self) -> Message | str | None:
        """Return the answer; as text, why it is missing; None if it may still come."""
        late = time.monotonic() >= self.deadline  # before reading, because this process may have been stopped
        try:
            if self.line.poll():
                answer: Message = json.loads(self.line.recv_bytes())
                return answer.get("failure") or answer
        except (EOFError, OSError, ValueError):
            return "the referee was killed"
        return "the referee was stopped: it did not answer in time" if late or self.has(os.WSTOPPED) else None

    def is_whole(self) -> bool:
        """Return True if it runs and no player has changed its limits, priority or processors."""
        return not self.has(os.WEXITED | os.WSTOPPED) and _condition(self.pid) == _condition(os.getpid())

    def leave(self) -> None:
        """Tell it to end itself, its round and its player, even if it is stopped."""
        self.line.close()
        for number in (signal.SIGTERM, signal.SIGCONT):
            os.kill(self.pid, number)

    def has(self, states: int) -> bool:
        """Return True if it is in one of some states of `os.waitid`."""
        return bool(os.waitid(os.P_PID, self.pid, states | os.WNOHANG | os.WNOWAIT))


def _condition(pid: int) -> tuple[object, ...]:
    """State of a process that a player could change."""
    limits = tuple(resource.prlimit(pid, number) for number in LIMITS)
    return limits, os.getpriority(os.PRIO_PROCESS, pid), os.sched_getaffinity(pid), os.sched_getscheduler(pid)


class _Referees:
    def __init__(self, setup: MatchSetup, jobs: int) -> None:
        self._setup, self._jobs = setup, jobs
        self._all: list[Referee] = []
        control(*ADOPT_ORPHANS)
        self._others = children()

    @property
    def _busy(self) -> list[Referee]:
        return [referee for referee in self._all if referee.question is not None]

    def answers(
        self, questions: Iterable[Question], limit: float
    ) -> Iterator[tuple[Question, Message | str]]:
        """Yield questions with answers, or with the reason for a missing one; failed ones are asked again."""
        waiting, again = iter(questions), collections.deque[Question]()
        while True:
            self._ask(waiting, again, limit)
            if not self._busy:
                return
            left = min(referee.deadline for referee in self._busy) - time.monotonic()
            wait([referee.line for referee in self._busy], max(0.0, min(LOOK, left)))
            for referee in self._busy:
                if (answer := referee.answer()) is None:
                    continue
                question, referee.question = referee.question, None
                if isinstance(answer, str) or answer["left"]:
                    # Others that wait may have been killed too, and are about to end.
                    self._end([one for one in self._all if one.question is None])
                # Another player may be why: one that plays, or that waits for its next word.
                shared = self._jobs > 1 or (self._setup.game.guesses_letters and self._all)
                if isinstance(answer, str) and shared and not referee.repeated:
                    again.append(question)
                    continue
                self._ask(waiting, again, limit)
                yield question, answer

    def close(self) -> None:
        self._end([*self._all], LEAVE)

    def _ask(self, waiting: Iterator[Question], again: collections.deque[Question], limit: float) -> None:
        """Give as many referees as may play a question; a repeated question runs alone."""
        while len(self._busy) < self._jobs and not any(referee.repeated for referee in self._busy):
            question = next(waiting, None)
            repeated = question is None
            if question is None:
                if self._busy or not again:
                    return
                self._end([*self._all], LEAVE)
                question = again.popleft()
            referee = self._free(question.player)
            if referee is None:
                again.append(question)
                return
            referee.ask(question, limit, repeated=repeated)

    def _free(self, player: str) -> Referee | None:
        """Return a referee of a player that has nothing to do, if need be a new one; None if other players
        may be why it does not start.
        """
        for referee in [*self._all]:
            if referee.player == player and referee.question is None:
                if referee.is_whole():
                    return referee
                self._end([referee])
        for tries in range(STARTS):
            time.sleep(PAUSE if tries else 0)
            try:
                with late_signals():
                    self._all.append(Referee(self._setup, player))
                return self._all[-1]
            except OSError as error:  # players leave no process or memory for it
                failure = error
            if self._busy:
                return None
        raise failure

    def _end(self, referees: Sequence[Referee], seconds: float = 0.0) -> None:
        """End referees and all processes below them: kill those that still run after `seconds`."""
        for referee in referees:
            referee.leave()
        deadline = time.monotonic() + seconds
        for referee in referees:
            within(deadline - time.monotonic(), partial(referee.has, os.WEXITED))
            self._all.remove(referee)  # before it is waited for: later its pid may be another process's
            os.waitpid(referee.pid, os.WNOHANG)
        sweep(SWEEP, self._others | {referee.pid for referee in self._all})


def _work(line: Connection, setup: MatchSetup, player: str, match: int) -> NoReturn:
    """Answer questions until a signal ends this process; `match` is the pid of the process that asks.

    That process has blocked the signals that end this one.
    """
    try:
        # Through /proc players could write to what the match has open: its results, its output.
        null, kept = os.open(os.devnull, os.O_RDWR), line.fileno()
        for standard in range(3):
            os.dup2(null, standard)
        os.closerange(3, kept)
        os.closerange(kept + 1, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
        signal.signal(signal.SIGINT, _stay)
        signal.signal(signal.SIGTERM, _leave)
        signal.signal(signal.SIGHUP, _leave)
        # A separate group, so that Ctrl-C and Ctrl-Z at the terminal reach only the match, which ends its
        # referees.
        os.setpgid(0, 0)
        seat = Seat(setup, player)

        def orphaned(number: int, frame: Any) -> None:
            if os.getppid() != match:
                _leave(number, frame)

        with contextlib.suppress(SystemExit, EOFError, OSError):  # if the match is over, or gone
            signal.signal(signal.SIGCONT, orphaned)
            control(*CONTINUE_AFTER_PARENT)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING_SIGNALS)
            while os.getppid() == match:
                answer = _answer(setup, seat, json.loads(line.recv_bytes()))
                answer["left"] = seat.waiting is None and bool(children())  # some could not be killed
                line.send_bytes(json.dumps(answer).encode())
            for number in LEAVING:  # if the match is killed, it is gone before it ends this process
                signal.signal(number, _stay)
        seat.close()
        sweep(SWEEP)
        if setup.temporary and os.getppid() != match:
            remove_folder(setup.temporary)
    finally:
        os._exit(0)


def _answer(setup: MatchSetup, seat: Seat, question: Message) -> Message:
    """Play a round, or test whether a player can be started."""
    try:
        if "lengths" in question:
            return {"refusal": seat.refusal(question["lengths"])}
        planned, lines = Planned(**question), list[str]()
        played, ending = seat.play(planned, lines.append)
        error = played.error + (last_line(ending.complaints) if played.fault else "")
        result = RoundResult(
            planned, played.points, tuple(printable(guess[:LONGEST_GUESS]) for guess in played.guesses),
            played.invalid, played.fault, error, ending.exit, ending.lingered, ending.cpu, ending.wall,
        )  # fmt: skip
        said = "".join(f"  {printable(line)}\n" for line in ending.complaints.splitlines())
        lingered = ", ended by the referee" if ending.lingered else ""
        costs = f"exit {ending.exit}{lingered}, {ending.cpu:.3f} s of CPU, {ending.wall:.3f} s"
        log = [*lines, f"Player: {costs}", f"Player's stderr:\n{said}" if said else "", ""]
        return {"result": entry_of(result), "log": "\n".join(log) if setup.logged else ""}
    except Exception as error:  # a player may have taken memory or files from this process
        return {"failure": f"the referee failed: {error!r}"}


def _stay(number: int, frame: Any) -> None:
    """Ignore a signal. Not SIG_IGN: players would inherit it, and Python can fail on a pending signal."""


def _leave(number: int, frame: Any) -> None:
    """End this process; only once, so that the end itself is not interrupted."""
    for ending in LEAVING:
        signal.signal(ending, _stay)
    sys.exit()

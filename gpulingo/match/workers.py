"""Referees in processes of their own, each playing one round at a time: what a player breaks is one round.

Players can do to these processes whatever their user can: kill them, stop them, take their resources. So a
referee has a limit of time for every answer; one that is gone, late or spoiled is killed with all that is
below it, and replaced.
"""

from __future__ import annotations

import collections
import contextlib
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass

from gpulingo.match import orphans
from gpulingo.match.messages import Line, Message
from gpulingo.match.rounds import Result, Round, result_of
from gpulingo.match.sandbox import MatchSetup
from gpulingo.match.trial import SECONDS as TRIAL
from gpulingo.match.trial import Trial

MARGIN = 10.0  # seconds beyond the player's own that a referee has for an answer
LOOK = 1.0  # seconds between looks whether a referee is stopped
START = 30.0  # seconds for a referee's process to get ready
STARTS = 3  # of a referee's process that is killed or stopped before it is ready
LEAVE = 10.0  # seconds for referees to end their rounds and themselves
PAUSE = 2.0  # seconds to wait for the end of one that does not start, or before the next is started
SWEEP = 5.0  # seconds for what a referee that was killed leaves


class StartError(ValueError):
    """Players cannot be started: one line that names each and says why."""


@dataclass(frozen=True)
class Played:
    """A result and, if wanted, the transcript in the pit's own form with what the player complained."""

    result: Result
    log: str = ""


def played_rounds(
    rounds: Iterable[Round], setup: MatchSetup, jobs: int = 1, trials: Sequence[Trial] = ()
) -> Generator[Played]:
    """Play rounds, some at a time; what comes first is given first.

    Closing the iterator, or an interrupt, ends the rounds that are being played and their players. Until
    then this process should start no other in a session of its own: it may be taken for a player's.

    Args:
        rounds: to be played.
        setup: what they have in common.
        jobs: rounds at a time.
        trials: players to be started once before the first round.
    Raises:
        StartError: a trial has failed; nothing was played.
        RuntimeError: the process of a referee does not start.
    """
    with contextlib.closing(_Referees(setup, jobs)) as referees:
        questions = ({"player": trial.player, "lengths": list(trial.lengths)} for trial in trials)
        refusals = {}
        for question, answer in referees.answers(questions, min(TRIAL, setup.timeout) + MARGIN):
            # A player that kills its referee has been started.
            refusals[question["player"]] = "" if isinstance(answer, str) else str(answer["refusal"])
        failed = [f"{player!r} {reason}" for player, reason in refusals.items() if reason]
        if failed:
            raise StartError("; ".join(failed))
        for question, answer in referees.answers(map(vars, rounds), setup.timeout + MARGIN):
            if isinstance(answer, str):
                yield Played(_lost(Round(**question), answer))
            else:
                yield Played(result_of(answer["result"]), answer["log"])


def _lost(planned: Round, error: str) -> Result:
    """The result of a round that nobody saw the end of."""
    return Result(planned, 0, (), 0, "crash", error, None, False, 0.0, 0.0)


class _Referee:
    """A process of a referee, the line to it and what it was asked last; made while signals are blocked."""

    def __init__(self, match: int) -> None:
        ours, theirs = socket.socketpair()
        self.line = Line(ours)
        self.question: Message = {}
        self.deadline = 0.0
        self.repeated = False  # the question was asked before, while others were being answered
        work = "from gpulingo.match.worker_process import work"
        code = f"import sys; sys.path[:] = {sys.path!r}; {work}; work({theirs.fileno()}, {match})"
        try:
            # A group of its own, so that Ctrl-C and Ctrl-Z at the terminal are for the match, which tells its
            # referees; in the session of the match, because then the kernel wakes a stopped referee when the
            # match is killed, and because whatever is in another session is a player's.
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-c", code], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()], process_group=0,
            )  # fmt: skip
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()

    def ask(self, question: Message, limit: float, *, repeated: bool) -> None:
        """Ask; one that is gone is noticed when its answer is waited for."""
        self.question, self.repeated = question, repeated
        self.deadline = time.monotonic() + limit
        with contextlib.suppress(OSError):
            self.line.send(question, MARGIN)

    def answer(self) -> Message | str | None:
        """The answer; in words why there is none; None when it may still come."""
        late = time.monotonic() >= self.deadline  # before the look, as this process may have been stopped
        try:
            answer = self.line.received()
        except (EOFError, OSError, ValueError):
            return "the referee was killed"
        if answer is None and (late or self.is_stopped()):
            return "the referee was stopped: it did not answer in time"
        return answer

    def is_stopped(self) -> bool:
        """Whether the process is stopped now, as no one but a player would have it."""
        if not hasattr(os, "waitid"):
            return False
        with contextlib.suppress(ChildProcessError):
            return bool(os.waitid(os.P_PID, self.process.pid, os.WSTOPPED | os.WNOHANG | os.WNOWAIT))
        return False

    def leave(self) -> None:
        """Tell it to end its round and itself, even if it is stopped."""
        self.line.close()
        for number in (signal.SIGTERM, signal.SIGCONT):
            self.process.send_signal(number)

    def left(self, seconds: float) -> bool:
        """Whether it ends within some seconds, with nothing left below it."""
        try:
            return self.process.wait(seconds) == 0
        except subprocess.TimeoutExpired:
            return False

    def kill(self) -> None:
        """Kill it; what was below it is then below this process, or has been killed with it."""
        self.line.close()
        family = orphans.family(self.process.pid) if self.process.poll() is None else []
        self.process.kill()
        orphans.kill(family)
        self.left(SWEEP)


class _Referees:
    """As many referees as are needed, and questions for them."""

    def __init__(self, setup: MatchSetup, jobs: int) -> None:
        self._setup, self._jobs = setup.message(), jobs
        self._idle: list[_Referee] = []
        self._busy: list[_Referee] = []
        self._all: list[_Referee] = []
        self._adoption = contextlib.ExitStack()
        self._adoption.enter_context(orphans.orphans_adopted())
        self._others = set() if orphans.childless() else orphans.children()

    def answers(self, questions: Iterable[Message], limit: float) -> Iterator[tuple[Message, Message | str]]:
        """Each question with its answer, or in words why there is none, as they come.

        A referee that fails while others are at work may be the victim of another's player, so its question
        is asked once more when all others have been answered.

        Args:
            questions: for the process of a referee.
            limit: seconds for an answer.
        """
        waiting, again = iter(questions), collections.deque[Message]()
        while True:
            self._ask(waiting, again, limit)
            if not self._busy:
                return
            for referee, answer in self._answered():
                self._busy.remove(referee)
                question = referee.question
                if not isinstance(answer, str) and not answer["spoiled"]:
                    self._idle.append(referee)
                else:
                    self._discard(referee)
                if isinstance(answer, str) and self._jobs > 1 and not referee.repeated:
                    again.append(question)
                    continue
                self._ask(waiting, again, limit)
                yield question, answer

    def close(self) -> None:
        """End all referees, and with them the rounds that they play."""
        try:
            for referee in self._all:
                referee.leave()
            deadline = time.monotonic() + LEAVE
            for referee in list(self._all):
                if not referee.left(max(0.0, deadline - time.monotonic())):
                    self._discard(referee)
        finally:
            self._adoption.close()

    def _ask(self, waiting: Iterator[Message], again: collections.deque[Message], limit: float) -> None:
        """Give every free referee a question; one that is asked once more has no other beside it."""
        while len(self._busy) < self._jobs and not any(referee.repeated for referee in self._busy):
            question = next(waiting, None)
            repeated = question is None
            if question is None:
                if self._busy or not again:
                    return
                question = again.popleft()
            referee = self._idle.pop() if self._idle else self._started()
            if referee is None:
                again.append(question)
                return
            self._busy.append(referee)
            referee.ask(question, limit, repeated=repeated)

    def _answered(self) -> Iterator[tuple[_Referee, Message | str]]:
        """Wait until there is an answer or one is late; the referees of which that is so."""
        poll = select.poll()
        for referee in self._busy:
            poll.register(referee.line, select.POLLIN)
        wait = min(referee.deadline for referee in self._busy) - time.monotonic()
        poll.poll(1000 * min(LOOK, max(0.0, wait)) + 1)
        for referee in list(self._busy):
            answer = referee.answer()
            if answer is not None:
                yield referee, answer

    def _started(self) -> _Referee | None:
        """A new referee, ready to play; None when the players of others may be why there is none.

        Raises:
            RuntimeError: there is no player to blame.
        """
        seen = ""
        for _ in range(STARTS):
            before = signal.pthread_sigmask(signal.SIG_BLOCK, orphans.ENDING)
            referee = None
            try:
                referee = _Referee(os.getpid())
                self._all.append(referee)
            except OSError as error:  # also when players leave no process or memory for it
                seen = str(error)
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
            if referee is None:
                time.sleep(PAUSE)
                continue
            try:
                referee.line.send(self._setup, START)
                referee.line.receive(START)
                return referee
            except (EOFError, OSError, ValueError):
                referee.left(PAUSE)
                ended = referee.process.poll()
                seen = "it is stopped" if ended is None else f"it ends with exit code {ended}"
                self._discard(referee)
                if ended is not None and ended > 0:
                    break
        if self._busy:
            return None
        # Not a round's fault: else a broken installation would lose every player every round.
        raise RuntimeError(f"the process of a referee does not start ({seen}): see what it wrote")

    def _discard(self, referee: _Referee) -> None:
        """Kill a referee and all that is below it."""
        referee.kill()
        orphans.sweep_strangers(self._others, SWEEP)
        self._all.remove(referee)

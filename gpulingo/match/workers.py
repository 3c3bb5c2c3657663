"""Referees in separate processes, each playing one round at a time: a player can break only one round.

Players can do to these processes what their user can: kill them, stop them, use up their resources. So every
answer of a referee has a time limit; one that is gone, late or spoiled is killed with all processes below it,
and replaced.
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
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass

from gpulingo.match.process import (
    ENDING_SIGNALS,
    childless,
    children,
    family,
    kill_processes,
    orphans_adopted,
    sweep_strangers,
)
from gpulingo.match.rounds import Planned, RoundResult, StartTrial, result_of
from gpulingo.match.sandbox import MatchSetup, Message
from gpulingo.match.worker_process import TRIAL_SECONDS, Line
from gpulingo.storage.faults import FieldError

MARGIN = 10.0  # seconds for an answer, in addition to the player's
LOOK = 1.0  # seconds between checks whether a referee is stopped
START = 30.0  # seconds for a referee's process to get ready
STARTS = 3  # tries to start a referee's process that is killed or stopped before it is ready
LEAVE = 10.0  # seconds for referees to end their rounds and themselves
PART = 10  # seconds to send a message, or for the rest of one
SWEEP = 5.0  # seconds to end what a killed referee leaves
PAUSE = 2.0  # seconds to wait for the end of one that does not start, or before the next start


@dataclass(frozen=True)
class Played:
    """A result and, if wanted, the transcript in the pit's form with the player's stderr."""

    result: RoundResult
    log: str = ""


def played_rounds(
    rounds: Iterable[Planned], setup: MatchSetup, jobs: int = 1, trials: Iterable[StartTrial] = ()
) -> Generator[Played]:
    """Play rounds, `jobs` at a time, after one trial start of each player; results in the order of ends.

    Closing the iterator, or an interrupt, ends the rounds in progress and their players. Until
    then this process must start no other in a separate session: it might be taken for a player's.
    UsageError: a trial has failed; no round was played. RuntimeError: a referee's process does not start.
    """
    with contextlib.closing(_Referees(setup, jobs)) as referees:
        questions = ({"player": trial.player, "lengths": list(trial.lengths)} for trial in trials)
        refusals = {}
        for question, answer in referees.answers(questions, min(TRIAL_SECONDS, setup.timeout) + MARGIN):
            # A player that kills its referee can be started.
            refusals[question["player"]] = "" if isinstance(answer, str) else str(answer["refusal"])
        failed = [f"{player!r} {reason}" for player, reason in refusals.items() if reason]
        if failed:
            raise FieldError(f"{'; '.join(failed)}; nothing was played", "player")
        for question, answer in referees.answers(map(vars, rounds), setup.longest + MARGIN):
            if isinstance(answer, str):
                yield Played(
                    RoundResult(Planned(**question), 0, (), 0, "crash", answer, None, False, 0.0, 0.0)
                )
            else:
                yield Played(result_of(answer["result"]), answer["log"])


class Referee:
    """A process of a referee, its line and the last question; made while signals are blocked."""

    def __init__(self, match: int) -> None:
        ours, theirs = socket.socketpair()
        self.line = Line(ours, PART)
        self.question: Message = {}
        self.deadline = 0.0
        self.repeated = False  # whether the question was asked before, while others were being answered
        work = "from gpulingo.match.worker_process import work"
        code = f"import sys; sys.path[:] = {sys.path!r}; {work}; work({theirs.fileno()}, {match})"
        try:
            # A separate group, so that Ctrl-C and Ctrl-Z at the terminal reach only the match, which informs
            # its referees; in the session of the match, because then the kernel wakes a stopped referee when
            # the match is killed, and because all processes in other sessions are players'.
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-c", code], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()], process_group=0,
            )  # fmt: skip
        except BaseException:
            self.line.close()
            raise
        finally:
            theirs.close()

    def ask(self, question: Message, limit: float, *, repeated: bool) -> None:
        """Ask; a referee that is gone is noticed when waiting for its answer."""
        self.question, self.repeated = question, repeated
        self.deadline = time.monotonic() + limit
        with contextlib.suppress(OSError):
            self.line.tell(question)

    def answer(self) -> Message | str | None:
        """Return the answer; as text, why it is missing; None if it may still come."""
        late = time.monotonic() >= self.deadline  # before reading, because this process may have been stopped
        try:
            answer = self.line.told(0)
        except (EOFError, OSError, ValueError):
            return "the referee was killed"
        if answer is None and (late or self.is_stopped()):
            return "the referee was stopped: it did not answer in time"
        return answer

    def is_stopped(self) -> bool:
        """Return True if the process is stopped now, which only a player would do."""
        if not hasattr(os, "waitid"):
            return False
        with contextlib.suppress(ChildProcessError):
            return bool(os.waitid(os.P_PID, self.process.pid, os.WSTOPPED | os.WNOHANG | os.WNOWAIT))
        return False

    def leave(self, *, busy: bool) -> None:
        """Tell it to end itself, and its round if it is busy, even if it is stopped."""
        self.line.close()
        for number in (signal.SIGTERM, signal.SIGCONT) if busy else (signal.SIGCONT,):
            self.process.send_signal(number)

    def left(self, seconds: float) -> bool:
        """Return True if it ends within `seconds`, with no process left below it."""
        try:
            return self.process.wait(seconds) == 0
        except subprocess.TimeoutExpired:
            return False

    def kill(self) -> None:
        """Kill it; processes below it then are below this process, or have been killed too."""
        self.line.close()
        below = family(self.process.pid) if self.process.poll() is None else []
        self.process.kill()
        kill_processes(below)
        self.left(SWEEP)


class _Referees:
    def __init__(self, setup: MatchSetup, jobs: int) -> None:
        self._setup, self._jobs, self._sticky = setup.message(), jobs, setup.letters
        self._idle: list[Referee] = []
        self._busy: list[Referee] = []
        self._all: list[Referee] = []
        self._adoption = contextlib.ExitStack()
        self._adoption.enter_context(orphans_adopted())
        self._others = set() if childless() else children()

    def answers(self, questions: Iterable[Message], limit: float) -> Iterator[tuple[Message, Message | str]]:
        """Yield questions with answers, or with the reason for a missing one; failed ones are asked again."""
        waiting, again = iter(questions), collections.deque[Message]()
        while True:
            self._ask(waiting, again, limit)
            if not self._busy:
                return
            for referee, answer in self._answered():
                question = referee.question
                self._keep_or_discard(referee, answer)
                if isinstance(answer, str) and (self._all or self._jobs > 1) and not referee.repeated:
                    again.append(question)
                    continue
                self._ask(waiting, again, limit)
                yield question, answer

    def close(self) -> None:
        try:
            self._end(list(self._all))
        finally:
            self._adoption.close()

    def _end(self, referees: list[Referee]) -> None:
        for referee in referees:
            referee.leave(busy=referee in self._busy)
        deadline = time.monotonic() + LEAVE
        for referee in referees:
            if not referee.left(max(0.0, deadline - time.monotonic())):
                self._discard(referee)

    def _ask(self, waiting: Iterator[Message], again: collections.deque[Message], limit: float) -> None:
        """Give every free referee a question; a repeated question runs alone."""
        while len(self._busy) < self._jobs and not any(referee.repeated for referee in self._busy):
            question = next(waiting, None)
            repeated = question is None
            if question is None:
                if self._busy or not again:
                    return
                if self._sticky:
                    self._end(self._idle)
                    self._idle = []
                question = again.popleft()
            referee = self._free(question) or self._started()
            if referee is None:
                again.append(question)
                return
            self._busy.append(referee)
            referee.ask(question, limit, repeated=repeated)

    def _free(self, question: Message) -> Referee | None:
        """Return an idle referee; if players are kept, the one that was last asked for the same player."""
        for referee in reversed(self._idle):
            if not self._sticky or referee.question.get("player") == question["player"]:
                self._idle.remove(referee)
                return referee
        return None

    def _keep_or_discard(self, referee: Referee, answer: Message | str) -> None:
        self._busy.remove(referee)
        if isinstance(answer, str) or answer["spoiled"]:
            self._discard(referee)
        else:
            self._idle.append(referee)

    def _answered(self) -> Iterator[tuple[Referee, Message | str]]:
        """Wait until there is an answer or one is late; yield these referees."""
        poll = select.poll()
        for referee in self._busy:
            poll.register(referee.line, select.POLLIN)
        wait = min(referee.deadline for referee in self._busy) - time.monotonic()
        poll.poll(1000 * min(LOOK, max(0.0, wait)) + 1)
        for referee in list(self._busy):
            answer = referee.answer()
            if answer is not None:
                yield referee, answer

    def _started(self) -> Referee | None:
        """Return a new referee, ready to play; None if other players may be why it did not start."""
        why = ""
        for _ in range(STARTS):
            before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING_SIGNALS)
            referee = None
            try:
                referee = Referee(os.getpid())
                self._all.append(referee)
            except OSError as error:  # also when players leave no process or memory for it
                why = str(error)
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
            if referee is None:
                time.sleep(PAUSE)
                continue
            try:
                referee.line.tell(self._setup)
                if referee.line.told(START) is not None:
                    return referee
            except (EOFError, OSError, ValueError):
                pass
            referee.left(PAUSE)
            ended = referee.process.poll()
            why = "it is stopped" if ended is None else f"it ends with exit code {ended}"
            self._discard(referee)
            if ended is not None and ended > 0:
                break
        if self._busy:
            return None
        # Not a round's fault: otherwise a broken installation would lose every player every round.
        raise RuntimeError(f"the process of a referee does not start ({why}): see what it wrote")

    def _discard(self, referee: Referee) -> None:
        referee.kill()
        sweep_strangers(self._others, SWEEP)
        self._all.remove(referee)

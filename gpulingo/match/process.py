"""One player process: started, asked for guesses, told marks, ended with everything it started.

No pipe blocks and every wait has an end, so whatever a player does or leaves undone, its round is over in
time. Leaves the rules to `referee`.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType

from gpulingo.match import orphans
from gpulingo.match.referee import PlayerError
from gpulingo.match.timeout import USUAL, Timeout
from gpulingo.words.letters import joined, leave

ENDED = "Player program ended unexpectedly"  # in the words of the pit's own referee
LONGEST_LINE = 65536  # bytes with the newline: the longest that Go's bufio.Scanner takes
GLANCE = 0.1  # seconds between looks whether a player that says nothing is still there
LINGER = 2.0  # seconds to end by itself once its input has ended
PATIENCE = 1.0  # seconds between SIGTERM and SIGKILL
LAST_WORDS = 4096  # bytes of stderr that are kept
STDERR_READS = 32  # of what is in its pipe when the player has ended, and may still be filled


@dataclass(frozen=True)
class Ending:
    """Exit code, times and complaints of a player process.

    Attributes:
        exit: its exit code, -n for signal n; None when it was never started or cannot be killed.
        lingered: it did not end by itself when its round was over.
        cpu: seconds of CPU, of its children too.
        wall: seconds from its start to its end.
        complaints: the end of its stderr, if it was recorded.
    """

    exit: int | None = None
    lingered: bool = False
    cpu: float = 0.0
    wall: float = 0.0
    complaints: str = ""


class ProcessPlayer:
    """A player in a process and a session of its own; a guesser in its `with`, started by its first guess.

    Args:
        argv: the command, the word length already appended.
        cwd: the folder it is started in.
        timeout: seconds it has for the whole round.
        alone: this process adopts orphans and starts nothing else meanwhile: whatever child it has after the
            round is ended as well.
        stderr: as for `subprocess.Popen`; of a pipe the end is kept.
    Attributes:
        ending: known after the `with`.
    """

    def __init__(
        self,
        argv: Sequence[str],
        cwd: str | os.PathLike[str] | None = None,
        *,
        timeout: float = USUAL,
        alone: bool = False,
        stderr: int | None = subprocess.DEVNULL,
    ) -> None:
        self.argv, self.cwd, self._time = list(argv), cwd, Timeout(timeout)
        self.ending = Ending()
        self._alone, self._stderr = alone, stderr
        self._process: subprocess.Popen[bytes] | None = None
        self._rest = self._complaints = b""
        self._over = False  # no more will be read
        self._usage: tuple[int, float] | None = None  # exit code and CPU seconds, once waited for

    @property
    def started(self) -> bool:
        """Return True if a process was started."""
        return self._process is not None

    def __enter__(self) -> ProcessPlayer:
        return self

    def __call__(self, history: Sequence[tuple[str, str]] = ()) -> str:
        """Return the next guess, without the end of its line.

        Args:
            history: guesses and marks that the player has received.
        Raises:
            PlayerError: it cannot be started, has ended, writes no line in time or too long a one.
        """
        if self._process is None:
            self._start()
        while True:
            line, newline, rest = self._rest.partition(b"\n")
            if newline and len(line) < LONGEST_LINE:
                self._rest = rest
                return _text(line)
            if len(self._rest) >= LONGEST_LINE:
                raise PlayerError("bufio.Scanner: token too long")
            if self._over:
                self._rest = b""
                if line:  # a last line without a newline counts, as it does for the pit's own referee
                    return _text(line)
                raise PlayerError(ENDED)
            self._read()

    def show(self, line: str) -> None:
        """Send a line that needs no guess before it; in the first round it starts the process.

        Raises:
            PlayerError: it cannot be started.
        """
        if self._process is None:
            self._start()
        self.hear(line)

    def next_round(self) -> None:
        """Let the time of another round begin; what the process says of its own accord is forgotten."""
        self._rest = b""
        self._time.begin()

    def hurry(self, seconds: float) -> None:
        """Leave it at most this number of seconds of its time."""
        self._time.cut(seconds)

    @property
    def passed(self) -> float:
        """Seconds of its round so far."""
        return self._time.passed if self.started else 0.0

    @property
    def pid(self) -> int:
        """The number of its process, which was started."""
        assert self._process
        return self._process.pid

    def hear(self, marks: str) -> None:
        """Send marks; a player that has left, or never reads, need not hear them."""
        assert self._process and self._process.stdin
        try:
            os.write(self._process.stdin.fileno(), f"{leave(marks)}\n".encode())
        except (BrokenPipeError, BlockingIOError):
            pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End its input and let it end by itself; end it and its children if it does not."""
        process = self._process
        if process is None:
            return
        try:
            left = self._time.left
            self._close(process.stdin, process.stdout)
            lingered = not self._waited(0 if kind else min(LINGER, left))
            if lingered and not kind:
                self._signal(signal.SIGTERM)
                self._waited(PATIENCE)
        finally:
            code, cpu = self._killed()
        # A child may still hold stderr, so what is there now has to do.
        for _ in range(STDERR_READS):
            if not (process.stderr and self._read_complaints()):
                break
        self._close(process.stderr)
        wall = self._time.passed
        complaints = self._complaints.decode(errors="replace")
        self.ending = Ending(code, lingered, round(cpu, 6), round(wall, 6), complaints)

    def _start(self) -> None:
        """Start the process.

        Raises:
            PlayerError: it cannot be started, in the words of the pit's own referee.
        """
        self._alone = self._alone and orphans.childless()
        self._time.begin()
        pipe, name = subprocess.PIPE, self.argv[0]
        try:
            process = subprocess.Popen(
                self.argv, cwd=self.cwd, stdin=pipe, stdout=pipe, stderr=self._stderr, bufsize=0,
                start_new_session=True,
            )  # fmt: skip
        except (OSError, ValueError) as error:  # ValueError: a NUL in the command
            reason = getattr(error, "strerror", None) or str(error)
            if "/" in name:
                raise PlayerError(f"fork/exec {name}: {reason.lower()}") from None
            raise PlayerError(f'exec: "{name}": executable file not found in $PATH') from None
        self._process = process
        self._poll = select.poll()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream:
                os.set_blocking(stream.fileno(), False)
        for stream in (process.stdout, process.stderr):
            if stream:
                self._poll.register(stream, select.POLLIN)

    def _read(self) -> None:
        """Take what the process writes next, or notice that it has ended.

        Raises:
            PlayerError: the time is over.
        """
        process = self._process
        assert process and process.stdout
        left = self._time.checked()
        # Asked first: what it wrote before its end is then in the pipe, which a child may hold open for ever.
        ended = self._ended()
        wait = 0 if ended else min(left, GLANCE)
        ready = {handle for handle, _ in self._poll.poll(max(1, wait * 1000) if wait else 0)}
        if process.stderr and process.stderr.fileno() in ready and not self._read_complaints():
            self._poll.unregister(process.stderr)
        if process.stdout.fileno() in ready:
            data = _available(process.stdout.fileno())
            if data is not None:
                self._rest += data
                self._over = not data
        elif ended:
            self._over = True

    def _read_complaints(self) -> bool:
        """Take what is in the pipe of stderr; false when nothing is, or nothing more will be."""
        assert self._process and self._process.stderr
        data = _available(self._process.stderr.fileno()) or b""
        self._complaints = (self._complaints + data)[-LAST_WORDS:]
        return bool(data)

    def _ended(self) -> bool:
        """Return True if the process has ended. Does not reap it where waitid exists, so its group stays."""
        assert self._process
        if self._usage is None and hasattr(os, "waitid"):
            return bool(os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT))
        return self._reaped()

    def _reaped(self) -> bool:
        """Return True if the process has ended and was waited for."""
        assert self._process
        if self._usage is None:
            pid, status, usage = os.wait4(self._process.pid, os.WNOHANG)
            if pid:
                code = os.waitstatus_to_exitcode(status)
                self._process.returncode = code  # Popen would wait for it once more
                self._usage = code, usage.ru_utime + usage.ru_stime
        return self._usage is not None

    def _waited(self, seconds: float) -> bool:
        """Return True if the process ends within `seconds`."""
        deadline = time.monotonic() + seconds
        pause = 0.0001
        while not self._ended():
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            time.sleep(min(pause, left))
            pause = min(2 * pause, 0.01)
        return True

    def _killed(self) -> tuple[int | None, float]:
        """Kill what is left of the process, its group and its children; its exit code and CPU seconds."""
        assert self._process
        # Where nobody adopts orphans, those that have left its group can be found only while it is there.
        family = [] if self._alone else orphans.family(self._process.pid)
        self._signal(signal.SIGKILL)
        orphans.kill(family)
        self._waited(LINGER)
        code, cpu = self._usage if self._reaped() and self._usage else (None, 0.0)
        if self._alone:
            cpu += orphans.sweep(LINGER)
        return code, cpu

    def _signal(self, number: int) -> None:
        """Send a signal to the process and its group."""
        assert self._process
        try:
            os.killpg(self._process.pid, number)
        except (ProcessLookupError, PermissionError):  # macOS denies it for a group of dead processes
            pass

    def _close(self, *streams: object) -> None:
        """Close ends of pipes."""
        for stream in streams:
            if stream:
                stream.close()  # type: ignore[attr-defined]


def _available(descriptor: int) -> bytes | None:
    """Return the content of a pipe: empty at its end, None while it has no data."""
    try:
        return os.read(descriptor, LONGEST_LINE)
    except BlockingIOError:
        return None


def _text(line: bytes) -> str:
    """Return a line as text, without the return of a CRLF; bytes that are no UTF-8 stand as \\xNN."""
    return joined(line.removesuffix(b"\r").decode(errors="backslashreplace"))

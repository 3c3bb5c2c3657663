"""One player process: started, asked for guesses, sent marks, ended with everything it started.

No pipe blocks and every wait has a limit, so that whatever a player does or fails to do, its round ends in
time. The rules are in `referee`.

This process adopts orphans: every process that a player starts ends up below it, whatever session or process
group it moves to. Children are killed level by level, each by its parent, because the pid of a child that
nobody has waited for is not reused.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import time
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass

from gpulingo.match.referee import USUAL_TIMEOUT, PlayerError, Timeout
from gpulingo.words.letters import joined, leave

ENDED = "Player program ended unexpectedly"  # wording of the pit's own referee
LONGEST_LINE = 65536  # bytes with the newline: the longest that Go's bufio.Scanner takes
GLANCE = 0.1  # seconds between checks whether a silent player still runs
LINGER = 2.0  # seconds to end by itself after its input has ended
PATIENCE = 1.0  # seconds between SIGTERM and SIGKILL
LAST_WORDS = 4096  # last bytes of stderr that are kept
STDERR_READS = 32  # most reads from its pipe after the player has ended; others may still write to it
ADOPT_ORPHANS = 36, 1  # descendants whose parent ends become children of this process instead of init's
CONTINUE_AFTER_PARENT = 1, signal.SIGCONT  # at its death; it wakes a process, or undoes a pending stop


@dataclass(frozen=True)
class Ending:
    """Exit code, times and complaints of a player process."""

    exit: int | None = None  # -n for signal n; None if it was never started or cannot be killed
    lingered: bool = False  # whether it had to be ended after its round
    cpu: float = 0.0  # seconds, including its children
    wall: float = 0.0  # seconds from start to end
    complaints: str = ""  # the end of its stderr, if recorded


class ProcessPlayer:
    """A player in its own process and session; a guesser, started by its first guess or line.

    Until its end this process must start no other: it would be ended with those that the player leaves.

    Args:
        argv: the command, the word length already appended.
        stderr: as for `subprocess.Popen`; the end of a pipe's content is kept.
    """

    def __init__(
        self,
        argv: Sequence[str],
        cwd: str | os.PathLike[str] | None = None,
        *,
        timeout: float = USUAL_TIMEOUT,
        stderr: int | None = subprocess.PIPE,
    ) -> None:
        self.argv, self.cwd, self.time = list(argv), cwd, Timeout(timeout)  # of its current round
        self.ending = Ending()  # set at the end of the `with`
        self._stderr = stderr
        self._process: subprocess.Popen[bytes] | None = None
        self._rest = self._complaints = b""
        self._over = False  # whether reading has ended

    @property
    def started(self) -> bool:
        return self._process is not None

    @property
    def pid(self) -> int:
        assert self._process
        return self._process.pid

    def __enter__(self) -> ProcessPlayer:
        return self

    def __exit__(self, kind: type[BaseException] | None, *others: object) -> None:
        self.end(at_once=kind is not None)

    def __call__(self, history: Sequence[tuple[str, str]] = ()) -> str:
        """Return the next guess; PlayerError: no start, no line in time, or a line that is too long."""
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
                if line:  # a last line without a newline counts, as for the pit's own referee
                    return _text(line)
                raise PlayerError(ENDED)
            self._read()

    def hear(self, line: str) -> None:
        """Send marks, or a word as it is shown; it is no error if the player has left or never reads."""
        if self._process is None:
            self._start()
        assert self._process and self._process.stdin
        with contextlib.suppress(BrokenPipeError, BlockingIOError):
            os.write(self._process.stdin.fileno(), f"{leave(line)}\n".encode())

    def next_round(self) -> None:
        """Start the time of another round; discard what the process has written since."""
        self._rest, self.time = b"", Timeout(self.time.seconds)

    def end(self, *, at_once: bool = False) -> None:
        """Close its input and wait for it to end, unless `at_once`; then kill it with all that it started."""
        process = self._process
        if process is None:
            return
        try:
            left = self.time.left
            for stream in (process.stdin, process.stdout):
                if stream:
                    stream.close()
            lingered = not within(0 if at_once else min(LINGER, left), self._ended)
            if lingered and not at_once:
                self._signal(signal.SIGTERM)
                within(PATIENCE, self._ended)
        finally:
            # What is left of the process, its group and its children is killed.
            self._signal(signal.SIGKILL)
            within(LINGER, self._ended)
            pid, status, usage = os.wait4(self.pid, os.WNOHANG)
            # Popen would wait for it once more.
            process.returncode = code = os.waitstatus_to_exitcode(status) if pid else None
            cpu = usage.ru_utime + usage.ru_stime + sweep(LINGER, self._others)
        # A child may still hold stderr open, so only what is there now is read.
        for _ in range(STDERR_READS):
            if not (process.stderr and self._read_complaints()):
                break
        if process.stderr:
            process.stderr.close()
        complaints = self._complaints.decode(errors="replace")
        self.ending = Ending(code, lingered, round(cpu, 6), round(self.time.passed, 6), complaints)

    def _start(self) -> None:
        """Start the process; errors use the wording of the pit's own referee."""
        control(*ADOPT_ORPHANS)
        self._others = children()
        self.time = Timeout(self.time.seconds)
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
        process = self._process
        assert process and process.stdout
        left = self.time.checked()
        # Tested first: its last output is then in the pipe, which a child may hold open for ever.
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
        """Read from the pipe of stderr; return False if it is empty or at its end."""
        assert self._process and self._process.stderr
        data = _available(self._process.stderr.fileno()) or b""
        self._complaints = (self._complaints + data)[-LAST_WORDS:]
        return bool(data)

    def _ended(self) -> bool:
        """Return True if the process has ended. It is not waited for, so its group stays."""
        return bool(os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT))

    def _signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)


def _available(descriptor: int) -> bytes | None:
    """Return the content of a pipe: empty at its end, None while it has no data."""
    try:
        return os.read(descriptor, LONGEST_LINE)
    except BlockingIOError:
        return None


def _text(line: bytes) -> str:
    """Return a line as text, without the CR of a CRLF; bytes that are not UTF-8 become \\xNN."""
    return joined(line.removesuffix(b"\r").decode(errors="backslashreplace"))


def within(seconds: float, condition: Callable[[], object]) -> bool:
    """Wait until a condition holds; return False if it does not in `seconds`."""
    deadline = time.monotonic() + seconds
    pause = 0.0001
    while not condition():
        left = deadline - time.monotonic()
        if left <= 0:
            return False
        time.sleep(min(pause, left))
        pause = min(2 * pause, 0.01)
    return True


def control(option: int, value: int) -> None:
    """Set an option of this process, see prctl(2)."""
    import ctypes

    prctl = ctypes.CDLL(None).prctl
    prctl.argtypes = [ctypes.c_int, *[ctypes.c_ulong] * 4]
    prctl(option, value, 0, 0, 0)


def children() -> set[int]:
    """Return the children of this process, also dead ones that nobody has waited for."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:  # as after most rounds
        return set()
    pids = set[int]()
    try:  # the kernel's lists, because one that forks and ends at once is alive for less than a millisecond
        for task in os.listdir("/proc/self/task"):
            with open(f"/proc/self/task/{task}/children") as file:
                pids.update(map(int, file.read().split()))
    except FileNotFoundError:  # a kernel without them, or a thread that has ended
        import psutil

        return {child.pid for child in psutil.Process().children()}
    return pids


def sweep(seconds: float, spared: Set[int] = frozenset()) -> float:
    """Kill every process below this one until none is left, except spared children and those below them.

    A process that the kernel does not release in `seconds` stays. Return the CPU seconds of the others.
    """
    used, deadline, own_group = 0.0, time.monotonic() + seconds, os.getpgrp()
    while left := children() - spared:
        for pid in left:
            # Its group too: one that forks and exits repeatedly keeps its group, not its pid.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                if (group := os.getpgid(pid)) != own_group:
                    os.killpg(group, signal.SIGKILL)
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        for pid in left:
            _, _, usage = os.wait4(pid, os.WNOHANG)
            used += usage.ru_utime + usage.ru_stime
        if time.monotonic() > deadline:
            break
        time.sleep(0.0001)
    return used

"""One player process: started, asked for guesses, sent marks, ended with everything it started.

No pipe blocks and every wait has a limit, so that whatever a player does or fails to do, its round ends in
time. The rules are in `referee`.

On Linux a process can adopt orphans: every process that a player starts then ends up below it, whatever
session or process group it moves to. Children are killed level by level, each by its parent, because the pid
of a child that nobody has waited for is not reused. Elsewhere only the process group and the children still
below the player are found.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import time
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING

from gpulingo.match.referee import USUAL_TIMEOUT, PlayerError, Timeout
from gpulingo.words.letters import joined, leave

if TYPE_CHECKING:
    import psutil  # imported at run time only if needed: most rounds leave no processes

ENDED = "Player program ended unexpectedly"  # wording of the pit's own referee
LONGEST_LINE = 65536  # bytes with the newline: the longest that Go's bufio.Scanner takes
GLANCE = 0.1  # seconds between checks whether a silent player still runs
LINGER = 2.0  # seconds to end by itself after its input has ended
PATIENCE = 1.0  # seconds between SIGTERM and SIGKILL
LAST_WORDS = 4096  # last bytes of stderr that are kept
STDERR_READS = 32  # most reads from its pipe after the player has ended; others may still write to it
ENDING_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)  # signals that end a process of ours
_PDEATHSIG, _SUBREAPER, _IS_SUBREAPER = 1, 36, 37  # options of prctl(2)


@dataclass(frozen=True)
class Ending:
    """Exit code, times and complaints of a player process."""

    exit: int | None = None  # -n for signal n; None if it was never started or cannot be killed
    lingered: bool = False  # whether it had to be ended after its round
    cpu: float = 0.0  # seconds, including its children
    wall: float = 0.0  # seconds from start to end
    complaints: str = ""  # the end of its stderr, if recorded


class ProcessPlayer:
    """A player in its own process and session; a guesser inside its `with`, started by its first guess.

    Args:
        argv: the command, the word length already appended.
        alone: this process adopts orphans and starts nothing else meanwhile: all its children after the
            round are ended as well.
        stderr: as for `subprocess.Popen`; the end of a pipe's content is kept.
    """

    def __init__(
        self,
        argv: Sequence[str],
        cwd: str | os.PathLike[str] | None = None,
        *,
        timeout: float = USUAL_TIMEOUT,
        alone: bool = False,
        stderr: int | None = subprocess.DEVNULL,
    ) -> None:
        self.argv, self.cwd, self.time = list(argv), cwd, Timeout(timeout)
        self.ending = Ending()  # set at the end of the `with`
        self._alone, self._stderr = alone, stderr
        self._process: subprocess.Popen[bytes] | None = None
        self._rest = self._complaints = b""
        self._over = False  # whether reading has ended
        self._usage: tuple[int, float] | None = None  # exit code and CPU seconds, after waiting

    @property
    def started(self) -> bool:
        return self._process is not None

    def __enter__(self) -> ProcessPlayer:
        return self

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

    def show(self, line: str) -> None:
        """Send a line that comes before any guess; in the first round it starts the process."""
        if self._process is None:
            self._start()
        self.hear(line)

    def next_round(self) -> None:
        """Start the time of another round; discard what the process has written since."""
        self._rest = b""
        self.time.begin()

    @property
    def pid(self) -> int:
        """Process id, once it is started."""
        assert self._process
        return self._process.pid

    def hear(self, marks: str) -> None:
        """Send marks; it is no error if the player has left or never reads."""
        assert self._process and self._process.stdin
        with contextlib.suppress(BrokenPipeError, BlockingIOError):
            os.write(self._process.stdin.fileno(), f"{leave(marks)}\n".encode())

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close its input and wait for it to end; then kill it and its children if it has not."""
        process = self._process
        if process is None:
            return
        try:
            left = self.time.left
            for stream in (process.stdin, process.stdout):
                if stream:
                    stream.close()
            lingered = not self._waited(0 if kind else min(LINGER, left))
            if lingered and not kind:
                self._signal(signal.SIGTERM)
                self._waited(PATIENCE)
        finally:
            code, cpu = self._killed()
        # A child may still hold stderr open, so only what is there now is read.
        for _ in range(STDERR_READS):
            if not (process.stderr and self._read_complaints()):
                break
        if process.stderr:
            process.stderr.close()
        wall = self.time.passed
        complaints = self._complaints.decode(errors="replace")
        self.ending = Ending(code, lingered, round(cpu, 6), round(wall, 6), complaints)

    def _start(self) -> None:
        """Start the process; errors use the wording of the pit's own referee."""
        self._alone = self._alone and childless()
        self.time.begin()
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
        """Return True if the process has ended. Does not reap it if waitid exists, so its group stays."""
        assert self._process
        if self._usage is None and hasattr(os, "waitid"):
            return bool(os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT))
        return self._reaped()

    def _reaped(self) -> bool:
        assert self._process
        if self._usage is None:
            pid, status, usage = os.wait4(self._process.pid, os.WNOHANG)
            if pid:
                code = os.waitstatus_to_exitcode(status)
                self._process.returncode = code  # Popen would wait for it once more
                self._usage = code, usage.ru_utime + usage.ru_stime
        return self._usage is not None

    def _waited(self, seconds: float) -> bool:
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
        """Kill what is left of the process, its group and its children; return exit code and CPU seconds."""
        assert self._process
        # Without adoption of orphans, those that left its group can be found only while it exists.
        below = [] if self._alone else family(self._process.pid)
        self._signal(signal.SIGKILL)
        kill_processes(below)
        self._waited(LINGER)
        code, cpu = self._usage if self._reaped() and self._usage else (None, 0.0)
        if self._alone:
            cpu += sweep(LINGER)
        return code, cpu

    def _signal(self, number: int) -> None:
        assert self._process
        # macOS refuses it for a group of dead processes.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)


def _available(descriptor: int) -> bytes | None:
    """Return the content of a pipe: empty at its end, None while it has no data."""
    try:
        return os.read(descriptor, LONGEST_LINE)
    except BlockingIOError:
        return None


def _text(line: bytes) -> str:
    """Return a line as text, without the CR of a CRLF; bytes that are not UTF-8 become \\xNN."""
    return joined(line.removesuffix(b"\r").decode(errors="backslashreplace"))


def adopt_orphans() -> None:
    """Make descendants whose parent ends children of this process instead of init's."""
    _prctl(_SUBREAPER, 1)


@contextlib.contextmanager
def orphans_adopted() -> Iterator[None]:
    import ctypes

    before = ctypes.c_int(0)
    _prctl(_IS_SUBREAPER, ctypes.addressof(before))
    _prctl(_SUBREAPER, 1)
    try:
        yield
    finally:
        _prctl(_SUBREAPER, before.value)


def end_with_parent() -> None:
    """Request SIGTERM for this process when its parent dies, for any reason."""
    _prctl(_PDEATHSIG, signal.SIGTERM)


def childless() -> bool:
    """Return True if this process has no child, not even a dead one that nobody has waited for."""
    if not hasattr(os, "waitid"):
        return False
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return True
    return False


def children() -> set[int]:
    import psutil

    return {child.pid for child in psutil.Process().children()}


def family(pid: int) -> list[psutil.Process]:
    import psutil

    try:
        return psutil.Process(pid).children(recursive=True)
    except psutil.Error:
        return []


def kill_processes(processes: list[psutil.Process]) -> None:
    """Kill processes, except those whose pid has been reused since they were found."""
    import psutil

    for process in processes:
        with contextlib.suppress(psutil.Error):
            process.kill()


def sweep(seconds: float) -> float:
    """Kill every descendant of this process and wait for its children, also new ones, until none is left.

    A process that the kernel does not release in `seconds` stays. Return the CPU seconds of the others.
    """
    used = 0.0
    deadline = time.monotonic() + seconds
    while True:
        try:
            pid, _, usage = os.wait4(-1, os.WNOHANG)
        except ChildProcessError:
            return used
        if pid:
            used += usage.ru_utime + usage.ru_stime
            continue
        _kill_children(children())
        if time.monotonic() > deadline:
            return used
        time.sleep(0.001)


def sweep_strangers(known: Container[int], seconds: float) -> bool:
    """As `sweep`, in a process that also has other children: those in its session are its own.

    Known children are spared, whatever their session. Return whether no stranger is left after `seconds`.
    """
    deadline = time.monotonic() + seconds
    while strangers := [pid for pid in children() if pid not in known and _session(pid) != os.getsid(0)]:
        _kill_children(strangers)
        for pid in strangers:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)
        if time.monotonic() > deadline:
            return False
        time.sleep(0.001)
    return True


def _kill_children(pids: Iterable[int]) -> None:
    """Kill children and their groups: one that forks and exits repeatedly keeps its group, not its pid."""
    own_group = os.getpgrp()
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            group = os.getpgid(pid)
            if group != own_group:
                os.killpg(group, signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)


def _session(pid: int) -> int | None:
    try:
        return os.getsid(pid)
    except (ProcessLookupError, PermissionError):
        return None


def _prctl(option: int, value: int) -> None:
    """Call prctl for this process; systems without it do nothing."""
    import ctypes

    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    if prctl:
        zero = ctypes.c_ulong(0)
        prctl(ctypes.c_int(option), ctypes.c_ulong(value), zero, zero, zero)

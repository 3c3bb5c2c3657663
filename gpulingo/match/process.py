"""One player process: started, asked for guesses, told marks, ended with everything it started.

No pipe blocks and every wait has an end, so whatever a player does or leaves undone, its round is over in
time. Leaves the rules to `referee`.

On Linux a process can adopt orphans: every process that a player starts then ends up below it, in whatever
session or process group it hides. Children are killed level by level, each by its parent, because the number
of a child that nobody has waited for belongs to no other process. Elsewhere only the process group and the
children that are still below the player are found.
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
    import psutil  # at run time imported where it is needed: most rounds leave nothing

ENDED = "Player program ended unexpectedly"  # in the words of the pit's own referee
LONGEST_LINE = 65536  # bytes with the newline: the longest that Go's bufio.Scanner takes
GLANCE = 0.1  # seconds between looks whether a player that says nothing is still there
LINGER = 2.0  # seconds to end by itself once its input has ended
PATIENCE = 1.0  # seconds between SIGTERM and SIGKILL
LAST_WORDS = 4096  # bytes of stderr that are kept
STDERR_READS = 32  # of what is in its pipe when the player has ended, and may still be filled
ENDING_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)  # what tells a process of ours to end
_PDEATHSIG, _SUBREAPER, _IS_SUBREAPER = 1, 36, 37  # of prctl(2)


@dataclass(frozen=True)
class Ending:
    """Exit code, times and complaints of a player process."""

    exit: int | None = None  # -n for signal n; None when it was never started or cannot be killed
    lingered: bool = False  # it did not end by itself when its round was over
    cpu: float = 0.0  # seconds, of its children too
    wall: float = 0.0  # seconds from its start to its end
    complaints: str = ""  # the end of its stderr, if it was recorded


class ProcessPlayer:
    """A player in a process and a session of its own; a guesser in its `with`, started by its first guess.

    Args:
        argv: the command, the word length already appended.
        alone: this process adopts orphans and starts nothing else meanwhile: whatever child it has after the
            round is ended as well.
        stderr: as for `subprocess.Popen`; of a pipe the end is kept.
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
        self.ending = Ending()  # known after the `with`
        self._alone, self._stderr = alone, stderr
        self._process: subprocess.Popen[bytes] | None = None
        self._rest = self._complaints = b""
        self._over = False  # no more will be read
        self._usage: tuple[int, float] | None = None  # exit code and CPU seconds, once waited for

    @property
    def started(self) -> bool:
        return self._process is not None

    def __enter__(self) -> ProcessPlayer:
        return self

    def __call__(self, history: Sequence[tuple[str, str]] = ()) -> str:
        """Return the next guess; PlayerError: no start, no line in time, or too long a one."""
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
        """Send a line that needs no guess before it; in the first round it starts the process."""
        if self._process is None:
            self._start()
        self.hear(line)

    def next_round(self) -> None:
        """Let the time of another round begin; what the process says of its own accord is forgotten."""
        self._rest = b""
        self.time.begin()

    @property
    def pid(self) -> int:
        """The number of its process, which was started."""
        assert self._process
        return self._process.pid

    def hear(self, marks: str) -> None:
        """Send marks; a player that has left, or never reads, need not hear them."""
        assert self._process and self._process.stdin
        with contextlib.suppress(BrokenPipeError, BlockingIOError):
            os.write(self._process.stdin.fileno(), f"{leave(marks)}\n".encode())

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End its input and let it end by itself; end it and its children if it does not."""
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
        # A child may still hold stderr, so what is there now has to do.
        for _ in range(STDERR_READS):
            if not (process.stderr and self._read_complaints()):
                break
        if process.stderr:
            process.stderr.close()
        wall = self.time.passed
        complaints = self._complaints.decode(errors="replace")
        self.ending = Ending(code, lingered, round(cpu, 6), round(wall, 6), complaints)

    def _start(self) -> None:
        """Start the process; errors are in the words of the pit's own referee."""
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
        """Kill what is left of the process, its group and its children; its exit code and CPU seconds."""
        assert self._process
        # Where nobody adopts orphans, those that have left its group can be found only while it is there.
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
        # macOS denies it for a group of dead processes.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)


def _available(descriptor: int) -> bytes | None:
    """Return the content of a pipe: empty at its end, None while it has no data."""
    try:
        return os.read(descriptor, LONGEST_LINE)
    except BlockingIOError:
        return None


def _text(line: bytes) -> str:
    """Return a line as text, without the return of a CRLF; bytes that are no UTF-8 stand as \\xNN."""
    return joined(line.removesuffix(b"\r").decode(errors="backslashreplace"))


def adopt_orphans() -> None:
    """Let descendants whose parent ends become children of this process instead of init's."""
    _prctl(_SUBREAPER, 1)


@contextlib.contextmanager
def orphans_adopted() -> Iterator[None]:
    """Adopt orphans within the block."""
    import ctypes

    before = ctypes.c_int(0)
    _prctl(_IS_SUBREAPER, ctypes.addressof(before))
    _prctl(_SUBREAPER, 1)
    try:
        yield
    finally:
        _prctl(_SUBREAPER, before.value)


def end_with_parent() -> None:
    """Have SIGTERM sent to this process when its parent dies, however that happens."""
    _prctl(_PDEATHSIG, signal.SIGTERM)


def childless() -> bool:
    """Return True if this process has no child, not even a dead one that nobody waited for."""
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
    """Kill processes; one whose number has gone to another since it was found is not meant."""
    import psutil

    for process in processes:
        with contextlib.suppress(psutil.Error):
            process.kill()


def sweep(seconds: float) -> float:
    """Kill every descendant of this process and wait for its children, also new ones, until all are gone.

    A process that the kernel does not let go in `seconds` stays. Returns the CPU seconds of the others.
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
    """As `sweep`, in a process that has other children too: what stays in its session is its own.

    Known children are spared, whatever their session. Returns whether no stranger is left after `seconds`.
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
    """Kill children and their groups: one that forks and ends for ever keeps its group, not its number."""
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
    """Ask the kernel for something about this process; systems without prctl go without it."""
    import ctypes

    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    if prctl:
        zero = ctypes.c_ulong(0)
        prctl(ctypes.c_int(option), ctypes.c_ulong(value), zero, zero, zero)

"""The process of one referee, seen from the match: its line, the last question, and how to end it.

Messages are JSON objects, one per line, over a socket; every wait has a limit. A socket, because other
processes of the user could open a pipe through /proc, and fill or empty it.

`worker_process` runs in the process; `workers` chooses among several.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from typing import Any

from gpulingo.match.process import family, kill_processes
from gpulingo.words.letters import joined, leave

BLOCK = 1 << 18  # bytes read at a time
SEND = 10.0  # seconds to send a question
SWEEP = 5.0  # seconds to end what a killed referee leaves

Message = dict[str, Any]


class Line:
    """One end of a pair of stream sockets, closed by this object."""

    def __init__(self, end: socket.socket) -> None:
        self._socket = end
        self._rest = bytearray()

    def fileno(self) -> int:
        return self._socket.fileno()

    def send(self, message: Message, seconds: float | None = None) -> None:
        """Send a message within `seconds`; OSError: the other end is gone, or does not read in time."""
        self._socket.settimeout(seconds)
        self._socket.sendall(
            f"{leave(json.dumps(message, ensure_ascii=False))}\n".encode(errors="backslashreplace")
        )

    def receive(self, seconds: float | None = None) -> Message:
        """Return the next message. EOFError, OSError: the other end is gone or late; ValueError: not one."""
        deadline = None if seconds is None else time.monotonic() + seconds
        while (message := self._message()) is None:
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                raise TimeoutError("no answer")
            self._socket.settimeout(left)
            self._take()
        return message

    def received(self) -> Message | None:
        """Return the next message if it is complete; raises what `receive` raises."""
        self._socket.settimeout(0)
        with contextlib.suppress(BlockingIOError):
            self._take()
        return self._message()

    def close(self) -> None:
        self._socket.close()

    def _take(self) -> None:
        data = self._socket.recv(BLOCK)
        if not data:
            raise EOFError
        self._rest += data

    def _message(self) -> Message | None:
        line, newline, rest = self._rest.partition(b"\n")
        if not newline:
            return None
        self._rest = rest
        try:
            message = json.loads(joined(line.decode()))
        except ValueError:
            message = None
        if not isinstance(message, dict):
            raise ValueError(f"no message, but {bytes(line[:40])!r}")
        return message


class Referee:
    """A process of a referee, its line and the last question; made while signals are blocked."""

    def __init__(self, match: int) -> None:
        ours, theirs = socket.socketpair()
        self.line = Line(ours)
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
            ours.close()
            raise
        finally:
            theirs.close()

    def ask(self, question: Message, limit: float, *, repeated: bool) -> None:
        """Ask; a referee that is gone is noticed when waiting for its answer."""
        self.question, self.repeated = question, repeated
        self.deadline = time.monotonic() + limit
        with contextlib.suppress(OSError):
            self.line.send(question, SEND)

    def answer(self) -> Message | str | None:
        """Return the answer; as text, why it is missing; None if it may still come."""
        late = time.monotonic() >= self.deadline  # before reading, because this process may have been stopped
        try:
            answer = self.line.received()
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

    def leave(self) -> None:
        """Tell it to end its round and itself, even if it is stopped."""
        self.line.close()
        for number in (signal.SIGTERM, signal.SIGCONT):
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

"""Messages between two processes: JSON objects, a line each, over a socket; no wait without a limit.

A socket, because a pipe could be opened by other processes of the user through /proc, and filled or emptied.
"""

from __future__ import annotations

import json
import socket
import time
from typing import Any

from gpulingo.words.letters import joined, leave

BLOCK = 1 << 18  # bytes read at a time

Message = dict[str, Any]


class Line:
    """One end of a socket.

    Args:
        end: of a pair of stream sockets; this object closes it.
    """

    def __init__(self, end: socket.socket) -> None:
        self._socket = end
        self._rest = bytearray()

    def fileno(self) -> int:
        """Return the descriptor, to wait for."""
        return self._socket.fileno()

    def send(self, message: Message, seconds: float | None = None) -> None:
        """Send a message.

        Args:
            seconds: to spend at most, None for as long as it takes.
        Raises:
            OSError: the other end is gone, or does not read in time.
        """
        self._socket.settimeout(seconds)
        self._socket.sendall(
            f"{leave(json.dumps(message, ensure_ascii=False))}\n".encode(errors="backslashreplace")
        )

    def receive(self, seconds: float | None = None) -> Message:
        """Return the next message.

        Args:
            seconds: to spend at most, None for as long as it takes.
        Raises:
            EOFError: the other end is gone. OSError: it is, or sends no whole message in time.
            ValueError: what it sent is no message.
        """
        deadline = None if seconds is None else time.monotonic() + seconds
        while (message := self._message()) is None:
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                raise TimeoutError("no answer")
            self._socket.settimeout(left)
            self._take()
        return message

    def received(self) -> Message | None:
        """Return the next message if all of it is there; it raises what `receive` raises."""
        self._socket.settimeout(0)
        try:
            self._take()
        except BlockingIOError:
            pass
        return self._message()

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()

    def _take(self) -> None:
        """Add what comes next."""
        data = self._socket.recv(BLOCK)
        if not data:
            raise EOFError
        self._rest += data

    def _message(self) -> Message | None:
        """Return the first whole message received, or None."""
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

"""Leases in a shared folder: only the holder of a lease works on what it names.

Uses only operations that are atomic on a network file system too: hard links and renames. Compares no file
times: a lease is stale when its content has not changed for long on the clock of the process that looks.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import time

from gpulingo.storage.files import file_bytes

TYPE_CHECKING = False  # not typing's: importing it costs the light path more than reading a checkpoint
if TYPE_CHECKING:
    from collections.abc import Callable

RENEWED = 6  # times that a lease is renewed before it would be stale


def new_owner() -> str:
    """Return a name that no other process has, on whatever machine."""
    host = "".join(letter if letter.isalnum() else "-" for letter in socket.gethostname())[:32]
    return f"{host}-{os.getpid()}-{secrets.token_hex(4)}"


def create_file(path: str, data: bytes, owner: str) -> bool:
    """Write a file unless there is one by that name: of several who try, exactly one does.

    Args:
        owner: of no other process.
    Returns:
        Whether it was this one.
    Raises:
        OSError: nothing can be written there.
    """
    temporary = f"{path}.{owner}.part"
    try:
        with open(temporary, "wb") as file:
            file.write(data)
        return _linked(temporary, path)
    except OSError as failure:
        failure.filename = path  # which a full disk does not name
        raise
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)


def _linked(source: str, path: str) -> bool:
    """Return True if this call created the link `path` to the file."""
    before = os.stat(source).st_nlink
    try:
        os.link(source, path)
        return True
    except FileExistsError:
        # Over a network an answer may be lost and the call repeated: then it was this one all the same.
        return os.stat(source).st_nlink > before
    except OSError as error:
        raise OSError(error.errno, f"no lease can be made ({error.strerror})", path) from None


class Leases:
    """Leases of one process.

    Each is a hard link to a file of the process, which it rewrites now and then. So a process that was taken
    for dead never renews a lease that another has taken over.

    Args:
        folder: an existing folder, for leases alone.
        seconds: after which a lease that was not renewed is stale; the same for all.
        owner: unique to this process.
        now: seconds on a clock that never goes back.
    Raises:
        OSError: the folder cannot be written to.
    """

    def __init__(
        self, folder: str, seconds: float, owner: str, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.folder, self.seconds, self.owner, self.now = folder, seconds, owner, now
        self._own = os.path.join(folder, f"{owner}.owner")
        self._seen: dict[str, tuple[bytes, float]] = {}  # content of the leases of others, and since when
        self._renewals, self._renewed = 0, now()
        self._write()

    def take(self, name: str) -> bool:
        """Take a lease if it is free, or stale.

        Raises:
            OSError: nothing can be written there.
        """
        path = self._path(name)
        if not os.path.exists(self._own):  # removed by someone
            self._write()
        if _linked(self._own, path):
            self._seen.pop(name, None)
            self.renew()
            return True
        if not self._stale(name, path) or not self._put_aside(name, path):
            return False
        return self.take(name)

    def give_back(self, name: str) -> None:
        """Let others take a lease; one that was taken over stays with who has it."""
        path = self._path(name)
        with contextlib.suppress(OSError):
            if os.path.samefile(path, self._own):
                os.unlink(path)

    def renew(self) -> None:
        """Show that this process is alive, if it is time to; to be called often."""
        if self.due:
            self._renewed, self._renewals = self.now(), self._renewals + 1
            with contextlib.suppress(OSError):  # a lease that is lost costs no more than work done twice
                self._write()

    @property
    def due(self) -> bool:
        """Return True if it is time to renew."""
        return self.now() - self._renewed >= self.seconds / RENEWED

    def leave(self) -> None:
        """End; leases that were not given back become stale."""
        with contextlib.suppress(OSError):
            os.unlink(self._own)

    def _path(self, name: str) -> str:
        return os.path.join(self.folder, f"{name}.lease")

    def _write(self) -> None:
        """Write the file of this process, in place, so that all links show it."""
        content = f"{self.owner} {self._renewals:012d}\n".encode()
        descriptor = os.open(self._own, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            os.write(descriptor, content)
        except OSError as failure:
            failure.filename = self._own  # which a full disk does not name
            raise
        finally:
            os.close(descriptor)

    def _stale(self, name: str, path: str) -> bool:
        """Return True if the lease of another process is stale."""
        content, now = _content(path), self.now()
        if content is None:
            self._seen.pop(name, None)
            return False
        before, since = self._seen.get(name, (None, now))
        if content != before:
            self._seen[name] = (content, now)
            return False
        return now - since >= self.seconds

    def _put_aside(self, name: str, path: str) -> bool:
        """Remove a stale lease, unless it was renewed meanwhile; of several processes only one succeeds."""
        aside = f"{path}.{self.owner}.stale"
        content, _ = self._seen.pop(name)
        try:
            os.rename(path, aside)
        except FileNotFoundError:
            return False
        same = _content(aside) == content
        if not same:
            with contextlib.suppress(OSError):
                os.link(aside, path)
        with contextlib.suppress(OSError):  # a folder keeps what it holds
            os.unlink(aside)
        return same


def _content(path: str) -> bytes | None:
    """Return the content of a lease: empty if the file is not a lease, None if it is missing."""
    try:
        return file_bytes(path, 256, plain=True)
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        return b""

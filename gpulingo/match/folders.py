"""Temporary folders of matches: locked while the match lives, removed by a later start if it was killed.

A lock ends with the process that holds it, whatever has killed it.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator

PREFIX = "gpulingo-"
MARK = ".gpulingo-match"  # a file in the folder that says whose it is, written once the folder is held
TEXT = "A folder of a match of gpulingo; whoever can lock it may remove it.\n"
WAIT = 5.0  # seconds for the lock of a new folder
UNMARKED = 3600.0  # seconds after which an empty folder without a mark is nobody's


@contextlib.contextmanager
def held_folder() -> Iterator[str]:
    """A new folder that is removed with all that is in it at the end of the block, or by a later start."""
    # What a player makes unreadable must not end the match.
    with tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True) as path:
        deadline = time.monotonic() + WAIT
        # Another start may be looking at it just now.
        while (lock := _locked(path)) is None and time.monotonic() < deadline:
            time.sleep(0.01)
        try:
            if lock is not None:  # without a lock it has no mark, and nobody removes it
                with open(os.path.join(path, MARK), "w", encoding="ascii") as file:
                    file.write(TEXT)
            yield path
        finally:
            if lock is not None:
                os.close(lock)


def remove_abandoned() -> None:
    """Remove folders of matches that are no more; only this user's, and none that a process holds."""
    try:
        with os.scandir(tempfile.gettempdir()) as entries:
            paths = [entry.path for entry in entries if entry.name.startswith(PREFIX)]
    except OSError:
        return
    for path in paths:
        with contextlib.suppress(OSError):
            _remove_if_abandoned(path)


def _remove_if_abandoned(path: str) -> None:
    """Remove a folder if it is that of a match which is no more.

    Raises:
        OSError: it is none, or not this user's.
    """
    lock = _locked(path)
    if lock is None:
        return
    try:
        status = os.fstat(lock)
        if status.st_uid != os.geteuid():
            return
        marked = _marked(path)
        if marked and os.path.samestat(status, os.lstat(path)):
            shutil.rmtree(path, ignore_errors=True)
        elif not marked and time.time() - status.st_mtime > UNMARKED:
            os.rmdir(path)  # fails unless it is empty: killed before it was marked
    finally:
        os.close(lock)


def _marked(path: str) -> bool:
    """Whether a folder holds the mark; what a player has put in its place, as a pipe, is not waited for."""
    try:
        mark = os.open(os.path.join(path, MARK), os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return False
    with open(mark, "rb") as file:
        return file.read(len(TEXT) + 1) == TEXT.encode()


def _locked(path: str) -> int | None:
    """A descriptor of a folder that this process alone has locked; None when another has.

    Raises:
        OSError: it is no folder, or cannot be opened.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:  # also on a file system without locks
        os.close(descriptor)
        return None
    return descriptor

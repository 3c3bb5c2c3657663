"""Temporary folders of matches: locked while the match lives, removed by a later start if it was killed.

A lock ends with the process that holds it, whatever has killed it.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import tempfile
import time
from collections.abc import Callable, Iterator

PREFIX = "gpulingo-"
MARK = ".gpulingo-match"  # a file in the folder that says whose it is, written once the folder is held
TEXT = "A folder of a match of gpulingo; a process that can lock it may remove it.\n"
WAIT = 5.0  # seconds for the lock of a new folder
UNMARKED = 3600.0  # seconds after which an empty folder without a mark is nobody's


_OPENED = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


@contextlib.contextmanager
def held_folder(tell: Callable[[str], object] = lambda line: None) -> Iterator[str]:
    """A new folder that is removed with all that is in it at the end of the block, or by a later start.

    Args:
        tell: takes one line where it cannot be removed, which is no error: what came of the match counts.
    """
    path = tempfile.mkdtemp(prefix=PREFIX)
    lock = None
    try:
        deadline = time.monotonic() + WAIT
        # Another start may be looking at it just now.
        while (lock := _locked(path)) is None and time.monotonic() < deadline:
            time.sleep(0.01)
        if lock is not None:  # without a lock it has no mark, and nobody removes it
            with open(os.path.join(path, MARK), "w", encoding="ascii") as file:
                file.write(TEXT)
        yield path
    finally:
        try:
            remove_folder(path)
        except OSError as error:
            tell(f"cannot remove the folder {path} ({error.strerror}): remove it by hand")
        finally:
            if lock is not None:
                os.close(lock)


def remove_folder(path: str) -> None:
    """Remove a folder with all that is in it, as far as that can be done, the mark last.

    Folders in folders are first moved up beside them. So no depth, and no length of a path, is too much.

    Args:
        path: of the folder; it is no error that it is gone.
    Raises:
        OSError: something stays, and with it the mark; the first thing that stays.
    """
    try:
        top = _opened(path)
    except FileNotFoundError:
        return
    try:
        names, failures = _without_files(top, MARK)
        while names:
            name = names.pop()
            try:
                inner = _opened(name, top)
                try:
                    below, more = _without_files(inner)
                    failures += more
                    for child in below:
                        os.chmod(child, 0o700, dir_fd=inner)  # else only root may move it
                        moved = os.urandom(16).hex()
                        os.rename(child, moved, src_dir_fd=inner, dst_dir_fd=top)
                        names.append(moved)
                finally:
                    os.close(inner)
                os.rmdir(name, dir_fd=top)
            except FileNotFoundError:
                pass  # another process removes it too
            except OSError as error:
                failures.append(error)
        if failures:
            raise failures[0]
        with contextlib.suppress(FileNotFoundError):
            os.unlink(MARK, dir_fd=top)
    finally:
        os.close(top)
    with contextlib.suppress(FileNotFoundError):
        os.rmdir(path)


def _opened(name: str, folder: int | None = None) -> int:
    """A descriptor of a folder, in another one if that is given, whose permissions leave nothing out."""
    try:
        descriptor = os.open(name, _OPENED, dir_fd=folder)
    except PermissionError:
        os.chmod(name, 0o700, dir_fd=folder)
        descriptor = os.open(name, _OPENED, dir_fd=folder)
    os.fchmod(descriptor, 0o700)
    return descriptor


def _without_files(folder: int, kept: str = "") -> tuple[list[str], list[OSError]]:
    """Remove all of an open folder but its folders and one file; the folders' names, and what stays."""
    names, failures = [], []
    with os.scandir(folder) as entries:
        for entry in list(entries):
            if entry.is_dir(follow_symlinks=False):
                names.append(entry.name)
            elif entry.name != kept:
                try:
                    os.unlink(entry.name, dir_fd=folder)
                except FileNotFoundError:
                    pass
                except OSError as error:
                    failures.append(error)
    return names, failures


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
    """Remove a folder if it belongs to a match that has ended.

    Raises:
        OSError: it is not the folder of a match, or not this user's.
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
            remove_folder(path)
        elif not marked and time.time() - status.st_mtime > UNMARKED:
            os.rmdir(path)  # fails unless it is empty: killed before it was marked
    finally:
        os.close(lock)


def _marked(path: str) -> bool:
    """Return True if a folder holds the mark; does not wait for a pipe that a player put in its place."""
    try:
        mark = os.open(os.path.join(path, MARK), os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return False
    with open(mark, "rb") as file:
        return file.read(len(TEXT) + 1) == TEXT.encode()


def _locked(path: str) -> int | None:
    """Return a descriptor of a folder that this process alone has locked; None when another has.

    Raises:
        OSError: it is not a folder, or cannot be opened.
    """
    descriptor = os.open(path, _OPENED)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:  # also on a file system without locks
        os.close(descriptor)
        return None
    return descriptor

"""Processes that a player leaves running when its round is over: found, killed and reaped.

On Linux a process can adopt orphans: every process that a player starts then ends up below it, in whatever
session or process group it hides. Children are killed level by level, each by its parent, because the number
of a child that nobody has waited for belongs to no other process. Elsewhere only the process group and the
children that are still below the player are found.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Container, Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import psutil  # at run time imported where it is needed: most rounds leave nothing

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)  # what tells a process of ours to end
_PDEATHSIG, _SUBREAPER, _IS_SUBREAPER = 1, 36, 37  # of prctl(2)


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
    """Return the children of this process."""
    import psutil

    return {child.pid for child in psutil.Process().children()}


def family(pid: int) -> list[psutil.Process]:
    """All that is below a process."""
    import psutil

    try:
        return psutil.Process(pid).children(recursive=True)
    except psutil.Error:
        return []


def kill(processes: list[psutil.Process]) -> None:
    """Kill processes; one whose number has gone to another since it was found is not meant."""
    import psutil

    for process in processes:
        with contextlib.suppress(psutil.Error):
            process.kill()


def sweep(seconds: float) -> float:
    """Kill every descendant of this process and wait for its children, also new ones, until all are gone.

    Args:
        seconds: to spend at most; a process that the kernel does not let go stays.
    Returns:
        CPU seconds of those waited for.
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

    Args:
        known: children to be spared, whatever their session.
        seconds: to spend at most.
    Returns:
        Whether no stranger is left.
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
    own = os.getpgrp()
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            group = os.getpgid(pid)
            if group != own:
                os.killpg(group, signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)


def _session(pid: int) -> int | None:
    """Return the session of a process; None when it is gone."""
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

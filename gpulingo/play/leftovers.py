"""What a player leaves running when its round is over: found, killed and reaped.

A process that adopts orphans and had no child before the round knows that every child after it is the
player's, whatever session or process group that child has moved to. Linux only; elsewhere the process group
has to do.
"""

from __future__ import annotations

import os
import signal
import time

_PDEATHSIG, _SUBREAPER = 1, 36  # of prctl(2)


def adopt_orphans() -> None:
    """Let descendants whose parent ends become children of this process instead of init's."""
    _prctl(_SUBREAPER, 1)


def end_with_parent() -> None:
    """Have SIGTERM sent to this process when its parent dies, however that happens."""
    _prctl(_PDEATHSIG, signal.SIGTERM)


def childless() -> bool:
    """Whether this process has no child, not even a dead one that nobody waited for."""
    if not hasattr(os, "waitid"):
        return False
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return True
    return False


def sweep(seconds: float) -> float:
    """Kill every descendant of this process and wait for its children, also new ones, until there are none.

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
        _kill(descendants(os.getpid()))
        if time.monotonic() > deadline:
            return used
        time.sleep(0.001)


def descendants(ancestor: int) -> dict[int, int]:
    """Children of a process, their children and so on, as /proc tells them; empty where there is no /proc.

    Returns:
        Process -> process group.
    """
    groups: dict[int, int] = {}
    children: dict[int, list[int]] = {}
    try:
        names = [name for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        return {}
    for name in names:
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                # After the program's name, which may hold spaces and brackets: condition, parent, group.
                _, parent, group = file.read().rpartition(b")")[2].split()[:3]
        except (OSError, ValueError):
            continue
        groups[int(name)] = int(group)
        children.setdefault(int(parent), []).append(int(name))
    found: dict[int, int] = {}
    front = [ancestor]
    while front:
        front = [child for one in front for child in children.get(one, []) if child not in found]
        found |= {child: groups[child] for child in front}
    return found


def _kill(found: dict[int, int]) -> None:
    """Kill processes and their groups: one that forks and ends for ever keeps its group, not its number."""
    own = os.getpgrp()
    for send, numbers in ((os.killpg, {*found.values()} - {own, 0}), (os.kill, {*found})):
        for number in numbers:
            try:
                send(number, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                pass


def _prctl(option: int, value: int) -> None:
    """Ask the kernel for something about this process; systems without prctl go without it."""
    import ctypes

    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    if prctl:
        zero = ctypes.c_ulong(0)
        prctl(ctypes.c_int(option), ctypes.c_ulong(value), zero, zero, zero)

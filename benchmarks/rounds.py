"""Rounds a second between the referee and a trivial player; processes, descriptors and memory they leave.

python benchmarks/rounds.py [ROUNDS [JOBS]]
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from gpulingo.play.leftovers import descendants
from gpulingo.play.match import Round
from gpulingo.play.referees import House, Seat, played_rounds

PLAYER = ("/bin/sh", "-c", "echo bale; read marks; echo able; read marks")


def held(pid: int) -> str:
    """Descriptors and resident memory of a process."""
    folder = Path(f"/proc/{pid}")
    status = (folder / "status").read_text()
    memory = next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS"))
    return f"{len(list((folder / 'fd').iterdir()))} descriptors, {int(memory) / 1024:.1f} MiB"


def main(rounds: int = 10_000, jobs: int = 1) -> None:
    """Play rounds and print ten lines on the way."""
    house = House({"player": Seat(PLAYER, None)}, {"words": "able\nbale"}, 10)
    started = time.monotonic()
    points = 0
    cpu = os.times()
    for number, played in enumerate(
        played_rounds([Round("player", "words", "able")] * rounds, house, jobs), 1
    ):
        points += played.result.points
        if number % max(1, rounds // 10) == 0 and number < rounds:
            family = descendants(os.getpid())
            first = min(pid for pid in family if b"resource_tracker" not in command(pid))
            here = f"match: {held(os.getpid())}; referee: {held(first)}; {len(family)} processes"
            print(f"{number:,} rounds in {time.monotonic() - started:.1f} s; {here}")
    seconds = time.monotonic() - started
    after = os.times()
    used = sum(after[:4]) - sum(cpu[:4])
    assert points == 400 * rounds, points
    left = [pid for pid in descendants(os.getpid()) if b"resource_tracker" not in command(pid)]
    print(f"{rounds:,} rounds in {seconds:.1f} s: {rounds / seconds:.0f} a second, {jobs} at a time")
    print(f"{used:.1f} s of CPU in all; {len(left)} processes left; match: {held(os.getpid())}")


def command(pid: int) -> bytes:
    """The command line of a process; empty when it is gone."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

"""Rounds a second of the referee with a trivial player; processes, descriptors and memory that they leave.

python benchmarks/rounds.py [ROUNDS [JOBS]]
"""

from __future__ import annotations

import os
import sys
import time

import psutil

from gpulingo.games.catalogue import lingo
from gpulingo.match.rounds import Planned
from gpulingo.match.sandbox import MatchSetup, Workspace
from gpulingo.match.workers import played_rounds

PLAYER = ("/bin/sh", "-c", "echo bale; read marks; echo able; read marks")


def held(process: psutil.Process) -> str:
    """Number of descriptors and resident memory of a process."""
    return f"{process.num_fds()} descriptors, {process.memory_info().rss / 2**20:.1f} MiB"


def main(rounds: int = 10_000, jobs: int = 1) -> None:
    """Play rounds and print ten lines of progress."""
    setup = MatchSetup({"player": Workspace(PLAYER, None)}, {"words": {"able", "bale"}}, 10, lingo())
    started = time.monotonic()
    points = 0
    cpu = os.times()
    for number, played in enumerate(
        played_rounds([Planned("player", "words", "able")] * rounds, setup, jobs), 1
    ):
        points += played.result.points
        if number % max(1, rounds // 10) == 0 and number < rounds:
            (first, *_) = psutil.Process().children()
            below = len(psutil.Process().children(recursive=True))
            here = f"match: {held(psutil.Process())}; referee: {held(first)}; {below} processes"
            print(f"{number:,} rounds in {time.monotonic() - started:.1f} s; {here}")
    seconds = time.monotonic() - started
    after = os.times()
    used = sum(after[:4]) - sum(cpu[:4])
    assert points == 400 * rounds, points
    left = psutil.Process().children(recursive=True)
    print(f"{rounds:,} rounds in {seconds:.1f} s: {rounds / seconds:.0f} a second, {jobs} at a time")
    print(f"{used:.1f} s of CPU in all; {len(left)} processes left; match: {held(psutil.Process())}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

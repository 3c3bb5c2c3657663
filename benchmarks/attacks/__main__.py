"""Attacks on the files that gpulingo reads, its matches, its page and its commands, by kind.

    scripts/attack                                        # at most 10 minutes
    scripts/attack --parts files --cases 100000 --time 3600 --seed 7

Exit code 0 if the program behaved in every case, else 1, with the first fault of each kind. The same seed
tries the same cases; each part's module says what a kind does and what counts as behaving.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from time import perf_counter

import connections
import files
import players
import processes

PARTS = {
    "files": (files.attacks, 20_000),  # with as many cases
    "players": (players.attacks, 36),
    "web": (connections.attacks, 12),
    "processes": (processes.attacks, 640),
}


def main() -> int:
    """Run the parts, print their results and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--parts", default=",".join(PARTS), help="joined by commas: %(default)s")
    parser.add_argument("--cases", type=int, help="of each part; else as many as take some minutes")
    parser.add_argument("--time", type=float, default=600, help="seconds, equal for each part: %(default)s")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    parts = options.parts.split(",")
    if unknown := [part for part in parts if part not in PARTS]:
        parser.error(f"no part {unknown[0]!r}: use {', '.join(PARTS)}")
    failed = 0
    print(f"{'part':9}  {'kind':44}  {'cases':>8}  {'failures':>8}", flush=True)
    for part in parts:
        attacks, usual = PARTS[part]
        started = perf_counter()
        tried, faults, first = Counter[str](), Counter[str](), dict[str, str]()
        for kind, fault in attacks(options.cases or usual, options.seed):
            tried[kind] += 1
            if fault:
                faults[kind] += 1
                first.setdefault(kind, fault)
            if perf_counter() - started > options.time / len(parts):
                break
        for kind in sorted(tried):
            print(f"{part:9}  {kind:44}  {tried[kind]:8,}  {faults[kind]:8,}")
            if kind in first:
                print(f"           first: {first[kind]}")
        name = f"all, in {perf_counter() - started:.0f} s"
        print(f"{part:9}  {name:44}  {tried.total():8,}  {faults.total():8,}", flush=True)
        failed += faults.total()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

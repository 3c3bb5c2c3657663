"""Racks a second: all racks of a bag in one pass, some by the letters they lack, and a scan of the list.

The scan is plain numpy: the letters of each rack against those of all words of at most its length. The ways
alternate in one process on one core; results are medians of ROUNDS; the scan does RACKS racks.

python benchmarks/tiles.py [BAG [TILES [ROUNDS [RACKS]]]]
"""

from __future__ import annotations

import os
import sys
from statistics import median
from time import perf_counter

import numpy as np
import torch

from gpulingo import draw_summary, embedded, find_bag
from gpulingo.tiles.best_words import Spelling, best_of, spelled
from gpulingo.tiles.rack_table import rack_tables

DRAWN = 800  # racks compared with words by the letters they lack


def scanned(racks: list[str], spelling: Spelling) -> list[int | None]:
    """The points of the best word of each rack, computed one by one."""
    bag = spelling.bag
    words = spelling.letters.astype(np.int8)
    values = np.array([*bag.values, 0])
    found: list[int | None] = []
    for held in racks:
        kinds = [bag.kinds[letter] for letter in held]
        rack = np.bincount(kinds, minlength=words.shape[1]).astype(np.int8)
        blanks = 0
        if bag.blank is not None:
            blanks, rack[bag.blank] = int(rack[bag.blank]), 0
        missing = np.maximum(words - rack, 0)
        fits = missing.sum(1) <= blanks
        worth = (words[fits] - missing[fits]).astype(np.int64) @ values  # blanks score 0, no letter less
        found.append(int(worth.max()) if len(worth) else None)
    return found


def main(name: str = "challenge", tiles: int = 7, rounds: int = 5, racks: int = 200) -> None:
    """Time the ways alternately and print a line for each."""
    torch.set_num_threads(1)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    bag = find_bag(name)
    spelling = spelled(embedded().words, bag, tiles)
    drawn = bag.drawn(tiles, max(DRAWN, racks), seed=1)
    seconds: dict[str, list[float]] = {"pass": [], "best": [], "scan": []}
    for number in range(rounds + 1):
        started = perf_counter()
        (table,) = rack_tables(spelling, [tiles])
        done = draw_summary(table)
        passed = perf_counter()
        best_of(drawn[:DRAWN], spelling)
        compared = perf_counter()
        points = scanned(drawn[:racks], spelling)
        ended = perf_counter()
        assert points == table.points_of(drawn[:racks])
        if number:  # the first compiles
            for kind, took in zip(
                seconds, (passed - started, compared - passed, ended - compared), strict=True
            ):
                seconds[kind].append(took)
    counts = {"pass": done.racks, "best": DRAWN, "scan": racks}
    rates = {kind: counts[kind] / median(took) for kind, took in seconds.items()}
    print(f"{bag.name}, {tiles} tiles, {len(spelling.words):,} words, one core, medians of {rounds}")
    for kind, rate in rates.items():
        took = median(seconds[kind])
        ratio = rate / rates["scan"]
        shown = f"{kind:6} {counts[kind]:>10,} racks {took:8.3f} s {rate:>14,.0f} racks/s"
        print(f"{shown} {ratio:>10,.0f} x the scan")


if __name__ == "__main__":
    main(*sys.argv[1:2], *map(int, sys.argv[2:]))

#!/usr/bin/env python3
"""No strategy finds both words of dordle sooner on average: a lower bound of the mean turn of the last word.

    python benchmarks/two_boards_bound.py --wordlist pool.txt --targets targets.txt

It is over all ordered pairs of different targets. For each opening, the pairs whose last word can be found by
turn 2, 3 and 4 are counted from above: by the sizes of its classes, and the most classes that any one guess
makes of each. Later turns are taken as found. docs/boards.md has the argument.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator

import numpy as np

from gpulingo.games.catalogue import wordle
from gpulingo.tensors.arrays import Array, array_of
from gpulingo.tensors.frontier import Frontier, whole
from gpulingo.tensors.objective import classes
from gpulingo.tensors.operations import rank, split
from gpulingo.tensors.wordtable import table_of
from gpulingo.words.listing import read
from gpulingo.words.wordlist import WordList


def most_found(sizes: Array, parts: Array, words: int, *, own: bool) -> int:
    """Return the most pairs that can be found by turn 2, 3 and 4, in sum, after an opening.

    Args:
        sizes: [K] int64, of its classes. parts: [K] int64, the most classes that a guess makes of each.
        words: targets of the list. own: whether the opening is one of them.
    """
    pairs, apart = words * (words - 1), ~np.eye(len(sizes), dtype=bool)
    with_opening = 2 * (words - 1) * own  # pairs
    second = 2 * len(sizes) * own
    third = with_opening + np.maximum.outer(parts, parts)[apart].sum() + 2 * (parts - 1).sum()
    # Classes A and B become a and b: one guess for each a, b finds at most |a| + |b| - 1 of their pairs.
    later = np.multiply.outer(sizes, parts)
    later = later + later.T - np.multiply.outer(parts, parts)
    unlike = np.minimum(np.multiply.outer(sizes, sizes), np.maximum.outer(sizes, sizes) + later)
    alike = np.minimum(sizes * (sizes - 1), 2 * (sizes - 1) + later.diagonal())
    fourth = with_opening + unlike[apart].sum() + alike.sum()
    return sum(min(int(found), pairs) for found in (second, third, fourth))


def bounds(words: WordList) -> Iterator[tuple[str, float]]:
    """Yield openings after which more can be found than before, with the bound so far; the last holds."""
    table, count = table_of(words, wordle()), words.target_count
    start, number = whole(table), classes(count, 0)
    targets, pairs = {*array_of(table.targets).tolist()}, count * (count - 1)

    def after(guess: int, most: int | None = None) -> int:
        made = split(table, start, np.array([guess], np.int32)).frontier
        sizes = array_of(made.sizes_here).astype(np.int64)
        parts = np.minimum(sizes, most) if most else most_classes(made)
        return most_found(sizes, parts, count, own=guess in targets)

    def most_classes(sets: Frontier) -> Array:
        return array_of(rank(table, sets, table.pool, number, 1).ranks)[:, 0].astype(np.int64)

    (most,) = most_classes(start).tolist()  # no guess makes more classes of a part than of the whole
    limits, best = np.array([after(guess, most) for guess in range(table.guesses)]), 0
    for guess in np.argsort(-limits, kind="stable").tolist():
        if limits[guess] <= best:
            return
        found = after(guess)
        if found > best:
            best = found
            yield words[guess], 5 - best / pairs


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--wordlist", required=True)
    parser.add_argument("--targets", required=True)
    given, begun = parser.parse_args(), time.process_time()
    targets = read(given.targets).of_length(5).words
    for opening, bound in bounds(read(given.wordlist).of_length(5).with_targets(targets)):
        print(f"{opening}: {bound:.5f}, {time.process_time() - begun:.0f} CPU s", flush=True)
    print(f"all openings: {bound:.5f}, {time.process_time() - begun:.0f} CPU s")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""What it takes to bring openings down to a gap by three turns: CPU seconds an opening, and of all openings.

    python benchmarks/three_turns.py 5 --gap 12 [--sample 12] [--wordlist wordlist.txt]

The gap is from the best tree that is kept for the list. One thread. The openings are drawn from all of the
list; each begins with nothing but the sizes of its classes, two more before them are not counted, as kernels
compile there. It prints one line: CPU seconds of an opening (median, mean and most), its pairs (mean), CPU
hours of all openings, and how many stay above the gap.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from statistics import mean, median

import numpy as np
import torch

from gpulingo.bounds.every_guess import Searches
from gpulingo.bounds.state import bound_state
from gpulingo.bounds.three_turns import bounded_in_three_turns
from gpulingo.games.catalogue import lingo
from gpulingo.tensors.wordtable import table_of
from gpulingo.trees.kept import kept_trees
from gpulingo.words.listing import embedded, read
from gpulingo.words.wordlist import WordList

MEMORY = 1 << 29
BEFORE = 2


def measured(words: WordList, gap: float, sample: int) -> str:
    """The line that is printed."""
    game, table = lingo(), table_of(words)
    tree = next(iter(kept_trees(words, game)[0].values()))
    goal = tree.value + int(gap * len(words) / 100)
    state, searches = bound_state(table, game), Searches(table, game, MEMORY)
    drawn = np.random.default_rng(0).choice(len(words), BEFORE + sample, replace=False).tolist()
    seconds, pairs, left = list[float](), list[int](), 0
    for number, opening in enumerate(drawn, -BEFORE):
        before = time.process_time()
        found = bounded_in_three_turns(searches, state, [opening], goal, pairs.append)
        seconds.append(time.process_time() - before)
        left += int(found.bounds[0]) > goal
        if number < 0:
            left = 0
            pairs.clear()
            seconds.clear()
    return (
        f"{table.length} letters, gap {gap:g}: an opening"
        f" {median(seconds):.2f}, {mean(seconds):.2f}, {max(seconds):.2f} CPU seconds,"
        f" {sum(pairs) / sample / 1e9:.1f} G pairs; {len(words) * mean(seconds) / 3600:.1f} CPU hours of all;"
        f" {left} of {sample} stay above the gap"
    )


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("length", type=int)
    parser.add_argument("--gap", type=float, required=True, help="mean points")
    parser.add_argument("--sample", type=int, default=12, help="openings to bring down")
    parser.add_argument("--wordlist", type=Path, help="the embedded list if not given")
    options = parser.parse_args()
    torch.set_num_threads(1)
    words = (read(options.wordlist) if options.wordlist else embedded()).of_length(options.length)
    print(measured(words, options.gap, options.sample))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""The cost of lowering openings to a gap by three turns: CPU seconds per opening, and for all openings.

    python benchmarks/three_turns.py 5 --gap 12 [--sample 12] [--two-guesses] [--wordlist wordlist.txt]

The gap is relative to the best stored tree of the list. One thread. Openings are drawn at random from the
list; each starts with only the sizes of its classes. Two more run first, unmeasured, to compile the kernels.
Prints the letters and the gap, then one line: CPU seconds per opening (median, mean and maximum), mean pairs,
CPU hours for all openings, and how many stay above the gap. With --two-guesses the classes of the whole list
are counted first, and openings are bounded by two more guesses before three turns; two more lines before that
one print these costs.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from statistics import mean, median

import numpy as np
import torch

from gpulingo.bounds.certificate import Evidence
from gpulingo.bounds.counting import TwoGuesses, evaluate
from gpulingo.bounds.every_guess import Searches, bounded_in_three_turns
from gpulingo.bounds.state import BoundState
from gpulingo.games.catalogue import lingo
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.wordtable import table_of
from gpulingo.trees.stored import stored_trees
from gpulingo.words.listing import embedded, read
from gpulingo.words.wordlist import WordList

MEMORY = 1 << 29
BEFORE = 2

Bounded = Callable[[int, Progress], Evidence]


class Timed:
    """A way to bound one opening, and its cost on a sample.

    Args:
        name: name of the way. bounded: returns the evidence of an opening.
    """

    def __init__(self, name: str, state: BoundState, goal: int, bounded: Bounded) -> None:
        self.name, self._state, self._goal, self._bounded = name, state, goal, bounded
        self.seconds, self.pairs, self.left = list[float](), list[int](), 0

    def bound(self, opening: int, counted: bool) -> None:
        """Bound an opening as far as possible; if not `counted`, only to compile the kernels."""
        pairs = list[int]()
        before = time.process_time()
        self._state.apply(self._bounded(opening, pairs.append))
        seconds = time.process_time() - before
        if counted:
            self.seconds.append(seconds)
            self.pairs.append(sum(pairs))
            self.left += int(self._state.lowest[opening]) > self._goal

    @property
    def line(self) -> str:
        """The line that is printed."""
        seconds, hours = self.seconds, self._state.table.words * mean(self.seconds) / 3600
        return (
            f"{self.name}: an opening {median(seconds):.2f}, {mean(seconds):.2f}, {max(seconds):.2f} CPU"
            f" seconds, {mean(self.pairs) / 1e9:.1f} G pairs; {hours:.1f} CPU hours of all;"
            f" {self.left} of {len(seconds)} stay above the gap"
        )


def measure(words: WordList, gap: float, sample: int, two_guesses: bool) -> None:
    """Print the lines."""
    game, table = lingo(), table_of(words, lingo())
    tree = next(iter(stored_trees(words, game)[0].values()))
    goal = tree.value + int(gap * len(words) / 100)
    state, searches = BoundState(table, game), Searches(table, game, MEMORY)
    print(f"{table.length} letters, gap {gap:g}", flush=True)
    ways = []
    if two_guesses:
        begun = time.process_time()
        for opening in range(len(words)):
            state.apply(evaluate(state, [opening]))
        tables = TwoGuesses(state)
        print(f"classes of all openings: {(time.process_time() - begun) / 60:.1f} CPU minutes", flush=True)
        ways.append(Timed("two more guesses", state, goal, tables.evaluate))
    ways.append(
        Timed(
            "three turns",
            state,
            goal,
            lambda opening, progress: bounded_in_three_turns(searches, state, [opening], goal, progress),
        )
    )
    drawn = np.random.default_rng(0).choice(len(words), BEFORE + sample, replace=False).tolist()
    for number, opening in enumerate(drawn, -BEFORE):
        for way in ways:
            way.bound(opening, counted=number >= 0)
    for way in ways:
        print(way.line)


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("length", type=int)
    parser.add_argument("--gap", type=float, required=True, help="mean points")
    parser.add_argument("--sample", type=int, default=12, help="openings to bring down")
    parser.add_argument("--two-guesses", action="store_true", help="two more guesses before three turns")
    parser.add_argument("--wordlist", type=Path, help="the embedded list if not given")
    options = parser.parse_args()
    torch.set_num_threads(1)
    words = (read(options.wordlist) if options.wordlist else embedded()).of_length(options.length)
    measure(words, options.gap, options.sample, options.two_guesses)


if __name__ == "__main__":
    main()

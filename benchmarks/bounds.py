#!/usr/bin/env python3
"""The cost of lowering the bounds of all openings to a gap, with a constant set to another value.

    python benchmarks/bounds.py 5 --gap 60 [--set bounds.counting.SHARE=10] [--every 3] [--wordlist FILE]

The gap is relative to the mean points of the strategy `parts`. One thread. Prints one line: the setting, CPU
seconds, pairs, openings left above the gap, and openings evaluated.
"""

from __future__ import annotations

import argparse
import importlib
import time
from contextlib import suppress
from pathlib import Path

import torch

from gpulingo.games.catalogue import lingo
from gpulingo.optimise.lowering import FIRST, Lowering
from gpulingo.optimise.state import Problem, Stages, State
from gpulingo.optimise.units import UnitWorkspace
from gpulingo.strategies.build import build
from gpulingo.strategies.objectives import points as points_of
from gpulingo.strategies.registry import named
from gpulingo.tensors.wordtable import encode
from gpulingo.words.listing import embedded, read
from gpulingo.words.wordlist import WordList


class TimeIsUp(Exception):
    """The limit of CPU seconds is exceeded."""


def measured(words: WordList, gap: float, limit: float) -> str:
    """Run once; return a line of openings left and costs."""
    game, table, pairs = lingo(), encode(words.words), 0
    points = build(words, named("parts", game=game), game).tree.mean_points

    def progress(more: int) -> None:
        nonlocal pairs
        pairs += more
        if time.process_time() - begun > limit:
            raise TimeIsUp

    enough = int((points + gap) * len(words) / 100)
    begun = time.process_time()
    at = UnitWorkspace(Problem(words, game, table, points_of), State(Stages([])), progress)
    at.evaluate(at.most_classes(FIRST).tolist())
    lowering = Lowering(at)
    lowering.at_once = True
    lowering.further = lowering.three = False  # by counts alone
    lowering.closing = True
    with suppress(TimeIsUp):
        while unit := lowering.next_unit(enough):
            unit.run(at)
            lowering.note(unit)
    state = at.bounds
    left, evaluated = int((state.lowest > enough).sum()), len(state.evidence.evaluated)
    seconds = time.process_time() - begun
    known = f"{left:,} left, {evaluated:,} evaluated"
    return f"{seconds:.1f} CPU seconds, {pairs / 1e9:.2f} G pairs, {known}"


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("length", type=int)
    parser.add_argument("--gap", type=float, required=True, help="mean points")
    parser.add_argument("--set", action="append", default=[], metavar="FOLDER.MODULE.NAME=VALUE")
    parser.add_argument("--every", type=int, default=1, help="take each word of that number only")
    parser.add_argument("--wordlist", type=Path, help="the embedded list if not given")
    parser.add_argument("--limit", type=float, default=1e9, help="CPU seconds")
    options = parser.parse_args()
    torch.set_num_threads(1)
    for setting in options.set:
        name, value = setting.split("=")
        module, _, constant = name.rpartition(".")
        setattr(importlib.import_module(f"gpulingo.{module}"), constant, int(value))
    words = (read(options.wordlist) if options.wordlist else embedded()).of_length(options.length)
    if options.every > 1:
        words = WordList(words.source, list(words.words[:: options.every]))
    print(" ".join(options.set) or "as it is", measured(words, options.gap, options.limit), sep=": ")


if __name__ == "__main__":
    main()

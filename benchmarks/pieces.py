#!/usr/bin/env python3
"""What the pieces of a search cost: CPU seconds of some pieces of its first round.

    python benchmarks/pieces.py 5 --gap 12 [--sample 20] [--wordlist wordlist.txt]

The gap is from the best stored tree of the list. One thread. It prints one line: openings and pieces of the
round, CPU seconds before the first piece, then of a piece (median, mean and most), CPU hours of all pieces,
and how many openings of the sample stay above the gap.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from statistics import mean, median

import torch
from gpulingo.optimise.pieces import Known, Piece, Worker, begun, pieces_of, result_of, usual_block

from gpulingo.games.catalogue import lingo
from gpulingo.optimise.state import Problem
from gpulingo.strategies.objectives import points
from gpulingo.tensors.wordtable import table_of
from gpulingo.trees.checkpoint import stored_trees
from gpulingo.words.listing import embedded, read
from gpulingo.words.wordlist import WordList


def searched(words: WordList, gap: float) -> tuple[Worker, Known]:
    """A worker, and what is known before the first round."""
    game, table = lingo(), table_of(words, lingo())
    tree = next(iter(stored_trees(words, game)[0].values()))
    worker = Worker(Problem(words, game, table, points), lambda pairs: None)
    goal = tree.value + int(gap * len(words) / 100)
    return worker, begun(worker, goal, plan=[], block=usual_block(len(words), len(words)), tree=tree)


def measured(worker: Worker, piece: Piece) -> tuple[float, int]:
    """CPU seconds of a piece, and openings left above the goal."""
    begun_at = time.process_time()
    result = result_of(worker, piece)
    assert result.evidence is not None
    return time.process_time() - begun_at, int((result.evidence.bounds > piece.goal).sum())


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("length", type=int)
    parser.add_argument("--gap", type=float, required=True, help="mean points")
    parser.add_argument("--sample", type=int, default=20, help="pieces to work out, evenly spaced")
    parser.add_argument("--wordlist", type=Path, help="the embedded list if not given")
    options = parser.parse_args()
    torch.set_num_threads(1)
    words = (read(options.wordlist) if options.wordlist else embedded()).of_length(options.length)
    before = time.process_time()
    worker, known = searched(words, options.gap)
    before, pieces = time.process_time() - before, pieces_of(known)
    step = max(1, len(pieces) // options.sample)
    sample = pieces[step // 2 :: step]
    rows = [measured(worker, piece) for piece in sample]
    seconds, left = (list(column) for column in zip(*rows, strict=True))
    print(
        f"{options.length} letters, gap {options.gap:g}: {len(known.above):,} openings,"
        f" {len(pieces):,} pieces;"
        f" {before:.1f} s before; of {len(rows)} pieces {median(seconds):.2f}, {mean(seconds):.2f},"
        f" {max(seconds):.2f} s; {len(pieces) * mean(seconds) / 3600:.2f} h in all;"
        f" {sum(left)} of {sum(len(piece.openings) for piece in sample)} openings stay above the gap"
    )


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""What the pieces of a search weigh: CPU seconds and bytes of results, of some pieces of its first round.

    python benchmarks/pieces.py 5 --gap 12 [--sample 20] [--wordlist wordlist.txt]
    python benchmarks/pieces.py 5 --gap 12 --many 50000

The gap is from the best tree that is kept for the list. One thread. It prints one line: openings and pieces
of the round, CPU seconds before the first piece, then of a piece and bytes of its result (median, mean and
most), milliseconds to write, lease and read it in a folder, CPU hours of all pieces, and how many openings of
the sample stay above the gap. With --many instead, what a folder with so many results takes: to list it, to
look whether a piece has one, to read and join all.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory

import torch

from gpulingo.games.catalogue import lingo
from gpulingo.search.piece import Known, Piece
from gpulingo.search.piece_kinds import usual_block
from gpulingo.search.pieces import Result, Worker, begun, pieces_of, result_of
from gpulingo.search.shared_folder import SharedFolder
from gpulingo.search.state import Problem
from gpulingo.storage.leases import Leases
from gpulingo.strategies.objectives import points
from gpulingo.tensors.wordtable import table_of
from gpulingo.trees.kept import kept_trees
from gpulingo.words.listing import embedded, read
from gpulingo.words.wordlist import WordList


def searched(words: WordList, gap: float) -> tuple[Worker, Known]:
    """A worker, and what is known before the first round."""
    game, table = lingo(), table_of(words, lingo())
    tree = next(iter(kept_trees(words, game)[0].values()))
    worker = Worker(Problem(words, game, table, points), lambda pairs: None)
    goal = tree.value + int(gap * len(words) / 100)
    return worker, begun(worker, goal, plan=[], block=usual_block(len(words), len(words)), tree=tree)


def measured(worker: Worker, piece: Piece, folder: SharedFolder, leases: Leases) -> tuple[float, ...]:
    """CPU seconds of a piece, bytes of its result, seconds in the folder, openings left above the goal."""
    begun_at = time.process_time()
    result = result_of(worker, piece)
    seconds, started = time.process_time() - begun_at, time.perf_counter()
    assert not folder.has(piece) and leases.take(piece.name)
    folder.write_result(piece, result)
    leases.give_back(piece.name)
    folder.result(piece)
    handed = time.perf_counter() - started
    (path,) = folder.path.rglob(f"{piece.name}.npz")
    assert result.evidence is not None
    return seconds, path.stat().st_size, handed, int((result.evidence.bounds > piece.goal).sum())


def many(worker: Worker, known: Known, count: int) -> str:
    """What a folder takes in which so many pieces of one opening each are done."""
    pieces = [Piece("count", (number % len(known.above),), number) for number in range(count)]
    with TemporaryDirectory() as path:
        folder = SharedFolder(Path(path), known.problem, "one")
        folder.results.mkdir()
        for piece in pieces:
            rows = worker.by_size.evidence.rows(torch.tensor(piece.openings))
            folder.write_result(piece, Result(rows))
        seconds = []
        for done in (
            folder.finished,
            lambda: [folder.has(piece) for piece in pieces[:1000]],
            lambda: known.after(pieces, {piece.name: folder.result(piece) for piece in pieces}),
        ):
            started = time.perf_counter()
            done()
            seconds.append(time.perf_counter() - started)
    listed, looked, joined = seconds
    return f"{count:,} results: listed in {listed:.2f} s, a look {looked:.3f} ms, joined in {joined:.0f} s"


def main() -> None:
    """Read the command line and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("length", type=int)
    parser.add_argument("--gap", type=float, required=True, help="mean points")
    parser.add_argument("--sample", type=int, default=20, help="pieces to work out, evenly spaced")
    parser.add_argument("--many", type=int, default=0, help="results of a folder to try instead")
    parser.add_argument("--wordlist", type=Path, help="the embedded list if not given")
    options = parser.parse_args()
    torch.set_num_threads(1)
    words = (read(options.wordlist) if options.wordlist else embedded()).of_length(options.length)
    before = time.process_time()
    worker, known = searched(words, options.gap)
    if options.many:
        print(many(worker, known, options.many))
        return
    before, pieces = time.process_time() - before, pieces_of(known)
    step = max(1, len(pieces) // options.sample)
    with TemporaryDirectory() as path:
        folder = SharedFolder(Path(path), known.problem, "one")
        folder.results.mkdir()
        leases = Leases(str(folder.results), 60, "one")
        sample = pieces[step // 2 :: step]
        rows = [measured(worker, piece, folder, leases) for piece in sample]
    seconds, sizes, handed, left = (list(column) for column in zip(*rows, strict=True))
    print(
        f"{options.length} letters, gap {options.gap:g}: {len(known.above):,} openings,"
        f" {len(pieces):,} pieces;"
        f" {before:.1f} s before; of {len(rows)} pieces {median(seconds):.2f}, {mean(seconds):.2f},"
        f" {max(seconds):.2f} s; {median(sizes):.0f}, {mean(sizes):.0f}, {max(sizes)} bytes;"
        f" {1000 * median(handed):.1f} ms in the folder; {len(pieces) * mean(seconds) / 3600:.2f} h in all;"
        f" {sum(left)} of {sum(len(piece.openings) for piece in sample)} openings stay above the gap"
    )


if __name__ == "__main__":
    main()

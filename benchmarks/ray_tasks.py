#!/usr/bin/env python3
"""What Ray costs a task, and what a second worker brings to a search.

    python benchmarks/ray_tasks.py [--tasks 1000] [--length 8] [--pieces 24] [--wordlist wordlist.txt]

Nodes of one core each, on this machine. It prints milliseconds a task of tasks that do nothing, on one
worker, by the clock and of CPU of the process that asks; then of the first pieces of a search with one worker
and with two the seconds by the clock, CPU seconds a piece on the workers, and the share of the time in which
these were at work: what is missing is Ray's, and the end, when one has nothing left to do.
"""

from __future__ import annotations

import argparse
import os
import pickle
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gpulingo.games.catalogue import lingo
from gpulingo.machines.pieces import Searched, worked_out, worker_of
from gpulingo.machines.ray_tasks import QUIET, Cluster, Task, connected
from gpulingo.optimise.pieces import Piece, begun, pieces_of, usual_block
from gpulingo.optimise.stages import stages
from gpulingo.strategies.build import build
from gpulingo.strategies.registry import named
from gpulingo.words.listing import embedded, read
from gpulingo.words.wordlist import WordList


@contextmanager
def nodes(count: int) -> Iterator[Cluster]:
    """A cluster of nodes of one core each."""
    from ray.cluster_utils import Cluster as Nodes

    made = Nodes()
    try:
        for _ in range(count):
            made.add_node(num_cpus=1, num_gpus=0, object_store_memory=200 << 20)
        with connected(made.address) as cluster:
            yield cluster
    finally:
        made.shutdown()


def timed(searched: Searched, piece: Piece) -> tuple[int, float, float]:
    """Work a piece out; bytes of its result, CPU seconds and seconds, without what a worker does once."""
    _ = worker_of(searched).by_size
    began, cpu = time.perf_counter(), time.process_time()
    size = len(pickle.dumps(worked_out(searched, piece)))
    return size, time.process_time() - cpu, time.perf_counter() - began


def empty_tasks(count: int) -> str:
    """What a task that does nothing takes."""
    with nodes(1) as cluster:
        list(cluster.results((number, Task(abs, (number,))) for number in range(100)))  # the worker is there
        began, cpu = time.perf_counter(), time.process_time()
        done = sum(1 for _ in cluster.results((number, Task(abs, (number,))) for number in range(count)))
        wall, cpu = time.perf_counter() - began, time.process_time() - cpu
    assert done == count
    return (
        f"{count:,} empty tasks: {1e3 * wall / count:.2f} ms a task, {1e3 * cpu / count:.2f} ms of CPU here"
    )


def first_pieces(words: WordList, count: int) -> tuple[Searched, list[Piece]]:
    """The first pieces of a search that begins with the strategy `parts`."""
    searched = Searched(words, lingo(), "cpu", 0, 4 << 30)
    worker = worker_of(searched)
    tree = build(words, named("parts", game=lingo()), lingo()).tree
    block = usual_block(len(words), len(words))
    known = begun(worker, tree.value, plan=stages(5), block=block, tree=tree)
    return searched, pieces_of(known)[:count]


def searched_by(workers: int, searched: Searched, pieces: list[Piece]) -> str:
    """What so many workers take for pieces."""
    with nodes(workers) as cluster:
        kept = cluster.keep(searched)
        # Each worker has begun, and has counted what it counts once.
        list(cluster.results((number, Task(timed, (kept, pieces[0]))) for number in range(4 * workers)))
        began = time.perf_counter()
        tasks = ((piece, Task(timed, (kept, piece))) for piece in pieces)
        sizes, cpu, seconds = zip(*(result for _, result in cluster.results(tasks)), strict=True)
        wall = time.perf_counter() - began
    rate = f"{len(pieces)} pieces in {wall:.1f} s, {len(pieces) / wall:.3f} pieces/s"
    each = f"{sum(cpu) / len(pieces):.2f} CPU s a piece, {sum(sizes) / len(sizes) / 1e3:.1f} kB a result"
    busy = f"workers at work {100 * sum(seconds) / workers / wall:.1f} % of the time"
    return f"{workers} workers: {rate}, {each}, {busy}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tasks", type=int, default=1000)
    parser.add_argument("--length", type=int, default=8)
    parser.add_argument("--pieces", type=int, default=24)
    parser.add_argument("--wordlist", type=Path)
    args = parser.parse_args()
    os.environ |= QUIET | {"OMP_NUM_THREADS": "1"}
    with tempfile.TemporaryDirectory(prefix="g", dir="/tmp") as folder:
        os.environ["RAY_TMPDIR"] = folder  # short enough for sockets, and gone afterwards
        print(empty_tasks(args.tasks), flush=True)
        if args.pieces:
            words = (embedded() if args.wordlist is None else read(args.wordlist)).of_length(args.length)
            searched, pieces = first_pieces(words, args.pieces)
            openings, once = len(pieces[0].openings), len(pickle.dumps(searched)) / 1e3
            what = f"{args.length} letters, {len(words):,} words: {openings} openings a piece"
            print(f"{what}; {once:.0f} kB go to a node once", flush=True)
            for workers in (1, 2):
                print(searched_by(workers, searched, pieces), flush=True)


if __name__ == "__main__":
    main()

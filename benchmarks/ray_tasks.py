#!/usr/bin/env python3
"""The overhead of a task in Ray, and the speedup of a search by a second worker.

    python benchmarks/ray_tasks.py [--tasks 1000] [--length 7] [--gap 3] [--wordlist wordlist.txt]

Nodes have one core each, on this machine. Prints milliseconds per empty task on one worker: elapsed, and CPU
of the process that submits them; then the elapsed seconds of a search to a gap with one worker and with two.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from gpulingo.games.catalogue import lingo
from gpulingo.machines.ray_tasks import QUIET, Cluster, Task, connected
from gpulingo.machines.searches import run_on_nodes
from gpulingo.optimise.solver import Solver
from gpulingo.trees.values import Values
from gpulingo.words.listing import embedded, read
from gpulingo.words.wordlist import WordList


@contextmanager
def nodes(count: int) -> Iterator[Cluster]:
    """A cluster of nodes of one core each."""
    from ray.cluster_utils import Cluster as Made

    made = Made()
    try:
        for _ in range(count):
            made.add_node(num_cpus=1, num_gpus=0, object_store_memory=200 << 20)
        with connected(made.address) as cluster:
            yield cluster
    finally:
        made.shutdown()


def empty_tasks(count: int) -> str:
    """Time per task that does nothing."""
    with nodes(1) as cluster:
        list(cluster.results((number, Task(abs, (number,))) for number in range(100)))  # starts the worker
        began, cpu = time.perf_counter(), time.process_time()
        done = sum(1 for _ in cluster.results((number, Task(abs, (number,))) for number in range(count)))
        wall, cpu = time.perf_counter() - began, time.process_time() - cpu
    assert done == count
    return (
        f"{count:,} empty tasks: {1e3 * wall / count:.2f} ms a task, {1e3 * cpu / count:.2f} ms of CPU here"
    )


def searched_by(workers: int, words: WordList, gap: float) -> str:
    """Time of a search to a gap in points, by the number of workers."""
    solver = Solver(words, lingo())
    enough = Values(lingo(), words.total_weight).credits(gap)
    with nodes(workers) as cluster:
        began, executor = time.perf_counter(), partial(run_on_nodes, cluster, "cpu")
        solver.run(lambda: None, enough, straight=True, executor=executor)
        wall = time.perf_counter() - began
    means = f"{solver.mean_points(solver.value):.3f} of at most {solver.mean_points(solver.bound):.3f} points"
    return f"{workers} workers: {wall:.1f} s, {means}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tasks", type=int, default=1000)
    parser.add_argument("--length", type=int, default=7)
    parser.add_argument("--gap", type=float, default=3.0)
    parser.add_argument("--wordlist", type=Path)
    args = parser.parse_args()
    os.environ |= QUIET | {"OMP_NUM_THREADS": "1"}
    with tempfile.TemporaryDirectory(prefix="g", dir="/tmp") as folder:
        os.environ["RAY_TMPDIR"] = folder  # short enough for sockets, and removed afterwards
        print(empty_tasks(args.tasks), flush=True)
        words = (embedded() if args.wordlist is None else read(args.wordlist)).of_length(args.length)
        for workers in (1, 2):
            print(searched_by(workers, words, args.gap), flush=True)


if __name__ == "__main__":
    main()

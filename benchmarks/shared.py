#!/usr/bin/env python3
"""How many pieces of a shared search several processes work out, each in so many CPU seconds on one thread.

    python benchmarks/shared.py 5 --gap 12 [--seconds 60] [--workers 1,2]

CPU seconds, not seconds, so that it says the same on a machine that does other things as well; they count
from a process's first piece on, with all that it does in the folder. The gap is from the best tree that is
kept for the embedded list. It prints a line for each number of processes.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import torch
from pieces import searched

from gpulingo.search.shared_folder import LEASE, SharedFolder, terms_of
from gpulingo.search.shared_search import SharedSearch
from gpulingo.storage.leases import Leases, new_owner
from gpulingo.tensors.clock import TimeIsUp
from gpulingo.words.listing import embedded


def joined(path: Path, length: int, gap: float, seconds: float) -> dict[str, float]:
    """Take part for so many CPU seconds: pieces, CPU seconds and seconds since the first."""
    torch.set_num_threads(1)
    _, known = searched(embedded().of_length(length), gap)
    folder = SharedFolder(path, known.problem, new_owner())
    assert known.tree is not None
    terms = folder.begin(
        terms_of(known.problem, gap, known.goal, [], block=known.block, lease=LEASE), known.tree, None
    )
    since: list[float] = []

    def often() -> None:
        if search.pieces and not since:
            since.extend((time.process_time(), time.perf_counter()))
        if since and time.process_time() - since[0] > seconds:
            raise TimeIsUp

    search = SharedSearch(
        folder,
        Leases(str(folder.results), terms.lease, folder.owner),
        often=often,
        wait=time.sleep,
        tell=print,
    )
    with suppress(TimeIsUp):
        search.run(terms)
    passed = (time.process_time() - since[0], time.perf_counter() - since[1])
    return {"pieces": search.own, "cpu": passed[0], "wall": passed[1]}


def main() -> None:
    """Read the command line, start processes and add up what they say."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("length", type=int)
    parser.add_argument("--gap", type=float, required=True, help="mean points")
    parser.add_argument("--seconds", type=float, default=60.0, help="CPU seconds of each process")
    parser.add_argument("--workers", default="1,2", help="numbers of processes to try")
    parser.add_argument("--join", type=Path, help="be one of them, in this folder")
    options = parser.parse_args()
    if options.join:
        print(json.dumps(joined(options.join, options.length, options.gap, options.seconds)))
        return
    for count in map(int, options.workers.split(",")):
        with TemporaryDirectory() as folder:
            command = [sys.executable, *sys.argv, "--join", folder]
            processes = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(count)]
            rows = [json.loads(process.communicate()[0]) for process in processes]
        pieces, cpu = (sum(row[name] for row in rows) for name in ("pieces", "cpu"))
        wall = max(row["wall"] for row in rows)
        print(
            f"{count} processes: {pieces} pieces in {options.seconds:g} CPU seconds each,"
            f" {cpu / pieces:.3f} CPU seconds a piece; {wall:.0f} s passed",
            flush=True,
        )


if __name__ == "__main__":
    main()

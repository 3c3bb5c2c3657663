#!/usr/bin/env python3
"""Rates of `rank` in million pairs of guess and candidate per second, scratch memory and merging included.

    python benchmarks/rates.py [--letters 5,9,13] [--sizes all,2000,200,20] [--objectives parts,entropy]
                               [--threads 1] [--device cpu] [--calls 5] [--wordlist FILE] [--out FILE.csv]

Rows are printed as they are measured; --out appends them to a table like `results.csv`.
"""

from __future__ import annotations

import argparse
import csv
import io
import os
import statistics
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path

import torch

from gpulingo.games.catalogue import lingo
from gpulingo.report.results import processor
from gpulingo.storage.files import append_file
from gpulingo.strategies.objectives import BY_NAME
from gpulingo.tensors.clock import clock
from gpulingo.tensors.device import find_device, is_gpu
from gpulingo.tensors.frontier import Frontier, frontier
from gpulingo.tensors.operations import rank
from gpulingo.tensors.wordtable import WordTable, table_of
from gpulingo.words.listing import WordList, embedded, read

PAIRS = 200_000_000  # least number of pairs in a measured call, if the list has so many
CUDA_PAIRS = 10_000_000_000
MOST_SETS = 10_000


def finish(device: str | torch.device) -> None:
    """Wait until a device has finished its work."""
    if is_gpu(device):
        torch.cuda.synchronize(device)


@dataclass(frozen=True)
class Rate:
    """Rate of one kind of call.

    Attributes:
        length: word length.
        words: number of words in the pool.
        size: candidates per set.
        sets: number of sets in the frontier.
        objective: parts counts classes; the others need class sizes.
        device: measured device.
        threads: CPU threads.
        pairs: pairs evaluated in one call.
        median, p20, p80: million pairs per second over the measured calls.
    """

    length: int
    words: int
    size: int
    sets: int
    objective: str
    device: str
    threads: int
    pairs: int
    median: float
    p20: float
    p80: float


def rates(
    wordlist: WordList,
    sizes: Sequence[int],
    *,
    objectives: Sequence[str] = ("parts", "entropy"),
    threads: Sequence[int] = (1,),
    device: str | torch.device = "cpu",
    calls: int = 5,
    seed: int = 0,
) -> Iterator[Rate]:
    """Measure `rank` of the whole vocabulary over frontiers of random sets.

    Args:
        wordlist: words of one length.
        sizes: candidates per set; 0 is the whole list; sizes larger than the list are skipped.
        objectives: names of objectives.
        threads: numbers of threads; torch's setting is restored afterwards.
        device: where to measure.
        calls: measured calls, after an unmeasured one.
        seed: seed of the sets.
    Yields:
        One rate for each size, objective and number of threads.
    """
    table = table_of(wordlist, lingo()).to(torch.device(device))
    generator = torch.Generator().manual_seed(seed)
    before = torch.get_num_threads()
    try:
        for size in sizes:
            if size > table.words:
                continue
            front = random_sets(table, size or table.words, generator)
            for name in objectives:
                for number in threads:
                    torch.set_num_threads(number)
                    yield _rate(table, front, name, calls, threads=number)
    finally:
        torch.set_num_threads(before)


def sets_of(words: int, size: int, device: str | torch.device) -> int:
    """Number of sets in the frontier of one measured call."""
    pairs = CUDA_PAIRS if is_gpu(torch.device(device)) else PAIRS
    return 1 if size == words else min(MOST_SETS, max(1, pairs // (size * words)))


def random_sets(table: WordTable, size: int, generator: torch.Generator) -> Frontier:
    """Make a frontier of random sets of one size, enough for a measurable time."""
    sets = sets_of(table.words, size, table.device)
    chosen = [torch.randperm(table.words, generator=generator)[:size].sort().values for _ in range(sets)]
    return frontier([members.to(torch.int32).to(table.device) for members in chosen])


def _rate(table: WordTable, front: Frontier, name: str, calls: int, *, threads: int) -> Rate:
    """Measure one kind of call, with the current number of threads."""
    size = int(front.sizes.max())
    # Three turns left, because with fewer every strategy is exact. Width 2, because a search for only the
    # best guess may stop before it has seen all pairs.
    objective = BY_NAME[name](size, 3)
    pool = table.pool
    speeds = []
    for call in range(calls + 1):
        finish(table.device)
        started = clock()
        ranked = rank(table, front, pool, objective, 2)
        finish(table.device)
        if call:
            speeds.append(ranked.pairs / (clock() - started) / 1e6)
    fifths = statistics.quantiles(speeds, n=5, method="inclusive") if calls > 1 else speeds * 4
    return Rate(
        table.length, table.words, size, front.sets, name, str(table.device), threads, ranked.pairs,
        statistics.median(speeds), fifths[0], fifths[3],
    )  # fmt: skip


def commit() -> str:
    """Short name of the checkout's commit; "" outside a checkout."""
    command = ["git", "-C", str(Path(__file__).parent), "rev-parse", "--short", "HEAD"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def append_csv(path: str | os.PathLike[str], rates: Sequence[Rate]) -> None:
    """Append rates to a table: date, commit, processor and torch version, then the fields of `Rate`."""
    target = Path(path)
    fresh = not target.exists() or target.stat().st_size == 0
    head = {
        "date": date.today().isoformat(),
        "commit": commit(),
        "processor": processor(rates[0].device if rates else "cpu"),
        "torch": torch.__version__,
    }
    text = io.StringIO()
    writer = csv.DictWriter(text, [*head, *Rate.__dataclass_fields__], lineterminator="\n")
    if fresh:
        writer.writeheader()
    for rate in rates:
        rounded = {
            name: round(value, 1) if isinstance(value, float) else value
            for name, value in asdict(rate).items()
        }
        writer.writerow(head | rounded)
    append_file(target, text.getvalue().encode())


def main() -> None:
    """Measure each list, print each rate and append it to the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--letters", default="5,9,13")
    parser.add_argument("--sizes", default="all,2000,200,20")
    parser.add_argument("--objectives", default="parts,entropy")
    parser.add_argument("--threads", default="1")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--calls", type=int, default=5)
    parser.add_argument("--wordlist", type=Path)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    sizes = [int(size) for size in given.sizes.replace("all", "0").split(",")]
    threads = [int(number) for number in given.threads.split(",")]
    kinds = {"objectives": given.objectives.split(","), "threads": threads, "calls": given.calls}
    listing = read(given.wordlist) if given.wordlist else embedded()
    print(*Rate.__dataclass_fields__, sep="\t")
    for letters in given.letters.split(","):
        for rate in rates(listing.of_length(int(letters)), sizes, device=find_device(given.device), **kinds):
            print(*asdict(rate).values(), sep="\t", flush=True)
            if given.out:
                append_csv(given.out, [rate])


if __name__ == "__main__":
    main()

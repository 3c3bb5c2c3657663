"""Rates of `rank` in pairs of guess and candidate a second, as a caller sees them: scratch, merging and all.

What a whole simulation takes is measured by `simulate` itself.
"""

from __future__ import annotations

import csv
import io
import os
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import torch

from gpulingo.games.catalogue import lingo
from gpulingo.report.origin import commit, processor, today
from gpulingo.storage.files import append_file, check_replaceable
from gpulingo.strategies.objectives import BY_NAME
from gpulingo.tensors.clock import clock
from gpulingo.tensors.device import finish, is_gpu
from gpulingo.tensors.frontier import Frontier, frontier
from gpulingo.tensors.operations import rank
from gpulingo.tensors.wordtable import WordTable, table_of
from gpulingo.words.listing import WordList

PAIRS = 200_000_000  # that one measured call evaluates at least, where the list has as many
CUDA_PAIRS = 10_000_000_000
MOST_SETS = 10_000
HEAD = ("date", "commit", "processor", "torch")  # of a table of rates, before the fields of `Rate`


@dataclass(frozen=True)
class Rate:
    """Rate of one kind of call.

    Attributes:
        length: word length.
        words: of the pool.
        size: candidates of each set.
        sets: in the frontier.
        objective: parts counts classes; the others need class sizes.
        device: where.
        threads: of the CPU.
        pairs: evaluated in one call.
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
        sizes: candidates of a set; 0 is the whole list, larger than the list is left out.
        objectives: names of objectives.
        threads: numbers of threads; torch's own number is set back afterwards.
        device: where to measure.
        calls: measured calls after one that is not counted.
        seed: of the sets.
    Yields:
        One rate for each size, objective and number of threads.
    Raises:
        ValueError: a negative size, an unknown objective, or less than one call or thread.
    """
    if calls < 1 or min(threads, default=1) < 1 or min(sizes, default=0) < 0:
        raise ValueError(
            f"{calls} calls, threads {list(threads)}, sizes {list(sizes)}: expected calls and threads "
            "from 1, sizes from 0"
        )
    if unknown := [name for name in objectives if name not in BY_NAME]:
        raise ValueError(f"no objective {unknown[0]!r}: use {', '.join(BY_NAME)}")
    table = table_of(wordlist, lingo()).to(device)
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


def call_pairs(words: int, size: int, device: str | torch.device = "cpu") -> int:
    """Pairs of one measured call: sets of `size` candidates, 0 for the whole list, in a list of `words`."""
    return sets_of(words, size or words, device) * (size or words) * words


def sets_of(words: int, size: int, device: str | torch.device) -> int:
    """Sets in the frontier of one measured call."""
    pairs = CUDA_PAIRS if is_gpu(torch.device(device)) else PAIRS
    return 1 if size == words else min(MOST_SETS, max(1, pairs // (size * words)))


def random_sets(table: WordTable, size: int, generator: torch.Generator) -> Frontier:
    """Return a frontier of random sets of one size, enough of them for a call that takes a while."""
    sets = sets_of(table.words, size, table.device)
    chosen = [torch.randperm(table.words, generator=generator)[:size].sort().values for _ in range(sets)]
    return frontier([members.to(torch.int32).to(table.device) for members in chosen])


def _rate(table: WordTable, front: Frontier, name: str, calls: int, *, threads: int) -> Rate:
    """Measure one kind of call, with as many threads as are set."""
    size = int(front.sizes.max())
    # Three turns left, because with fewer every strategy is exact. Width 2, because only a search for the one
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


def check_csv(path: str | os.PathLike[str]) -> None:
    """Check that rates can be appended to a file: it is not there, empty, or a table of rates.

    Raises:
        ValueError: it holds something else. OSError: it cannot be read.
    """
    target = Path(path)
    check_replaceable(path, b"")
    if not target.exists():
        return
    with target.open("rb") as file:
        first = file.readline(4096)
    if first and first.decode(errors="replace").strip().split(",") != [*HEAD, *Rate.__dataclass_fields__]:
        raise ValueError(f"{target} is no table of rates: name one that `gpulingo bench` wrote, or a new one")


def append_csv(path: str | os.PathLike[str], rates: Sequence[Rate]) -> None:
    """Append rates to a table: date, commit, processor and torch version, then the fields of `Rate`.

    Raises:
        OSError: the file cannot be written.
    """
    target = Path(path)
    fresh = not target.exists() or target.stat().st_size == 0
    head = {
        "date": today().isoformat(),
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

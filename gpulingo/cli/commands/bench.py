"""`gpulingo bench`: measure the kernels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gpulingo.cli import options
from gpulingo.cli.errors import Interrupted, WrongUsage, wrong_usage
from gpulingo.cli.limits import end_of, in_time
from gpulingo.cli.lists import Source, found_sources
from gpulingo.cli.outputs import check_folder
from gpulingo.cli.parse import between, parsed_lengths, parsed_numbers
from gpulingo.cli.progress import total_bar
from gpulingo.cli.signals import interrupted_by_sigterm, late_interrupt
from gpulingo.player.names import OBJECTIVES
from gpulingo.storage.names import unknown
from gpulingo.storage.printed import line_of

if TYPE_CHECKING:
    from gpulingo.report.bench import Rate

Sizes = Annotated[
    str, typer.Option(metavar="SIZES", help="Candidates of a set: numbers, or all for the whole list.")
]
Objectives = Annotated[
    str,
    typer.Option(
        "--strategy",
        metavar="NAMES",
        autocompletion=options.several_of(*OBJECTIVES),
        help="Objectives, joined by commas.",
    ),
]
Threads = Annotated[str, typer.Option(metavar="NUMBERS", help="Threads of the CPU: 1 or 1,2.")]
Calls = Annotated[
    int, typer.Option(parser=between(1, 10**6), metavar="NUMBER", help="Measured calls of each kind.")
]
Csv = Annotated[Path | None, typer.Option(metavar="FILE.csv", help="Append the rates to this table.")]


def bench(
    length: options.Lengths = "5,9,13",
    wordlist: options.Wordlist = None,
    sizes: Sizes = "all,2000,200,20",
    strategy: Objectives = "parts,entropy",
    threads: Threads = "1",
    device: options.Device = "auto",
    calls: Calls = 5,
    seed: options.Seed = 0,
    time: options.Time = None,
    csv: Csv = None,
    as_json: options.Json = False,
) -> None:
    """Measure the kernels: million pairs a second."""
    with wrong_usage("--length"):
        lengths = parsed_lengths(length)
    with wrong_usage("--sizes"):
        numbers = parsed_numbers(sizes.replace("all", "0"), "size", 0, 1 << 26)
    with wrong_usage("--threads"):
        workers = parsed_numbers(threads, "thread", 1, 1024)
    sources = found_sources(lengths, wordlist)
    if csv:
        check_folder(csv.parent)
    work = _Work(numbers, strategy.split(","), workers, device, calls, seed)
    rates: list[Rate] = []
    try:
        for rate in in_time(_measured(sources, work, csv), end_of(time), "rates"):
            rates.append(rate)
            if as_json:
                print(line_of("bench", asdict(rate)), flush=True)
    except KeyboardInterrupt:
        if rates and not as_json:
            _print_rates(rates)
        raise Interrupted(f"interrupted after {len(rates)} rates") from None
    if not as_json:
        _print_rates(rates)


@dataclass(frozen=True)
class _Work:
    """The calls that `report.bench.rates` measures of each list; the device as the user wrote it."""

    sizes: list[int]
    objectives: list[str]
    threads: list[int]
    device: str
    calls: int
    seed: int

    def check(self, csv: Path | None) -> None:
        """Check the objectives and the table.

        Raises:
            WrongUsage: there is no such objective, or `csv` is no table of rates.
        """
        from gpulingo.report.bench import check_csv

        for name in self.objectives:
            if name not in OBJECTIVES:
                raise WrongUsage(f"--strategy: {unknown('objective', name, OBJECTIVES)}")
        if csv:
            with wrong_usage("--csv"):
                check_csv(csv)


def _measured(sources: list[Source], work: _Work, csv: Path | None) -> Iterator[Rate]:
    """The rates, one by one; each goes to the table at once.

    Raises:
        WrongUsage: there is no such objective or device, or `csv` is no table of rates.
    """
    with late_interrupt():
        from gpulingo.report.bench import append_csv, call_pairs, rates
        from gpulingo.tensors.device import find_device

    work.check(csv)
    with wrong_usage("--device"):
        device = find_device(work.device)
    lists = [len(source.wordlist) for source in sources]
    pairs = sum(call_pairs(words, size, device) for words in lists for size in work.sizes if size <= words)
    total = pairs * len(work.objectives) * len(work.threads)
    with interrupted_by_sigterm(), total_bar("bench", total) as bar:
        for source in sources:
            bar.advance(0, f"{source.wordlist.length} letters")
            measured = rates(source.wordlist, **(asdict(work) | {"device": device}))
            while True:
                with late_interrupt():
                    rate = next(measured, None)
                if rate is None:
                    break
                bar.advance(rate.pairs)
                if csv:
                    append_csv(csv, [rate])
                with bar.hidden():
                    yield rate


def _print_rates(rates: list[Rate]) -> None:
    """A row for each rate."""
    from gpulingo.cli.tables import print_table

    rows = []
    for rate in rates:
        counts = [str(rate.length), f"{rate.words:,}", f"{rate.size:,}", f"{rate.sets:,}"]
        speeds = [f"{speed:,.0f}" for speed in (rate.median, rate.p20, rate.p80)]
        rows.append([*counts, rate.objective, rate.device, str(rate.threads), *speeds])
    columns = ["length", "words", "set of", "sets", "objective", "device", "threads", "million pairs/s"]
    print_table([*columns, "p20", "p80"], rows, left=["objective", "device"])

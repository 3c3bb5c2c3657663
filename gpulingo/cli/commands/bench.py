"""`gpulingo bench`: measure the kernels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpulingo.cli import options
from gpulingo.cli.errors import Interrupted, WrongUsage, wrong_usage
from gpulingo.cli.limits import end_of, in_time
from gpulingo.cli.lists import Source, found_sources
from gpulingo.cli.options import option
from gpulingo.cli.outputs import check_folder
from gpulingo.cli.parse import between, parsed_lengths, parsed_numbers
from gpulingo.cli.progress import total_bar
from gpulingo.cli.signals import interrupted_by_sigterm, late_interrupt
from gpulingo.player.names import OBJECTIVES
from gpulingo.storage.names import unknown
from gpulingo.storage.printed import line_of

if TYPE_CHECKING:
    from gpulingo.report.bench import Rate


@options.group
class BenchOptions:
    """Options of `gpulingo bench`: what is measured of each list."""

    sizes: str = option(
        "SIZES", "Candidates of a set: numbers, or all for the whole list.", default="all,2000,200,20"
    )
    strategy: str = option(
        "NAMES", "Objectives, joined by commas.", default="parts,entropy",
        among=options.several_of(*OBJECTIVES),
    )  # fmt: skip
    threads: str = option("NUMBERS", "Threads of the CPU: 1 or 1,2.", default="1")
    device: str = options.DEVICE
    calls: int = option("NUMBER", "Measured calls of each kind.", default=5, parser=between(1, 10**6))
    seed: int = options.SEED
    time: float | None = options.TIME
    csv: Path | None = option("FILE.csv", "Append the rates to this table.", "--out", "--csv")

    def work(self) -> dict[str, Any]:
        """The calls that `report.bench.rates` measures of each list.

        Raises:
            WrongUsage: sizes or threads are not numbers.
        """
        with wrong_usage("--sizes"):
            sizes = parsed_numbers(self.sizes.replace("all", "0"), "size", 0, 1 << 26)
        with wrong_usage("--threads"):
            threads = parsed_numbers(self.threads, "thread", 1, 1024)
        work = {"sizes": sizes, "threads": threads, "objectives": self.strategy.split(",")}
        return work | {"calls": self.calls, "seed": self.seed}


def bench(
    lengths: str = options.lengths_option(options.ALL_LENGTHS, default="5,9,13"),
    *,
    wordlist: Path | None = options.WORDLIST,
    own: BenchOptions,
    as_json: bool = options.JSON,
) -> None:
    """Measure the kernels: million pairs a second."""
    with wrong_usage("--length"):
        numbers = parsed_lengths(lengths)
    work = own.work()
    sources = found_sources(numbers, wordlist)
    if own.csv:
        check_folder(own.csv.parent)
    rates: list[Rate] = []
    try:
        for rate in in_time(_measured(sources, own, work), end_of(own.time), "rates"):
            rates.append(rate)
            if as_json:
                print(line_of("bench", asdict(rate)), flush=True)
    except KeyboardInterrupt:
        if rates and not as_json:
            _print_rates(rates)
        raise Interrupted(f"interrupted after {len(rates)} rates") from None
    if not as_json:
        _print_rates(rates)


def _measured(sources: list[Source], own: BenchOptions, work: dict[str, Any]) -> Iterator[Rate]:
    """The rates, one by one; each goes to the table at once."""
    with late_interrupt():
        from gpulingo.report.bench import append_csv, call_pairs, check_csv, rates
        from gpulingo.tensors.device import find_device

    for name in work["objectives"]:
        if name not in OBJECTIVES:
            raise WrongUsage(f"--strategy: {unknown('objective', name, OBJECTIVES)}")
    if own.csv:
        with wrong_usage("--out"):
            check_csv(own.csv)
    with wrong_usage("--device"):
        device = find_device(own.device)
    lists = [len(source.wordlist) for source in sources]
    pairs = sum(call_pairs(words, size, device) for words in lists for size in work["sizes"] if size <= words)
    total = pairs * len(work["objectives"]) * len(work["threads"])
    with interrupted_by_sigterm(), total_bar("bench", total) as bar:
        for source in sources:
            bar.advance(0, f"{source.wordlist.length} letters")
            measured = rates(source.wordlist, device=device, **work)
            while True:
                with late_interrupt():
                    rate = next(measured, None)
                if rate is None:
                    break
                bar.advance(rate.pairs)
                if own.csv:
                    append_csv(own.csv, [rate])
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

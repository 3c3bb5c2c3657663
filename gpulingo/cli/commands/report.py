"""`gpulingo report`: stored results as one page."""

from __future__ import annotations

import shlex
from datetime import date
from pathlib import Path

from gpulingo.cli.errors import need_report, tell, wrong_usage
from gpulingo.cli.options import group, option
from gpulingo.cli.wording import typed
from gpulingo.games.catalogue import LINGO, find_game, usual_targets
from gpulingo.report.results import Comparison, read_results, stored_results
from gpulingo.storage.faults import UsageError, refuse
from gpulingo.storage.files import PACKAGE, check_destination, replace_file
from gpulingo.storage.printed import version
from gpulingo.words.letters import leave
from gpulingo.words.targets import ALL

# In the current folder, an installed package, a checkout.
STORED = (Path("benchmarks"), Path(PACKAGE, "benchmarks"), Path(PACKAGE).parent / "benchmarks")
FORM = rb"(?i)<!doctype html"  # first bytes of a page that may be replaced
COMPARED, BENCHED = "compare.jsonl", "results.csv"


@group
class ReportOptions:
    results: list[Path] | None = option(
        "FILE.jsonl", "Results of `gpulingo compare --out`. Repeatable.", shown="those of gpulingo"
    )
    checkpoints: Path | None = option(
        "FOLDER", "Trees and bounds of the results' lists.", shown="where `gpulingo play` looks"
    )
    rates: Path | None = option(
        "FILE.csv", "Rates that `benchmarks/rates.py` wrote.", shown="those of gpulingo"
    )
    tiles: list[Path] | None = option("FILE.npz", "Points of `gpulingo tiles --all --out`. Repeatable.")
    out: Path = option("FILE.html", "The page to write.", default=Path("report.html"))

    def command(self) -> str:
        words = ["gpulingo", "report"]
        for name, value in vars(self).items():
            for path in value if isinstance(value, list) else [value] * bool(value):
                words += [f"--{name}", str(path)]
        return shlex.join(words)


def report(args: ReportOptions) -> None:
    """Write an HTML report of stored results."""
    need_report()
    results, rates, folder = args.results or [], args.rates, args.checkpoints
    if not results:
        stored = next((folder for folder in STORED if (folder / COMPARED).is_file()), None)
        if stored is None:
            remedy = "write one with `gpulingo compare --out FILE.jsonl`, and name it with --results"
            raise UsageError(f"no results are stored here: {remedy}")
        if stored != STORED[0]:
            tell(f"results of {stored / COMPARED}; --results FILE.jsonl for others")
        results = [stored / COMPARED]
        rates = rates or (stored / BENCHED if (stored / BENCHED).is_file() else None)
    missing = "--results: no file at {0}: write one with `gpulingo compare --out {0}`"
    refuse({missing.format(path): not path.is_file() for path in results})
    remedy = "name one that `gpulingo simulate --save` wrote"
    refuse({f"--checkpoints: no folder at {folder}: {remedy}": folder and not folder.is_dir()})
    check_destination(args.out, [*results, rates, *(args.tiles or [])], FORM)
    from gpulingo.report.page import rack_section, read_rates, report_text
    from gpulingo.strategies.registry import sentence
    from gpulingo.tiles.rack_table import read_rack_table

    with wrong_usage("--results"):
        read = read_results(*results)
    with wrong_usage("--rates"):
        rows = read_rates(rates) if rates else None
    with wrong_usage("--tiles"):
        racks = [rack_section(*read_rack_table(path, checked=True)) for path in args.tiles or []]
    kept = stored_results(read, folder, tell)
    making = {"date": date.today().isoformat(), "version": version(), "command": args.command()}
    page = report_text(
        read, making, kept=kept, rates=rows, racks=racks, sentence=sentence, command=played_again
    )
    replace_file(str(args.out), leave(page).encode())
    print(args.out)


def played_again(comparison: Comparison) -> str:
    lengths = list(comparison.ranked)
    whole = len(lengths) > 1 and lengths == list(range(lengths[0], lengths[-1] + 1))
    words = ["--lengths", f"{lengths[0]}-{lengths[-1]}" if whole else ",".join(map(str, lengths))]
    words += [] if comparison.source == "embedded list" else ["--wordlist", comparison.source]
    usual = usual_targets(comparison.game) if comparison.source == "embedded list" else None
    words += ["--targets", comparison.targets or ALL] if comparison.targets != usual else []
    words += ["--weights", comparison.weights] if comparison.weights else []
    names = dict.fromkeys((name.split() or [name])[0] for name in comparison.figures)
    words += ["--strategies", ",".join(names)]
    game = comparison.game
    name, rule = typed(game)
    words += ["--game", name] * (name != LINGO)
    words += ["--turns", str(game.turns)] * (game != find_game(game.name))
    words += rule.split()
    return shlex.join(["gpulingo", "compare", *words, "--out", "results.jsonl"])

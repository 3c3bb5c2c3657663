"""`gpulingo report`: stored results as one page."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gpulingo.cli.errors import WrongUsage, need_report, tell, wrong_usage
from gpulingo.cli.options import group, option
from gpulingo.cli.run import FORM, check_destination
from gpulingo.cli.wording import typed
from gpulingo.games.catalogue import LINGO, find_game, usual_targets
from gpulingo.storage.faults import Fault
from gpulingo.storage.files import FOLDERS, PACKAGE
from gpulingo.trees.checkpoint import stored_trees
from gpulingo.trees.text import opening_text
from gpulingo.trees.tree import Tree
from gpulingo.words.letters import leave
from gpulingo.words.listing import WordListError, find
from gpulingo.words.targets import ALL

if TYPE_CHECKING:
    from gpulingo.report.comparison import Comparison
    from gpulingo.report.page import Section
    from gpulingo.report.results import Result

# In the current folder, an installed package, a checkout.
STORED = (Path("benchmarks"), Path(PACKAGE, "benchmarks"), Path(PACKAGE).parent / "benchmarks")
COMPARED, BENCHED = "compare.jsonl", "results.csv"


@group
class ReportOptions:
    """Options of `gpulingo report`: the files to read, and the page to write."""

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

    def check(self, results: list[Path], rates: Path | None) -> None:
        """Check that the files to read exist, and that the page can be written."""
        folder = self.checkpoints
        for path in results:
            if not path.is_file():
                remedy = f"write one with `gpulingo compare --out {path}`"
                raise WrongUsage(f"--results: no file at {path}: {remedy}")
        if folder and not folder.is_dir():
            remedy = "name one that `gpulingo simulate --save` wrote"
            raise WrongUsage(f"--checkpoints: no folder at {folder}: {remedy}")
        check_destination(self.out, [*results, rates, *(self.tiles or [])], FORM)


def report(own: ReportOptions) -> None:
    """Write an HTML report of stored results."""
    need_report()
    results, rates = own.results, own.rates
    if not results:
        folder = _stored_folder()
        results = [folder / COMPARED]
        rates = rates or (folder / BENCHED if (folder / BENCHED).is_file() else None)
    own.check(results, rates)
    from gpulingo.report.page import Making, read_rates, report_text
    from gpulingo.report.results import read_results, today
    from gpulingo.storage.files import replace_file
    from gpulingo.storage.printed import version
    from gpulingo.strategies.registry import sentence

    with wrong_usage("--results"):
        read = read_results(*results)
    with wrong_usage("--rates"):
        rows = read_rates(rates) if rates else None
    racks = _racks(own.tiles or [])
    kept = _kept(read, own.checkpoints)
    making = Making(today().isoformat(), version(), own.command())
    page = report_text(
        read, making, kept=kept, rates=rows, racks=racks, sentence=sentence, command=played_again
    )
    replace_file(str(own.out), leave(page).encode())
    print(own.out)


def played_again(comparison: Comparison) -> str:
    """The command line that plays a comparison again."""
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


def _stored_folder() -> Path:
    """Return the first folder with stored results; reported on stderr if it is not the current one."""
    folder = next((folder for folder in STORED if (folder / COMPARED).is_file()), None)
    if folder is None:
        remedy = "write one with `gpulingo compare --out FILE.jsonl`, and name it with --results"
        raise WrongUsage(f"no results are stored here: {remedy}")
    if folder != STORED[0]:
        tell(f"results of {folder / COMPARED}; --results FILE.jsonl for others")
    return folder


@dataclass(frozen=True)
class _List:
    """A list as known from results, with the attributes for finding its trees."""

    length: int
    fingerprint: str
    words: int
    target_count: int

    def __len__(self) -> int:
        return self.words

    @property
    def weights(self) -> None:
        """None: weights are part of the fingerprint."""

    def weighed(self, weights: object, source: str) -> _List:
        """Return the list itself: without words there is no other fingerprint."""
        return self


def _racks(paths: list[Path]) -> list[Section]:
    from gpulingo.report.page import rack_section
    from gpulingo.tiles.rack_table import read_rack_table

    with wrong_usage("--tiles"):
        return [rack_section(*read_rack_table(path, checked=True)) for path in paths]


def _kept(results: list[Result], folder: Path | None) -> list[Result]:
    from gpulingo.report.results import kept_result

    trees: list[tuple[Tree, str]] = []
    folders = FOLDERS if folder is None else [str(folder)]
    lists = dict.fromkeys(
        (_List(row.length, row.fingerprint, row.pool or row.words, row.words), row.list, row.rules)
        for row in results
    )
    for words, name, game in lists:
        kept, faults = stored_trees(words, game, folders, thorough=False)
        if folder and faults:
            raise faults[0]
        for fault in faults:
            tell(Fault(fault, "skipped"))
        trees += [(tree, name) for tree in kept.values()]
    return [kept_result(tree, name, _opening(tree)) for tree, name in trees]


def _opening(tree: Tree) -> str:
    """Return the first guess of a tree as a word; empty if its list is not available."""
    try:
        words = find(tree.length).of_length(tree.length)
    except WordListError:
        return ""
    return opening_text(tree, words.words) if words.fingerprint == tree.fingerprint else ""

"""`gpulingo report`: stored results as one page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gpulingo.cli.destinations import check_destination
from gpulingo.cli.guard import WrongUsage
from gpulingo.trees.tree import Tree

Results = Annotated[
    list[Path],
    typer.Option(metavar="FILE.jsonl", help="What `gpulingo compare --out` wrote; may be repeated."),
]
Checkpoints = Annotated[
    Path,
    typer.Option(
        metavar="FOLDER", help="Checkpoints whose proven bounds are shown, if there is this folder."
    ),
]
Rates = Annotated[
    Path, typer.Option(metavar="FILE.csv", help="What `gpulingo bench --csv` wrote, if there is this file.")
]
Out = Annotated[Path, typer.Option(metavar="FILE.html", help="The page to write.")]
STORED, BENCHED, COMPILED = (
    Path("benchmarks/compare.jsonl"),
    Path("benchmarks/results.csv"),
    Path("checkpoints"),
)


def report(
    results: Results = [STORED],  # noqa: B006
    checkpoints: Checkpoints = COMPILED,
    rates: Rates = BENCHED,
    out: Out = Path("report.html"),
) -> None:
    """Make one HTML page of stored results."""
    for path in results:
        if not path.is_file():
            raise WrongUsage(f"--results: no file at {path}: write one with `gpulingo compare --out {path}`")
    if checkpoints != COMPILED and not checkpoints.is_dir():
        raise WrongUsage(f"--checkpoints: no folder at {checkpoints}: name one that `gpulingo build` wrote")
    if rates != BENCHED and not rates.is_file():
        raise WrongUsage(f"--rates: no file at {rates}: write one with `gpulingo bench --csv {rates}`")
    check_destination(out, [*results, rates])
    from gpulingo.lab.report import read_rates, report_text
    from gpulingo.lab.results import read_results
    from gpulingo.trees.container import replace_file

    found = [result for path in results for result in read_results(path)]
    rows = read_rates(rates) if rates.is_file() else []
    replace_file(str(out), report_text(found, _trees(checkpoints), rows).encode())
    print(out)


def _trees(folder: Path) -> list[Tree]:
    """The trees of a folder's checkpoints."""
    from gpulingo.trees.checkpoint import read_checkpoint

    return [read_checkpoint(path, thorough=False) for path in sorted(folder.glob("lingo-*[0-9a-f].npz"))]

"""`gpulingo simulate`: play every word of a list and print what the strategy does."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gpulingo.cli import options
from gpulingo.cli.destinations import check_destination
from gpulingo.cli.guard import WrongUsage
from gpulingo.cli.runs import planned, simulations
from gpulingo.cli.sources import read_files, sources_text
from gpulingo.cli.standing import check_turns, keep_solved, tell_better
from gpulingo.trees.kept import BEST

if TYPE_CHECKING:
    from gpulingo.play.simulate import Simulation

ANOTHER = "name another file with --save"

Save = Annotated[
    Path | None,
    typer.Option(metavar="FILE.npz", help="Write the decision tree as a checkpoint; one length only."),
]
PerWord = Annotated[
    Path | None,
    typer.Option(metavar="FILE.tsv", help="Write every word, a tab, and the turn it is found on; 0 is lost."),
]


def simulate(
    length: options.Lengths,
    wordlist: options.Wordlist = None,
    strategy: options.StrategyName = None,
    opening: options.Opening = None,
    consistent: options.Consistent = False,
    turns: options.Turns = 5,
    device: options.Device = "auto",
    seed: options.Seed = 0,
    save: Save = None,
    per_word: PerWord = None,
    as_json: options.Json = False,
) -> None:
    """Play a strategy against every word of a list."""
    plan = planned(
        length, wordlist, strategy=strategy, consistent=consistent, seed=seed,
        opening=opening, turns=turns, device=device,
    )  # fmt: skip
    if save and len(plan.sources) > 1:
        raise WrongUsage(f"--save with {len(plan.sources)} lengths: use `gpulingo build --length {length}`")
    read: list[Path | None] = [*read_files(plan.sources)]
    for path, inputs in ((save, read), (per_word, [*read, save])):
        if path:
            check_destination(path, inputs)
    if save and save == per_word:
        raise WrongUsage(f"--save and --per-word are both {save}: name two files")
    if save:
        check_turns(save, turns, ANOTHER)
        if strategy not in (None, BEST) or opening is not None or consistent:
            keep_solved(save, ANOTHER)  # before anything is played
    played = []
    for simulation in simulations(plan):
        played.append(simulation)
        if len(played) == len(plan.sources):  # files first: whoever reads the output may stop
            _write(played, save, per_word)
        if as_json:
            from gpulingo.lab.results import result_of, result_text

            print(result_text(result_of(simulation)), flush=True)
    if not as_json:
        names = ", ".join(dict.fromkeys(one.strategy for one in played))
        print(f"list: {sources_text(plan.sources)}; strategy: {names}; device: {played[0].device}")
        _print_tables(played, turns)


def _write(played: list[Simulation], save: Path | None, per_word: Path | None) -> None:
    """Write the files that were asked for."""
    from gpulingo.trees.checkpoint import write_checkpoint
    from gpulingo.trees.container import replace_file

    if save:
        keep_solved(save, ANOTHER, played[0].tree)
        write_checkpoint(played[0].tree, save)
        tell_better(save, played[0].tree, played[0].wordlist)
    if per_word:
        lines = [f"{word}\t{turn}\n" for one in played for word, turn in one.found_turns()]
        replace_file(str(per_word), "".join(lines).encode())


def _print_tables(played: list[Simulation], turns: int) -> None:
    """A row for each length; then, for several, the mean points in the form of the pit's ranking."""
    from gpulingo.cli.tables import points_text, print_table

    numbers = [f"turn {turn}" for turn in range(1, turns + 1)]
    columns = [
        "length",
        "words",
        "opening",
        "mean points",
        "bound",
        *numbers,
        "lost",
        "seconds",
        "million pairs",
    ]
    rows = []
    for one in played:
        counts = [f"{count:,}" for count in (*one.turns, one.lost)]
        cost = [f"{one.made.seconds:.2f}", f"{one.made.pairs / 1e6:,.1f}"]
        points = points_text(one.mean_points)
        bound = "-" if one.tree.bound is None else points_text(one.tree.bound)
        words = f"{len(one.wordlist):,}"
        rows.append([str(one.wordlist.length), words, one.opening, points, bound, *counts, *cost])
    print_table(columns, rows, left=["opening"])
    if len(played) > 1:
        print()
        means = [one.mean_points for one in played]
        lengths = [str(one.wordlist.length) for one in played]
        cells = [f"{number:.2f}" for number in (*means, sum(means))]
        name = " ".join(dict.fromkeys(one.strategy for one in played))
        print_table(["strategy", *lengths, "total"], [[name, *cells]], left=["strategy"])

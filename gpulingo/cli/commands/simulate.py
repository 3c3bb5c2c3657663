"""`gpulingo simulate`: play every word of a list and print what the strategy does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gpulingo.cli import options
from gpulingo.cli.checkpoints import keep_solved, prove_stored, standing_tree, tell_better
from gpulingo.cli.errors import WrongUsage
from gpulingo.cli.limits import in_time
from gpulingo.cli.lists import read_files, sources_text
from gpulingo.cli.machines import InOrder
from gpulingo.cli.outputs import check_destination
from gpulingo.cli.plan import Plan, planned
from gpulingo.cli.simulations import simulations
from gpulingo.games.catalogue import LINGO
from gpulingo.report.values import of_tree
from gpulingo.storage.printed import line_of
from gpulingo.trees.checkpoint import BEGINS

if TYPE_CHECKING:
    from gpulingo.strategies.simulation import Simulation

HARDEST = 10  # words of each length that are shown
PER_WORD = rb"[^\t\n]+\t\d+\n"
ANOTHER = "name another file with --save"

Save = Annotated[
    Path | None,
    typer.Option(metavar="PATH", help="Save the tree as a checkpoint; a folder for several lengths."),
]
PerWord = Annotated[
    Path | None,
    typer.Option(metavar="FILE.tsv", help="Write the turn on which each word is found; 0 is lost."),
]


def simulate(
    length: options.Lengths,
    wordlist: options.Wordlist = None,
    targets: options.Targets = None,
    colours: options.Colours = None,
    weights: options.Weights = None,
    strategy: options.StrategyName = None,
    opening: options.Opening = None,
    game: options.Game = LINGO,
    rule: options.Rule = "",
    turns: options.Turns = None,
    device: options.Device = "auto",
    seed: options.Seed = 0,
    time: options.Time = None,
    save: Save = None,
    per_word: PerWord = None,
    ray: options.Ray = None,
    as_json: options.Json = False,
) -> None:
    """Play a strategy against every word of a list."""
    plan = planned(
        length, wordlist, targets, weights, colours=colours, strategy=strategy, seed=seed, opening=opening,
        rule=rule,
        game=game, turns=turns, device=device, time=time, ray=ray,
    )  # fmt: skip
    if save and (len(plan.sources) > 1 or save.is_dir()):
        from gpulingo.cli.commands.build import build_trees

        if per_word:
            raise WrongUsage("--save FOLDER and --per-word: give one length and a file, or leave one out")
        build_trees(plan, save, as_json, change="give another --save")
        return
    _check_files(plan, save, per_word)
    lengths = [source.wordlist.length for source in plan.sources]
    played: dict[int, Simulation] = {}
    shown: InOrder[Simulation] = InOrder(
        lengths, lambda simulation: _show(simulation, opening is not None, as_json)
    )
    try:
        for simulation in in_time(simulations("simulate", plan), plan.ends, "lengths", len(lengths)):
            played[simulation.wordlist.length] = simulation
            if len(played) == len(lengths):  # files first: whoever reads the output may stop
                _write(_ordered(played, lengths), save, per_word)
            shown.add(simulation.wordlist.length, simulation)
    except KeyboardInterrupt:
        shown.end()
        if played and not as_json:
            _print_tables(plan, _ordered(played, lengths))
        raise plan.interrupted(played) from None
    shown.end()
    if len(played) < len(lengths):  # the time was up
        _write(_ordered(played, lengths), save, per_word)
    if not as_json:
        _print_tables(plan, _ordered(played, lengths))


def _ordered(played: Mapping[int, Simulation], lengths: Sequence[int]) -> list[Simulation]:
    """Simulations in the order in which their lengths were asked for."""
    return [played[length] for length in lengths if length in played]


def _show(simulation: Simulation, opening_given: bool, as_json: bool) -> None:
    """Print a simulation, unless a table has it."""
    if as_json:
        print(_json(simulation, opening_given), flush=True)


def _check_files(plan: Plan, save: Path | None, per_word: Path | None) -> None:
    """Check, before anything is played, that the files can be written and nothing would be lost.

    Raises:
        WrongUsage: something would be. OSError: one cannot be written.
    """
    read: list[Path | None] = [*read_files(plan.sources)]
    for path, inputs, form in ((save, read, BEGINS), (per_word, [*read, save], PER_WORD)):
        if path:
            check_destination(path, inputs, form)
    if not save:
        return
    if save == per_word:
        raise WrongUsage(f"--save and --per-word are both {save}: name two files")
    plan.check_replaceable(save, plan.sources[0].wordlist, ANOTHER)


def _write(played: list[Simulation], save: Path | None, per_word: Path | None) -> None:
    """Write the files that were asked for."""
    from gpulingo.storage.files import replace_file
    from gpulingo.trees.checkpoint import write_checkpoint

    if save:
        prove_stored(played[0])
        keep_solved(save, standing_tree(save), ANOTHER, played[0].tree)
        write_checkpoint(played[0].tree, save)
        tell_better(save, played[0].tree, played[0].wordlist)
    if per_word:
        lines = [f"{word}\t{turn}\n" for simulation in played for word, turn in simulation.found_turns()]
        replace_file(str(per_word), "".join(lines).encode())


def _json(simulation: Simulation, opening_given: bool) -> str:
    """A simulation as a JSON object: a result, and what follows from it."""
    from gpulingo.report.results import entry_of, result_of

    entry, tree = entry_of(result_of(simulation, opening_given=opening_given)), simulation.tree
    values = of_tree(tree)
    derived = values.entry(len(simulation.wordlist), tree.mean_points, tree.bound)
    return line_of("simulate", entry | derived | values.counted_entry(simulation.turns))


def _print_tables(plan: Plan, played: list[Simulation]) -> None:
    """A row for each length, and its turns; then, for several, what the pit's ranking has a row of."""
    from gpulingo.cli.tables import print_rows, print_table

    names = list(dict.fromkeys(simulation.strategy for simulation in played))
    lengths = [str(simulation.wordlist.length) for simulation in played]
    print(f"list: {sources_text(plan.sources)}; strategy: {', '.join(names)}; device: {played[0].device}")
    rows, counts, figures, sizes = [], [], [], []
    for length, simulation in zip(lengths, played, strict=True):
        words, tree = simulation.wordlist.target_count, simulation.tree
        values, points = of_tree(tree), simulation.mean_points
        figures.append(values.figure(points))
        sizes.append(tree.total_weight)
        row = {"length": length, "words": f"{words:,}", "opening": simulation.opening}
        row |= values.cells(points, simulation.lost) | values.counted_cells(simulation.turns)
        row |= {"bound": values.bound(tree.bound), "lost": f"{simulation.lost:,}"}
        cost = (f"{simulation.build.seconds:.2f}", f"{simulation.build.pairs / 1e6:,.1f}")
        rows.append(row | dict(zip(("seconds", "million pairs"), cost, strict=True)))
        counts.append({"length": length} | values.turn_cells(simulation.turns, simulation.lost))
    print_rows(rows, left=["opening"])
    print(f"\n{values.turns_name}, by weight" if simulation.wordlist.weights else f"\n{values.turns_name}")
    print_rows(counts)
    if plan.game.counts_misses:
        print()
        print_table(["length", "hardest words"], [*map(_hardest, played)], left=["hardest words"])
    if len(played) > 1:
        print()
        cells = map(values.figure_text, (*figures, values.over_lists(figures, sizes)))
        print_table(["strategy", *lengths, values.summed], [[" ".join(names), *cells]], left=["strategy"])


def _hardest(simulation: Simulation) -> list[str]:
    """Length and hardest words: those lost, or else those of most misses, the first in list order."""
    turns = simulation.found_turns()
    worst = max(turn or simulation.tree.turns + 1 for _, turn in turns)
    words = [word for word, turn in turns if (turn or simulation.tree.turns + 1) == worst]
    more = f" and {len(words) - HARDEST:,} more" if len(words) > HARDEST else ""
    return [str(simulation.wordlist.length), ", ".join(words[:HARDEST]) + more]

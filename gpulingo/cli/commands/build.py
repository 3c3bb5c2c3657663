"""`gpulingo build`: compile a strategy into checkpoints that the player follows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gpulingo.cli import options
from gpulingo.cli.checkpoints import (
    FOLDER,
    checkpoint_path,
    keep_solved,
    prove_stored,
    standing_tree,
    tell_better,
)
from gpulingo.cli.errors import tell
from gpulingo.cli.limits import in_time
from gpulingo.cli.lists import Source, list_entry
from gpulingo.cli.outputs import make_folder
from gpulingo.cli.plan import Plan, planned
from gpulingo.cli.simulations import simulations
from gpulingo.games.catalogue import LINGO
from gpulingo.report.values import of_tree, value_text
from gpulingo.storage.printed import line_of

if TYPE_CHECKING:
    from gpulingo.games.game import Game
    from gpulingo.strategies.simulation import Simulation
    from gpulingo.trees.tree import Tree


Folder = Annotated[Path, typer.Option(metavar="FOLDER", help="Where the checkpoints go; made if missing.")]


def build(
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
    folder: Folder = FOLDER,
    as_json: options.Json = False,
) -> None:
    """Compile a strategy into checkpoints: `simulate --save FOLDER`."""
    plan = planned(
        length, wordlist, targets, weights, colours=colours, strategy=strategy, seed=seed, opening=opening,
        rule=rule,
        game=game, turns=turns, device=device, time=time,
    )  # fmt: skip
    build_trees(plan, folder, as_json, change="give another --folder")
    tell("`gpulingo build` is now `gpulingo simulate --save FOLDER`; the old name works for one more version")


def build_trees(plan: Plan, folder: Path, as_json: bool, *, change: str) -> None:
    """Play a plan and write a checkpoint per list, and the index of the list beside it.

    Args:
        change: what to do instead where a better tree would be lost.
    Raises:
        WrongUsage: a tree would be lost. OSError: the folder cannot be written.
    """
    make_folder(folder)
    for source in plan.sources:  # before anything is played
        path = checkpoint_path(folder, source.wordlist, plan.game)
        plan.check_replaceable(path, source.wordlist, change)
    entries: list[dict[str, Any]] = []
    trees: list[Tree] = []
    try:
        for simulation in in_time(simulations("build", plan), plan.ends, "lengths", len(plan.sources)):
            entries.append(_write(simulation, plan.sources[len(entries)], folder, plan.game, change))
            trees.append(simulation.tree)
            if as_json:
                print(line_of("simulate", entries[-1]), flush=True)
    except KeyboardInterrupt:
        if entries and not as_json:
            _print_table(entries, trees)
        raise plan.interrupted([tree.length for tree in trees]) from None
    if not as_json:
        _print_table(entries, trees)


def _write(simulation: Simulation, source: Source, folder: Path, game: Game, change: str) -> dict[str, Any]:
    """Write the checkpoint of a list, and the index beside it.

    Returns:
        What is printed of it, as a JSON object.
    Raises:
        WrongUsage: a tree that `solve` found would be lost. CheckpointError: a stored one is false.
    """
    from gpulingo.trees.checkpoint import write_checkpoint
    from gpulingo.words.index import write_index

    prove_stored(simulation)
    tree = simulation.tree
    path = checkpoint_path(folder, source.wordlist, game)
    before = standing_tree(path)
    keep_solved(path, before, change, tree)
    write_checkpoint(tree, path, form=b"")  # a damaged one too
    # Beside the checkpoint, because the player looks for both in the same folders.
    write_index(source.listing.data, source.wordlist, str(folder))
    if before is not None and before.mean_points > tree.mean_points:
        had = f"its {before.strategy} had {value_text(before)}"
        tell(f"{path} is replaced: {had}, this has {of_tree(tree).beside(tree.mean_points)}")
    else:
        tell_better(path, tree, source.wordlist)
    return {
        "checkpoint": str(path),
        **list_entry(source.wordlist),
        "fingerprint": tree.fingerprint,
        "strategy": tree.strategy,
        "device": str(simulation.device),
        "nodes": len(tree),
        "mean_points": tree.mean_points,
        **of_tree(tree).entry(len(source.wordlist), tree.mean_points, tree.bound),
    }


def _print_table(entries: list[dict[str, Any]], trees: list[Tree]) -> None:
    """A row for each checkpoint."""
    from gpulingo.cli.tables import print_rows

    texts = ["checkpoint", "list", "strategy", "device"]
    rows = [
        {name: entry[name] for name in texts} | {"nodes": f"{len(tree):,}"}
        | of_tree(tree).cells(tree.mean_points)
        for entry, tree in zip(entries, trees, strict=True)
    ]  # fmt: skip
    print_rows(rows, left=texts)

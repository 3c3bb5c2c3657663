"""`gpulingo build`: compile a strategy into checkpoints that the player follows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gpulingo.cli import options
from gpulingo.cli.checkpoints import keep_solved, standing_tree, tell_better
from gpulingo.cli.errors import tell
from gpulingo.cli.limits import in_time
from gpulingo.cli.lists import Source
from gpulingo.cli.outputs import make_folder
from gpulingo.cli.plan import planned, simulations
from gpulingo.trees.kept import BEST

if TYPE_CHECKING:
    from gpulingo.strategies.simulation import Simulation

Folder = Annotated[Path, typer.Option(metavar="FOLDER", help="Where the checkpoints go; made if missing.")]


def build(
    length: options.Lengths,
    wordlist: options.Wordlist = None,
    strategy: options.StrategyName = None,
    opening: options.Opening = None,
    consistent: options.Consistent = False,
    turns: options.Turns = 5,
    device: options.Device = "auto",
    seed: options.Seed = 0,
    time: options.Time = None,
    folder: Folder = Path("checkpoints"),
    as_json: options.Json = False,
) -> None:
    """Compile a strategy into checkpoints for the player."""
    from gpulingo.games.catalogue import lingo
    from gpulingo.storage.files import file_name

    plan = planned(
        length, wordlist, strategy=strategy, consistent=consistent, seed=seed,
        opening=opening, turns=turns, device=device, time=time,
    )  # fmt: skip
    make_folder(folder)
    change = "give another --folder"
    other = strategy not in (None, BEST) or opening is not None or consistent  # than the tree that is kept
    for source in plan.sources:
        path = folder / file_name(lingo(turns).code, source.wordlist.length, source.wordlist.fingerprint)
        if other:
            keep_solved(path, change)  # before anything is played
    entries: list[dict[str, Any]] = []
    try:
        for simulation in in_time(simulations("build", plan), plan.ends, "lengths", len(plan.sources)):
            entries.append(_kept(simulation, plan.sources[len(entries)], folder, change))
            if as_json:
                print(json.dumps(entries[-1], ensure_ascii=False), flush=True)
    except KeyboardInterrupt:
        if entries and not as_json:
            _print_table(entries)
        raise plan.interrupted(len(entries)) from None
    if not as_json:
        _print_table(entries)


def _kept(simulation: Simulation, source: Source, folder: Path, change: str) -> dict[str, Any]:
    """Write the checkpoint of a list, and the index beside it.

    Raises:
        WrongUsage: a tree that `solve` found would be lost.
    """
    from gpulingo.storage.files import file_name
    from gpulingo.trees.checkpoint import write_checkpoint
    from gpulingo.words.index import write_index

    tree = simulation.tree
    path = folder / file_name(tree.game.code, tree.length, tree.fingerprint)
    keep_solved(path, change, tree)
    replaced = _tell_replaced(path, tree.mean_points)
    write_checkpoint(tree, path)
    # Beside the checkpoint, because the player looks for both in the same folders.
    write_index(source.listing.data, source.wordlist, str(folder))
    if not replaced:
        tell_better(path, tree, source.wordlist)
    entry: dict[str, Any] = {
        "checkpoint": str(path),
        "list": source.listing.source,
        "fingerprint": tree.fingerprint,
    }
    entry |= {"strategy": tree.strategy, "device": str(simulation.device), "nodes": len(tree)}
    entry |= {"mean_points": tree.mean_points, "mean_guesses": tree.mean_guesses}
    return entry


def _print_table(entries: list[dict[str, Any]]) -> None:
    """A row for each checkpoint."""
    from gpulingo.cli.tables import guesses_text, points_text, print_table

    rows = [
        [e["checkpoint"], e["list"], e["strategy"], e["device"], f"{e['nodes']:,}",
         points_text(e["mean_points"]), guesses_text(e["mean_guesses"])]
        for e in entries
    ]  # fmt: skip
    columns = ["checkpoint", "list", "strategy", "device", "nodes", "mean points", "mean guesses"]
    print_table(columns, rows, left=columns[:4])


def _tell_replaced(path: Path, points: float) -> bool:
    """Tell that a checkpoint is replaced, if it had more points; whether it had."""
    before = standing_tree(path)
    if before is None or before.mean_points <= points:
        return False
    had = f"its {before.strategy} had {before.mean_points:.3f} mean points"
    tell(f"{path} is replaced: {had}, this has {points:.3f}")
    return True

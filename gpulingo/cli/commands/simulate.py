"""`gpulingo simulate`: play every word of a list and print the results of the strategy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpulingo.cli import options
from gpulingo.cli.checkpoints import checkpoint_path, keep_solved, stored_tree, tell_better
from gpulingo.cli.errors import WrongUsage, tell
from gpulingo.cli.lists import list_entry, read_files, sources_text
from gpulingo.cli.options import option
from gpulingo.cli.parse import numbers_text
from gpulingo.cli.plan import InOrder, Plan, planned, simulations
from gpulingo.cli.run import check_destination, make_folder
from gpulingo.cli.tables import print_ranking, print_rows, print_table
from gpulingo.cli.wording import worded
from gpulingo.report.values import of_tree
from gpulingo.storage.files import replace_file
from gpulingo.storage.printed import line_of
from gpulingo.trees.checkpoint import BEGINS, BEST, CheckpointError, write_checkpoint
from gpulingo.trees.verify import verify
from gpulingo.words.letters import leave

if TYPE_CHECKING:
    from gpulingo.strategies.simulation import Simulation

HARDEST = 10  # words of each length that are printed
PER_WORD = rb"[^\t\n]+\t\d+\n"
ANOTHER = "name another file or folder"


def simulate(
    lengths: str = options.LENGTHS,
    *,
    words: options.WordOptions,
    playing: options.Playing,
    rules: options.LetterRules,
    own: options.Seeded,
    save: Path | None = option("PATH", "Save the tree as a checkpoint; a folder for several lengths."),
    per_word: Path | None = option("FILE.tsv", "Write the turn on which each word is found; 0 is lost."),
    ray: str | None = options.RAY,
    as_json: bool = options.JSON,
) -> None:
    """Play a strategy against every word of a list."""
    plan = planned("simulate", lengths, words, rules, own, playing, ray=ray)
    folder = None
    if save and (len(plan.sources) > 1 or save.is_dir()):
        save, folder = None, save
    if folder and per_word:
        raise WrongUsage("--save FOLDER and --per-word: give one length and a file, or leave one out")
    paths = _checked_paths(plan, save, folder, per_word)
    sources = {source.wordlist.length: source for source in plan.sources}
    played: dict[int, Simulation] = {}

    def show(simulation: Simulation) -> None:
        if as_json:
            own = paths[simulation.wordlist.length] if folder else None
            entry = _checkpoint_entry(simulation, own) if own else _entry(simulation, playing.opening)
            print(line_of("simulate", entry), flush=True)

    shown: InOrder[Simulation] = InOrder([*sources], show)
    run = plan.run
    with run.working() as bar:
        for simulation in run.results(simulations(plan, bar), "lengths", len(sources)):
            length = simulation.wordlist.length
            if length in paths:
                _save(simulation, paths[length], replacing=bool(folder))
            played[length] = simulation
            if len(played) == len(sources):  # files first: a reader of the output may stop
                _write_turns(played, sources, per_word)
            shown.add(length, simulation)
    if len(played) < len(sources) and not run.interrupted:  # the time was up
        _write_turns(played, sources, per_word)
    shown.end()
    done = [played[length] for length in sources if length in played]
    if done and not as_json:
        _print_checkpoints(done, paths) if folder else _print_tables(plan, done)
    rest = numbers_text(sorted(length for length in sources if length not in played))
    remedy = f"; the rest is --length {rest}" if rest and played else ""
    run.finish(f"after {len(played)} of {len(sources)} lengths{remedy}")


def _checked_paths(
    plan: Plan, save: Path | None, folder: Path | None, per_word: Path | None
) -> dict[int, Path]:
    read: list[Path | None] = [*read_files(plan.sources)]
    for path, inputs, form in ((save, read, BEGINS), (per_word, [*read, save], PER_WORD)):
        if path:
            check_destination(path, inputs, form)
    if save and save == per_word:
        raise WrongUsage(f"--save and --per-word are both {save}: name two files")
    lists = [source.wordlist for source in plan.sources]
    paths: dict[int, Path] = {}
    if folder:
        make_folder(folder)
        paths = {words.length: checkpoint_path(folder, words, plan.game) for words in lists}
    elif save:
        paths = {words.length: save for words in lists}
    for words in lists if paths else []:
        plan.check_replaceable(paths[words.length], words, ANOTHER)
    return paths


def _save(simulation: Simulation, path: Path, *, replacing: bool) -> None:
    """Write the checkpoint of a list; `replacing`: even over a file of another kind."""
    if simulation.strategy == BEST:  # a tree from a file
        try:
            verify(simulation.tree, simulation.wordlist)
        except CheckpointError as error:
            raise CheckpointError(f"the stored tree: {worded(error)}, naming a --strategy") from None
    tree, before = simulation.tree, stored_tree(path)
    keep_solved(path, before, ANOTHER, tree)
    write_checkpoint(tree, path, form=b"" if replacing else BEGINS)
    if before is not None and before.mean_points > tree.mean_points:
        had = f"its {before.strategy} had {of_tree(before).text(before.value)}"
        tell(f"{path} is replaced: {had}, this has {of_tree(tree).beside(tree.value)}")
    else:
        tell_better(path, tree, simulation.wordlist)


def _write_turns(played: Mapping[int, Simulation], lengths: Iterable[int], per_word: Path | None) -> None:
    if per_word:
        turns = [turn for length in lengths if length in played for turn in played[length].found_turns()]
        replace_file(str(per_word), leave("".join(f"{word}\t{turn}\n" for word, turn in turns)).encode())


def _checkpoint_entry(simulation: Simulation, path: Path) -> dict[str, Any]:
    words, tree = simulation.wordlist, simulation.tree
    entry = {"checkpoint": str(path), **list_entry(words), "fingerprint": tree.fingerprint}
    entry |= {"strategy": tree.strategy, "device": str(simulation.device), "nodes": len(tree)}
    values = of_tree(tree).entry(len(words), tree.value, tree.bound_value)
    return entry | {"mean_points": tree.mean_points, **values}


def _print_checkpoints(played: Sequence[Simulation], paths: Mapping[int, Path]) -> None:
    texts = ["checkpoint", "list", "strategy", "device"]
    rows = []
    for simulation in played:
        tree = simulation.tree
        entry = _checkpoint_entry(simulation, paths[tree.length])
        row = {name: entry[name] for name in texts} | {"nodes": f"{len(tree):,}"}
        rows.append(row | of_tree(tree).cells(tree.value))
    print_rows(rows, left=texts)


def _entry(simulation: Simulation, opening: str | None) -> dict[str, Any]:
    from gpulingo.report.results import entry_of, result_of

    tree, values = simulation.tree, of_tree(simulation.tree)
    entry = entry_of(result_of(simulation, opening_given=opening is not None))
    derived = values.entry(len(simulation.wordlist), tree.value, tree.bound_value)
    return entry | derived | values.counted_entry(simulation.turns)


def _print_tables(plan: Plan, played: list[Simulation]) -> None:
    """Print a row per length, and its turns; then, for several, the row of the pit's ranking."""
    names = list(dict.fromkeys(simulation.strategy for simulation in played))
    print(f"list: {sources_text(plan.sources)}; strategy: {', '.join(names)}; device: {played[0].device}")
    rows, counts, figures, sizes = [], [], dict[int, float](), dict[int, int]()
    for simulation in played:
        words, tree = simulation.wordlist.target_count, simulation.tree
        length = simulation.wordlist.length
        values, value = of_tree(tree), tree.value
        figures[length], sizes[length] = values.figure(value), tree.total_weight
        row = {"length": f"{length}", "words": f"{words:,}", "opening": simulation.opening}
        row |= values.cells(value, simulation.lost) | values.counted_cells(simulation.turns)
        row |= {"bound": values.bound(tree.bound_value), "lost": f"{simulation.lost:,}"}
        cost = (f"{simulation.build.seconds:.2f}", f"{simulation.build.pairs / 1e6:,.1f}")
        rows.append(row | dict(zip(("seconds", "million pairs"), cost, strict=True)))
        counts.append({"length": f"{length}"} | values.turn_cells(simulation.turns, simulation.lost))
    print_rows(rows, left=["opening"])
    print(f"\n{values.turns_name}, by weight" if simulation.wordlist.weights else f"\n{values.turns_name}")
    print_rows(counts)
    if plan.game.counts_misses:
        print()
        print_table(["length", "hardest words"], [*map(_hardest, played)], left=["hardest words"])
    if len(played) > 1:
        print()
        print_ranking({" ".join(names): figures}, sizes, values)


def _hardest(simulation: Simulation) -> list[str]:
    """Return length and hardest words: lost ones, otherwise those of most misses, the first in list order."""
    turns = simulation.found_turns()
    worst = max(turn or simulation.tree.turns + 1 for _, turn in turns)
    words = [word for word, turn in turns if (turn or simulation.tree.turns + 1) == worst]
    more = f" and {len(words) - HARDEST:,} more" if len(words) > HARDEST else ""
    return [str(simulation.wordlist.length), ", ".join(words[:HARDEST]) + more]

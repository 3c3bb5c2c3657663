"""`gpulingo simulate`: play every word of a list and print the results of the strategy."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from gpulingo.cli.errors import tell, wrong_usage
from gpulingo.cli.lists import checkpoint_path, files_of, list_entry, lists_of, sources_text
from gpulingo.cli.options import BOARDS, PlayOptions, between, group, option
from gpulingo.cli.plays import Plan, planned, print_ranking, simulations
from gpulingo.cli.run import Bar, Run
from gpulingo.cli.wording import worded
from gpulingo.games.catalogue import on_boards
from gpulingo.games.game import Game
from gpulingo.hosts.host import check_boards
from gpulingo.optimise.kept import check_same, keep_solved, report_better
from gpulingo.report.results import Row, entry_of, result_of
from gpulingo.storage.faults import refuse
from gpulingo.storage.files import check_destination, locked, make_folder, replace_file
from gpulingo.trees.checkpoint import BEGINS, BEST, CheckpointError, write_checkpoint
from gpulingo.trees.stored import tree_at
from gpulingo.trees.values import of_tree
from gpulingo.trees.verify import verify
from gpulingo.words.letters import leave
from gpulingo.words.listing import numbers_text

if TYPE_CHECKING:
    from gpulingo.strategies.simulation import Simulation

ROUNDS = 1000  # of several boards
HARDEST = 10  # words of each length that are printed
CHECKPOINT = ["checkpoint", "list", "strategy", "device"]  # texts of its row
PER_WORD = rb"[^\t\n]+\t\d+\n"
ANOTHER = "name another file or folder"


@group
class SimulateOptions(PlayOptions):
    strategy: str | None = option(
        "NAME", "Name, module:name or FILE.py:name; `gpulingo help strategies`.", "-s",
        shown="best, or parts if none is stored"
    )  # fmt: skip
    opening: str | None = option("WORD,..", "First guess, or guesses always made first; one length only.")
    save: Path | None = option("PATH", "Save the tree as a checkpoint; a folder for several lengths.")
    per_word: Path | None = option("FILE.tsv", "Write the turn on which each word is found; 0 is lost.")
    boards: int | None = BOARDS
    rounds: int | None = option(
        "NUMBER", "Rounds of several boards, drawn.", shown="1000", parser=between(1, 10**7)
    )


def simulate(args: SimulateOptions) -> None:
    """Play every word of a list, or rounds of several boards."""
    game = args.chosen(gives=True, boards=args.boards)
    save, per_word = args.save, args.per_word
    if game.boards > 1:
        given = {"save": save, "per-word": per_word, "ray": args.ray, "opening": args.opening}
        refuse({f"--{name} with {game.boards} boards: leave it out": value for name, value in given.items()})
        _boards(game, args)
        return
    refuse({"--rounds of one board: leave it out, every word is played": args.rounds is not None})
    plan = planned("simulate", args, args.strategy, args.opening)
    folder = save is not None and (len(plan.lists) > 1 or save.is_dir())
    both = "--save FOLDER and --per-word: give one length and a file, or leave one out"
    refuse({both: folder and per_word})
    paths = _checked_paths(plan, save, per_word, folder)
    run, lengths = plan.run, [words.length for words in plan.lists]
    done: dict[int, Simulation] = {}

    def show(simulation: Simulation) -> None:
        if folder:
            run.entry(_checkpoint(simulation, paths[simulation.wordlist.length])[0])
            return
        result = result_of(simulation, opening_given=args.opening is not None)
        run.entry(entry_of(result) | result.derived | result.values.counted_entry(result.turns))

    def write_turns() -> None:
        pairs = [pair for length in lengths if length in done for pair in done[length].found_turns()]
        if per_word:
            replace_file(str(per_word), leave("".join(f"{word}\t{turn}\n" for word, turn in pairs)).encode())

    def played(bar: Bar) -> Iterator[Simulation]:
        for simulation in simulations(plan, bar):
            length = simulation.wordlist.length
            if length in paths:
                _save(simulation, paths[length], replacing=folder)
            done[length] = simulation
            if len(done) == len(lengths):  # files first: a reader of the output may stop
                write_turns()
            yield simulation

    by_length = run.in_order(played, "lengths", lengths, lambda simulation: simulation.wordlist.length, show)
    rest = numbers_text(sorted({*lengths} - {*by_length}))
    if rest and not run.interrupted:  # the time was up
        write_turns()
    if folder:
        rows = [_checkpoint(simulation, paths[length])[1] for length, simulation in by_length.items()]
        run.table(rows, left=CHECKPOINT)
    elif by_length and not args.as_json:
        _print_tables(plan, [*by_length.values()])
    remedy = f"; the rest is --length {rest}" if rest and done else ""
    run.finish(f"after {len(done)} of {len(lengths)} lengths{remedy}")


def _boards(game: Game, args: SimulateOptions) -> None:
    """Play drawn rounds of several boards, and print the turns of their last words."""
    run, rounds = Run("simulate", args.time, as_json=args.as_json), args.rounds or ROUNDS
    numbers = args.lengths_for(on_boards(args.game, args.boards), "simulate")
    refuse({f"{len(numbers)} lengths of {game.name}: give one": len(numbers) > 1})
    (listed,) = lists_of(args).words(numbers, game)
    from gpulingo.strategies import boards

    check_boards(game, listed)
    with run.working() as bar, wrong_usage("--strategy"):
        played = boards.simulate_boards(
            listed, args.strategy or boards.BOARDS, game,
            rounds=rounds, seed=args.seed, device=args.device, progress=bar.looking(),
        )  # fmt: skip
    run.finish("before the last round")
    counts = played.turn_counts
    entry = {"game": game.code, **list_entry(listed), "strategy": played.strategy, "seed": args.seed}
    entry |= {"opening": played.opening, "seconds": played.seconds, "rounds": len(played.turns)}
    run.entry(entry | {"won": played.won, "mean_turn": played.mean_turn, "turns": counts})
    how = f"strategy: {played.strategy}; {game.code}, {game.boards} boards"
    run.text(f"list: {sources_text([listed])}; {how}")
    cells = {"rounds": f"{rounds:,}", "opening": played.opening, "won": f"{100 * played.won:.2f} %"}
    cells |= {"mean turn": f"{played.mean_turn:.4f}", "seconds": f"{played.seconds:.2f}"}
    run.table([cells], left=["opening"])
    run.table([game.turn_cells(counts, rounds - sum(counts))], "rounds whose last word is found on")


def _checked_paths(plan: Plan, save: Path | None, per_word: Path | None, folder: bool) -> dict[int, Path]:
    """Length -> path of the checkpoint to write, with `folder` in the folder `save`."""
    read: list[Path | None] = [*files_of(plan.lists)]
    for path, inputs, form in ((None if folder else save, read, BEGINS), (per_word, [*read, save], PER_WORD)):
        if path:
            check_destination(path, inputs, form)
    refuse({f"--save and --per-word are both {save}: name two files": save and save == per_word})
    if save is None:
        return {}
    if folder:
        make_folder(save)
    paths = {own.length: checkpoint_path(save, own, plan.game) if folder else save for own in plan.lists}
    for words in plan.lists:
        path = paths[words.length]
        check_same(path, standing := tree_at(path), words, plan.game, change=ANOTHER)
        if not plan.takes_stored(plan.strategy):
            keep_solved(path, standing, ANOTHER)
    return paths


def _save(simulation: Simulation, path: Path, *, replacing: bool) -> None:
    """Write the checkpoint of a list; `replacing`: even over a file of another kind."""
    if simulation.strategy == BEST:  # a tree from a file
        try:
            verify(simulation.tree, simulation.wordlist)
        except CheckpointError as error:
            raise CheckpointError(f"the stored tree: {worded(error)}, naming a --strategy") from None
    with locked(path):
        tree, before = simulation.tree, tree_at(path)
        keep_solved(path, before, ANOTHER, tree)
        write_checkpoint(tree, path, form=b"" if replacing else BEGINS)
    if before is not None and before.mean_points > tree.mean_points:
        had = f"its {before.strategy} had {of_tree(before).text(before.value)}"
        tell(f"{path} is replaced: {had}, this has {of_tree(tree).beside(tree.value)}")
    else:
        report_better(path, tree, simulation.wordlist, tell)


def _checkpoint(simulation: Simulation, path: Path) -> Row:
    """Return a checkpoint that was written as a JSON object, and as cells."""
    words, tree, values = simulation.wordlist, simulation.tree, of_tree(simulation.tree)
    entry = {"checkpoint": str(path), **list_entry(words), "fingerprint": tree.fingerprint}
    entry |= {"strategy": tree.strategy, "device": str(simulation.device), "nodes": len(tree)}
    cells = {name: entry[name] for name in CHECKPOINT} | {"nodes": f"{len(tree):,}"}
    entry |= {"mean_points": tree.mean_points} | values.entry(len(words), tree.value, tree.bound_value)
    return entry, cells | values.cells(tree.value)


def _print_tables(plan: Plan, played: list[Simulation]) -> None:
    """Print a row per length, and its turns; then, for several, the row of the pit's ranking."""
    run = plan.run
    results, values = [result_of(simulation) for simulation in played], of_tree(played[0].tree)
    names = ", ".join(dict.fromkeys(result.strategy for result in results))
    run.text(f"list: {sources_text(plan.lists)}; strategy: {names}; device: {played[0].device}")
    rows, counts = [], []
    for result in results:
        length = {"length": f"{result.length}"}
        row = length | {"words": f"{result.words:,}"} | result.cells
        row |= {"bound": result.values.bound(result.bound_value), "lost": f"{result.lost:,}"}
        row |= {"seconds": f"{result.seconds:.2f}", "million pairs": f"{result.pairs / 1e6:,.1f}"}
        rows.append(row)
        counts.append(length | values.game.turn_cells(result.turns, result.lost))
    run.table(rows, left=["opening"])
    run.table(counts, values.turns_name + ", by weight" * bool(results[-1].weight))
    if plan.game.counts_misses:
        run.table([*map(_hardest, played)], "", left=["hardest words"])
    if len(played) > 1:
        run.text("")
        print_ranking([(names.replace(", ", " "), result) for result in results])


def _hardest(simulation: Simulation) -> dict[str, str]:
    """Return length and hardest words: lost ones, otherwise those of most misses, the first in list order."""
    turns = simulation.found_turns()
    worst = max(turn or simulation.tree.turns + 1 for _, turn in turns)
    words = [word for word, turn in turns if (turn or simulation.tree.turns + 1) == worst]
    more = f" and {len(words) - HARDEST:,} more" if len(words) > HARDEST else ""
    return {"length": f"{simulation.wordlist.length}", "hardest words": ", ".join(words[:HARDEST]) + more}

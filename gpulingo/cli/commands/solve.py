"""`gpulingo solve`: search for the best strategy of a list, with a bound on what any strategy can have.

A search begins with what is stored, shows how far it is, and writes its tree and its certificate.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from gpulingo.cli import options
from gpulingo.cli.errors import tell, wrong_usage
from gpulingo.cli.lists import FOLDER, checkpoint_path, files_of, list_head, list_text, lists_of
from gpulingo.cli.options import option, points_number
from gpulingo.cli.request import whole_number
from gpulingo.cli.run import Run, device_for, executor_at
from gpulingo.cli.signals import late_interrupt
from gpulingo.games.catalogue import find_game
from gpulingo.games.game import Game
from gpulingo.optimise.kept import check_same
from gpulingo.storage.faults import refuse
from gpulingo.storage.files import CERTIFICATE, HOST, check_destination, make_folder
from gpulingo.tensors.clock import clock
from gpulingo.trees.checkpoint import BEGINS
from gpulingo.trees.stored import tree_at
from gpulingo.trees.text import opening_text
from gpulingo.trees.values import MANY, of_tree
from gpulingo.words.shown import counted

if TYPE_CHECKING:
    from gpulingo.optimise.state import Stage
    from gpulingo.optimise.stored_search import Forced, Outcome
    from gpulingo.words.listing import WordList


@options.group
class SearchOptions(options.Length, options.WordOptions, options.Rules, options.Timed, options.Printed):
    width: str | None = option("TURN:N,..", "Guesses per set by turns left, for example 5:50,4:20,3:10.")
    openings: str | None = option("NUMBER|all", "Openings of the first stage.", shown="200")
    gap: float | None = option(
        "NUMBER", "Go straight to this gap, in points or total guesses.", parser=points_number, shown="0"
    )
    memory: int = options.MEMORY
    seed: int = options.SEED
    objective: Literal["mean", "misses", "worst", "lost"] = option(
        "NAME", "mean, worst (turn), lost (words) or misses.", default="mean"
    )
    opponent: Literal["chance", "adversary"] = option(
        "NAME", "chance, or adversary: guesses that always suffice.", default="chance"
    )
    out: Path | None = option(
        "FILE.npz", "The checkpoint to write.", "--save", "--out", shown="in checkpoints/"
    )
    resume: bool = option("", "Continue from the stored tree and certificate.")
    fresh: bool = option("", "Ignore stored trees, as the first search of a list does.")
    ray: str | None = options.RAY

    def check(self, *, letters: bool) -> None:
        """Refuse options that exclude each other, or where letters are guessed."""
        aim, where = self.objective, "where letters are guessed"
        against, first = self.opponent == "adversary", self.objective != "mean" or letters
        no_letters = {"--width": self.width, "--openings": self.openings, "--gap": self.gap or None}
        refuse(
            {f"{name} {where}: leave it out, all letters are compared": letters and value is not None
             for name, value in no_letters.items()}
            | {f"--resume {where}, which begins with the stored tree: leave it out": letters and self.resume,
               f"--ray {where}: such searches have no units; leave it out": letters and self.ray is not None,
               f"--objective {aim} {where}: use mean (words won) or misses":
                   letters and aim in ("worst", "lost"),
               "--ray is for the best mean against chance: leave out --ray or the other objective":
                   self.ray is not None and (first or against),
               "--ray with --resume: leave one of them out, results are kept":
                   self.ray is not None and self.resume,
               "--resume with --fresh, which ignores what is stored: leave one of them out":
                   self.resume and self.fresh}
        )  # fmt: skip

    def place(self, words: WordList, game: Game, *, last: bool = True, begins: bool = False) -> Path:
        """Return the checked path of a search's checkpoint; --out names that of the last search."""
        out = self.out
        refuse({f"--out {out}, expected the name of a file: as in --out best.npz": out and not out.name})
        if out is None:
            make_folder(FOLDER)
        elif not last:
            out = out.with_name(f"{out.stem}-{game.code}{out.suffix}")
        path = out or checkpoint_path(FOLDER, words, game)
        for written in (path, path.with_suffix(CERTIFICATE)):
            check_destination(written, files_of([words]), BEGINS if out else b"")
        check_same(path, tree_at(path), words, game, change="name another with --out")
        missing = begins and self.resume and not path.exists()
        refuse({f"--resume, but there is no {path}: leave it out to begin": missing})
        return path

    def stages(self, words: WordList, game: Game) -> list[Stage] | None:
        from gpulingo.optimise.state import Stage, stages

        if self.width is None and self.openings is None:
            return None
        plan = stages(game.turns)
        if self.width is not None:
            with wrong_usage("--width"):
                widths = options.parsed_widths(self.width, game.turns)
            plan = [Stage(widths.pop(game.turns, plan[0].openings), widths)]
        if self.openings is not None:
            count = len(words) if self.openings == "all" else whole_number(self.openings)
            refuse({f"--openings {self.openings[:40]}, expected a whole number from 1, or all": count < 1})
            plan[0] = Stage(count, plan[0].widths)
        return plan


def print_adversary(sides: Forced, words: WordList, lives: int | None, seconds: float, run: Run) -> None:
    lower, upper, host = sides.misses.lower, sides.enough, sides.path.with_suffix(HOST)
    entry = list_head(words) | {"ended": sides.ended, "misses": lower, "enough": upper}
    entry |= {"optimal": lower == upper, "seconds": seconds, "positions": sides.positions}
    winner = ""
    if lives is not None:
        wins = "host" if lower >= lives else "guesser" if upper < lives else "not known"
        entry |= {"lives": lives, "wins": wins}
        winner = f"; with {lives} lives: {wins}"
    run.entry(entry | {"guesser": str(sides.path), "host": str(host) if sides.proof else None})
    run.text(f"list: {list_text(words)}; {sides.ended}; {sides.path}")
    row = {"length": str(words.length), "words": f"{words.target_count:,}"}
    row |= {"misses": f"{lower}" if lower == upper else f"{lower}..{upper}"}
    row |= {"positions": f"{sides.positions:,}", "seconds": f"{seconds:.1f}", "nodes": f"{len(sides.tree):,}"}
    run.table([row | {"host's nodes": f"{sides.proof:,}"}])
    known = " and no more: proven" if lower == upper else f", and {upper} are enough for the guesser"
    run.text(f"\nthe host can force {counted(lower, 'miss')}{known}{winner}")


def solve(search: SearchOptions) -> None:
    """Search for the best strategy and a proven bound."""
    lengths = search.lengths_for(search.game, "solve")
    began, run = clock(), Run("solve", search.time, as_json=search.as_json)
    opponent, objective = search.opponent, search.objective
    against = opponent == "adversary"
    seen = f"--objective {objective} with an adversary, who makes every round the worst"
    refuse({f"{seen}: leave it out": against and objective != "mean"})
    unlimited = against and search.turns is None and not search.game[-1:].isdigit()
    search = replace(search, turns=options.MOST_TURNS) if unlimited else search
    game = search.chosen(fewer="`gpulingo simulate` is exact for fewer")
    if objective == "misses":
        refuse({f"--objective misses in {game.code}: it is for --game hangman": not game.counts_misses})
        game = find_game("hangman-misses", game.turns)
    listed = lists_of(search).words(lengths, game)[0]
    with late_interrupt() as run.noted:
        work = "hangman" if game.guesses_letters else "solve"
        device = device_for(search.device if search.ray is None else "cpu", work)  # where results are merged
        run.noted()  # a GPU's torch is imported
        search.check(letters=game.counts_misses)
        from gpulingo.machines.ray_tasks import Cluster
        from gpulingo.machines.searches import run_on_nodes
        from gpulingo.optimise.stored_search import StoredSearch

        with executor_at(search.ray, search.device, lambda: None) as (cluster, task_device):
            executor = partial(run_on_nodes, cluster, task_device) if isinstance(cluster, Cluster) else None
            stored = StoredSearch(
                listed, device, tell, partial(search.place, listed), run.news, executor,
                partial(search.stages, listed), search.gap, search.memory, search.seed,
                search.resume, search.fresh,
            )  # fmt: skip
            if game.counts_misses and against:
                forced = stored.forced()
                print_adversary(forced, listed, None if unlimited else game.turns, clock() - began, run)
                return
            if game.counts_misses:
                outcome = stored.most_found(game)
            else:
                outcome = stored.best(game, "found" if against else objective, run.ends)
    _print(outcome, listed, "cpu" if game.counts_misses else str(device), clock() - began, run)


def _print(outcome: Outcome, words: WordList, device: str, seconds: float, run: Run) -> None:
    tree, worst, game = outcome.tree, outcome.worst, outcome.tree.game
    value, bound, opening = tree.value, tree.bound_value, opening_text(tree, words.words)
    values, turns = of_tree(tree, MANY), tree.turn_counts()
    assert tree.bound is not None and bound is not None
    entry = list_head(words) | ({"lives": game.turns} if game.counts_misses else {})
    entry |= {"opening": opening, "mean_points": tree.mean_points}
    entry |= {"bound": tree.bound, "gap": tree.bound - tree.mean_points}
    entry |= values.entry(len(words), value, bound) | values.counted_entry(turns)
    entry |= {"ended": outcome.ended, "checkpoint": str(outcome.path)}
    entry |= {"turns": turns, "lost": tree.lost} if values.unit.whole else {}
    entry |= {"worst_guesses": worst.turns, "worst_proven": worst.proven} if worst else {}
    if outcome.optimal:
        entry["optimal_openings"], entry["possible_openings"] = outcome.optimal
    run.entry(entry | {"seconds": seconds, "device": device})
    where = f"game: {game.code}" if game.counts_misses else f"device: {device}"
    known, possible = outcome.optimal or (0, 0)
    least = "" if known == possible else f"{known:,} to "
    optimal = f", {least}{counted(possible, 'opening')} optimal" if outcome.optimal else ""
    run.text(f"list: {list_text(words)}; {where}; {outcome.ended}{optimal}; {outcome.path}")
    row = {"length": str(words.length), "words": f"{words.target_count:,}", "opening": opening}
    row |= {"worst guesses": f"{worst.turns}"} if worst else {}
    row |= values.cells(value, tree.lost) | values.counted_cells(turns)
    row |= {"bound": values.bound(bound), "gap": values.gap(value, bound), "seconds": f"{seconds:.0f}"}
    run.table([row], left=["opening"])
    if values.unit.whole:
        run.table([values.game.turn_cells(turns, tree.lost)], values.turns_name)
    if worst:
        lost, which = (f" with {tree.lost:,} lost", "that loses as few ") if tree.lost else ("", "")
        sure = f"no strategy {which}needs fewer{': proven' if value == bound else ''}"
        unsure = "it is not known whether fewer " + ("suffice" if worst.fewest else "can be lost")
        run.text(f"\nat most {worst.turns} guesses{lost}; {sure if worst.proven else unsure}")

"""One search of `gpulingo solve`: where it starts, its progress, the files that it writes."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

from gpulingo.cli import checkpoints, options
from gpulingo.cli.checkpoints import (
    FOLDER,
    put_certificate_aside,
    sound_tree,
    stored_certificate,
    stored_certificates,
)
from gpulingo.cli.errors import WrongUsage, failure_text, tell, wrong_usage
from gpulingo.cli.lists import Source, list_entry, list_text, read_files
from gpulingo.cli.options import option
from gpulingo.cli.parse import parsed_widths, points_number, whole_number
from gpulingo.cli.plan import executor_at
from gpulingo.cli.run import Bar, News, Run, check_destination, make_folder
from gpulingo.cli.tables import print_rows
from gpulingo.games.catalogue import find_game, hangman
from gpulingo.games.game import Game
from gpulingo.player.question import SOLVED
from gpulingo.report.values import MANY, Values, of_tree
from gpulingo.storage.files import CERTIFICATE, HOST
from gpulingo.storage.printed import line_of
from gpulingo.tensors.clock import clock
from gpulingo.trees.checkpoint import BEGINS
from gpulingo.trees.tree import Tree
from gpulingo.trees.verify import verify
from gpulingo.words.listing import WordList
from gpulingo.words.shown import counted

if TYPE_CHECKING:
    import torch

    from gpulingo.optimise.none_lost import WorstTurn
    from gpulingo.optimise.solver import Executor, Solver
    from gpulingo.optimise.state import Stage
    from gpulingo.solvers.hosts.misses import AdversaryMisses
    from gpulingo.tensors.outcomes import Misses


def begin_with_stored(solver: Solver, path: Path) -> None:
    from gpulingo.bounds.certificate import merged
    from gpulingo.bounds.counting import fitting

    words, game = solver.problem.wordlist, solver.problem.game
    best = sound_tree(words, game, path)
    tree = None if best is None else best[1]
    certificates = stored_certificates(words, game, tree, [path.with_suffix(CERTIFICATE)])
    if best is not None:
        tell(f"begins with {best[0]}: {of_tree(best[1], MANY).text(best[1].value)}")
    for name in list(certificates)[:1]:
        bound = Values(game, words.total_weight, MANY).limit(certificates[name].bound)
        tell(f"begins with {name}: bound {bound}")
    given = merged(list(certificates.values())) if certificates else None
    if given is not None and not fitting(solver.problem.table, given.evidence.counted):
        tell("stored counts do not fit the classes of their openings: they are made again")
        given = replace(given, evidence=replace(given.evidence, counted={}))
    solver.begin_with(tree, given)


def write_certificate(solver: Solver, path: Path, tree: Tree) -> int:
    """Write the certificate, before any header refers to it; return its bound, in credits."""
    from gpulingo.bounds.arrays import write_arrays
    from gpulingo.bounds.certificate import certificate_arrays, merged, unfinished
    from gpulingo.bounds.counting import proof_of

    words, bound = solver.problem.wordlist, solver.bound
    there = stored_certificate(path, words, solver.problem.game, tree, silent=True)
    ours = proof_of(words, solver.state.bounds, solver.state.given, solver.value)
    proofs = [proof for proof in (there, ours) if proof is not None]
    if proofs:
        proof = unfinished(merged(proofs), solver.value)
        bound = proof.bound
        put_certificate_aside(path, words, solver.problem.game)
        write_arrays(path, certificate_arrays(proof))
    else:
        tell("ended before any opening was bounded: there is no certificate to prove; give it more time")
    return bound


PATIENCE, SAID = 4.0, 0.5  # seconds without a line before a status line; seconds between checks
PROVEN, REACHED, INTERRUPTED, TIME_IS_UP = "proven", "gap reached", "interrupted", "time is up"
ENOUGH, NONE_SO_GOOD = "as good as asked", "no strategy is as good as asked"
SAVED = 30.0  # seconds between two writes of tree and certificate


class SolveObjective(StrEnum):
    MEAN = "mean"
    MISSES = "misses"
    WORST = "worst"
    LOST = "lost"


class Opponent(StrEnum):
    CHANCE = "chance"
    ADVERSARY = "adversary"


@options.group
class SearchOptions:
    width: str | None = option("TURN:N,..", "Guesses per set by turns left, for example 5:50,4:20,3:10.")
    openings: str | None = option("NUMBER|all", "Openings of the first stage.", shown="200")
    time: float | None = options.TIME
    gap: float | None = option(
        "NUMBER", "Go straight to this gap, in points or total guesses.", parser=points_number, shown="0"
    )
    memory: int = options.MEMORY
    objective: SolveObjective = option(
        "NAME", "mean, worst (turn), lost (words) or misses.", default=SolveObjective.MEAN
    )
    opponent: Opponent = option(
        "NAME", "chance, or adversary: guesses that always suffice.", default=Opponent.CHANCE
    )
    out: Path | None = option(
        "FILE.npz", "The checkpoint to write.", "--save", "--out", shown="in checkpoints/"
    )
    resume: bool = option("", "Continue from the stored tree and certificate.")
    fresh: bool = option("", "Ignore stored trees, as the first search of a list does.")
    ray: str | None = options.RAY
    device: str = options.DEVICE
    seed: int = options.SEED


@options.group
class SolveSetting(SearchOptions):
    source: Source
    place: torch.device
    run: Run

    def path(self, game: Game, *, last: bool = True) -> Path:
        """Return the path of the checkpoint of a search, checked so that no file is lost.

        The last search writes the file of --out.
        """
        out = self.out
        if out is None:
            make_folder(FOLDER)
        elif not out.name:
            raise WrongUsage(f"--out {out}, expected the name of a file: as in --out best.npz")
        elif not last:
            out = out.with_name(f"{out.stem}-{game.code}{out.suffix}")
        path = out or checkpoints.checkpoint_path(FOLDER, self.source.wordlist, game)
        for written in (path, path.with_suffix(CERTIFICATE)):
            check_destination(written, read_files([self.source]), BEGINS if out else b"")
        checkpoints.check_same(
            path,
            checkpoints.stored_tree(path),
            self.source.wordlist,
            game,
            change="name another with --out",
        )
        return path


@dataclass(frozen=True)
class Outcome:
    words: WordList
    tree: Tree
    path: Path
    ended: str
    device: str
    worst: WorstTurn | None = None
    optimal: tuple[int, int] | None = None


def solved(
    setting: SolveSetting,
    game: Game,
    path: Path,
    *,
    least: int = 0,
    any_will_do: bool = False,
    begin: Tree | None = None,
) -> Outcome:
    """Search a game, and write what was found.

    Args:
        least: credits; strategies below are of no interest. any_will_do: whether any strategy with these
        credits suffices. begin: a tree of the game to start from.
    """
    from gpulingo.machines.ray_tasks import Cluster
    from gpulingo.machines.searches import Nodes
    from gpulingo.optimise.solver import Solver

    words = setting.source.wordlist
    plan = stages_of(setting.width, setting.openings, game.turns, len(words))
    order = checkpoints.ranking_order(words, game)
    solver = Solver(
        words, game, plan=plan, order=order, least=least,
        device=setting.place, seed=setting.seed, memory=setting.memory,
    )  # fmt: skip
    if setting.resume and setting.fresh:
        raise WrongUsage("--resume with --fresh, which ignores what is stored: leave one of them out")
    if setting.resume and not path.exists():
        raise WrongUsage(f"--resume, but there is no {path}: leave it out to begin")
    if begin is not None:
        solver.begin_with(begin, None)
    if not setting.fresh:
        begin_with_stored(solver, path)
    values = Values(game, words.total_weight)
    gap = values.credits(setting.gap or 0.0)
    enough = game.turns * words.total_weight if any_will_do else gap
    with (
        setting.run.bar(None, lines=False) as bar,
        executor_at(setting.ray, setting.device, lambda: None) as (cluster, place),
    ):
        straight = any_will_do or setting.gap is not None or setting.run.ends == math.inf
        search = Search(solver, path, bar, enough, setting.run, gap, straight, all_optimal=setting.gap == 0)
        if isinstance(cluster, Cluster):
            search.executor = Nodes(cluster, place)
        try:
            ended = search.search()
        except RuntimeError:  # the cluster is gone
            search.save()
            raise
    tree = write_solved(solver, path)
    optimal = solver.optimal_openings if ended == PROVEN else None
    return Outcome(words, tree, path, ended, str(setting.place), optimal=optimal)


def stages_of(width: str | None, openings: str | None, turns: int, words: int) -> list[Stage]:
    from gpulingo.optimise.state import Stage, stages

    plan = stages(turns)
    if width is not None:
        with wrong_usage("--width"):
            widths = parsed_widths(width, turns)
        plan = [Stage(widths.pop(turns, plan[0].openings), widths)]
    if openings is not None:
        count = words if openings == "all" else whole_number(openings)
        if count < 1:
            raise WrongUsage(f"--openings {openings[:40]}, expected a whole number from 1, or all")
        plan[0] = Stage(count, plan[0].widths)
    return plan


@dataclass
class Search:
    """A search up to one of its limits, with the files that it writes and its progress."""

    solver: Solver
    path: Path  # of the checkpoint; the certificate is next to it
    bar: Bar
    enough: int  # a gap, in credits summed over the words, that suffices
    run: Run
    gap: int = 0  # the requested gap, in the same unit
    straight: bool = False  # lower each bound to the gap at once instead of in rounds
    all_optimal: bool = False  # find every opening of the best value too
    executor: Executor | None = None  # runs the units; None: this process

    def __post_init__(self) -> None:
        self.news, self.saved = News(self.run, self.bar), clock()
        self.counted = 0  # classes, as printed
        self.reached = ""  # why the search itself ended

    def save(self) -> None:
        if self.solver.state.bounds is None or self.solver.tree is None:
            return
        try:
            write_solved(self.solver, self.path)
        except OSError as error:
            tell(f"{self.path} was not written: {failure_text(error)}")

    def search(self) -> str:
        solver, over = self.solver, Event()
        reminder = Thread(target=self._remind, args=(over,), daemon=True)
        reminder.start()
        try:
            if not solver.run(self._often, self.enough, straight=self.straight, executor=self.executor):
                return "time is up" if self.run.over else "nothing is left to try"
            self.reached = self._reached()
            if self.all_optimal and self.reached == PROVEN:
                solver.find_optimal(self._often)
            return self.reached
        except KeyboardInterrupt:
            return self.reached or "interrupted"
        finally:
            over.set()
            reminder.join()

    def _reached(self) -> str:
        solver = self.solver
        if solver.value == solver.bound:
            return PROVEN
        if solver.bound - solver.value <= self.gap:
            return REACHED
        return ENOUGH if solver.value >= solver.least else NONE_SO_GOOD

    def _often(self) -> None:
        """Show the progress, write the results so far, check the limits."""
        if self.news.look(self._line):
            self.counted = self.solver.counted
        self.run.check()
        bar, solver = self.bar, self.solver
        # Without a time limit the bar counts the openings whose bound is above the gap.
        if self.run.ends == math.inf and self.enough and solver.state.bounds is not None and bar.due:
            done = solver.problem.table.words - solver.above(solver.goal)
            if bar.total is None:
                bar.begin(solver.problem.table.words, done)  # from class sizes alone
            bar.reach(done)
        if clock() - self.saved > SAVED:
            self.save()
            self.saved = clock()

    def _remind(self, over: Event) -> None:
        """Repeat the current work after a silence: a kernel may take longer than that."""
        while not over.wait(SAID):
            if clock() - self.news.shown > PATIENCE:
                self.news.say(self._work())

    def _work(self) -> str:
        counted = self.solver.counted
        classes = f"; classes counted of {counted:,}" if counted != self.counted else ""
        self.counted = counted
        return self.solver.work + classes

    def _line(self) -> str:
        """Return the state in one line, or empty; openings left may be better by more than the gap."""
        solver, words = self.solver, self.solver.problem.wordlist
        if solver.tree is None:
            return ""
        opening = words[int(solver.tree.guess[0])]
        values = Values(solver.problem.game, words.total_weight, MANY)
        left = f"openings left {solver.above(solver.goal):,}"
        return f"{opening}  {values.progress(solver.value, solver.bound, solver.tree.lost)}  {left}"


def write_solved(solver: Solver, path: Path) -> Tree:
    """Write the checkpoint and the certificate, merged with better ones that are there now."""
    if solver.tree is None:  # interrupted before the first tree
        raise KeyboardInterrupt
    words = solver.problem.wordlist
    tree = checkpoints.better_tree(path, solver.tree, words)
    bound = write_certificate(solver, path.with_suffix(CERTIFICATE), tree)
    bound = max(bound, tree.value)
    tree = tree.replaced(bound=solver.mean_points(bound))
    before = checkpoints.stored_tree(path)
    limit = None if before is None else before.bound_value
    if limit is not None and limit < bound:
        said, now = map(of_tree(tree, MANY).limit, (limit, bound))
        tell(f"{path} said bound {said}, for which there is no certificate: {now} now")
    checkpoints.write_found(path, tree, words)
    return tree


def check_letters(setting: SolveSetting, aim: str) -> None:
    given = {"--width": setting.width, "--openings": setting.openings, "--gap": setting.gap or None}
    for name, value in given.items():
        if value is not None:
            raise WrongUsage(f"{name} where letters are guessed: leave it out, all letters are compared")
    if setting.resume:
        raise WrongUsage(
            "--resume where letters are guessed, which begins with the stored tree: leave it out"
        )
    if setting.ray is not None:
        raise WrongUsage("--ray where letters are guessed: such searches have no units; leave it out")
    if aim in ("worst", "lost"):
        raise WrongUsage(f"--objective {aim} where letters are guessed: use mean (words won) or misses")


def most_found(setting: SolveSetting, game: Game) -> Outcome:
    from gpulingo.positions.most_found import MostFound
    from gpulingo.strategies.build import tree_of_letters
    from gpulingo.tensors.wordtable import table_of

    words, path = setting.source.wordlist, setting.path(game)
    values = Values(game, words.total_weight, MANY)
    points = partial(game.points_of, words=words.total_weight)
    with setting.run.bar(None, lines=False) as bar:
        news = News(setting.run, bar)
        search = MostFound(table_of(words, game), game, setting.memory)

        def often(width: int) -> None:
            line = values.progress(search.value, search.bound)
            news.look(lambda: f"{line}  {width} letters a set")

        ended = TIME_IS_UP
        try:
            search.run(max(0.0, setting.run.ends - clock()), often=often)
        except KeyboardInterrupt:
            ended = INTERRUPTED
        ended = PROVEN if search.optimal else ended
        tree = tree_of_letters(search.tree(), words, SOLVED, game)
    tree = _written(tree.replaced(bound=max(points(search.bound), tree.mean_points)), path, words)
    return Outcome(words, tree, path, ended, "cpu")


def _written(tree: Tree, path: Path, words: WordList) -> Tree:
    """Write a tree, unless the file has a better one, which then gets the lower bound of both."""
    bound = tree.bound
    tree = checkpoints.better_tree(path, tree, words)
    if bound is not None:
        tree = tree.replaced(bound=max(tree.mean_points, bound))
    verify(tree, words)
    checkpoints.write_found(path, tree, words)
    return tree


def _against_adversary(setting: SolveSetting) -> tuple[AdversaryMisses, Misses, Tree, str]:
    """Search the misses that an adversary can force with the words of a list.

    Returns:
        The search; the misses that can be forced and that suffice; a guesser's strategy that needs no
            more, of the game with one life more than them; and why the search ended.
    """
    from gpulingo.positions.adversary import guesser_tree, least_misses
    from gpulingo.solvers.hosts.misses import adversary_misses
    from gpulingo.strategies.build import simulate, tree_of_letters
    from gpulingo.tensors.threads import shared
    from gpulingo.tensors.wordtable import table_of

    words = setting.source.wordlist
    with setting.run.bar(None, lines=False) as bar:
        news, table = News(setting.run, bar), table_of(words, hangman())
        search, ended = adversary_misses(table, setting.memory), TIME_IS_UP
        members = table.targets.numpy()

        def waiting() -> None:
            news.look(lambda: f"{search.positions:,} positions")
            if setting.run.over:
                search.stop()

        found, misses = None, None
        try:
            misses = shared([partial(least_misses, search, members)], waiting=waiting, stop=search.stop)[0]
            item = partial(guesser_tree, search, members, misses.upper)
            found = shared([item], waiting=waiting, stop=search.stop)[0]
        except KeyboardInterrupt:
            ended = INTERRUPTED
        if misses is None:
            raise KeyboardInterrupt
        if found is not None:
            tree = tree_of_letters(found, words, SOLVED, find_game("hangman", misses.upper + 1))
            return search, misses, tree, PROVEN if misses.lower == misses.upper else ended
        # There was no time to build one.
        played = simulate(words, "frequency", find_game("hangman", len(table.alphabet))).tree
        most = max(turn for turn, count in enumerate(played.turn_counts(), 1) if count)
        tree = simulate(words, "frequency", find_game("hangman", most)).tree
        return search, replace(misses, upper=most - 1), tree, ended


def print_adversary(setting: SolveSetting, lives: int | None, began: float, as_json: bool) -> None:
    """Search what an adversary can force, write both sides' strategies, and print who wins."""
    from gpulingo.bounds.host_proof import write_host_proof
    from gpulingo.positions.adversary import host_proof

    search, misses, tree, ended = _against_adversary(setting)
    words, path, lower, upper = setting.source.wordlist, setting.path(tree.game), misses.lower, misses.upper
    proof = host_proof(search, misses.nogood, words) if lower else None
    tree = _written(tree.replaced(bound=tree.mean_points), path, words)
    if proof is not None:
        write_host_proof(path.with_suffix(HOST), proof)
    seconds, wins = clock() - began, ""
    if lives is not None:
        wins = "host" if lower >= lives else "guesser" if upper < lives else "not known"
    if as_json:
        entry: dict[str, Any] = {"length": words.length, "words": words.target_count, **list_entry(words)}
        entry |= {"fingerprint": words.fingerprint, "ended": ended, "misses": lower, "enough": upper}
        entry |= {"optimal": lower == upper, "seconds": seconds, "positions": search.positions}
        entry |= {"lives": lives, "wins": wins} if lives is not None else {}
        entry |= {"guesser": str(path), "host": str(path.with_suffix(HOST)) if proof else None}
        print(line_of("solve", entry))
        return
    print(f"list: {list_text(words)}; {ended}; {path}")
    row = {"length": str(words.length), "words": f"{words.target_count:,}"}
    row |= {"misses": f"{lower}" if lower == upper else f"{lower}..{upper}"}
    row |= {"positions": f"{search.positions:,}", "seconds": f"{seconds:.1f}", "nodes": f"{len(tree):,}"}
    print_rows([row | {"host's nodes": f"{len(proof) if proof else 0:,}"}])
    known = " and no more: proven" if lower == upper else f", and {upper} are enough for the guesser"
    winner = f"; with {lives} lives: {wins}" if wins else ""
    print(f"\nthe host can force {counted(lower, 'miss')}{known}{winner}")

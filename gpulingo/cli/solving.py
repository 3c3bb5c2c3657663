"""Searches of `gpulingo solve`: their options, how they are shown on the way, and what they leave."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING

from gpulingo.cli import options
from gpulingo.cli.checkpoints import FOLDER, check_same, checkpoint_path
from gpulingo.cli.errors import WrongUsage, failure_text, tell, wrong_usage
from gpulingo.cli.lists import Source, read_files
from gpulingo.cli.options import option, refuse
from gpulingo.cli.parse import parsed_widths, points_number, whole_number
from gpulingo.cli.run import News, Run, check_destination, executor_at, make_folder
from gpulingo.games.catalogue import find_game, hangman
from gpulingo.games.game import Game
from gpulingo.optimise.kept import begin_with_stored, ranking_order, sound_tree, write_alone, write_solved
from gpulingo.player.question import SOLVED
from gpulingo.storage.faults import Fault
from gpulingo.storage.files import CERTIFICATE, HOST
from gpulingo.tensors.clock import clock
from gpulingo.trees.checkpoint import BEGINS
from gpulingo.trees.stored import tree_at
from gpulingo.trees.tree import Tree
from gpulingo.trees.values import MANY, Values

if TYPE_CHECKING:
    from gpulingo.optimise.solver import Executor, Solver
    from gpulingo.optimise.state import Stage
    from gpulingo.optimise.worst import WorstTurn
    from gpulingo.tensors.arrays import Device
    from gpulingo.tensors.outcomes import Misses

PATIENCE, SAID = 4.0, 0.5  # seconds without one before a line says what is searched; between looks for it
PROVEN, REACHED, INTERRUPTED, TIME_IS_UP = "proven", "gap reached", "interrupted", "time is up"
ENOUGH, NONE_SO_GOOD = "as good as asked", "no strategy is as good as asked"
LOOKED = 0.2  # seconds between two looks at how far the search is, which takes time itself
SAVED = 30.0  # seconds between two writings of tree and certificate


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
    place: Device
    run: Run

    def path(self, game: Game, *, last: bool = True) -> Path:
        """The path of the checkpoint of a search, checked so that nothing is lost there.

        The last search is the one whose file --out names.
        """
        out, words = self.out, self.source.wordlist
        if out is None:
            make_folder(FOLDER)
        elif not out.name:
            raise WrongUsage(f"--out {out}, expected the name of a file: as in --out best.npz")
        elif not last:
            out = out.with_name(f"{out.stem}-{game.code}{out.suffix}")
        path = out or checkpoint_path(FOLDER, words, game)
        for written in (path, path.with_suffix(CERTIFICATE)):
            check_destination(written, read_files([self.source]), BEGINS if out else b"")
        check_same(path, tree_at(path), words, game, change="name another with --out")
        return path

    def stages(self, game: Game) -> list[Stage] | None:
        from gpulingo.optimise.state import Stage, stages

        if self.width is None and self.openings is None:
            return None
        plan, words = stages(game.turns), len(self.source.wordlist)
        if self.width is not None:
            with wrong_usage("--width"):
                widths = parsed_widths(self.width, game.turns)
            plan = [Stage(widths.pop(game.turns, plan[0].openings), widths)]
        if self.openings is not None:
            count = words if self.openings == "all" else whole_number(self.openings)
            if count < 1:
                raise WrongUsage(f"--openings {self.openings[:40]}, expected a whole number from 1, or all")
            plan[0] = Stage(count, plan[0].widths)
        return plan


@dataclass(frozen=True)
class Outcome:
    setting: SolveSetting
    tree: Tree
    path: Path
    ended: str
    worst: WorstTurn | None = None
    optimal: tuple[int, int] | None = None

    @property
    def proven(self) -> bool:
        return self.ended == PROVEN

    def moved(self, *, last: bool) -> Outcome:
        """The same, its files renamed to what --out names for the last search, or for another."""
        if self.setting.out is None:  # the names tell the games
            return self
        path = self.setting.path(self.tree.game, last=last)
        for suffix in (path.suffix, CERTIFICATE):
            if (written := self.path.with_suffix(suffix)).exists():
                written.replace(path.with_suffix(suffix))
        return replace(self, path=path)


def solved(
    setting: SolveSetting, game: Game, *, last: bool = True, least: int = 0, any_will_do: bool = False,
    begin: Tree | None = None, seconds: float | None = None,
) -> Outcome:  # fmt: skip
    """Search a game, and write what was found; see `optimise.worst.least_worst`."""
    from gpulingo.machines.ray_tasks import Cluster
    from gpulingo.machines.searches import Nodes
    from gpulingo.optimise.solver import Solver

    plan = setting.stages(game)  # a fault of it before a folder is made
    words, path, run = setting.source.wordlist, setting.path(game, last=last), setting.run
    if seconds is not None:
        run, noted = Run("solve", seconds), run.noted
        run.noted = noted
    solver = Solver(
        words, game, plan=plan, order=ranking_order(words, game, tell), least=least,
        device=setting.place, seed=setting.seed, memory=setting.memory,
    )  # fmt: skip
    if setting.resume and setting.fresh:
        raise WrongUsage("--resume with --fresh, which ignores what is stored: leave one of them out")
    if setting.resume and not path.exists():
        raise WrongUsage(f"--resume, but there is no {path}: leave it out to begin")
    if begin is not None:
        solver.begin_with(begin, None)
    if not setting.fresh:
        begin_with_stored(solver, path, tell)
    gap = Values(game, words.total_weight).credits(setting.gap or 0.0)
    with run.news() as news, executor_at(setting.ray, setting.device, lambda: None) as (cluster, place):
        search = Search(
            solver, path, news, game.turns * words.total_weight if any_will_do else gap, gap,
            straight=any_will_do or setting.gap is not None or run.ends == math.inf,
            executor=Nodes(cluster, place) if isinstance(cluster, Cluster) else None,
        )  # fmt: skip
        try:
            ended = search.search(all_optimal=setting.gap == 0)
        except (RuntimeError, Fault):  # a cluster is gone, a kernel does not compile, two sets have one hash
            search.save()
            raise
    optimal = solver.optimal_openings if ended == PROVEN else None
    return Outcome(setting, write_solved(solver, path, tell), path, ended, optimal=optimal)


@dataclass
class Search:
    """A search until one of its limits, what it writes and what it shows on the way."""

    solver: Solver
    path: Path  # of the checkpoint; the certificate is beside it
    news: News
    enough: int  # a gap, in credits summed over the words, that suffices
    gap: int = 0  # that the user asked for, in the same unit
    straight: bool = False  # lower each bound to the gap at once instead of in rounds
    executor: Executor | None = None  # works out the units; this process when None

    def __post_init__(self) -> None:
        self.saved, self.looked = clock(), 0.0
        self.counted = 0  # classes, as printed

    def save(self) -> None:
        if self.solver.state.bounds is None or self.solver.tree is None:
            return
        try:
            write_solved(self.solver, self.path, tell)
        except OSError as error:
            tell(f"{self.path} was not written: {failure_text(error)}")

    def search(self, *, all_optimal: bool = False) -> str:
        """Search, and say why it ended; `all_optimal`: find every opening of the best value too."""
        solver, over, reached = self.solver, Event(), ""
        reminder = Thread(target=self._remind, args=(over,), daemon=True)
        reminder.start()
        try:
            if not solver.run(self._often, self.enough, straight=self.straight, executor=self.executor):
                return TIME_IS_UP if self.news.run.over else "nothing is left to try"
            reached = ENOUGH if solver.value >= solver.least else NONE_SO_GOOD
            if solver.bound - solver.value <= self.gap:
                reached = PROVEN if solver.value == solver.bound else REACHED
            if all_optimal and reached == PROVEN:
                solver.find_optimal(self._often)
            return reached
        except KeyboardInterrupt:
            return reached or INTERRUPTED
        finally:
            over.set()
            reminder.join()

    def _often(self) -> None:
        """Show how far it is, write the results so far, look at the limits."""
        if self.news.look(self._line):
            self.counted = self.solver.counted
        run, bar, solver, now = self.news.run, self.news.bar, self.solver, clock()
        run.check()
        if now - self.saved > SAVED:
            self.save()
            self.saved = clock()
        # Without a time the bar moves by the openings whose bound is above the gap.
        steered = run.ends == math.inf and self.enough and solver.state.bounds is not None
        if steered and now - self.looked >= LOOKED:
            self.looked = now
            done = solver.problem.table.words - solver.above(solver.goal)
            if bar.total is None:
                bar.begin(solver.problem.table.words, done)  # by the sizes of their classes alone
            bar.reach(done)

    def _remind(self, over: Event) -> None:
        """Say what is done now where nothing was said for a while: a kernel may take longer than that."""
        while not over.wait(SAID):
            if clock() - self.news.shown > PATIENCE:
                counted = self.solver.counted
                classes = f"; classes counted of {counted:,}" if counted != self.counted else ""
                self.counted = counted
                self.news.say(self.solver.work + classes)

    def _line(self) -> str:
        """The state in one line, or empty; openings left may be better by more than the gap."""
        solver, words = self.solver, self.solver.problem.wordlist
        if solver.tree is None:
            return ""
        opening = words[int(solver.tree.guess[0])]
        values = Values(solver.problem.game, words.total_weight, MANY)
        left = f"openings left {solver.above(solver.goal):,}"
        return f"{opening}  {values.progress(solver.value, solver.bound, solver.tree.lost)}  {left}"


def solved_for(setting: SolveSetting, game: Game, aim: str) -> Outcome:
    """Search a game for the tree that minimises an objective: the `mean`, or as `least_worst` says."""
    several = "leave out --ray or the other objective" if aim != "mean" else ""
    refuse({
        f"--ray is for the best mean against chance: {several}": setting.ray is not None and several,
        "--ray with --resume: leave one of them out, results are kept":
            setting.ray is not None and setting.resume,
    })  # fmt: skip
    if aim == "mean":
        return solved(setting, game)
    from gpulingo.optimise.worst import least_worst

    ends, words = setting.run.ends, setting.source.wordlist
    least = least_worst(aim, words, game, partial(solved, setting), resumed=setting.resume, ends=ends)
    if least is None:
        seen = f"no strategy is known that loses none of {words.total_weight:,} words in {game.turns} turns"
        tell(f"{seen}: the mean decides")
        return solved(setting, game)
    optimal = least.answer.optimal if least.ended == PROVEN else None
    return replace(least.answer, worst=least.worst, ended=least.ended, optimal=optimal)


def most_found(setting: SolveSetting, game: Game) -> Outcome:
    from gpulingo.optimise.most_found import MostFound
    from gpulingo.strategies.build import tree_of_letters
    from gpulingo.tensors.wordtable import table_of

    words, path, run = setting.source.wordlist, setting.path(game), setting.run
    values = Values(game, words.total_weight, MANY)
    with run.news() as news:
        search = MostFound(table_of(words, game), game, setting.memory)
        if not setting.fresh:
            name, stored = sound_tree(words, game, path, tell)
            if stored is not None:
                tell(f"begins with {name}: {values.text(stored.value)}")
                search.begin_with(stored)

        def often(width: int) -> None:
            line = values.progress(search.value, search.bound)
            news.look(lambda: f"{line}  {width} letters a set")

        ended = TIME_IS_UP
        try:
            search.run(max(0.0, run.ends - clock()), often=often)
        except KeyboardInterrupt:
            ended = INTERRUPTED
        tree = tree_of_letters(search.tree(), words, SOLVED, game)
    bound = game.points_of(search.bound, words.total_weight)
    tree = write_alone(tree.replaced(bound=max(bound, tree.mean_points)), path, words, tell)
    return Outcome(setting, tree, path, PROVEN if search.optimal else ended)


@dataclass(frozen=True)
class Forced:
    """The misses that an adversary can force in hangman, and both sides' strategies in files."""

    misses: Misses  # bounds
    ended: str
    tree: Tree  # of the guesser
    path: Path
    proof: int  # nodes of the host's strategy; 0: none was written
    positions: int

    @property
    def enough(self) -> int:
        return self.tree.turns - 1


def forced(setting: SolveSetting) -> Forced:
    """Search what an adversary can force, and write both sides' strategies."""
    from gpulingo.bounds.host_proof import write_host_proof
    from gpulingo.optimise.adversary import frequency_tree, guesser_tree, host_proof, least_misses
    from gpulingo.solvers.hosts.misses import adversary_misses
    from gpulingo.strategies.build import tree_of_letters
    from gpulingo.tensors.threads import shared
    from gpulingo.tensors.wordtable import table_of

    words, run, ended, misses, guesses = setting.source.wordlist, setting.run, TIME_IS_UP, None, None
    with run.news() as news:
        table = table_of(words, hangman())
        search, members = adversary_misses(table, setting.memory), table.targets

        def waiting() -> None:
            news.look(lambda: f"{search.positions:,} positions")
            if run.over:
                search.stop()

        try:
            misses = shared([partial(least_misses, search, members)], waiting=waiting, stop=search.stop)[0]
            item = partial(guesser_tree, search, members, misses.upper)
            guesses = shared([item], waiting=waiting, stop=search.stop)[0]
        except KeyboardInterrupt:
            ended = INTERRUPTED
        if misses is None:
            raise KeyboardInterrupt
        if guesses is not None:
            tree = tree_of_letters(guesses, words, SOLVED, find_game("hangman", misses.upper + 1))
            ended = PROVEN if misses.lower == misses.upper else ended
        else:  # there was no time for one
            tree = frequency_tree(words, len(table.alphabet))
    proof = host_proof(search, misses.nogood, words) if misses.lower else None
    path = setting.path(tree.game)
    tree = write_alone(tree.replaced(bound=tree.mean_points), path, words, tell)
    if proof is not None:
        write_host_proof(path.with_suffix(HOST), proof)
    return Forced(misses, ended, tree, path, len(proof) if proof else 0, search.positions)

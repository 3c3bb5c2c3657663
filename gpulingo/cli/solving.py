"""One search of `gpulingo solve`: what it begins with, what it shows on the way, what it writes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING

from gpulingo.cli import checkpoints, options
from gpulingo.cli.checkpoints import FOLDER, sound_tree
from gpulingo.cli.errors import WrongUsage, failure_text, tell, wrong_usage
from gpulingo.cli.lists import read_files
from gpulingo.cli.machines import executor_at
from gpulingo.cli.options import option
from gpulingo.cli.outputs import check_destination, make_folder, put_aside
from gpulingo.cli.parse import parsed_widths, points_number, whole_number
from gpulingo.cli.run import Bar, News, Run
from gpulingo.report.values import MANY, Values, of_tree
from gpulingo.storage.files import CERTIFICATE, SHORT
from gpulingo.tensors.clock import clock
from gpulingo.trees.checkpoint import BEGINS, stored_paths

if TYPE_CHECKING:
    import torch

    from gpulingo.bounds.certificate import Certificate
    from gpulingo.cli.lists import Source
    from gpulingo.games.game import Game
    from gpulingo.optimise.none_lost import WorstTurn
    from gpulingo.optimise.solver import Executor, Solver
    from gpulingo.optimise.state import Stage
    from gpulingo.trees.tree import Tree
    from gpulingo.words.listing import WordList


def begin_with_stored(solver: Solver, path: Path) -> None:
    """Let a search begin with the best tree and the lowest bounds that there are for its list."""
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


def stored_certificates(
    words: WordList, game: Game, tree: Tree | None, more: Sequence[Path] = ()
) -> dict[Path, Certificate]:
    """The stored certificates of a list, the lowest bound first; damaged ones are reported.

    One that allows less than the tree, which is sound, is wrong and reported too.
    """
    paths = {
        path.resolve(): path for path in [*map(Path, stored_paths(words, game, ending=CERTIFICATE)), *more]
    }
    certificates = {
        path: certificate
        for path in paths.values()
        if path.is_file() and (certificate := stored_certificate(path, words, game, tree))
    }
    return dict(sorted(certificates.items(), key=lambda entry: entry[1].bound))


def stored_certificate(
    path: Path, words: WordList, game: Game, tree: Tree | None, *, silent: bool = False
) -> Certificate | None:
    """The certificate that stands there, if it is of the list and the game and allows what a tree has."""
    from gpulingo.bounds.certificate import CertificateError, of_greatest, read_certificate
    from gpulingo.bounds.formulas import counts_classes

    fault = ""
    try:
        certificate = read_certificate(path, words)
    except CertificateError as error:
        fault = str(error)
    else:
        if certificate.game != game:
            return None
        if certificate.fault:
            tell(f"{path} {certificate.fault}: counts are made again") if not silent else None
        if not counts_classes(game, words):
            certificate = of_greatest(certificate)
        if tree is None:
            return certificate
        after_opening = int(certificate.bounds[tree.guess[0]])
        limit = min(after_opening, certificate.bound)
        if limit >= tree.value:
            return certificate
        values = Values(game, words.total_weight, MANY)
        fault = f"{path} has bound {values.limit(limit)}, a tree {values.text(tree.value)}: remove it"
    if not silent:
        tell(f"{fault}; skipped")
    return None


def write_certificate(solver: Solver, path: Path, tree: Tree) -> int:
    """Write the certificate, before any header says what it proves; its bound, in credits."""
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


def put_certificate_aside(path: Path, words: WordList, game: Game) -> None:
    """Keep a certificate of another list, game or format under a name that is free."""
    from gpulingo.bounds.arrays import CertificateError, read_arrays
    from gpulingo.bounds.certificate import parsed_certificate

    try:
        arrays = read_arrays(path)
    except CertificateError:  # none, or damaged
        return
    try:
        before = parsed_certificate(arrays)
    except ValueError as error:
        tell(f"{path} {error}: it is now {put_aside(path, CERTIFICATE)}")
        return
    if (before.fingerprint, before.game) != (words.fingerprint, game):
        aside = put_aside(path, CERTIFICATE)
        theirs = f"list {before.fingerprint[:SHORT]} and {before.turns} turns"
        tell(f"{path} was for {theirs}: it is now {aside}")


PATIENCE, SAID = 4.0, 0.5  # seconds without one before a line says what is searched; between looks for it
PROVEN, REACHED = "proven", "gap reached"
ENOUGH, NONE_SO_GOOD = "as good as asked", "no strategy is as good as asked"
SAVED = 30.0  # seconds between two writings of tree and certificate


class Objective(StrEnum):
    """The quantity that a strategy minimises."""

    MEAN = "mean"
    MISSES = "misses"
    WORST = "worst"
    LOST = "lost"


@options.group
class SearchOptions:
    """Options of `gpulingo solve`, as the user wrote them."""

    width: str | None = option("TURN:N,..", "Guesses per set by turns left, for example 5:50,4:20,3:10.")
    openings: str | None = option("NUMBER|all", "Openings of the first stage.", shown="200")
    time: float | None = options.TIME
    gap: float | None = option(
        "NUMBER", "Go straight to this gap, in points or total guesses.", parser=points_number, shown="0"
    )
    memory: int = options.MEMORY
    objective: Objective = option(
        "NAME", "mean, worst (turn), lost (words) or misses.", default=Objective.MEAN
    )
    opponent: options.Opponent = options.OPPONENT
    out: Path | None = option(
        "FILE.npz", "The checkpoint to write.", "--save", "--out", shown="in checkpoints/"
    )
    resume: bool = option("", "Continue from the stored tree and certificate.")
    fresh: bool = option("", "Ignore stored trees, as the first search of a list does.")
    ray: str | None = options.RAY
    device: str = options.DEVICE
    seed: int = options.SEED


@options.group
class Setting(SearchOptions):
    """The setting that all searches of one command share."""

    source: Source
    place: torch.device
    run: Run

    def path(self, game: Game, *, last: bool = True) -> Path:
        """The path of the checkpoint of a search, checked so that nothing is lost there.

        The last search is the one whose file --out names.
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
    """The outcome of a search, or of several for one answer."""

    words: WordList
    tree: Tree
    path: Path
    ended: str
    device: str
    worst: WorstTurn | None = None
    optimal: tuple[int, int] | None = None


def solved(
    setting: Setting,
    game: Game,
    path: Path,
    *,
    least: int = 0,
    any_will_do: bool = False,
    begin: Tree | None = None,
) -> Outcome:
    """Search a game, and write what was found.

    Args:
        least: credits below which a strategy is of no interest.
        any_will_do: whether any strategy that has them is enough. begin: a tree of the game to begin with.
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
        except RuntimeError:  # a cluster is gone
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
    """A search until one of its limits, what it writes and what it shows on the way."""

    solver: Solver
    path: Path  # of the checkpoint; the certificate is beside it
    bar: Bar
    enough: int  # a gap, in credits summed over the words, that suffices
    run: Run
    gap: int = 0  # that the user asked for, in the same unit
    straight: bool = False  # lower each bound to the gap at once instead of in rounds
    all_optimal: bool = False  # find every opening of the best value too
    executor: Executor | None = None  # works out the units; this process when None

    def __post_init__(self) -> None:
        self.news, self.saved = News(), clock()
        self.counted = 0  # classes, as printed
        self.reached = ""  # why the search itself ended

    def save(self) -> None:
        """Write the best tree and the certificate so far; if that fails the search continues."""
        if self.solver.state.bounds is None or self.solver.tree is None:
            return
        try:
            write_solved(self.solver, self.path)
        except OSError as error:
            tell(f"{self.path} was not written: {failure_text(error)}")

    def search(self) -> str:
        """Search; the reason why it ended, in words."""
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
        """The value and the bound so far, in words."""
        solver = self.solver
        if solver.value == solver.bound:
            return PROVEN
        if solver.bound - solver.value <= self.gap:
            return REACHED
        return ENOUGH if solver.value >= solver.least else NONE_SO_GOOD

    def _often(self) -> None:
        """Show how far it is, write the results so far, look at the limits."""
        self.run.noted()
        if self.news.show(self._line):
            self.counted = self.solver.counted
        self.run.check()
        self._reach()
        if clock() - self.saved > SAVED:
            self.save()
            self.saved = clock()

    def _reach(self) -> None:
        """Move the bar: by the time, or without one by the openings whose bound is above the gap."""
        bar, solver = self.bar, self.solver
        if self.run.ends < math.inf:
            bar.reach_time(self.news.started)
        elif self.enough and solver.state.bounds is not None and bar.due:
            done = solver.problem.table.words - solver.above(solver.goal)
            if bar.total is None:
                bar.begin(solver.problem.table.words, done)  # by the sizes of their classes alone
            bar.reach(done)

    def _remind(self, over: Event) -> None:
        """Say what is done now where nothing was said for a while: a kernel may take longer than that."""
        while not over.wait(SAID):
            if clock() - self.news.shown > PATIENCE:
                self.news.say(self._work())

    def _work(self) -> str:
        """The work that is done now, and how many classes were counted since the last line, if any."""
        counted = self.solver.counted
        classes = f"; classes counted of {counted:,}" if counted != self.counted else ""
        self.counted = counted
        return self.solver.work + classes

    def _line(self) -> str:
        """The state in one line, or empty; openings left may be better by more than the gap."""
        solver, words = self.solver, self.solver.problem.wordlist
        if solver.tree is None:
            return ""
        opening = words[int(solver.tree.guess[0])]
        values = Values(solver.problem.game, words.total_weight, MANY)
        left = f"openings left {solver.above(solver.goal):,}"
        return f"{opening}  {values.progress(solver.value, solver.bound, solver.tree.lost)}  {left}"


def write_solved(solver: Solver, path: Path) -> Tree:
    """Write the checkpoint and the certificate; what is better and stands there now goes into them."""
    if solver.tree is None:  # interrupted before there was any
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

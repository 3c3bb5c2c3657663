"""One search of `gpulingo solve`: what it begins with, what it shows and keeps on the way, what it writes."""

from __future__ import annotations

import contextlib
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING

from gpulingo.cli import certificates, checkpoints, options
from gpulingo.cli.checkpoints import FOLDER
from gpulingo.cli.errors import WrongUsage, failure_text, tell, wrong_usage
from gpulingo.cli.lists import read_files
from gpulingo.cli.options import option
from gpulingo.cli.outputs import check_destination, make_folder
from gpulingo.cli.parse import parsed_widths, points_number, whole_number
from gpulingo.cli.progress import Bar, total_bar
from gpulingo.report.values import MANY, of_tree, shown
from gpulingo.storage.files import CERTIFICATE
from gpulingo.tensors.clock import TimeIsUp, clock
from gpulingo.trees.checkpoint import BEGINS

if TYPE_CHECKING:
    import torch

    from gpulingo.cli.lists import Source
    from gpulingo.games.game import Game
    from gpulingo.search.solver import Solver
    from gpulingo.search.stages import Stage
    from gpulingo.search.worst_turn import WorstTurn
    from gpulingo.trees.tree import Tree
    from gpulingo.words.listing import WordList

EVERY = 2.0  # seconds between two lines
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
    """The setting that all searches of one command share.

    Attributes:
        source: the list. place: where to search. ends: when the time is up.
        check: called often; what it raises ends the search.
    """

    source: Source
    place: torch.device
    ends: float
    check: Callable[[], None]

    def path(self, game: Game, *, last: bool = True) -> Path:
        """The path of the checkpoint of a search, checked so that nothing is lost there.

        Args:
            last: whether it is the one that the user asked for, which --out names.
        Raises:
            WrongUsage: it would, or --out is no name of a file. OSError: nothing can be written there.
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
            checkpoints.standing_tree(path),
            self.source.wordlist,
            game,
            change="name another with --out",
        )
        return path


@dataclass(frozen=True)
class Outcome:
    """The outcome of a search, or of several for one answer.

    Attributes:
        words: of the search. tree: at the path now. path: of the checkpoint.
        ended: why it ended, in words. device: that searched.
        worst: the last turn that is needed, where it was asked for.
    """

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
        setting: of the command. game: to be searched. path: of the checkpoint.
        least: credits below which a strategy is of no interest.
        any_will_do: whether any strategy that has them is enough.
        begin: a tree of the game to begin with.
    Raises:
        WrongUsage: an option does not fit. KeyboardInterrupt: interrupted before there was any tree.
    """
    from gpulingo.search.solver import Solver

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
        certificates.begin(solver, path)
    values = shown(game, words.total_weight)
    gap = values.credits(setting.gap or 0.0)
    enough = game.turns * words.total_weight if any_will_do else gap
    with total_bar("solve", None, lines=False) as bar:
        straight = any_will_do or setting.gap is not None or setting.ends == math.inf
        search = Search(solver, path, bar, enough, setting.ends, gap, straight, setting.gap == 0)
        ended = search.run(setting.check)
    tree = write_solved(solver, path)
    optimal = solver.optimal_openings if ended == PROVEN else None
    return Outcome(words, tree, path, ended, str(setting.place), optimal=optimal)


def stages_of(width: str | None, openings: str | None, turns: int, words: int) -> list[Stage]:
    """The stages that the options ask for."""
    from gpulingo.search.stages import Stage, stages

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
    """A search until one of its limits, what it writes and what it shows on the way.

    Attributes:
        solver: that searches. path: of the checkpoint; the certificate is beside it.
        bar: shows how far it is. enough: a gap, in credits summed over the words, that suffices.
        ends: when the time is up. gap: the gap that the user asked for, in the same unit.
        straight: lower each bound to the gap at once instead of in rounds.
        all_optimal: find every opening of the best value too. reached: why the search itself ended.
    """

    solver: Solver
    path: Path
    bar: Bar
    enough: int
    ends: float
    gap: int = 0
    straight: bool = False
    all_optimal: bool = False
    reached: str = ""

    def __post_init__(self) -> None:
        self.started = self.shown = clock()
        self.saved = clock()
        self.line, self.counted = "", 0  # as printed

    def save(self) -> None:
        """Write the best tree and the certificate so far; if that fails the search continues."""
        if self.solver.state.bounds is None or self.solver.tree is None:
            return
        try:
            write_solved(self.solver, self.path)
        except OSError as error:
            tell(f"{self.path} was not written: {failure_text(error)}")

    def run(self, check: Callable[[], None]) -> str:
        """Search; the reason why it ended, in words."""
        solver, over = self.solver, Event()
        reminder = Thread(target=self._remind, args=(over,), daemon=True)
        reminder.start()
        try:
            reached = solver.run(lambda: self._often(check), self.enough, straight=self.straight)
            if reached:
                self.reached = self._reached()
                if self.all_optimal and self.reached == PROVEN:
                    solver.find_optimal(lambda: self._often(check))
                return self.reached
            return "time is up" if clock() > self.ends else "nothing is left to try"
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

    def _often(self, check: Callable[[], None]) -> None:
        """Show how far it is, write the results so far, look at the limits."""
        check()
        now = clock()
        if now - self.shown > EVERY and (line := self._line()) != self.line:
            self.line, self.counted = line, self.solver.upper.counted
            self._show(line)
        if now > self.ends:
            raise TimeIsUp
        self._reach(now - self.started)
        if now - self.saved > SAVED:
            self.save()
            self.saved = clock()

    def _reach(self, passed: float) -> None:
        """Move the bar: by the time, or without one by the openings whose bound is above the gap."""
        bar, solver, time = self.bar, self.solver, self.ends - self.started
        if time < math.inf:
            bar.total = time
            bar.reach(passed)
        elif self.enough and solver.state.bounds is not None and bar.due:
            done = solver.problem.table.words - solver.upper.above(solver.goal(self.enough))
            if bar.total is None:
                bar.begin(solver.problem.table.words, done)  # by the sizes of their classes alone
            bar.reach(done)

    def _show(self, line: str) -> None:
        self.shown = clock()
        with contextlib.suppress(OSError, ValueError):
            print(f"{self.shown - self.started:8.0f} s  {line}", file=sys.stderr, flush=True)

    def _remind(self, over: Event) -> None:
        """Say what is done now where nothing was said for a while: a kernel may take longer than that."""
        while not over.wait(SAID):
            if clock() - self.shown > PATIENCE:
                self._show(self._work())

    def _work(self) -> str:
        """The work that is done now, and how many classes were counted since the last line, if any."""
        counted = self.solver.upper.counted
        classes = f"; classes counted of {counted:,}" if counted != self.counted else ""
        self.counted = counted
        return self.solver.work + classes

    def _line(self) -> str:
        """The state in one line, or empty; openings left may be better by more than the gap."""
        solver, words = self.solver, self.solver.problem.wordlist
        if solver.tree is None:
            return ""
        value, bound = solver.mean_points(solver.value), solver.mean_points(solver.bound)
        opening = words[int(solver.tree.guess[0])]
        values = shown(solver.problem.game, words.total_weight, MANY)
        left = f"openings left {solver.upper.above(solver.goal(self.enough)):,}"
        return f"{opening}  {values.progress(value, bound, solver.tree.lost)}  {left}"


def write_solved(solver: Solver, path: Path) -> Tree:
    """Write the checkpoint and the certificate; what is better and stands there now goes into them.

    Returns:
        The tree that stands there now.
    """
    if solver.tree is None:  # interrupted before there was any
        raise KeyboardInterrupt
    words = solver.problem.wordlist
    tree = checkpoints.better_tree(path, solver.tree, words)
    bound = certificates.write_certificate(solver, path.with_suffix(CERTIFICATE), tree)
    bound = max(bound, tree.mean_points)
    tree = tree.replaced(bound=bound)
    before = checkpoints.standing_tree(path)
    if before is not None and before.bound is not None and before.bound < bound:
        said, now = (of_tree(tree, MANY).limit(limit) for limit in (before.bound, bound))
        tell(f"{path} said bound {said}, for which there is no certificate: {now} now")
    checkpoints.write_found(path, tree, words)
    return tree

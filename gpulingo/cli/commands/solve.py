"""`gpulingo solve`: search for the best strategy of a list, with a bound on what any strategy can have."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gpulingo.cli import certificates, checkpoints, options
from gpulingo.cli.checkpoints import FOLDER
from gpulingo.cli.errors import WrongUsage, failure_text, tell, wrong_usage
from gpulingo.cli.games import chosen_game
from gpulingo.cli.limits import end_of
from gpulingo.cli.lists import Source, found_sources, list_entry, list_text, read_files
from gpulingo.cli.outputs import check_destination, make_folder
from gpulingo.cli.parse import parsed_widths, points_number
from gpulingo.cli.progress import Bar, total_bar
from gpulingo.cli.signals import interrupted_by_sigterm, late_interrupt
from gpulingo.games.catalogue import LINGO
from gpulingo.report.values import MANY, of_tree, shown
from gpulingo.storage.files import CERTIFICATE, WORK, file_name
from gpulingo.tensors.clock import TimeIsUp, clock

if TYPE_CHECKING:
    from gpulingo.games.game import Game
    from gpulingo.search.solver import Solver
    from gpulingo.search.stages import Stage
    from gpulingo.trees.tree import Tree

EVERY = 2.0  # seconds between two lines
SAVED = 30.0  # seconds between two writings of the work file
GAP = "Stop at a gap of so many mean points; in a game that counts guesses, as wordle, of so many in all."

Width = Annotated[
    str | None,
    typer.Option(
        metavar="TURNS:GUESSES,...",
        help="Guesses played out for each set by turns left, as 5:50,4:20,3:10; else in built-in stages.",
    ),
]
Openings = Annotated[
    str | None,
    typer.Option(metavar="NUMBER|all", help="Openings played out in the first stage.", show_default="200"),
]
Gap = Annotated[float, typer.Option(parser=points_number, metavar="NUMBER", help=GAP)]
Out = Annotated[
    Path | None,
    typer.Option(metavar="FILE.npz", help="The checkpoint to write.", show_default="in checkpoints/"),
]
Resume = Annotated[bool, typer.Option("--resume", help="Go on from the work file beside the checkpoint.")]
Fresh = Annotated[
    bool, typer.Option("--fresh", help="Begin with nothing that is kept, as the first search of a list.")
]


def solve(
    length: options.Length,
    wordlist: options.Wordlist = None,
    targets: options.Targets = None,
    width: Width = None,
    openings: Openings = None,
    time: options.Time = None,
    gap: Gap = 0.0,
    memory: options.Memory = options.MEMORY,
    game: options.Game = LINGO,
    turns: options.Turns = None,
    out: Out = None,
    resume: Resume = False,
    fresh: Fresh = False,
    device: options.Device = "auto",
    seed: options.Seed = 0,
    as_json: options.Json = False,
) -> None:
    """Search for the best strategy, and bound what any can have."""
    ends = end_of(time)
    rules = chosen_game(game, turns, least=3, instead="`gpulingo build` is exact for fewer")
    source = found_sources([length], wordlist, targets)[0]
    words = source.wordlist
    path = _checked_path(out, source, rules)
    with interrupted_by_sigterm(), late_interrupt() as check:
        from gpulingo.search.solver import Solver
        from gpulingo.tensors.device import find_device

        check()  # torch is in
        with wrong_usage("--device"):
            place = find_device(device)
        plan = _plan(width, openings, rules.turns, len(words))
        order = checkpoints.ranking_order(words, rules)
        solver = Solver(words, rules, plan=plan, order=order, device=place, seed=seed, memory=memory)
        if resume:
            _read_work(path.with_suffix(WORK), solver)
        if not fresh:
            certificates.begin(solver, path)
        with total_bar("solve", None, lines=False) as bar:
            enough = shown(rules, words.target_count).credits(gap)
            ended = _Search(solver, path, resume, bar, enough, ends).run(check)
        tree = _write(solver, path, source.listing.data)
        _print(solver, tree, {"ended": ended, "checkpoint": str(path)}, as_json)


def _checked_path(out: Path | None, source: Source, game: Game) -> Path:
    """Where the checkpoint goes, after it was looked whether anything would be lost there.

    Raises:
        WrongUsage: it would, or `out` is no name of a file. OSError: nothing can be written there.
    """
    if out is None:
        make_folder(FOLDER)
    path = out or checkpoints.checkpoint_path(FOLDER, source.wordlist, game)
    if not path.name:
        raise WrongUsage(f"--out {path}, expected the name of a file: as in --out best.npz")
    for written in (path, path.with_suffix(WORK), path.with_suffix(CERTIFICATE)):
        check_destination(written, read_files([source]), b"PK" if out else b"")
    checkpoints.check_same(
        path, checkpoints.standing_tree(path), source.wordlist, game, change="name another with --out"
    )
    return path


def _read_work(work: Path, solver: Solver) -> None:
    """Let a search go on where its work file says, or the one of the name before names had the turns.

    Raises:
        WrongUsage: there is none, or it is of another search.
    """
    from gpulingo.search.resume import OtherWorkError, read_work

    words, game = solver.problem.wordlist, solver.problem.game
    before = work.with_name(file_name(game.name, words.length, words.fingerprint, WORK))
    if not work.exists() and work.name == file_name(game.code, words.length, words.fingerprint, WORK):
        work = before if before.exists() else work
    if not work.exists():
        raise WrongUsage(f"--resume, but there is no {work}: leave it out to begin")
    try:
        solver.resume(read_work(work, solver.problem, solver.state.stages.plan))
    except OtherWorkError as error:
        raise WrongUsage(f"--resume: {error}") from None


def _plan(width: str | None, openings: str | None, turns: int, words: int) -> list[Stage]:
    """The stages that the options ask for."""
    from gpulingo.search.stages import Stage, stages

    plan = stages(turns)
    if width is not None:
        with wrong_usage("--width"):
            widths = parsed_widths(width, turns)
        plan = [Stage(widths.pop(turns, plan[0].openings), widths)]
    if openings is not None:
        if openings != "all" and not (openings.isascii() and openings.isdigit() and int(openings)):
            raise WrongUsage(f"--openings {openings}, expected a whole number from 1, or all")
        count = words if openings == "all" else int(openings)
        plan[0] = Stage(count, plan[0].widths)
    return plan


@dataclass
class _Search:
    """A search until one of its limits, its work file, and what it shows on the way.

    Attributes:
        solver: that searches. path: of the checkpoint; the work file stands beside it.
        own: the work file there is of this search; else it is put aside before it would be replaced.
        bar: shows how far it is. enough: credits, summed over the words, of a gap that will do.
        ends: when the time is up.
    """

    solver: Solver
    path: Path
    own: bool
    bar: Bar
    enough: int
    ends: float

    def __post_init__(self) -> None:
        self.started = self.shown = clock()
        self.saved = 0.0  # the first bounds are kept as soon as they are there
        self.line = ""

    def save(self) -> None:
        """Write the work file, if there is anything to go on from; where that fails the search goes on."""
        from gpulingo.search.resume import write_work

        if self.solver.state.bounds is None:
            return
        work = self.path.with_suffix(WORK)
        try:
            if not self.own:
                checkpoints.put_work_aside(work, self.path)
                self.own = True
            write_work(work, self.solver)
        except OSError as error:
            why = failure_text(error)
            tell(f"{work} was not written, --resume could not go on from here: {why}")

    def run(self, check: Callable[[], None]) -> str:
        """Search; the reason why it ended, in words."""
        solver = self.solver
        try:
            reached = solver.run(lambda: self._often(check), self.enough)
            ended = "proven" if solver.value == solver.bound else "gap reached" if reached else "time is up"
            return ended if reached or clock() > self.ends else "nothing is left to try"
        except KeyboardInterrupt:
            return "interrupted"
        finally:
            self.save()

    def _often(self, check: Callable[[], None]) -> None:
        """Show how far it is, write the work file, look at the limits."""
        check()
        now = clock()
        if now - self.shown > EVERY and (line := self._line()) != self.line:
            self.shown, self.line = now, line
            print(f"{now - self.started:8.0f} s  {line}", file=sys.stderr, flush=True)
        if now > self.ends:
            raise TimeIsUp
        self._reach(now - self.started)
        if now - self.saved > SAVED and self.solver.state.bounds is not None:
            self.save()
            self.saved = clock()

    def _reach(self, passed: float) -> None:
        """Move the bar: by the time, else by the openings whose bound is above the gap."""
        bar, solver, time = self.bar, self.solver, self.ends - self.started
        if time < math.inf:
            bar.total = time
            bar.reach(passed)
        elif self.enough and solver.state.bounds is not None and bar.due:
            done = solver.problem.table.words - solver.upper.above(solver.value + self.enough)
            if bar.total is None:
                bar.begin(solver.problem.table.words, done)  # by the sizes of their classes alone
            bar.reach(done)

    def _line(self) -> str:
        """What is known, in one line; left are the openings that may be better by more than the gap."""
        solver, words = self.solver, self.solver.problem.wordlist
        value, bound = solver.mean_points(solver.value), solver.mean_points(solver.bound)
        opening = "-" if solver.tree is None else words[int(solver.tree.guess[0])]
        values = shown(solver.problem.game, words.target_count, MANY)
        left = f"openings left {solver.upper.above(solver.value + self.enough):,}"
        return f"{opening}  {values.progress(value, bound)}  {left}"


def _write(solver: Solver, path: Path, data: bytes) -> Tree:
    """Write the checkpoint and the certificate; what is better and stands there now goes into them.

    Returns:
        The tree that stands there now.
    """
    from gpulingo.trees.checkpoint import write_checkpoint
    from gpulingo.words.index import find_index, write_index

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
    write_checkpoint(tree, path)
    if find_index(data, words.length, [str(path.parent)]) is None:
        write_index(data, words, str(path.parent))
    checkpoints.tell_better(path, tree, words)
    return tree


def _print(solver: Solver, tree: Tree, ended: dict[str, str], as_json: bool) -> None:
    """Print the result; `ended` says why and what was written."""
    words = solver.problem.wordlist
    assert tree.bound is not None
    value, bound, opening = tree.mean_points, tree.bound, words[int(tree.guess[0])]
    device, seconds = str(solver.problem.table.device), sum(solver.state.seconds)
    values, turns = of_tree(tree, MANY), tree.turn_counts()
    if as_json:
        entry: dict[str, Any] = {"length": words.length, "words": words.target_count, **list_entry(words)}
        entry |= {"fingerprint": words.fingerprint, "opening": opening, "mean_points": value, "bound": bound}
        entry |= values.entry(len(words), value, bound) | {"gap": bound - value, **ended}
        entry |= {"turns": turns, "lost": tree.lost} if values.by_turn else {}
        print(json.dumps(entry | {"seconds": seconds, "device": device}, ensure_ascii=False))
        return
    from gpulingo.cli.tables import print_rows, turn_cells

    print(f"list: {list_text(words)}; device: {device}; {ended['ended']}; {ended['checkpoint']}")
    row = {"length": str(words.length), "words": f"{words.target_count:,}", "opening": opening}
    row |= values.cells(value, tree.lost) | {"bound": values.bound(bound), "gap": values.gap(value, bound)}
    print_rows([row | {"seconds": f"{seconds:.0f}"}], left=["opening"])
    if values.by_turn:
        print("\nwords found")
        print_rows([turn_cells(turns, tree.lost)])

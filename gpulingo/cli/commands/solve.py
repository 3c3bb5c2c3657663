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

from gpulingo.cli import options
from gpulingo.cli.checkpoints import (
    CERTIFICATE,
    begin,
    better_tree,
    check_list,
    check_turns,
    mean_bound,
    put_aside,
    put_certificate_aside,
    ranking_order,
    standing_certificate,
    standing_tree,
    tell_better,
)
from gpulingo.cli.errors import WrongUsage, failure_text, tell, wrong_usage
from gpulingo.cli.limits import end_of
from gpulingo.cli.lists import found_sources, read_files
from gpulingo.cli.outputs import check_destination, make_folder
from gpulingo.cli.parse import parsed_widths, points_number
from gpulingo.cli.progress import Bar, total_bar
from gpulingo.cli.signals import interrupted_by_sigterm, late_interrupt
from gpulingo.tensors.clock import TimeIsUp, clock

if TYPE_CHECKING:
    from gpulingo.search.solver import Solver
    from gpulingo.search.stages import Stage
    from gpulingo.trees.tree import Tree

TOLD = 2.0  # seconds between two lines
SAVED = 30.0  # seconds between two writings of the work file

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
Gap = Annotated[
    float, typer.Option(parser=points_number, metavar="POINTS", help="Stop at a gap of so many mean points.")
]
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
    width: Width = None,
    openings: Openings = None,
    time: options.Time = None,
    gap: Gap = 0.0,
    memory: options.Memory = options.MEMORY,
    turns: options.Turns = 5,
    out: Out = None,
    resume: Resume = False,
    fresh: Fresh = False,
    device: options.Device = "auto",
    seed: options.Seed = 0,
    as_json: options.Json = False,
) -> None:
    """Search for the best strategy, and bound what any can have."""
    from gpulingo.games.catalogue import lingo
    from gpulingo.storage.files import file_name

    ends = end_of(time)
    if turns < 3:
        raise WrongUsage(f"--turns {turns}, expected at least 3: `gpulingo build` is exact for fewer")
    source = found_sources([length], wordlist)[0]
    words = source.wordlist
    if out is None:
        make_folder(Path("checkpoints"))
    path = out or Path("checkpoints") / file_name(lingo(turns).code, length, words.fingerprint)
    if not path.name:
        raise WrongUsage(f"--out {path}, expected the name of a file: as in --out best.npz")
    work, certificate = path.with_suffix(".work.npz"), path.with_suffix(CERTIFICATE)
    for one in (path, work, certificate):
        check_destination(one, read_files([source]), b"PK" if out else b"")
    check_list(path, words, "name another with --out")
    check_turns(path, turns, "name another with --out")
    with interrupted_by_sigterm(), late_interrupt() as check:
        from gpulingo.search.resume import OtherWorkError, read_work
        from gpulingo.search.solver import Solver
        from gpulingo.tensors.device import find_device

        check()
        with wrong_usage("--device"):
            place = find_device(device)
        plan = _plan(width, openings, turns, len(words))
        order = ranking_order(words, turns)
        solver = Solver(words, lingo(turns), plan=plan, order=order, device=place, seed=seed, memory=memory)
        if resume:
            if not work.exists():
                raise WrongUsage(f"--resume, but there is no {work}: leave it out to begin")
            try:
                read_work(work, solver)
            except OtherWorkError as error:
                raise WrongUsage(f"--resume: {error}") from None
        if not fresh:
            begin(solver, path)
        with total_bar("solve", None, lines=False) as bar:
            ended = _run(solver, gap, ends, check, _Work(work, path, own=resume), bar)
        if solver.tree is None:  # interrupted before there was any
            raise KeyboardInterrupt
        tree = _write(solver, path, source.listing.data)
        _tell(solver, tree, path, ended, as_json)


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
class _Work:
    """The work file of a search.

    Attributes:
        path: of the file. checkpoint: of the search.
        own: what stands there is of this search; else it is put aside before it would be replaced.
    """

    path: Path
    checkpoint: Path
    own: bool

    def save(self, solver: Solver) -> None:
        """Write the work file, if there is anything to go on from; where that fails the search goes on."""
        from gpulingo.search.resume import write_work

        if solver.bounds is None:
            return
        try:
            if not self.own:
                put_aside(self.path, self.checkpoint)
                self.own = True
            write_work(self.path, solver)
        except OSError as error:
            why = failure_text(error)
            tell(f"{self.path} was not written, --resume could not go on from here: {why}")


def _run(solver: Solver, gap: float, ends: float, check: Callable[[], None], work: _Work,
         bar: Bar) -> str:  # fmt: skip
    """Search until one of the limits; the work file is written every now and then, and at the end."""
    started = told = clock()
    saved = 0.0  # the first bounds are kept as soon as they are there
    line = ""
    enough = int(gap * len(solver.wordlist) / 100)

    def often() -> None:
        nonlocal saved, told, line
        check()
        now = clock()
        if now - told > TOLD and (fresh := _line(solver, enough)) != line:
            told, line = now, fresh
            print(f"{now - started:8.0f} s  {line}", file=sys.stderr, flush=True)
        if now > ends:
            raise TimeIsUp
        _reach(bar, solver, enough, now - started, ends - started)
        if now - saved > SAVED and solver.bounds is not None:
            work.save(solver)
            saved = clock()

    try:
        reached = solver.run(often, enough)
        over = clock() > ends
        ended = "proven" if solver.value == solver.bound else "gap reached" if reached else "time is up"
        return ended if reached or over else "nothing is left to try"
    except KeyboardInterrupt:
        return "interrupted"
    finally:
        work.save(solver)


def _reach(bar: Bar, solver: Solver, enough: int, passed: float, time: float) -> None:
    """Tell a bar how far a search is: by its time, else by the openings whose bound is above the gap."""
    if time < math.inf:
        bar.total = time
        bar.reach(passed)
    elif enough and solver.bounds is not None and bar.due:
        done = solver.table.words - solver.above(solver.value + enough)
        if bar.total is None:
            bar.begin(solver.table.words, done)  # by the sizes of their classes alone
        bar.reach(done)


def _line(solver: Solver, enough: int) -> str:
    """What a search knows, in one line; left are the openings that may be so much better, in turns."""
    value, bound = solver.mean_points(solver.value), solver.mean_points(solver.bound)
    opening = "-" if solver.tree is None else solver.wordlist[int(solver.tree.guess[0])]
    left = f"openings left {solver.above(solver.value + enough):,}"
    return f"{opening}  mean points {value:.5f}  bound {bound:.5f}  gap {bound - value:.5f}  {left}"


def _write(solver: Solver, path: Path, data: bytes) -> Tree:
    """Write the checkpoint and the certificate; what is better and stands there now goes into them.

    Returns:
        The tree that stands there now.
    """
    from gpulingo.bounds.certificate import certificate_arrays, write_arrays
    from gpulingo.bounds.merge import merged, proof_of
    from gpulingo.trees.checkpoint import write_checkpoint
    from gpulingo.words.index import find_index, write_index

    assert solver.tree is not None
    words, certificate = solver.wordlist, path.with_suffix(CERTIFICATE)
    tree, bound = better_tree(path, solver.tree, words), solver.mean_points(solver.bound)
    there = standing_certificate(certificate, words, tree.turns, tree)
    ours = proof_of(words, solver.bounds, solver.given)
    known = [proof for proof in (there, ours) if proof is not None]
    if known:  # first, so that a header says no more than it proves
        proof = merged(known)
        bound = mean_bound(proof)
        if proof is not there:
            put_certificate_aside(certificate, words, tree.turns)
            write_arrays(certificate, certificate_arrays(words, proof))
    else:
        tell("ended before any opening was bounded: there is no certificate to prove; give it more time")
    if solver.bounds is None:
        tell("there is nothing to --resume yet")
    bound = max(bound, tree.mean_points)
    tree = tree.replaced(bound=bound)
    before = standing_tree(path)
    if before is not None and before.bound is not None and before.bound < bound:
        tell(f"{path} said bound {before.bound:.5f}, for which there is no certificate: {bound:.5f} now")
    write_checkpoint(tree, path)
    if find_index(data, words.length, [str(path.parent)]) is None:
        write_index(data, words, str(path.parent))
    tell_better(path, tree, words)
    return tree


def _tell(solver: Solver, tree: Tree, path: Path, ended: str, as_json: bool) -> None:
    """Print the result."""
    words = solver.wordlist
    assert tree.bound is not None
    value, bound, opening = tree.mean_points, tree.bound, words[int(tree.guess[0])]
    if as_json:
        entry: dict[str, Any] = {"length": words.length, "words": len(words), "list": words.source}
        entry |= {"fingerprint": words.fingerprint, "opening": opening, "mean_points": value, "bound": bound}
        entry |= {
            "mean_guesses": tree.mean_guesses,
            "gap": bound - value,
            "ended": ended,
            "checkpoint": str(path),
        }
        entry |= {"seconds": sum(solver.seconds), "device": str(solver.table.device)}
        print(json.dumps(entry, ensure_ascii=False))
        return
    from gpulingo.cli.tables import guesses_text, print_table

    print(f"list: {words.source}; device: {solver.table.device}; {ended}; {path}")
    cells = [
        str(words.length),
        f"{len(words):,}",
        opening,
        f"{value:.5f}",
        guesses_text(tree.mean_guesses),
        f"{bound:.5f}",
        f"{bound - value:.5f}",
    ]
    columns = ["length", "words", "opening", "mean points", "mean guesses", "bound", "gap", "seconds"]
    print_table(columns, [[*cells, f"{sum(solver.seconds):.0f}"]], left=["opening"])

"""`gpulingo tune`: fit values to a list, measure guess pools, write what `--strategy tuned` uses."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gpulingo.cli import options
from gpulingo.cli.errors import Interrupted, WrongUsage, tell, wrong_usage
from gpulingo.cli.extras import need_report
from gpulingo.cli.limits import end_of
from gpulingo.cli.lists import Source, found_sources, read_files
from gpulingo.cli.outputs import check_destination, make_folder, put_aside
from gpulingo.cli.parse import between, parsed_numbers
from gpulingo.cli.progress import Bar, total_bar
from gpulingo.cli.signals import interrupted_by_sigterm, late_interrupt
from gpulingo.tensors.clock import TimeIsUp, clock

if TYPE_CHECKING:
    from gpulingo.strategies.tuned import Tuned
    from gpulingo.tuning.pool_cost import PoolTrial
    from gpulingo.tuning.state import Work
    from gpulingo.tuning.tuner import Tuner

Turns = Annotated[
    int, typer.Option(parser=between(3, 20), metavar="NUMBER", help="Guesses a round allows, 3 to 20.")
]
Iterations = Annotated[
    int,
    typer.Option(parser=between(0, 10**6), metavar="NUMBER", help="Changes to try, with those of --resume."),
]
Pools = Annotated[
    str,
    typer.Option(
        metavar="SIZES", help="Words of the guess pools to measure after --time, as 100,300; or none."
    ),
]
Resume = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Keep the work in this file; if it is there, go on from it."),
]
Out = Annotated[
    Path | None,
    typer.Option(metavar="FILE.json", help="Write the result here instead of into checkpoints/."),
]
Picture = Annotated[
    Path | None, typer.Option(metavar="FILE.svg", help="Draw points against time of the pools.")
]
WORK = ".work.json"  # beside the values, while there is work that --resume does not keep elsewhere
TUNED = rb'\{\s*"format": "gpulingo values"'


def tune(
    length: options.Length,
    wordlist: options.Wordlist = None,
    iterations: Iterations = 100,
    time: options.Time = None,
    memory: options.Memory = options.MEMORY,
    pools: Pools = "100,300,1000,3000,10000",
    turns: Turns = 5,
    seed: options.Seed = 0,
    device: options.Device = "auto",
    resume: Resume = None,
    out: Out = None,
    picture: Picture = None,
    as_json: options.Json = False,
) -> None:
    """Tune a strategy to a list, for `--strategy tuned`."""
    ends = end_of(time)
    with wrong_usage("--pools"):
        sizes = [] if pools == "none" else parsed_numbers(pools, "size", 1, 1 << 26)
    source = found_sources([length], wordlist)[0]
    if picture:
        need_report()
    target = _checked_files(source, turns, resume, out, picture)
    kept = resume or target.with_suffix(WORK)
    if resume is None and (aside := put_aside(kept, WORK)):
        tell(f"{kept} of an earlier tuning is now {aside}: --resume {aside} goes on with it")
    work: Work | None = None
    trials: list[PoolTrial] = []
    over = False
    from gpulingo.tuning.state import write_work

    try:
        with interrupted_by_sigterm(), late_interrupt() as check, total_bar("tune", None) as bar:
            tuner, begun = _begun(source, turns, seed, device, resume, check, memory)
            for work in _works(tuner, begun, iterations, ends, bar, _pools_count(tuner, sizes)):
                write_work(work, kept)
            assert work is not None
            for trial in _pools(tuner, work.best, sizes, bar):
                trials.append(trial)
        over = True
    except KeyboardInterrupt:
        if work is None:
            raise
    best = _written(work, trials, target, picture)
    _print(work, trials, best, target, as_json, source.wordlist[best.opening])
    if not over:
        on = f"{kept} has them, --resume {kept} goes on"
        raise Interrupted(f"interrupted after {len(work.trials) - 1} changes; {on}")
    if resume is None:
        kept.unlink(missing_ok=True)


def _checked_files(
    source: Source, turns: int, resume: Path | None, out: Path | None, picture: Path | None
) -> Path:
    """Where the result goes, after all files that are to be written were looked at."""
    from gpulingo.strategies.tuned import tuned_name

    words = source.wordlist
    target = out or Path("checkpoints") / tuned_name(words.length, words.fingerprint, turns)
    if out is None:
        make_folder(target.parent)
    written = [path for path in (target, resume, picture) if path]
    if len(set(written)) < len(written):
        raise WrongUsage("--resume, --out and --picture name one file twice: name different files")
    for path, form in ((target, TUNED if out else b""), (resume, b""), (picture, b"<svg ")):
        if path:
            check_destination(path, read_files([source]), form)
    before = _standing(target)
    if before is not None and before.fingerprint != words.fingerprint:
        theirs, ours = before.fingerprint[:12], words.fingerprint[:12]
        raise WrongUsage(f"{target} is for list {theirs}, this list is {ours}: name another with --out")
    if before is not None and before.turns != turns:
        raise WrongUsage(f"{target} is for {before.turns} turns, not {turns}: name another with --out")
    return target


def _standing(path: Path) -> Tuned | None:
    """The tuned values that stand there, if there are whole ones."""
    from gpulingo.strategies.tuned import TunedError, read_tuned

    try:
        return read_tuned(path) if path.exists() else None
    except TunedError:
        return None


def _begun(source: Source, turns: int, seed: int, device: str, resume: Path | None,
           check: Callable[[], None], memory: int) -> tuple[Tuner, Work]:  # fmt: skip
    """The tuner and the work so far.

    Raises:
        WrongUsage: there is no such device, or the work is of another list, other turns or another seed.
    """
    from gpulingo.tensors.device import find_device
    from gpulingo.tuning.state import read_work
    from gpulingo.tuning.tuner import Tuner

    check()  # torch is in
    with wrong_usage("--device"):
        place = find_device(device)
    tuner = Tuner(source.wordlist, turns, seed, device=place, check=check, memory=memory)
    if resume is None or not resume.exists():
        return tuner, tuner.begun()
    work = read_work(resume)
    ours = {"fingerprint": source.wordlist.fingerprint, "turns": turns, "seed": seed}
    for name, value in ours.items():
        if (theirs := getattr(work.best, name)) != value:
            raise WrongUsage(f"--resume: {resume} is of {name} {theirs}, not {value}: name another file")
    return tuner, work


def _works(tuner: Tuner, work: Work, iterations: int, ends: float, bar: Bar,
           pools: int) -> Iterator[Work]:  # fmt: skip
    """The work so far, then after each change, until there were enough or the time is over."""
    look, started, before = tuner.check, clock(), len(work.trials)

    def check() -> None:
        look()
        bar.advance(0)
        if clock() > ends:
            raise TimeIsUp

    tuner.check = check
    bar.skip(before)
    while True:
        yield work
        done, passed = len(work.trials), clock() - started
        if done > iterations:
            break
        rest = float(iterations + 1 - done)
        if ends < math.inf and done > before:
            rest = min(rest, max(0.0, ends - clock()) * (done - before) / passed)
        bar.total = done + rest + pools  # each takes about one play of the list
        bar.reach(done, f"{done - 1:,} changes")
        try:
            check()
            work = tuner.after(work)
        except TimeIsUp:
            break
    tuner.check = look


def _pools_count(tuner: Tuner, sizes: list[int]) -> int:
    """How many pools are measured."""
    from gpulingo.strategies.pools import RULES

    return 1 + len(RULES) * sum(size < len(tuner.wordlist) for size in sizes)


def _pools(tuner: Tuner, tuned: Tuned, sizes: list[int], bar: Bar) -> Iterator[PoolTrial]:
    """Points and time of the guess pools."""
    from gpulingo.tuning.pool_cost import pool_trials

    bar.total = bar.done + _pools_count(tuner, sizes)
    look, measured = tuner.check, 0

    def check() -> None:
        look()
        bar.advance(0, f"{measured} pools")

    for trial in pool_trials(tuner.wordlist, tuned, sizes, device=tuner.device, check=check):
        measured += 1
        bar.advance()
        yield trial


def _written(work: Work, trials: list[PoolTrial], target: Path, picture: Path | None) -> Tuned:
    """Write the best values, unless better ones stand there, and the picture.

    Returns:
        The values that stand there now.
    """
    from gpulingo.storage.files import replace_file
    from gpulingo.strategies.tuned import write_tuned
    from gpulingo.tuning.pool_cost import best_pool, picture_svg

    best = best_pool(work.best, trials) if trials else work.best
    if picture and trials:
        replace_file(str(picture), picture_svg(best, trials).encode())
    before = _standing(target)
    if before is not None and before.mean_points > best.mean_points:
        found = f"more than the {best.mean_points:.3f} that were found"
        tell(f"{target} has {before.mean_points:.3f} mean points, {found}: its values stay")
        return before
    write_tuned(best, target)
    return best


def _print(work: Work, trials: list[PoolTrial], best: Tuned, target: Path, as_json: bool,
           opening: str) -> None:  # fmt: skip
    """Tables of the changes and the pools, the picture and the result; or a JSON object for each row."""
    from dataclasses import asdict

    if as_json:
        for change in work.trials:
            print(json.dumps(asdict(change), ensure_ascii=False))
        for trial in trials:
            print(json.dumps(asdict(trial) | {"pool": trial.rule}))
        result: dict[str, Any] = {"file": str(target), "mean_points": best.mean_points}
        rule = None if best.pool.words is None else best.pool.rule
        print(json.dumps(result | {"opening": opening, "rule": rule, "words": best.pool.words}))
        return
    from gpulingo.cli.tables import points_text, print_table

    kept = [one for one in work.trials if one.kept]
    print(f"{len(work.trials) - 1} changes tried; those that were better:")
    rows = [[str(one.number), one.change, one.opening, points_text(one.mean_points), f"{one.seconds:.2f}"]
            for one in kept]  # fmt: skip
    print_table(["number", "change", "opening", "mean points", "seconds"], rows, left=["change", "opening"])
    if trials:
        _print_pools(trials)
    print(f"{target}: {points_text(best.mean_points)} mean points")


def _print_pools(trials: list[PoolTrial]) -> None:
    """A table and a picture of the pools."""
    from gpulingo.cli.tables import points_text, print_table
    from gpulingo.tuning.pool_cost import picture

    print("\npools: words that are searched, beside the candidates of each set")
    cells = [[one.rule, f"{one.words:,}", points_text(one.mean_points), f"{one.seconds:.2f}",
              f"{one.pairs / 1e6:,.1f}"] for one in trials]  # fmt: skip
    print_table(["rule", "words", "mean points", "seconds", "million pairs"], cells, left=["rule"])
    print(f"\n{picture(trials)}\n")

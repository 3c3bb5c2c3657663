"""`gpulingo tune`: fit values to a list, measure guess pools, write what `--strategy tuned` uses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gpulingo.cli import options
from gpulingo.cli.destinations import check_destination, make_folder
from gpulingo.cli.guard import Interrupted, WrongUsage, tell, wrong_usage
from gpulingo.cli.interrupts import late_interrupt
from gpulingo.cli.numbers import between, parsed_numbers
from gpulingo.cli.progress import counting_bar
from gpulingo.cli.sources import Source, found_sources, read_files

if TYPE_CHECKING:
    from gpulingo.lab.pools import PoolTrial
    from gpulingo.lab.tune import Tuner
    from gpulingo.lab.tuning import Work
    from gpulingo.strategies.tuned import Tuned

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


class OutOfTime(Exception):
    """The time for changes is over."""


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
    with wrong_usage("--pools"):
        sizes = [] if pools == "none" else parsed_numbers(pools, "size", 1, 1 << 26)
    source = found_sources([length], wordlist)[0]
    target = _checked_files(source, turns, resume, out, picture)
    with late_interrupt() as check:
        tuner, work = _begun(source, turns, seed, device, resume, check, memory)
        work = _tuned(tuner, work, iterations, time, resume)
        tuner.check = check
        try:
            trials = _pools(tuner, work.best, sizes)
        except KeyboardInterrupt:
            raise _interrupted(work, resume) from None
    from gpulingo.lab.pools import best_pool, picture_svg
    from gpulingo.strategies.tuned import write_tuned
    from gpulingo.trees.container import replace_file

    best = best_pool(work.best, trials)
    _tell_replaced(target, best)
    write_tuned(best, target)
    if picture:
        replace_file(str(picture), picture_svg(best, trials).encode())
    _print(work, trials, best, target, as_json, source.wordlist[best.opening])


def _checked_files(
    source: Source, turns: int, resume: Path | None, out: Path | None, picture: Path | None
) -> Path:
    """Where the result goes, after all files that are to be written were looked at."""
    from gpulingo.strategies.tuned import tuned_name

    words = source.wordlist
    target = out or Path("checkpoints") / tuned_name(words.length, words.fingerprint)
    if out is None:
        make_folder(target.parent)
    written = [path for path in (target, resume, picture) if path]
    if len(set(written)) < len(written):
        raise WrongUsage("--resume, --out and --picture name one file twice: name different files")
    for path in written:
        check_destination(path, read_files([source]))
    before = _standing(target)
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
    from gpulingo.lab.tune import Tuner
    from gpulingo.lab.tuning import read_work
    from gpulingo.tensors.device import find_device

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


def _tuned(tuner: Tuner, work: Work, iterations: int, time: float | None, resume: Path | None) -> Work:
    """Try changes until there were enough or the time is over; the work is kept after each whole one."""
    from gpulingo.lab.tuning import write_work

    look, started = tuner.check, perf_counter()

    def check() -> None:
        look()
        if time and perf_counter() - started > time:
            raise OutOfTime

    tuner.check = check
    with counting_bar("changes", len(work.trials) - 1, iterations) as advance:
        while True:
            if resume:
                write_work(work, resume)
            if len(work.trials) > iterations:
                return work
            try:
                check()
                work = tuner.after(work)
            except OutOfTime:
                return work
            except KeyboardInterrupt:
                raise _interrupted(work, resume) from None
            advance()


def _pools(tuner: Tuner, tuned: Tuned, sizes: list[int]) -> list[PoolTrial]:
    """Points and time of the guess pools."""
    from gpulingo.lab.pools import pool_trials
    from gpulingo.strategies.pools import RULES

    total = 1 + len(RULES) * sum(size < len(tuner.wordlist) for size in sizes)
    found = []
    with counting_bar("pools", 0, total) as advance:
        for trial in pool_trials(tuner.wordlist, tuned, sizes, device=tuner.device, check=tuner.check):
            found.append(trial)
            advance()
    return found


def _interrupted(work: Work, resume: Path | None) -> Interrupted:
    """What to tell after Ctrl-C."""
    on = f"run it again, {resume} has them" if resume else "with --resume FILE they can be kept"
    return Interrupted(f"interrupted after {len(work.trials) - 1} changes; {on}")


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
    from gpulingo.lab.pools import picture

    kept = [one for one in work.trials if one.kept]
    print(f"{len(work.trials) - 1} changes tried; those that were better:")
    rows = [[str(one.number), one.change, one.opening, points_text(one.mean_points), f"{one.seconds:.2f}"]
            for one in kept]  # fmt: skip
    print_table(["number", "change", "opening", "mean points", "seconds"], rows, left=["change", "opening"])
    print("\npools: words that are searched, beside the candidates of each set")
    cells = [[one.rule, f"{one.words:,}", points_text(one.mean_points), f"{one.seconds:.2f}",
              f"{one.pairs / 1e6:,.1f}"] for one in trials]  # fmt: skip
    print_table(["rule", "words", "mean points", "seconds", "million pairs"], cells, left=["rule"])
    print(f"\n{picture(trials)}\n")
    print(f"{target}: {points_text(best.mean_points)} mean points")


def _tell_replaced(path: Path, best: Tuned) -> None:
    """Tell that tuned values are replaced, if they had more points."""
    before = _standing(path)
    if before is not None and before.mean_points > best.mean_points:
        had = f"it had {before.mean_points:.3f} mean points"
        tell(f"{path} is replaced: {had}, this has {best.mean_points:.3f}")

"""`gpulingo tune`: fit values to a list, measure guess pools, write what `--strategy tuned` uses."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gpulingo.cli import options
from gpulingo.cli.checkpoints import FOLDER, check_same, tell_better_values
from gpulingo.cli.errors import Interrupted, WrongUsage, need_report, tell, wrong_usage
from gpulingo.cli.games import check_words_guessed, chosen_game
from gpulingo.cli.limits import end_of
from gpulingo.cli.lists import Source, found_sources, read_files
from gpulingo.cli.outputs import check_destination, make_folder, put_aside
from gpulingo.cli.parse import between, parsed_numbers
from gpulingo.cli.progress import Bar, total_bar
from gpulingo.cli.signals import interrupted_by_sigterm, late_interrupt
from gpulingo.games.catalogue import LINGO
from gpulingo.report.points import Points
from gpulingo.report.values import shown
from gpulingo.tensors.clock import TimeIsUp, clock

if TYPE_CHECKING:
    from gpulingo.games.game import Game
    from gpulingo.strategies.tuned import Tuned
    from gpulingo.tuning.pool_cost import PoolTrial
    from gpulingo.tuning.state import Tuning
    from gpulingo.tuning.tuner import Check, Tuner

Iterations = Annotated[
    int,
    typer.Option(parser=between(0, 10**6), metavar="NUMBER", help="Changes to try, with those of --resume."),
]
Pools = Annotated[
    str, typer.Option(metavar="SIZES", help="Words of the pools to measure after --time: 100,300; or none.")
]
Resume = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Keep the work in this file; go on from what it has.")
]
Out = Annotated[
    Path | None, typer.Option(metavar="FILE.json", help="Write the result here, not into checkpoints/.")
]
Picture = Annotated[Path | None, typer.Option(metavar="FILE.svg", help="Draw what pools score in what time.")]
WORK = ".work.json"  # beside the values, while there is work that --resume does not keep elsewhere
TUNED = rb'\{\s*"format": "gpulingo values"'


def tune(
    length: options.Length,
    wordlist: options.Wordlist = None,
    targets: options.Targets = None,
    iterations: Iterations = 100,
    time: options.Time = None,
    memory: options.Memory = options.MEMORY,
    pools: Pools = "100,300,1000,3000,10000",
    game: options.Game = LINGO,
    turns: Annotated[int | None, options.turns_option(3)] = None,
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
    rules = chosen_game(game, turns, least=3, instead="with fewer `parts` is exact")
    check_words_guessed(rules, "nothing is tuned there, use `gpulingo solve`")
    if rules.legal != "any" or not rules.rises_by_one:
        raise WrongUsage(f"--game {game} cannot be tuned: values of the game without its rule serve it too")
    source = found_sources([length], wordlist, targets, rules)[0]
    task = _Task(source, rules, seed, iterations, sizes, ends, device, memory, resume)
    target = _checked_target(task, out, picture)
    file = resume or target.with_suffix(WORK)
    if resume is None and (aside := put_aside(file, WORK)):
        tell(f"{file} of an earlier tuning is now {aside}: --resume {aside} goes on with it")
    work, trials, whole = _worked(task, file)
    values = shown(rules, source.wordlist.target_count)
    best = _written(work, trials, target, picture, values=values)
    tell_better_values(target, best, source.wordlist, values)
    if as_json:
        _print_json(work, trials, best, {"file": str(target), "opening": source.wordlist[best.opening]})
    else:
        _print_tables(work, trials, values)
        print(f"{target}: {values.text(best.mean_points)}")
    if not whole:
        changes = len(work.trials) - 1
        raise Interrupted(f"interrupted after {changes} changes; {file} has them, --resume {file} goes on")
    if resume is None:
        file.unlink(missing_ok=True)


@dataclass(frozen=True)
class _Task:
    """What is tuned, and for how long.

    Attributes:
        iterations: changes to try. sizes: of the pools to measure. ends: when no further change begins.
        device: as the user wrote it. memory: bytes. resume: the work file to go on with, if it is there.
    """

    source: Source
    game: Game
    seed: int
    iterations: int
    sizes: list[int]
    ends: float
    device: str
    memory: int
    resume: Path | None

    def begun(self, check: Check) -> tuple[Tuner, Tuning]:
        """The tuner and the work so far.

        Raises:
            WrongUsage: there is no such device, or the work is none or of another list, turns or seed.
        """
        from gpulingo.tensors.device import find_device
        from gpulingo.tuning.state import read_tuning
        from gpulingo.tuning.tuner import Tuner

        check()  # torch is in
        with wrong_usage("--device"):
            device = find_device(self.device)
        words, turns = self.source.wordlist, self.game.turns
        tuner = Tuner(words, turns, self.seed, device=device, memory=self.memory)
        if self.resume is None or not self.resume.exists():
            return tuner, tuner.begun(check)
        with wrong_usage("--resume"):
            work = read_tuning(self.resume)
        ours = {"fingerprint": words.fingerprint, "turns": turns, "seed": self.seed}
        for name, value in ours.items():
            if (theirs := getattr(work.best, name)) != value:
                seen = f"{self.resume} is of {name} {theirs}"
                raise WrongUsage(f"--resume: {seen}, not {value}: name another file")
        return tuner, work


def _checked_target(task: _Task, out: Path | None, picture: Path | None) -> Path:
    """Where the result goes, after all files that are to be written were looked at.

    Raises:
        WrongUsage: something would be lost. OSError: a file cannot be written.
        RuntimeError: nothing is there to draw the picture with.
    """
    from gpulingo.strategies.tuned import tuned_name

    if picture:
        need_report()
    words = task.source.wordlist
    target = out or FOLDER / tuned_name(words.length, words.fingerprint, task.game.turns)
    if out is None:
        make_folder(target.parent)
    written = [path for path in (target, task.resume, picture) if path]
    if len(set(written)) < len(written):
        raise WrongUsage("--resume, --out and --picture name one file twice: name different files")
    for path, form in ((target, TUNED if out else b""), (task.resume, b""), (picture, b"<svg ")):
        if path:
            check_destination(path, read_files([task.source]), form)
    check_same(target, _standing_values(target), words, task.game, change="name another with --out")
    return target


def _standing_values(path: Path) -> Tuned | None:
    """The tuned values that stand there, if there are whole ones."""
    from gpulingo.strategies.tuned import TunedError, read_tuned

    try:
        return read_tuned(path) if path.exists() else None
    except TunedError:
        return None


def _worked(task: _Task, file: Path) -> tuple[Tuning, list[PoolTrial], bool]:
    """Tune, keeping the work in a file, then measure the pools; as far as Ctrl-C let them come.

    Returns:
        The work, the pools, and whether that is all.
    """
    work: Tuning | None = None
    trials: list[PoolTrial] = []
    try:
        with interrupted_by_sigterm(), late_interrupt() as check, total_bar("tune", None) as bar:
            from gpulingo.strategies.pools import RULES
            from gpulingo.tuning.state import write_tuning

            tuner, begun = task.begun(check)
            pools = 1 + len(RULES) * sum(size < len(tuner.wordlist) for size in task.sizes)
            for work in _works(task, tuner, begun, bar, check=check, pools=pools):
                write_tuning(work, file)
            assert work is not None
            bar.total = bar.done + pools
            for trial in _pools(tuner, work.best, task.sizes, bar, check=check):
                trials.append(trial)
    except KeyboardInterrupt:
        if work is None:
            raise
        return work, trials, False
    return work, trials, True


def _works(
    task: _Task, tuner: Tuner, work: Tuning, bar: Bar, *, check: Check, pools: int
) -> Iterator[Tuning]:
    """The work so far, then after each change, until there were enough or the time is over."""
    started, before = clock(), len(work.trials)

    def often() -> None:
        check()
        bar.advance(0)
        if clock() > task.ends:
            raise TimeIsUp

    bar.skip(before)
    while True:
        yield work
        done, passed = len(work.trials), clock() - started
        if done > task.iterations:
            break
        rest = float(task.iterations + 1 - done)
        if task.ends < math.inf and done > before:
            rest = min(rest, max(0.0, task.ends - clock()) * (done - before) / passed)
        bar.total = done + rest + pools  # each takes about one play of the list
        bar.reach(done, f"{done - 1:,} changes")
        try:
            often()
            work = tuner.after(work, often)
        except TimeIsUp:
            break


def _pools(tuner: Tuner, tuned: Tuned, sizes: list[int], bar: Bar, *, check: Check) -> Iterator[PoolTrial]:
    """Points and time of the guess pools."""
    from gpulingo.tuning.pool_cost import pool_trials

    measured = 0

    def often() -> None:
        check()
        bar.advance(0, f"{measured} pools")

    for trial in pool_trials(tuner.wordlist, tuned, sizes, device=tuner.device, check=often):
        measured += 1
        bar.advance()
        yield trial


def _written(
    work: Tuning, trials: list[PoolTrial], target: Path, picture: Path | None, *, values: Points
) -> Tuned:
    """Write the best values, unless better ones stand there, and the picture; the values that stand now."""
    from gpulingo.storage.files import replace_file
    from gpulingo.strategies.tuned import write_tuned
    from gpulingo.tuning.pool_cost import best_pool, picture_svg

    best = best_pool(work.best, trials) if trials else work.best
    if picture and trials:
        replace_file(str(picture), picture_svg(best, trials, values).encode())
    before = _standing_values(target)
    if before is not None and before.mean_points > best.mean_points:
        less = f"{values.better} than the {values.beside(best.mean_points)} that were found"
        tell(f"{target} has {values.text(before.mean_points)}, {less}: its values stay")
        return before
    write_tuned(best, target)
    return best


def _print_json(work: Tuning, trials: list[PoolTrial], best: Tuned, result: dict[str, Any]) -> None:
    """A JSON object for each change, each pool and the result."""
    for change in work.trials:
        print(json.dumps(asdict(change), ensure_ascii=False))
    for trial in trials:
        print(json.dumps(asdict(trial) | {"pool": trial.rule}))
    rule = None if best.pool.words is None else best.pool.rule
    values = {"mean_points": best.mean_points, "opening": result["opening"], "rule": rule}
    print(json.dumps({"file": result["file"], **values, "words": best.pool.words}))


def _print_tables(work: Tuning, trials: list[PoolTrial], values: Points) -> None:
    """Tables of the changes that were better and of the pools, and a picture of these."""
    from gpulingo.cli.tables import print_table
    from gpulingo.tuning.pool_cost import picture

    print(f"{len(work.trials) - 1} changes tried; those that were better:")
    rows = [[str(trial.number), trial.change, trial.opening, *values.brief_cells(trial.mean_points).values(),
             f"{trial.seconds:.2f}"] for trial in work.trials if trial.kept]  # fmt: skip
    print_table(["number", "change", "opening", *values.brief, "seconds"], rows, left=["change", "opening"])
    if trials:
        print("\npools: words that are searched, beside the candidates of each set")
        rows = [[pool.rule, f"{pool.words:,}", *values.brief_cells(pool.mean_points).values(),
                 f"{pool.seconds:.2f}", f"{pool.pairs / 1e6:,.1f}"] for pool in trials]  # fmt: skip
        print_table(["rule", "words", *values.brief, "seconds", "million pairs"], rows, left=["rule"])
        print(f"\n{picture(trials, values)}\n")

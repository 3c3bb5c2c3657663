"""`gpulingo tune`: fit values to a list, measure guess pools, write the values of `--strategy tuned`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from gpulingo.cli import options
from gpulingo.cli.checkpoints import FOLDER, check_same
from gpulingo.cli.errors import WrongUsage, need_report, tell, tell_skipped, wrong_usage
from gpulingo.cli.games import check_marks, check_words_guessed, chosen_game
from gpulingo.cli.lists import Source, found_sources, read_files
from gpulingo.cli.options import option
from gpulingo.cli.parse import between, parsed_lengths, parsed_numbers
from gpulingo.cli.run import Run, check_destination, executor_at, make_folder
from gpulingo.cli.tables import print_rows
from gpulingo.games.game import Game
from gpulingo.optimise.kept import report_best
from gpulingo.storage.faults import reported
from gpulingo.storage.files import locked, put_aside, replace_file
from gpulingo.storage.printed import line_of
from gpulingo.tensors.clock import clock
from gpulingo.trees.values import Values

if TYPE_CHECKING:
    from gpulingo.machines.plays import TunedList
    from gpulingo.strategies.tuned import Tuned
    from gpulingo.tuning.tuner import PoolTrial, Trial, Tuning


WORK = ".work.json"  # beside the values, while there is work
TUNED = rb'\{\s*"format": "gpulingo values"'


@options.group
class TuneOptions:
    iterations: int = option(
        "NUMBER", "Changes to try, with those of --resume.", default=100, parser=between(0, 10**6)
    )
    time: float | None = options.TIME
    memory: int = options.MEMORY
    pools: str = option(
        "SIZES", "Sizes of guess pools to measure, for example 100,300; or none.",
        default="100,300,1000,3000,10000",
    )  # fmt: skip
    seed: int = options.SEED
    device: str = options.DEVICE
    resume: str | None = option("[FILE]", "Continue from the work file beside the values.")
    out: Path | None = option("FILE.json", "Write the values here, not into checkpoints/.")
    picture: Path | None = option("FILE.svg", "Draw the scores of guess pools over their time.")
    ray: str | None = options.RAY


@dataclass
class TuneTask:
    """A list to tune to, and how far that is."""

    asked: TuneOptions
    source: Source
    game: Game
    sizes: list[int]  # of the pools to measure
    run: Run  # after whose time no further change begins
    begun: Tuning | None = None  # the work to continue
    work: Tuning | None = None
    pools: dict[int, PoolTrial] = field(default_factory=dict)  # measured, by number
    started: float = 0.0

    def __post_init__(self) -> None:
        from gpulingo.strategies.tuned import tuned_name

        self.words = self.source.wordlist
        self.values = Values(self.game, self.words.target_count)
        name = tuned_name(self.words.length, self.words.fingerprint, self.game.turns)
        self.target = self.asked.out or FOLDER / name
        beside = self.target.parent / f"{self.target.stem}{WORK}"
        self.file = Path(self.asked.resume) if self.asked.resume else beside

    def check_files(self) -> None:
        out, picture, target = self.asked.out, self.asked.picture, self.target
        if picture:
            need_report()
        if out is None:
            make_folder(target.parent)
        written = [path for path in (target, self.file, picture) if path]
        if len(set(written)) < len(written):
            raise WrongUsage("--resume, --out and --picture name one file twice: name different files")
        for path, form in ((target, TUNED if out else b""), (self.file, b""), (picture, b"<svg ")):
            if path:
                check_destination(path, read_files([self.source]), form)
        check_same(target, self.standing(), self.words, self.game, change="name another with --out")

    def standing(self) -> Tuned | None:
        """The values that stand where the new ones go."""
        from gpulingo.strategies.tuned import read_tuned

        try:
            return read_tuned(self.target) if self.target.exists() else None
        except ValueError:
            return None

    def listed(self, device: str) -> TunedList:
        """The task as an executor takes it, begun where the work file ends that was named."""
        from gpulingo.machines.plays import TunedList
        from gpulingo.tuning.tuner import read_tuning

        seed, fingerprint, turns = self.asked.seed, self.words.fingerprint, self.game.turns
        if self.asked.resume is not None and self.file.exists():
            with wrong_usage("--resume"):
                self.begun = read_tuning(self.file)
            for name, value in {"fingerprint": fingerprint, "turns": turns, "seed": seed}.items():
                if (theirs := getattr(self.begun.best, name)) != value:
                    fault = f"{self.file} is of {name} {theirs}"
                    raise WrongUsage(f"--resume: {fault}, not {value}: name another file")
        self.started = clock()
        return TunedList(self.words, fingerprint, turns, seed, device, self.asked.memory)

    @property
    def tried(self) -> int:
        work = self.work or self.begun
        return 0 if work is None else len(work.trials)

    @property
    def progress(self) -> tuple[float, float]:
        """Return the work done, and an estimate of the total."""
        from gpulingo.machines.plays import work
        from gpulingo.strategies.objectives import RULES

        before, tried, play = len(self.begun.trials) if self.begun else 0, self.tried, work(self.words)
        rest = float(max(0, self.asked.iterations + 1 - tried))
        if self.run.ends < math.inf and tried > before:
            rest = min(rest, max(0.0, self.run.ends - clock()) * (tried - before) / (clock() - self.started))
        pools = 1 + len(RULES) * sum(size < len(self.words) for size in self.sizes)  # each about one play
        return play * (tried + len(self.pools)), play * (tried + rest + pools)


def work_at(tasks: Sequence[TuneTask], run: Run) -> None:
    """Tune to lists as far as Ctrl-C lets it come, keeping the work in its files."""
    with run.working() as bar:  # torch comes in here
        bar.ends = math.inf  # pools are measured after the time is over
        from gpulingo.machines.plays import tunings
        from gpulingo.tensors.device import find_device
        from gpulingo.tuning.tuner import Tuning, write_tuning

        args = tasks[0].asked
        device = args.device
        if args.ray is None:
            with wrong_usage("--device"):
                device = str(find_device(device))

        def often() -> None:
            run.noted()
            bar.advance(0)

        def progress() -> tuple[float, float]:
            done, total = zip(*(task.progress for task in tasks), strict=True)
            return sum(done), sum(total)

        with executor_at(args.ray, device, often) as (executor, place):
            run.noted()
            lists = [(task.listed(place.device), task.begun) for task in tasks]
            done, total = progress()
            bar.begin(total, done)
            for (number, pool), result in tunings(
                executor, lists, tasks[0].sizes, iterations=args.iterations, gpus=place.gpus,
                ends=run.ends, check=often,
            ):  # fmt: skip
                task = tasks[number]
                if isinstance(result, Tuning):
                    task.work, text = result, f"{len(result.trials) - 1:,} changes"
                    write_tuning(result, task.file)
                elif pool is not None:
                    task.pools[pool], text = result, f"{len(task.pools) + 1} pools"
                done, bar.total = progress()
                bar.reach(done, text)


def tune(
    lengths: options.Lengths,
    *,
    listed: options.Listed,
    game: str = options.GAME,
    turns: int | None = options.turns_option(3),
    args: TuneOptions,
    as_json: bool = options.JSON,
) -> None:
    """Fit a strategy's parameters to a word list."""
    run, given = Run("tune", args.time), lengths.of(game, "tune")
    with wrong_usage("--pools"):
        sizes = [] if args.pools == "none" else parsed_numbers(args.pools, "size", 1, 1 << 26)
    rules = chosen_game(game, turns, least=3, instead="with fewer `parts` is exact")
    check_words_guessed(rules, "nothing is tuned there, use `gpulingo solve`")
    check_marks(rules, "`tune`")
    numbers = parsed_lengths(given)
    for name in ("resume", "out", "picture"):
        if getattr(args, name) and len(numbers) > 1:
            raise WrongUsage(f"--{name} with {len(numbers)} lengths, but it names one file: give one length")
    tasks = [TuneTask(args, source, rules, sizes, run) for source in found_sources(numbers, listed, rules)]
    with ExitStack() as locks:
        for task in tasks:
            task.check_files()
            try:
                locks.enter_context(locked(task.file, wait=False))
            except BlockingIOError:
                fault = f"{task.file} is of a tuning that still runs"
                raise WrongUsage(f"{fault}: wait for its end, or name another --out") from None
            if args.resume is None and (aside := put_aside(task.file, WORK)):
                tell(f"{task.file} of an earlier tuning is now {aside}: --resume would have continued it")
        _tune_all(tasks, run, as_json)


def _tune_all(tasks: list[TuneTask], run: Run, as_json: bool) -> None:
    """Tune to each list, or on a cluster to all at once, and write what was found."""
    args = tasks[0].asked
    for some in [[task] for task in tasks] if args.ray is None else [tasks]:
        work_at(some, run)
        done = [task for task in some if task.work is not None]
        if not done:
            raise KeyboardInterrupt
        for task in done:
            _finish(task, as_json)
            if not (run.interrupted or args.resume):
                task.file.unlink(missing_ok=True)
        has = f"{', '.join(str(task.file) for task in done)} {'has' if len(done) == 1 else 'have'} them"
        again = f"--resume {args.resume or ''}".rstrip()
        run.finish(f"after {sum(task.tried - 1 for task in done)} changes; {has}, {again} continues")


def _finish(task: TuneTask, as_json: bool) -> None:
    """Write the best values, unless better ones stand there, and the picture; print what was tried."""
    from gpulingo.strategies.tuned import stored_tuned, write_tuned
    from gpulingo.tuning.tuner import best_pool, picture_svg

    work, values, target, words = task.work, task.values, task.target, task.words
    trials = [task.pools[number] for number in sorted(task.pools)]
    assert work is not None
    best = best_pool(work.best, trials) if trials else work.best
    if task.asked.picture and trials:
        replace_file(str(task.asked.picture), picture_svg(best, trials, values).encode())
    with locked(target):
        before = task.standing()
        if before is not None and before.mean_points > best.mean_points:
            had, new = map(values.of_mean, (before.mean_points, best.mean_points))
            less = f"{values.unit.better} than the {values.beside(new)} that were found"
            tell(f"{target} has {values.text(had)}, {less}: its values stay")
            best = before
        else:
            write_tuned(best, target)
    kept = reported(stored_tuned(words, turns=best.turns), tell_skipped)
    report_best(target, kept, best.mean_points, values, tell)
    if as_json:
        for change in work.trials:
            print(line_of("tune", asdict(change)))
        for trial in trials:
            print(line_of("tune", asdict(trial) | {"pool": trial.rule}))
        pool = {"rule": None if best.pool.words is None else best.pool.rule, "words": best.pool.words}
        entry = {"file": str(target), "mean_points": best.mean_points, "opening": words[best.opening]}
        print(line_of("tune", entry | pool))
        return
    _print_tables(work, trials, values)
    print(f"{target}: {values.text(values.of_mean(best.mean_points))}")


def _print_tables(work: Tuning, trials: list[PoolTrial], values: Values) -> None:
    """Print the changes that were better, and the pools, with a picture of these."""
    from gpulingo.tuning.tuner import picture

    def cells(trial: Trial | PoolTrial) -> dict[str, str]:
        return values.brief_cells(values.of_mean(trial.mean_points)) | {"seconds": f"{trial.seconds:.2f}"}

    print(f"{len(work.trials) - 1} changes tried; those that were better:")
    better = [
        {"number": f"{trial.number}", "change": trial.change, "opening": trial.opening, **cells(trial)}
        for trial in work.trials
        if trial.kept
    ]
    print_rows(better, left=["change", "opening"])
    if trials:
        print("\npools: words that are searched, beside the candidates of each set")
        measured = [
            {"rule": pool.rule, "words": f"{pool.words:,}", **cells(pool)}
            | {"million pairs": f"{pool.pairs / 1e6:,.1f}"}
            for pool in trials
        ]
        print_rows(measured, left=["rule"])
        print(f"\n{picture(trials, values)}\n")

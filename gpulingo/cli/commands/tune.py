"""`gpulingo tune`: fit values to a list, measure guess pools, write the values of `--strategy tuned`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from gpulingo.cli import options
from gpulingo.cli.checkpoints import FOLDER, check_same, tell_better_values
from gpulingo.cli.errors import WrongUsage, need_report, tell, wrong_usage
from gpulingo.cli.games import check_marks, check_words_guessed, chosen_game
from gpulingo.cli.lists import Source, found_sources, read_files
from gpulingo.cli.options import option
from gpulingo.cli.parse import between, parsed_lengths, parsed_numbers
from gpulingo.cli.plan import executor_at
from gpulingo.cli.plan import work as weight
from gpulingo.cli.run import Run, check_destination, make_folder, put_work_aside
from gpulingo.report.values import Values
from gpulingo.storage.printed import line_of
from gpulingo.tensors.clock import clock

if TYPE_CHECKING:
    from gpulingo.games.game import Game
    from gpulingo.machines.plays import TunedList
    from gpulingo.strategies.tuned import Tuned
    from gpulingo.tuning.tuner import PoolTrial, Tuning


WORK = ".work.json"  # next to the values, while work is left


@options.group
class TuneOptions:
    """Options of `gpulingo tune` as given."""

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


@options.group
class TuneTask(TuneOptions):
    """A list to tune in a run; no change begins after the run's time."""

    source: Source
    game: Game
    sizes: list[int]  # of the pools to measure
    run: Run

    @property
    def target(self) -> Path:
        from gpulingo.strategies.tuned import tuned_name

        words = self.source.wordlist
        return self.out or FOLDER / tuned_name(words.length, words.fingerprint, self.game.turns)

    @property
    def file(self) -> Path:
        """The file of the work; `--resume FILE` may name another."""
        return Path(self.resume) if self.resume else self.target.parent / f"{self.target.stem}{WORK}"

    def listed(self, device: str) -> TunedList:
        from gpulingo.machines.plays import TunedList

        words = self.source.wordlist
        return TunedList(words, words.fingerprint, self.game.turns, self.seed, device, self.memory)

    def resumed(self) -> Tuning | None:
        """The work to continue, if any."""
        from gpulingo.tuning.tuner import read_tuning

        if self.resume is None or not self.file.exists():
            return None
        words, turns = self.source.wordlist, self.game.turns
        with wrong_usage("--resume"):
            work = read_tuning(self.file)
        ours = {"fingerprint": words.fingerprint, "turns": turns, "seed": self.seed}
        for name, value in ours.items():
            if (theirs := getattr(work.best, name)) != value:
                seen = f"{self.file} is of {name} {theirs}"
                raise WrongUsage(f"--resume: {seen}, not {value}: name another file")
        return work


@dataclass
class TuneOutcome:
    """A tuning so far: its work and the measured pools."""

    task: TuneTask
    begun: Tuning | None  # the work to continue
    work: Tuning | None = None
    pools: dict[int, PoolTrial] = field(default_factory=dict)  # measured pools, by number
    started: float = field(default_factory=clock)

    @property
    def trials(self) -> list[PoolTrial]:
        return [self.pools[number] for number in sorted(self.pools)]

    @property
    def tried(self) -> int:
        work = self.work or self.begun
        return 0 if work is None else len(work.trials)

    @property
    def progress(self) -> tuple[float, float]:
        """Return the work done, and an estimate of the total."""
        from gpulingo.strategies.objectives import RULES

        task, words = self.task, self.task.source.wordlist
        before, tried = len(self.begun.trials) if self.begun else 0, self.tried
        rest = float(max(0, task.iterations + 1 - tried))
        if task.run.ends < math.inf and tried > before:
            rest = min(rest, max(0.0, task.run.ends - clock()) * (tried - before) / (clock() - self.started))
        pools = 1 + len(RULES) * sum(size < len(words) for size in task.sizes)  # each takes about one play
        return weight(words) * (tried + len(self.pools)), weight(words) * (tried + rest + pools)


def worked(tasks: Sequence[TuneTask], run: Run) -> list[TuneOutcome]:
    """Tune to lists until done or Ctrl-C, storing the work in its files."""
    outcomes: list[TuneOutcome] = []
    with run.working() as bar:  # torch is imported here
        bar.ends = math.inf  # pools are measured after the time is over
        from gpulingo.machines.plays import tunings
        from gpulingo.tensors.device import find_device
        from gpulingo.tuning.tuner import Tuning, write_tuning

        outcomes += [TuneOutcome(task, task.resumed()) for task in tasks]
        task = tasks[0]
        device = task.device
        if task.ray is None:
            with wrong_usage("--device"):
                device = str(find_device(device))

        def often() -> None:
            run.noted()
            bar.advance(0)

        with executor_at(task.ray, device, often) as (executor, place):
            run.noted()
            lists = [(outcome.task.listed(place.device), outcome.begun) for outcome in outcomes]
            done, total = map(sum, zip(*(outcome.progress for outcome in outcomes), strict=True))
            bar.begin(total, done)
            for (number, pool), result in tunings(
                executor, lists, task.sizes, iterations=task.iterations, gpus=place.gpus, ends=run.ends,
                check=often,
            ):  # fmt: skip
                outcome = outcomes[number]
                if isinstance(result, Tuning):
                    outcome.work, text = result, f"{len(result.trials) - 1:,} changes"
                    write_tuning(result, outcome.task.file)
                elif pool is not None:
                    outcome.pools[pool], text = result, f"{len(outcome.pools) + 1} pools"
                done, bar.total = map(sum, zip(*(outcome.progress for outcome in outcomes), strict=True))
                bar.reach(done, text)
    return outcomes


TUNED = rb'\{\s*"format": "gpulingo values"'


def tune(
    lengths: str = options.LENGTHS,
    *,
    listed: options.Listed,
    game: str = options.GAME,
    turns: int | None = options.turns_option(3),
    asked: TuneOptions,
    as_json: bool = options.JSON,
) -> None:
    """Fit a strategy's parameters to a word list."""
    run = Run("tune", asked.time)
    with wrong_usage("--pools"):
        sizes = [] if asked.pools == "none" else parsed_numbers(asked.pools, "size", 1, 1 << 26)
    rules = chosen_game(game, turns, least=3, instead="with fewer `parts` is exact")
    check_words_guessed(rules, "nothing is tuned there, use `gpulingo solve`")
    check_marks(rules, "`tune`")
    with wrong_usage("--length"):
        numbers = parsed_lengths(lengths)
    for name in ("resume", "out", "picture"):
        if getattr(asked, name) and len(numbers) > 1:
            raise WrongUsage(f"--{name} with {len(numbers)} lengths, but it names one file: give one length")
    sources = found_sources(numbers, listed.wordlist, listed.targets, rules)
    tasks = [TuneTask(**vars(asked), source=source, game=rules, sizes=sizes, run=run) for source in sources]
    for task in tasks:
        _check_files(task)
        if task.resume is None:
            put_work_aside(task.file, WORK, "tuning")
    for some in [[task] for task in tasks] if asked.ray is None else [tasks]:
        outcomes = [outcome for outcome in worked(some, run) if outcome.work is not None]
        if not outcomes:
            raise KeyboardInterrupt
        for outcome in outcomes:
            _finish(outcome, as_json=as_json)
            if not (run.interrupted or asked.resume):
                outcome.task.file.unlink(missing_ok=True)
        changes = sum(outcome.tried - 1 for outcome in outcomes)
        files = ", ".join(str(outcome.task.file) for outcome in outcomes)
        has = f"{files} {'has' if len(outcomes) == 1 else 'have'} them"
        again = f"--resume {asked.resume or ''}".rstrip()
        run.finish(f"after {changes} changes; {has}, {again} continues")


def _finish(outcome: TuneOutcome, *, as_json: bool) -> None:
    task, work, trials = outcome.task, outcome.work, outcome.trials
    assert work is not None
    words = task.source.wordlist
    values = Values(task.game, words.target_count)
    best = _written(task, work, trials, values)
    tell_better_values(task.target, best, words, values)
    if as_json:
        for change in work.trials:
            print(line_of("tune", asdict(change)))
        for trial in trials:
            print(line_of("tune", asdict(trial) | {"pool": trial.rule}))
        pool = {"rule": None if best.pool.words is None else best.pool.rule, "words": best.pool.words}
        entry = {"file": str(task.target), "mean_points": best.mean_points, "opening": words[best.opening]}
        print(line_of("tune", entry | pool))
    else:
        _print_tables(work, trials, values)
        print(f"{task.target}: {values.text(values.of_mean(best.mean_points))}")


def _check_files(task: TuneTask) -> None:
    target, picture, words = task.target, task.picture, task.source.wordlist
    if picture:
        need_report()
    if task.out is None:
        make_folder(target.parent)
    written = [path for path in (target, task.file, picture) if path]
    if len(set(written)) < len(written):
        raise WrongUsage("--resume, --out and --picture name one file twice: name different files")
    for path, form in ((target, TUNED if task.out else b""), (task.file, b""), (picture, b"<svg ")):
        if path:
            check_destination(path, read_files([task.source]), form)
    check_same(target, _standing_values(target), words, task.game, change="name another with --out")


def _standing_values(path: Path) -> Tuned | None:
    from gpulingo.strategies.tuned import read_tuned

    try:
        return read_tuned(path) if path.exists() else None
    except ValueError:
        return None


def _written(task: TuneTask, work: Tuning, trials: list[PoolTrial], values: Values) -> Tuned:
    """Write the best values, unless the file has better ones, and the picture; return the file's values."""
    from gpulingo.storage.files import replace_file
    from gpulingo.strategies.tuned import write_tuned
    from gpulingo.tuning.tuner import best_pool, picture_svg

    best = best_pool(work.best, trials) if trials else work.best
    if task.picture and trials:
        replace_file(str(task.picture), picture_svg(best, trials, values).encode())
    before = _standing_values(task.target)
    if before is not None and before.mean_points > best.mean_points:
        had, found = map(values.of_mean, (before.mean_points, best.mean_points))
        less = f"{values.unit.better} than the {values.beside(found)} that were found"
        tell(f"{task.target} has {values.text(had)}, {less}: its values stay")
        return before
    write_tuned(best, task.target)
    return best


def _print_tables(work: Tuning, trials: list[PoolTrial], values: Values) -> None:
    """Print tables of the improving changes and of the pools, and a picture of these."""
    from gpulingo.cli.tables import print_table
    from gpulingo.tuning.tuner import picture

    def means(mean_points: float) -> dict[str, str]:
        return values.brief_cells(values.of_mean(mean_points))

    print(f"{len(work.trials) - 1} changes tried; those that were better:")
    rows = [[str(trial.number), trial.change, trial.opening, *means(trial.mean_points).values(),
             f"{trial.seconds:.2f}"] for trial in work.trials if trial.kept]  # fmt: skip
    print_table(["number", "change", "opening", *means(0), "seconds"], rows, left=["change", "opening"])
    if trials:
        print("\npools: words that are searched, beside the candidates of each set")
        rows = [[pool.rule, f"{pool.words:,}", *means(pool.mean_points).values(),
                 f"{pool.seconds:.2f}", f"{pool.pairs / 1e6:,.1f}"] for pool in trials]  # fmt: skip
        print_table(["rule", "words", *means(0), "seconds", "million pairs"], rows, left=["rule"])
        print(f"\n{picture(trials, values)}\n")

"""`gpulingo tune`: fit values to a list, measure guess pools, write what `--strategy tuned` uses."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpulingo.cli import options
from gpulingo.cli.checkpoints import FOLDER, check_same, tell_better_values
from gpulingo.cli.errors import Interrupted, WrongUsage, need_report, tell, wrong_usage
from gpulingo.cli.games import check_marks, check_words_guessed, chosen_game
from gpulingo.cli.limits import end_of, interrupted_by_sigterm, late_interrupt
from gpulingo.cli.lists import Source, found_sources, read_files
from gpulingo.cli.machines import cluster_at
from gpulingo.cli.options import option
from gpulingo.cli.outputs import check_destination, make_folder, put_work_aside
from gpulingo.cli.parse import between, parsed_lengths, parsed_numbers
from gpulingo.cli.plan import work as weight
from gpulingo.cli.progress import Bar, total_bar
from gpulingo.report.values import Values, shown
from gpulingo.storage.printed import line_of
from gpulingo.tensors.clock import TimeIsUp, clock

if TYPE_CHECKING:
    from gpulingo.games.game import Game
    from gpulingo.strategies.tuned import Tuned
    from gpulingo.tuning.pool_cost import PoolTrial
    from gpulingo.tuning.tuner import Check, Tuner, Tuning


WORK = ".work.json"  # beside the values, while there is work


@options.group
class TuneOptions:
    """Options of `gpulingo tune`, as the user wrote them."""

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
class Task(TuneOptions):
    """A list to tune.

    Attributes:
        sizes: of the pools to measure. ends: when no further change begins.
    """

    source: Source
    game: Game
    sizes: list[int]
    ends: float

    @property
    def target(self) -> Path:
        from gpulingo.strategies.tuned import tuned_name

        words = self.source.wordlist
        return self.out or FOLDER / tuned_name(words.length, words.fingerprint, self.game.turns)

    @property
    def file(self) -> Path:
        """The file of the work; `--resume FILE` may name another."""
        return Path(self.resume) if self.resume else self.target.parent / f"{self.target.stem}{WORK}"

    def begun(self, check: Check) -> tuple[Tuner, Tuning]:
        from gpulingo.tensors.device import find_device
        from gpulingo.tuning.tuner import Tuner

        check()  # torch is in
        with wrong_usage("--device"):
            device = find_device(self.device)
        words, turns = self.source.wordlist, self.game.turns
        tuner = Tuner(words, turns, self.seed, device=device, memory=self.memory)
        return tuner, self.resumed() or tuner.begun(check)

    def resumed(self) -> Tuning | None:
        """The work to continue, if there is any."""
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
class Outcome:
    """The outcome of a tuning: the work, the measured pools, and whether that is all."""

    work: Tuning
    trials: list[PoolTrial]
    whole: bool


def worked(task: Task) -> Outcome:
    """Tune, keeping the work in its file, then measure the pools; as far as Ctrl-C let them come."""
    work: Tuning | None = None
    trials: list[PoolTrial] = []
    try:
        with interrupted_by_sigterm(), late_interrupt() as check, total_bar("tune", None) as bar:
            from gpulingo.strategies.ranking import RULES
            from gpulingo.tuning.tuner import write_tuning

            tuner, begun = task.begun(check)
            pools = 1 + len(RULES) * sum(size < len(tuner.wordlist) for size in task.sizes)
            for work in _works(task, tuner, begun, bar, check=check, pools=pools):
                write_tuning(work, task.file)
            assert work is not None
            bar.total = bar.done + pools
            for trial in _pools(tuner, work.best, task.sizes, bar, check=check):
                trials.append(trial)
    except KeyboardInterrupt:
        if work is None:
            raise
        return Outcome(work, trials, False)
    return Outcome(work, trials, True)


def _works(task: Task, tuner: Tuner, work: Tuning, bar: Bar, *, check: Check, pools: int) -> Iterator[Tuning]:
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
            work = tuner.after(work, often, task.iterations + 1 - done)
        except TimeIsUp:
            break


def _pools(tuner: Tuner, tuned: Tuned, sizes: list[int], bar: Bar, *, check: Check) -> Iterator[PoolTrial]:
    from gpulingo.tuning.pool_cost import pool_trials

    measured = 0

    def often() -> None:
        check()
        bar.advance(0, f"{measured} pools")

    for trial in pool_trials(tuner.wordlist, tuned, sizes, device=tuner.device, check=often):
        measured += 1
        bar.advance()
        yield trial


@dataclass
class _Shared:
    """One list of several that a cluster tunes to: what is known of it by now."""

    task: Task
    work: Tuning | None = None
    trials: dict[int, PoolTrial] = field(default_factory=dict)

    @property
    def tried(self) -> int:
        return 0 if self.work is None else len(self.work.trials)

    @property
    def unit(self) -> float:
        """The share of one play of the list in the whole work."""
        return weight(self.task.source.wordlist)

    @property
    def plays(self) -> int:
        """The number of plays of the list."""
        from gpulingo.strategies.ranking import RULES

        words = len(self.task.source.wordlist)
        return self.task.iterations + 2 + len(RULES) * sum(size < words for size in self.task.sizes)


def worked_on_ray(tasks: Sequence[Task], address: str) -> list[Outcome | None]:
    """Tune to lists as tasks of a cluster; None for a list of which there was nothing yet at Ctrl-C."""
    lists, whole = [_Shared(task) for task in tasks], True
    try:
        with interrupted_by_sigterm(), late_interrupt() as check:
            _tune_on(address, lists, check)
    except KeyboardInterrupt:
        whole = False
    return [
        Outcome(shared.work, [shared.trials[number] for number in sorted(shared.trials)], whole)
        if shared.work is not None
        else None
        for shared in lists
    ]


def _tune_on(address: str, lists: Sequence[_Shared], check: Check) -> None:
    """Work until all is done, noting what is known."""
    from gpulingo.machines.plays import place_of
    from gpulingo.machines.tunings import TunedList, tunings
    from gpulingo.tuning.tuner import Tuning, write_tuning

    task = lists[0].task
    begun = [shared.task.resumed() for shared in lists]
    total = sum(shared.unit * shared.plays for shared in lists)
    with cluster_at(address) as cluster, total_bar("tune", total) as bar:
        with wrong_usage("--device"):
            place = place_of(task.device, cluster)

        def often() -> None:
            check()
            bar.advance(0)

        tuned = [
            TunedList(shared.task.source.wordlist, task.game.turns, task.seed, place.device, task.memory)
            for shared in lists
        ]
        for (number, pool), result in tunings(
            cluster, list(zip(tuned, begun, strict=True)), task.sizes,
            iterations=task.iterations, place=place, ends=task.ends, check=often,
        ):  # fmt: skip
            shared = lists[number]
            if isinstance(result, Tuning):
                before = 0 if shared.work is None else len(shared.work.trials)
                shared.work = result
                write_tuning(result, shared.task.file)
                bar.advance(
                    shared.unit * (len(result.trials) - before), f"{len(result.trials) - 1:,} changes"
                )
            elif pool is not None:
                shared.trials[pool] = result
                bar.advance(shared.unit, f"{len(shared.trials)} pools")


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
    ends = end_of(asked.time)
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
    tasks = [Task(**vars(asked), source=source, game=rules, sizes=sizes, ends=ends) for source in sources]
    for task in tasks:
        _check_files(task)
        if task.resume is None:
            put_work_aside(task.file, WORK, "tuning")
    cut: list[tuple[Path, Outcome]] = []
    for task, outcome in zip(tasks, _outcomes(tasks, asked.ray), strict=False):
        if outcome is None:
            continue
        _finish(task, outcome, as_json=as_json)
        if not outcome.whole:
            cut.append((task.file, outcome))
            if asked.ray is None:
                break
        elif not asked.resume:
            task.file.unlink(missing_ok=True)
    if cut:
        changes = sum(len(outcome.work.trials) - 1 for _, outcome in cut)
        files = ", ".join(str(file) for file, _ in cut)
        has = f"{files} {'has' if len(cut) == 1 else 'have'} them"
        again = f"--resume {asked.resume or ''}".rstrip()
        raise Interrupted(f"interrupted after {changes} changes; {has}, {again} continues")


def _outcomes(tasks: Sequence[Task], ray: str | None) -> Iterator[Outcome | None]:
    if ray is None:
        yield from map(worked, tasks)
        return
    found = worked_on_ray(tasks, ray)
    if not any(found):
        raise KeyboardInterrupt
    yield from found


def _finish(task: Task, outcome: Outcome, *, as_json: bool) -> None:
    work, trials, words, target = outcome.work, outcome.trials, task.source.wordlist, task.target
    values = shown(task.game, words.target_count)
    best = _written(work, trials, target, task.picture, values=values)
    tell_better_values(target, best, words, values)
    if as_json:
        _print_json(work, trials, best, {"file": str(target), "opening": words[best.opening]})
    else:
        _print_tables(work, trials, values)
        print(f"{target}: {values.text(best.mean_points)}")


def _check_files(task: Task) -> None:
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
    from gpulingo.strategies.tuned import TunedError, read_tuned

    try:
        return read_tuned(path) if path.exists() else None
    except TunedError:
        return None


def _written(
    work: Tuning, trials: list[PoolTrial], target: Path, picture: Path | None, *, values: Values
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
    for change in work.trials:
        print(line_of("tune", asdict(change)))
    for trial in trials:
        print(line_of("tune", asdict(trial) | {"pool": trial.rule}))
    rule = None if best.pool.words is None else best.pool.rule
    values = {"mean_points": best.mean_points, "opening": result["opening"], "rule": rule}
    print(line_of("tune", {"file": result["file"], **values, "words": best.pool.words}))


def _print_tables(work: Tuning, trials: list[PoolTrial], values: Values) -> None:
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

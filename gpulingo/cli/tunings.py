"""`gpulingo tune`: on one list in this process, or on several as tasks of a cluster."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from gpulingo.cli import options
from gpulingo.cli.checkpoints import FOLDER
from gpulingo.cli.errors import WrongUsage, wrong_usage
from gpulingo.cli.lists import Source
from gpulingo.cli.machines import cluster_at
from gpulingo.cli.options import option
from gpulingo.cli.parse import between
from gpulingo.cli.progress import Bar, total_bar
from gpulingo.cli.signals import interrupted_by_sigterm, late_interrupt
from gpulingo.cli.simulations import work as weight
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
        """The file of the values."""
        from gpulingo.strategies.tuned import tuned_name

        words = self.source.wordlist
        return self.out or FOLDER / tuned_name(words.length, words.fingerprint, self.game.turns)

    @property
    def file(self) -> Path:
        """The file of the work; `--resume FILE` may name another."""
        return Path(self.resume) if self.resume else self.target.parent / f"{self.target.stem}{WORK}"

    def begun(self, check: Check) -> tuple[Tuner, Tuning]:
        """The tuner and the work so far.

        Raises:
            WrongUsage: there is no such device, or the work is damaged or of another list, turns or seed.
        """
        from gpulingo.tensors.device import find_device
        from gpulingo.tuning.tuner import Tuner

        check()  # torch is in
        with wrong_usage("--device"):
            device = find_device(self.device)
        words, turns = self.source.wordlist, self.game.turns
        tuner = Tuner(words, turns, self.seed, device=device, memory=self.memory)
        return tuner, self.resumed() or tuner.begun(check)

    def resumed(self) -> Tuning | None:
        """The work to continue, if there is any.

        Raises:
            WrongUsage: it is damaged, or of another list, turns or seed.
        """
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
    """Tune, keeping the work in its file, then measure the pools; as far as Ctrl-C let them come.

    Raises:
        KeyboardInterrupt: Ctrl-C came before there was any work.
    """
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


@dataclass
class _Shared:
    """One list of several that a cluster tunes to: what is known of it by now."""

    task: Task
    work: Tuning | None = None
    trials: dict[int, PoolTrial] = field(default_factory=dict)

    @property
    def tried(self) -> int:
        """Trials by now."""
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
    """Tune to lists as tasks of a cluster, keeping the work of each in its file.

    Args:
        tasks: of one command: the lists differ, and nothing else does.
    Returns:
        What came of each, by Ctrl-C cut short; None where there was nothing yet.
    Raises:
        WrongUsage: see `Task.begun`. ClusterError: there is no cluster.
    """
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

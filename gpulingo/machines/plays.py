"""Plays of strategies over lists, and tunings, as tasks of an executor: a cluster, or this process.

Torch is imported only on a GPU, or for a user's strategy.
"""

from __future__ import annotations

import contextlib
import math
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import count
from typing import TYPE_CHECKING, Any

from gpulingo.games.game import Game
from gpulingo.machines.ray_tasks import Cluster, K, Task
from gpulingo.report.results import processor
from gpulingo.storage.faults import refuse
from gpulingo.strategies.simulation import Build, Simulation, TreeReplay, stored_simulation
from gpulingo.tensors.arrays import Device
from gpulingo.tensors.clock import TimeIsUp, clock
from gpulingo.words.wordlist import WordList

if TYPE_CHECKING:
    from gpulingo.strategies.strategy import Strategy
    from gpulingo.tuning.tuner import PoolTrial, TunedList, Tuning

SLICE = 5.0  # seconds of changes per task of a cluster, at least one change; a lost node loses as much
Key = tuple[int, int | None]  # number of a tuned list, and of a pool


def device_at(cluster: Cluster, device: str) -> str:
    """Return the device of tasks on any node, for one as a user writes it; auto: GPUs, if there are some."""
    from gpulingo.tensors.device import DeviceError, find_device

    kind, _, number = device.partition(":")
    on_gpus = kind == "cuda"
    refuse({
        f"device {device!r} on a cluster, whose nodes share their GPUs out: use cuda": on_gpus and number,
        f"device {device!r}, but no node of the cluster has a GPU: use cpu": on_gpus and not cluster.gpus,
    }, DeviceError)  # fmt: skip
    if on_gpus or (device == "auto" and cluster.gpus):
        return "cuda"
    return str(find_device("cpu" if device == "auto" else device))


@dataclass(frozen=True)
class LocalTasks:
    """This process as an executor: it runs one task after the other; `report` gets the progress of each."""

    report: Callable[..., None]

    def keep(self, thing: object) -> Any:
        return thing

    def results(
        self, tasks: Iterable[tuple[K, Task] | None], check: Callable[[], None]
    ) -> Iterator[tuple[K, Any]]:
        """See `Cluster.results`; instead of `check` the tasks call `report`."""
        for following in tasks:
            if following is None:
                return
            key, task = following
            yield key, task.function(*task.arguments, report=self.report)


Executor = Cluster | LocalTasks


def work(wordlist: WordList) -> float:
    """Return the work of a list, for a bar: its pairs of words, because the first turn evaluates all."""
    return float(len(wordlist)) * wordlist.target_count


def played(
    wordlist: WordList,
    strategy: Strategy,
    game: Game,
    opening: Sequence[str] | None,
    device: str,
    report: Callable[[float, str], None] | None = None,
) -> tuple[Build, Device, str]:
    """Play a strategy over a list: return the simulation without the list, which the caller has."""
    if isinstance(strategy, TreeReplay):
        done = replace(stored_simulation(wordlist, strategy.tree, game), device=device)
    else:
        from gpulingo.strategies.build import simulate

        done = simulate(wordlist, strategy, game, opening=opening, device=device, progress=report)
    build = replace(done.build, processor=processor(str(done.device)))
    return build, done.device, done.strategy


def simulations(
    executor: Executor,
    plays: Sequence[tuple[WordList, Strategy]],
    game: Game,
    opening: Sequence[str] | None,
    *,
    device: str,
    check: Callable[[], None],
) -> Iterator[Simulation]:
    """Play strategies over lists, and yield each when done; an error that `check` raises ends the work."""
    keep = cache(executor.keep)

    def tasks() -> Iterator[tuple[int, Task]]:
        for number, (wordlist, strategy) in enumerate(plays):
            home, _, function = strategy.name.partition(":")
            if function and isinstance(executor, Cluster) and home in sys.modules:
                executor.ship(sys.modules[home])
            arguments = (keep(wordlist), strategy, game, opening, device)
            yield number, Task(played, arguments, device)

    for number, (build, device, name) in executor.results(tasks(), check):
        yield Simulation(plays[number][0], build, device, name)


def changed(
    of: TunedList,
    work: Tuning | None,
    iterations: int,
    left: float,
    seconds: float,
    report: Callable[[], None] = lambda: None,
) -> Tuning:
    """Return the work after some more changes; without earlier work, after the first trial.

    There is a limit of changes, and of `left` seconds; after `seconds` no further change begins.
    """
    from gpulingo.tuning.tuner import tuner_of

    tuner, ends = tuner_of(of), clock() + left
    if work is None:
        return tuner.begun(report)

    def check() -> None:
        report()
        if clock() > ends:
            raise TimeIsUp

    until = clock() + seconds
    with contextlib.suppress(TimeIsUp):
        while len(work.trials) <= iterations:
            check()
            work = tuner.after(work, check, iterations + 1 - len(work.trials))
            if clock() > until:
                break
    return work


@dataclass
class TuningTask:
    """A list that is tuned to, with earlier work, and how far that is."""

    of: TunedList
    begun: Tuning | None
    work: Tuning | None = None  # after more changes
    pools: dict[int, PoolTrial] = field(default_factory=dict)  # measured, by number
    started: float = field(default_factory=clock)

    @property
    def tried(self) -> int:
        """Number of trials so far, with those of earlier work."""
        work = self.work or self.begun
        return 0 if work is None else len(work.trials)


def amounts(
    tasks: Iterable[TuningTask], iterations: int, sizes: Sequence[int], ends: float
) -> tuple[float, float]:
    """Return the work of tasks that is done, and an estimate of all of it; see `tunings`."""
    from gpulingo.strategies.objectives import RULES

    done = total = 0.0
    for task in tasks:
        words, now = task.of.wordlist, task.tried - (len(task.begun.trials) if task.begun else 0)
        rest, play = float(max(0, iterations + 1 - task.tried)), work(words)
        if ends < math.inf and now > 0:
            rest = min(rest, max(0.0, ends - clock()) * now / (clock() - task.started))
        pools = 1 + len(RULES) * sum(size < len(words) for size in sizes)  # each about one play
        done += play * (task.tried + len(task.pools))
        total += play * (task.tried + rest + pools)
    return done, total


def tunings(
    executor: Executor, tasks: Sequence[TuningTask], iterations: int, sizes: Sequence[int], ends: float, *,
    check: Callable[[], None],
) -> Iterator[tuple[int, str]]:  # fmt: skip
    """Tune to lists: some changes each, in turn, then each pool separately.

    `sizes` are words of the pools to measure after the changes; no change begins after `ends`. Yields the
    number of a task after each of its results, and the changes, or pools, so far.
    """
    from gpulingo.tuning.tuner import Tuning, pool_trial, pools_of

    kept = [executor.keep(task.of) for task in tasks]
    seconds = SLICE if isinstance(executor, Cluster) else 0.0

    def changes(number: int) -> tuple[Key, Task]:
        task, left = tasks[number], max(0.0, ends - clock())
        arguments = (kept[number], task.work or task.begun, iterations, left, seconds)
        return (number, None), Task(changed, arguments, task.of.device)

    def after(number: int, work: Tuning) -> list[tuple[Key, Task]]:
        if len(work.trials) <= iterations and clock() < ends:
            return [changes(number)]
        pools, device = pools_of(work.best, sizes), tasks[number].of.device
        played = [(pools[-1], pools[0]), *((pool,) for pool in pools[1:])]  # kernels are loaded by the first
        given = [(kept[number], work.best, *some) for some in played]
        return [((number, index), Task(pool_trial, some, device)) for index, some in enumerate(given)]

    ready = deque(changes(number) for number in range(len(tasks)))
    coming = (ready.popleft() if ready else None for _ in count())
    for (number, pool), result in executor.results(coming, check):
        task = tasks[number]
        if isinstance(result, Tuning):
            task.work, text = result, f"{len(result.trials) - 1:,} changes"
            ready.extendleft(reversed(after(number, result)))
        elif pool is not None:
            task.pools[pool], text = result, f"{len(task.pools) + 1} pools"
        yield number, text

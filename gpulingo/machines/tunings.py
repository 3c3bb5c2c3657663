"""Tunings of several lists as tasks: some changes each, one after the other, then each pool by itself."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from gpulingo.machines.plays import Place
from gpulingo.machines.ray_tasks import Cluster, Task
from gpulingo.strategies.ranking import Pool
from gpulingo.strategies.tuned import Tuned
from gpulingo.tensors.clock import TimeIsUp, clock
from gpulingo.tuning.pool_cost import PoolTrial, pool_trial, pools_of
from gpulingo.tuning.tuner import Tuner, Tuning
from gpulingo.words.wordlist import WordList

SLICE = 5.0  # seconds of changes that a task tries, one at least; what a lost node costs
Key = tuple[int, int | None]  # number of the list, and of the pool


@dataclass(frozen=True, eq=False)
class TunedList:
    """A list to tune to; two of the same words and settings are equal.

    Attributes:
        wordlist, turns, seed, memory: see `Tuner`.
        device: where.
    """

    wordlist: WordList
    turns: int
    seed: int
    device: str
    memory: int

    @property
    def key(self) -> tuple[object, ...]:
        """All that it is."""
        return self.wordlist.fingerprint, self.turns, self.seed, self.device, self.memory

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TunedList) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)


@lru_cache(maxsize=1)  # it remembers sets from change to change
def tuner_of(of: TunedList) -> Tuner:
    """Return the tuner that a process of a node reuses from task to task."""
    return Tuner(of.wordlist, of.turns, of.seed, device=of.device, memory=of.memory)


def changed(of: TunedList, work: Tuning | None, iterations: int, left: float) -> Tuning:
    """Return the work after some changes more.

    Args:
        of: what is tuned to. work: so far; None: nothing, and only the first trial is made.
        iterations: changes that there are to be at most. left: seconds that there are.
    """
    tuner, ends = tuner_of(of), clock() + left
    if work is None:
        return tuner.begun()

    def check() -> None:
        if clock() > ends:
            raise TimeIsUp

    until = min(ends, clock() + SLICE)
    try:
        while len(work.trials) <= iterations:
            work = tuner.after(work, check, iterations + 1 - len(work.trials))
            if clock() > until:
                break
    except TimeIsUp:
        pass
    return work


def measured(of: TunedList, tuned: Tuned, pool: Pool) -> PoolTrial:
    """Measure the result and the time of a pool on this node."""
    return pool_trial(of.wordlist, tuned, pool, of.device)


def tunings(
    cluster: Cluster,
    lists: Sequence[tuple[TunedList, Tuning | None]],
    sizes: Sequence[int],
    *,
    iterations: int,
    place: Place,
    ends: float = math.inf,
    check: Callable[[], None] = lambda: None,
) -> Iterator[tuple[Key, Tuning | PoolTrial]]:
    """Tune to lists, as tasks.

    Args:
        cluster: to run them.
        lists: each with the work to continue, or None.
        sizes: words of the pools to measure after the changes.
        iterations: changes to try.
        place: where.
        ends: when no further change begins.
        check: called often; what it raises ends the work.
    Yields:
        The number of a list, and its work after more changes with None, or a pool that was measured with its
            number.
    """
    kept = [cluster.keep(of) for of, _ in lists]

    def changes(number: int, work: Tuning | None) -> tuple[Key, Task]:
        left = max(0.0, ends - clock())
        return (number, None), Task(changed, (kept[number], work, iterations, left), place.gpus)

    def then(key: Key, result: Tuning | PoolTrial) -> Iterator[tuple[Key, Task]]:
        number = key[0]
        if not isinstance(result, Tuning):
            return
        if len(result.trials) <= iterations and clock() < ends:
            yield changes(number, result)
            return
        for index, pool in enumerate(pools_of(result.best, sizes)):
            yield (number, index), Task(measured, (kept[number], result.best, pool), place.gpus)

    first = [changes(number, work) for number, (_, work) in enumerate(lists)]
    yield from cluster.results(first, check, then)

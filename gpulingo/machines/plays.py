"""Strategies played over whole lists as tasks: a list and a strategy each."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gpulingo.games.game import Game
from gpulingo.machines.ray_tasks import Cluster, Task
from gpulingo.report.results import processor
from gpulingo.strategies.build import simulate
from gpulingo.strategies.simulation import Build, Simulation
from gpulingo.strategies.strategy import Strategy
from gpulingo.tensors.device import DeviceError, find_device
from gpulingo.words.wordlist import WordList


@dataclass(frozen=True)
class Place:
    """Device of tasks.

    Attributes:
        device: cpu or cuda, on whatever node.
        gpus: that a task needs.
    """

    device: str
    gpus: int


def place_of(device: str, cluster: Cluster) -> Place:
    """Return the place of tasks for a device as the user wrote it; auto: GPUs, where the cluster has any.

    Raises:
        DeviceError: there is no such device, no node has a GPU, or it names one of several.
    """
    kind, _, number = device.partition(":")
    if kind == "cuda" and number:
        raise DeviceError(f"device {device!r} on a cluster, whose nodes share their GPUs out: use cuda")
    if kind == "cuda" and not cluster.gpus:
        raise DeviceError(f"device {device!r}, but no node of the cluster has a GPU: use cpu")
    if kind == "cuda" or (device == "auto" and cluster.gpus):
        return Place("cuda", 1)
    return Place(str(find_device("cpu" if device == "auto" else device)), 0)


def played(
    wordlist: WordList, strategy: Strategy, game: Game, opening: str | None, device: str
) -> tuple[Build, Any, str]:
    """Play a strategy over a list on this node.

    Returns:
        Of the simulation all but the list, which who asked has.
    """
    done = simulate(wordlist, strategy, game, opening=opening, device=device)
    build = replace(done.build, processor=processor(str(done.device)))
    return build, done.device, done.strategy


def simulations(
    cluster: Cluster,
    plays: Sequence[tuple[WordList, Strategy]],
    game: Game,
    opening: str | None,
    *,
    place: Place,
    check: Callable[[], None],
) -> Iterator[tuple[int, Simulation]]:
    """Play strategies over lists, as tasks.

    Args:
        cluster: to run them.
        plays: the list and the strategy of each.
        game, opening: see `build.simulate`.
        place: where.
        check: called often; what it raises ends the work.
    Yields:
        The number of the play and what came of it, as they are done.
    """
    kept: dict[int, Any] = {}
    tasks = []
    for number, (wordlist, strategy) in enumerate(plays):
        if id(wordlist) not in kept:
            kept[id(wordlist)] = cluster.keep(wordlist)
        if ":" in strategy.name and (module := sys.modules.get(strategy.name.partition(":")[0])):
            cluster.ship(module)
        arguments = (kept[id(wordlist)], strategy, game, opening, place.device)
        tasks.append((number, Task(played, arguments, place.gpus)))
    for number, (build, device, name) in cluster.results(tasks, check):
        yield number, Simulation(plays[number][0], build, device, name)

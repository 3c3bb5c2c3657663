"""The best guess of every set, by a search of every guess that ends when its time is over."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import torch

from gpulingo.strategies.strategy import Choice, Position
from gpulingo.tensors.backend import ValueSearch
from gpulingo.tensors.clock import clock
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Progress

AGAIN = 0.02  # seconds after which a search that goes on is stopped again


class OutOfTime(RuntimeError):
    """A search to the end was cut short."""


@dataclass(frozen=True)
class Perfect:
    """The best guess of every set, by a search of every guess.

    Attributes:
        search: of values. ends: when it is over, as `clock` has it. name: of the strategy.
    """

    search: ValueSearch
    ends: float
    name: str = "search"

    def choose(self, position: Position, progress: Progress | None = None) -> Choice:
        """Guesses of all sets.

        Raises:
            OutOfTime: the search was stopped.
        """
        front, pool = position.frontier, position.pool
        guesses = []
        for own in range(front.sets):
            legal = pool.candidates(own) if isinstance(pool, Frontier) else None
            legal = front.candidates(own) if pool is None else legal
            legal = None if legal is None else legal.cpu()
            if clock() > self.ends:  # a search that begins forgets that it was stopped
                raise OutOfTime
            valued = self.search.value(front.candidates(own).cpu(), position.turns_left, legal=legal)
            if valued.guess < 0:
                raise OutOfTime
            guesses.append(valued.guess)
        return Choice(torch.tensor(guesses, dtype=torch.int32, device=front.members.device))


@contextmanager
def stopped_at(search: ValueSearch, ends: float) -> Iterator[None]:
    """Stop what is searched meanwhile once time is over, again and again: a new start forgets it."""
    done = threading.Event()

    def watch() -> None:
        while not done.wait(max(AGAIN, ends - clock())):
            if clock() >= ends:
                search.stop()

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()

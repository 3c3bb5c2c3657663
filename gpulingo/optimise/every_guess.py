"""The strategy that a search of every guess finds, and the deadline that ends it."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

import torch

from gpulingo.solvers.solver import SearchOfSets
from gpulingo.strategies.strategy import Choice, Position
from gpulingo.tensors.clock import clock
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.operations import split
from gpulingo.tensors.outcomes import Valued
from gpulingo.tensors.threads import shared

AGAIN = 0.02  # seconds between two checks of a running search


class OutOfTime(RuntimeError):
    """A search was stopped early."""


class Deadline:
    """The end of a search, which all its phases check.

    Args:
        seconds: from now on, without time spent compiling.
        stop: event by which another thread ends the search; None without one.
    Attributes:
        ends: when the time is over, on the clock of `clock`.

    >>> Deadline(60).over(), Deadline(0).over()
    (False, True)
    """

    def __init__(self, seconds: float, stop: threading.Event | None = None) -> None:
        self.ends, self._stop = clock() + seconds, stop

    @property
    def left(self) -> float:
        """Seconds that are left, 0 if it is over."""
        return 0.0 if self.stopped() else max(0.0, self.ends - clock())

    def stopped(self) -> bool:
        """Return True if another thread has asked to stop."""
        return self._stop is not None and self._stop.is_set()

    def over(self) -> bool:
        """Return True if the search is to end now."""
        return self.stopped() or clock() >= self.ends

    def check(self, pairs: int = 0) -> None:
        """Raise OutOfTime if the search is to end; the progress callback of operations."""
        if self.over():
            raise OutOfTime

    def part(self, share: float) -> Deadline:
        """Return a deadline after this share of the time that is left."""
        return Deadline(share * max(0.0, self.ends - clock()), self._stop)

    def patient(self) -> Deadline:
        """Return a deadline without a time limit, which only the other thread ends."""
        return Deadline(math.inf, self._stop)


@contextmanager
def stopped_at(search: SearchOfSets, deadline: Deadline) -> Iterator[None]:
    """Stop a search in the block once a deadline is over; repeatedly, because a new start clears the stop."""
    done = threading.Event()

    def watch() -> None:
        while not done.wait(AGAIN):
            if deadline.over():
                search.stop()

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


LARGE = 64  # words of a set that may take long, and is searched off the thread that gets Ctrl-C


def best_guess(searches: SearchOfSets, position: Position, number: int, left: int) -> Valued:
    """Return the value of one set of a position with `left` turns left, and a best guess."""
    past = None if position.history is None else position.history.guesses[number].tolist()
    return searches.best(position.frontier.candidates(number).cpu(), left, position.allowed_of(number), past)


@dataclass(frozen=True)
class EveryGuess:
    """The strategy of a search of every guess; OutOfTime if the search is stopped."""

    searches: SearchOfSets  # which remembers the sets it has searched
    often: Progress  # gets the pairs; may raise to end the search
    name: str = "solve"

    def choose(self, position: Position, progress: Progress | None = None) -> Choice:
        """Return the best guess of every set."""
        guesses, pairs = [], 0
        for number in range(position.frontier.sets):
            best = self.best(position, number, position.turns_left)
            guesses.append(best.guess)
            pairs += best.pairs
        return Choice(torch.tensor(guesses, dtype=torch.int32).to(position.table.device), pairs)

    def value_after(self, position: Position, guess: int) -> int:
        """Credits of a guess in a position's only set, if misses cost, summed over its words."""
        row = torch.tensor([guess], dtype=torch.int32, device=position.table.device)
        after = position.after(row, split(position.table, position.frontier, row))
        lives = [] if after.lives is None else after.lives.tolist()
        return sum(self.best(after, number, left).value for number, left in enumerate(lives) if left)

    def best(self, position: Position, number: int, left: int) -> Valued:
        """Return the best guess and value of one set; OutOfTime if no search of it ends."""
        self.often(0)  # because a search that begins clears an earlier stop
        ask = partial(best_guess, self.searches, position, number, left)
        if position.frontier.sizes[number] < LARGE:
            best = ask()
        else:
            (best,) = shared([ask], waiting=lambda: self.often(0), stop=self.searches.stop)
        if best.guess < 0:
            raise OutOfTime
        self.often(best.pairs)
        return best

"""The strategy that a search of every guess finds, and the deadline that ends it."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

import torch

from gpulingo.solvers.solver import SearchOfSets
from gpulingo.solvers.words.value import ValueSearch
from gpulingo.strategies.strategy import Choice, Position
from gpulingo.tensors.clock import clock
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Progress, classes
from gpulingo.tensors.operations import rank, split
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


MOST_WORDS = 1 << 31  # more than any set has
WIDTH = 256  # guesses that are ranked at first: few sets need more
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

    def value_after(self, position: Position, guess: int, floor: int = -1, most: int = MOST_WORDS) -> int:
        """Credits of a guess in a position's only set, summed over its words, if above the floor; otherwise
        an upper bound that is not.

        Args:
            most: greatest number of classes that any guess makes of the set, or more.
        """
        row = torch.tensor([guess], dtype=torch.int32, device=position.table.device)
        classes = split(position.table, position.frontier, row)
        after = position.after(row, classes)
        if after.lives is not None:
            lives = enumerate(after.lives.tolist())
            return sum(self.best(after, number, left).value for number, left in lives if left)
        sizes, left, payoff = after.frontier.sizes.tolist(), after.turns_left, position.game.payoff
        bounds = [growth(payoff, size, left, most) for size in sizes]
        total = payoff[position.turns_left] * int(classes.hits[0]) + sum(bounds)
        unknown = sorted((n for n, size in enumerate(sizes) if size > 1), key=lambda n: -sizes[n])
        while unknown and total > floor:
            left_over, words = [], sum(sizes[number] for number in unknown)
            for number in unknown:
                # Each class has to fall by its share of the excess: that is cheaper than finding its value.
                below = max(bounds[number] - -(-(total - floor) * sizes[number] // words), -1)
                value = self._value(after, number, below)
                if value <= below:
                    left_over.append(number)
                total += min(value - bounds[number], 0)
                bounds[number] = min(value, bounds[number])
                words -= sizes[number]
                if total <= floor:
                    break
            unknown = left_over
        return total

    def _value(self, position: Position, number: int, floor: int) -> int:
        """Value of one set of a position, if above the floor; otherwise an upper bound that is not."""
        members, legal = position.frontier.candidates(number).cpu(), position.allowed_of(number)
        assert isinstance(self.searches, ValueSearch)
        value = self.searches.value(members, position.turns_left, floor, legal=legal).value
        if value < 0:
            raise OutOfTime
        return value

    def best_guesses(self, position: Position, count: int) -> list[int]:
        """Return the guesses of greatest value in a position's only set, the best first; on ties candidates,
        then in list order. Guesses of the last place may have equals that are not returned.
        """
        members, payoff, left = position.frontier.members.tolist(), position.game.payoff, position.turns_left
        now, later = payoff[left] - payoff[left - 1], payoff[left - 1] - payoff[left - 2]
        own, values, most = set(members), dict[int, int](), 0
        for guess, score in by_classes(position):
            most = most or score
            worst = sorted(values.values())[-count] if len(values) >= count else -1
            bound = payoff[left - 2] * len(members) + later * (score - 1) + max(now, later)
            if bound < worst:
                break
            floor = worst - (guess in own)
            self.often(0)
            if bound > floor and (value := self.value_after(position, guess, floor, most)) > floor:
                values[guess] = value
        return sorted(values, key=lambda guess: (-values[guess], guess not in own, guess))[:count]

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


def growth(payoff: Sequence[int], words: int, left: int, most: int) -> int:
    """Return an upper bound of the value of a set, if no guess makes more than `most` classes of it."""
    value, within = 0, 1
    for turns in range(left, 0, -1):
        value += (payoff[turns] - payoff[turns - 1]) * within
        within = min(within * most, words)
    return value


def by_classes(position: Position) -> Iterator[tuple[int, int]]:
    """Yield the legal guesses of a position's only set with their numbers of classes, one more for a
    candidate: the greatest first, without those already guessed.
    """
    table, front, pool = position.table, position.frontier, position.pool
    legal = front.members if pool is None else pool.members if isinstance(pool, Frontier) else pool
    past = set() if position.history is None else set(position.history.guesses[0].tolist())
    objective = classes(max(int(front.sizes_here[0]), position.largest), 1)
    done = 0
    for width in (min(WIDTH, len(legal)), len(legal)):
        ranked = rank(table, front, pool, objective, width)
        rows = zip(ranked.guesses[0, done:].tolist(), ranked.ranks[0, done:].tolist(), strict=True)
        yield from ((guess, score) for guess, score in rows if guess >= 0 and guess not in past)
        done = width

"""The strategy that a search of every guess finds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from gpulingo.solvers.solver import SearchOfSets
from gpulingo.solvers.words.value import ValueSearch
from gpulingo.strategies.strategy import Choice, Position
from gpulingo.tensors.arrays import like
from gpulingo.tensors.clock import OutOfTime
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Progress, classes
from gpulingo.tensors.operations import rank, split
from gpulingo.tensors.outcomes import Valued
from gpulingo.tensors.threads import alone

LARGE = 64  # words of a set that may take long, and is searched off the thread that gets Ctrl-C
WIDTH = 256  # guesses that are ranked at first: few sets need more


def best_guess(searches: SearchOfSets, position: Position, number: int, left: int) -> Valued:
    """Return the value of one set of a position with `left` turns left, and a best guess."""
    past = None if position.history is None else position.history.guesses[number].tolist()
    members, legal = position.frontier.candidates(number), position.allowed_of(number)
    return searches.best(members, left, legal=legal, past=past)


@dataclass(frozen=True)
class EveryGuess:
    """The strategy of a search of every guess; OutOfTime if the search is stopped."""

    searches: SearchOfSets  # which remembers the sets it has searched
    often: Progress  # gets the pairs; may raise to end the search
    name: str = "solve"

    def choose(self, position: Position, progress: Progress | None = None) -> Choice:
        """Return the best guess of every set."""
        left, sets = position.turns_left, range(position.frontier.sets)
        best = [self.best(position, number, left) for number in sets]
        guesses = np.array([valued.guess for valued in best], np.int32)
        return Choice(like(guesses, position.table.letters), sum(valued.pairs for valued in best))

    def value_after(self, position: Position, guess: int, floor: int = -1) -> int:
        """Credits of a guess in a position's only set, summed over its words, if above the floor; otherwise
        an upper bound that is not.
        """
        row = like(np.array([guess], np.int32), position.table.letters)
        classes = split(position.table, position.frontier, row)
        after = position.after(row, classes)
        if after.lives is not None:
            lives = enumerate(after.lives.tolist())
            return sum(self.best(after, number, left).value for number, left in lives if left)
        assert isinstance(self.searches, ValueSearch)
        paid = position.game.payoff[position.turns_left] * int(classes.hits[0])
        others = self.searches.sum_of(after.frontier, after.turns_left, floor - paid, after.allowed_of)
        if not others.complete:
            raise OutOfTime
        return paid + others.value

    def best_guesses(self, position: Position, count: int) -> list[int]:
        """Return the guesses of greatest value in a position's only set, the best first; on ties candidates,
        then in list order. Guesses of the last place may have equals that are not returned.
        """
        members, payoff, left = position.frontier.members.tolist(), position.game.payoff, position.turns_left
        now, later = payoff[left] - payoff[left - 1], payoff[left - 1] - payoff[left - 2]
        candidates, values = set(members), dict[int, int]()
        for guess, score in by_classes(position):
            worst = sorted(values.values())[-count] if len(values) >= count else -1
            bound = payoff[left - 2] * len(members) + later * (score - 1) + max(now, later)
            if bound < worst:
                break
            floor = worst - (guess in candidates)
            self.often(0)
            if bound > floor and (value := self.value_after(position, guess, floor)) > floor:
                values[guess] = value
        return sorted(values, key=lambda guess: (-values[guess], guess not in candidates, guess))[:count]

    def best(self, position: Position, number: int, left: int) -> Valued:
        """Return the best guess and value of one set; OutOfTime if no search of it ends."""
        ask = partial(best_guess, self.searches, position, number, left)
        self.often(0)  # because a search that begins clears an earlier stop
        is_large = int(position.frontier.sizes[number]) >= LARGE
        best = alone(ask, self.searches.stop, self.often) if is_large else ask()
        if best.guess < 0:
            raise OutOfTime
        self.often(best.pairs)
        return best


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

"""Objectives: integer tables that turn class sizes into the rank of a guess; the strategy that ranks by one.

If targets have weights, the size of a class is the weight of its words. Objectives with values by number
of words are made for words, and then `weighed`.

The value table V[r][n] estimates the value of a set of n candidates with r turns left, in credits. By default
a target pays as many credits as turns are left.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol, runtime_checkable

import numpy as np

from gpulingo.strategies.strategy import Choice, Position
from gpulingo.tensors.arrays import Array, Tensor, array_of, as_type, like, namespace, wide
from gpulingo.tensors.draws import Draw
from gpulingo.tensors.frontier import Frontier, whole
from gpulingo.tensors.objective import RISING, Objective, Progress, classes, perfect_split
from gpulingo.tensors.operations import rank
from gpulingo.tensors.wordtable import WordTable, letter_copies

SCALE = 1 << 20  # units per credit: V is in fixed point, so that sums do not depend on their order
# Classes that a good guess makes of a very large set, in the starting formula. With 60, 100, 150, 200 and 300
# `gpulingo simulate --length 4-6 --strategy points` has, over the pit's list, 128.97 129.41 129.61 129.68
# 129.88 mean points at 4 letters, 194.03 194.01 194.00 193.96 193.90 at 5, 231.77 231.82 231.91 231.93 231.89
# at 6: it has little effect.
CLASSES = 150.0
LeftKnots = Sequence[tuple[int, int]]  # (size, value) by ascending size
Knots = Mapping[int, LeftKnots]  # by turns left
# Units per bit: differences of 2^-32 bit decide, smaller ones are ties. A limit: the sums of 2^26 words fit.
ENTROPY_SCALE = 1 << 32
MOST_SUM = 1 << 61  # a limit of a table's sum over a set, so that sums and additions to them fit
LARGEST = 1 << 30  # words of a set, 8 bytes each
TIED = 1 << 20  # words of a set up to which sums of `parts_by_size` fit


def value_table(largest: int, turns: int, payoff: Sequence[int] = RISING) -> Array:
    """Return start values from a model of one guess, until values are fitted to trees.

    Exact are V[1][n], V[r][1] and V[r][2], where each guess finds a word. Otherwise the guess is assumed to
    be a candidate that makes p = 1 + (n - 1) k / (n - 1 + k) classes: itself and p - 1 of equal size, so
    V[r][n] = payoff[r] + (p - 1) V[r - 1][(n - 1) / (p - 1)], linear between whole sizes; k is CLASSES.

    Returns:
        [turns + 1, largest + 1] int64, in units of 1/SCALE credit; column 0 is 0.
    """
    sizes = np.arange(largest + 1, dtype=np.float64)
    rows = [payoff[0] * sizes, perfect_split(sizes, 1, payoff)]
    others = (sizes[1:] - 1).clip(min=0)
    parts = others * CLASSES / (others + CLASSES)
    share = np.where(parts > 0, others / parts.clip(min=1e-9), 1.0).clip(1, largest)
    low = np.floor(share).astype(np.int64).clip(max=max(largest - 1, 0))
    for left in range(2, turns + 1):
        below = rows[-1]
        between = below[low] + (share - low) * (below[(low + 1).clip(max=largest)] - below[low])
        row = np.concatenate([np.zeros(1), payoff[left] + parts * between])
        row[1:3] = perfect_split(sizes, left, payoff)[1:3]
        rows.append(row)
    table = (np.stack(rows[: turns + 1]) * SCALE).round().astype(np.int64)
    table[:, 0] = 0
    return table


def fitted_table(knots: Knots, largest: int, turns: int, payoff: Sequence[int] = RISING) -> Array:
    """Return a table of all sizes from values that are known at some sizes.

    Between two knots the value is linear, rounded down; after the last it continues as between the last two.
    V[1][n], V[r][1] and V[r][2] are exact, whatever the knots are; no value exceeds that of a set that one of
    its candidates splits into single words (`perfect_split`).

    Args:
        knots: for 2 to `turns` turns left; sizes at least 3, values not falling, in units of 1/SCALE credit.
    Returns:
        [turns + 1, largest + 1] int64, in units of 1/SCALE credit; no row falls; column 0 is 0.
    """
    sizes = np.arange(largest + 1)
    table = np.zeros((turns + 1, largest + 1), np.int64)
    table[0] = payoff[0] * sizes * SCALE
    if turns >= 1:
        table[1] = perfect_split(sizes, 1, payoff) * SCALE
    for left in range(2, turns + 1):
        exact = [(size, perfect_split(size, left, payoff) * SCALE) for size in (1, 2)]
        known, values = np.array([*exact, *knots[left]], np.int64).T
        low = (np.searchsorted(known, sizes, side="right") - 1).clip(0, len(known) - 2)
        gap, rise = known[low + 1] - known[low], values[low + 1] - values[low]
        # Quotient and remainder separately, because a product could exceed 63 bits.
        over = sizes - known[low]
        row = values[low] + rise // gap * over + rise % gap * over // gap
        table[left] = np.minimum(row, perfect_split(sizes, left, payoff) * SCALE).clip(min=0)
    table[:, 0] = 0
    return table


@runtime_checkable
class ObjectiveOf(Protocol):
    """An objective by the size of the largest set, the turns left and the payoff of targets.

    `payoff[k]` are the credits of a target found with k turns left, for k up to the turns left at least.

    >>> ways: list[ObjectiveOf] = [parts, entropy]
    >>> [way(2, 3) for way in ways]
    [Objective(sizes 0 to 2, bonus 0), Objective(sizes 0 to 2, bonus 0)]
    """

    def __call__(self, largest: int, turns_left: int, payoff: Sequence[int] = RISING, /) -> Objective: ...


def two_turns(largest: int, payoff: Sequence[int] = RISING, *, heaviest: bool = False) -> Objective:
    """Return the exact objective with two turns left: credits, up to a constant of the set.

    In each class the last turn finds one word, with weights the heaviest; a candidate is found
    a turn earlier. With one credit per turn that is the number of classes, one more for a candidate.
    """
    sizes = np.arange(largest + 1)
    counted = sizes if heaviest else sizes.clip(max=1)
    return Objective(counted * (payoff[1] - payoff[0]), bonus=payoff[2] - payoff[1], heaviest=heaviest)


def parts(largest: int, turns_left: int, payoff: Sequence[int] = RISING) -> Objective:
    """The most classes; with two turns left a candidate counts one more, which is then exact.

    With more turns left the bonus costs points over every list measured, so it is left out: see
    docs/strategies.md.

    >>> parts(2, turns_left=2)
    Objective(sizes 0 to 2, bonus 1)
    """
    if not 0 <= largest <= LARGEST:
        raise ValueError(f"largest is {largest}, expected 0 to {LARGEST} words")
    return classes(largest, bonus=1 if turns_left <= 2 else 0)


def parts_by_size(largest: int, turns_left: int, payoff: Sequence[int] = RISING) -> Objective:
    """The most classes; on ties a candidate, then the fewest candidates left as expected.

    >>> parts_by_size(2, 3).table.tolist(), parts_by_size(2, 3).bonus
    ([0, 7, 4], 4)
    """
    if largest > TIED:
        return parts(largest, turns_left, payoff)
    sizes, most = np.arange(largest + 1), largest**2
    return Objective(parts(largest, turns_left).table * 2 * most - sizes**2, bonus=most)


def entropy(largest: int, turns_left: int, payoff: Sequence[int] = RISING) -> Objective:
    """The most information in bits, which is the entropy of the classes.

    The sum of -n log2 n, up to a constant of the set, in fixed point.
    """
    sizes = np.arange(largest + 1, dtype=np.float64)
    bits = sizes * np.log(sizes.clip(min=1)) / math.log(2)
    return Objective(-(bits * ENTROPY_SCALE).round().astype(np.int64))


def expected_size(largest: int, turns_left: int, payoff: Sequence[int] = RISING) -> Objective:
    """The fewest candidates left, as expected.

    The sum of -n^2, up to a constant of the set.
    """
    return Objective(-(np.arange(largest + 1) ** 2))


def largest_class(largest: int, turns_left: int, payoff: Sequence[int] = RISING) -> Objective:
    """The smallest largest class: the fewest candidates left when things go worst."""
    return Objective(-np.arange(largest + 1), largest=True)


def points(largest: int, turns_left: int, payoff: Sequence[int] = RISING) -> Objective:
    """The most expected points, by a table of the value of a class of each size.

    The starting values: V[left - 1][n] for a class, the payoff of a turn sooner for a candidate.
    """
    after = max(turns_left - 1, 0)
    values = value_table(largest, after, payoff)[after]
    sooner = payoff[after + 1] - payoff[after]
    return Objective(values, bonus=sooner * SCALE)


def weighed(objective: Objective, largest: int, total: int, targets: int) -> Objective:
    """Return an objective for weights from one for numbers of words.

    A weight is read as the number of words of mean weight, linear between whole numbers, rounded down.
    Because a bonus is multiplied by the candidate's weight, all entries are multiplied by the mean weight if
    there is a bonus, or the bonus is divided by it if sums would not fit. The objective is for one word more
    than the largest weight.
    """
    if objective.counts_classes:
        return objective
    parts = np.arange(largest + 1) * targets
    words, rest = parts // total, parts % total
    low, rise = objective.table[words], np.diff(objective.table)[words]
    # Quotient and remainder separately, because products could exceed 63 bits.
    table = low + rise // total * rest + rise % total * rest // total
    if objective.bonus and int(np.abs(table).max()) // targets * total < MOST_SUM:
        table = table // targets * total + table % targets * total // targets
        return Objective(table, objective.bonus, objective.largest)
    return Objective(table, objective.bonuses[0] * targets // total, objective.largest)


SCALE_FREE = (entropy, expected_size, largest_class)  # their ranking does not depend on the unit of sizes
BY_NAME: dict[str, ObjectiveOf] = {
    way.__name__: way for way in (parts, entropy, expected_size, largest_class, points)
}


@dataclass(frozen=True)
class Pool:
    """Choice of the words to search."""

    rule: str = "classes"  # one of RULES
    words: int | None = None  # number of words; None: the whole list, whatever the rule
    seed: int = 0

    def members(self, table: WordTable) -> Tensor:
        """Return [P] int32, ascending: the words to search, all of them legal guesses."""
        if self.words is None or self.words >= table.pool.shape[0]:
            return table.pool
        order = RULES[self.rule](table, self)
        xp = namespace(order)
        legal = order[xp.isin(order, table.pool)]
        return xp.sort(legal[: self.words])


_members = lru_cache(maxsize=1)(Pool.members)  # they are the same on each turn


def by_classes(table: WordTable, pool: Pool) -> Tensor:
    """[P] int32, the legal guesses by the classes that they make of all targets, then in list order."""
    return rank(table, whole(table), table.pool, classes(table.words, 0), table.pool.shape[0]).guesses[0]


def by_letters(table: WordTable, pool: Pool) -> Tensor:
    """[W] int32, the words by how many words have their distinct letters, summed; then in list order."""
    holds = wide(letter_copies(table) > 0)
    sums = (holds * holds.sum(0)).sum(1)
    return as_type(namespace(sums).argsort(~sums, stable=True), "int32")


def by_balance(table: WordTable, pool: Pool) -> Tensor:
    """Return [pool.words] int32, one by one: each time the word whose distinct letters have most value.

    The value of a letter is the square root of the words of the list that have it, divided by 1 + the chosen
    words that have it, so that words with other letters come next.
    """
    # In numpy: torch would share each of many small sums among threads, which costs more than the sums.
    holds = np.ascontiguousarray(array_of(wide(letter_copies(table) > 0)).T)  # [A, W]
    roots = [math.isqrt(int(count) << 40) for count in holds.sum(1)]
    taken = [0] * len(roots)
    sums = np.array(roots, np.int64) @ holds  # [W], integers, to be equal on all devices
    order: list[int] = []
    for _ in range(table.words if pool.words is None else min(pool.words, table.words)):
        best = int(sums.argmax())
        order.append(best)
        for letter in holds[:, best].nonzero()[0]:
            taken[letter] += 1
            sums += holds[letter] * (roots[letter] // (1 + taken[letter]) - roots[letter] // taken[letter])
        sums[best] = -(1 << 62)
    return like(np.array(order, np.int32), table.letters)


def at_random(table: WordTable, pool: Pool) -> Tensor:
    """Return [W] int32, the words in random order."""
    return like(Draw(pool.seed).order(table.words).astype(np.int32), table.letters)


RULES: dict[str, Callable[[WordTable, Pool], Tensor]] = {
    "classes": by_classes,
    "letters": by_letters,
    "balanced": by_balance,
    "random": at_random,
}


@dataclass(frozen=True)
class Ranking:
    """The guess of greatest rank.

    The last turn guesses the first candidate, with weights the heaviest. The turn before is exact
    whatever the objective: its value is the number of classes, or their heaviest words (`two_turns`).
    """

    name: str
    objective: ObjectiveOf
    exact: bool = True  # rank by `two_turns` with two turns left; otherwise as on earlier turns
    pool: Pool | None = None  # to search, in addition to each set's candidates; None: all legal guesses
    opening: int | None = None  # index of the first guess; None: the one of greatest rank

    def choose(self, position: Position, progress: Progress | None = None) -> Choice:
        table, frontier = position.table, position.frontier
        if position.names_words or frontier.sets == 0:
            return Choice(position.likeliest())
        if self.opening is not None and position.turn == 1:
            self.objective(1, position.turns_left)  # refuses more turns than it has values for
            return Choice(namespace(frontier.firsts).full_like(frontier.firsts, self.opening))
        objective = self.objective_of(position)
        part = None if position.pool is None or self.pool is None else _members(self.pool, table)
        if part is None or part.shape[0] == table.pool.shape[0]:
            searched = rank(table, frontier, position.pool, objective, progress=progress)
            return Choice(searched.guesses[:, 0], searched.pairs)
        if isinstance(position.pool, Frontier):
            game = position.game.code
            raise ValueError(f"game {game} has other legal guesses after each hint: name another strategy")
        searched = rank(table, frontier, part, objective, progress=progress)
        candidates = rank(table, frontier, None, objective, progress=progress)
        # A candidate of equal rank is first, and `candidates` has the first of these.
        better = searched.ranks[:, 0] > candidates.ranks[:, 0]
        guesses = namespace(better).where(better, searched.guesses[:, 0], candidates.guesses[:, 0])
        return Choice(guesses, searched.pairs + candidates.pairs)

    def objective_of(self, position: Position) -> Objective:
        """Return the objective by which a position's guesses are ranked."""
        largest = position.largest
        weights, targets = position.table.weights, position.table.targets
        if self.exact and position.decided_by_classes:
            return two_turns(largest, position.payoff, heaviest=weights is not None)
        if weights is None or self.objective in SCALE_FREE:
            return self.objective(largest, position.turns_left, position.payoff)
        total, count = int(weights[targets].sum()), targets.shape[0]
        words = max(largest * count // total + 1, int(position.frontier.sizes_here.max()))
        return weighed(self.objective(words, position.turns_left, position.payoff), largest, total, count)

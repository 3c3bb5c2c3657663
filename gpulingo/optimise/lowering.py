"""Order of lowering bounds, and the method: counts of classes, then two more guesses, then three turns.

It is a fixed rule that reads no clock, so the same bounds are lowered in the same order on every machine.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice

import numpy as np

from gpulingo.bounds.every_guess import TURNS
from gpulingo.bounds.partitions import largest_first
from gpulingo.optimise.units import (
    BATCH,
    Count,
    Evaluate,
    EvaluateNear,
    SearchThreeTurns,
    UnitWorkspace,
    WorkUnit,
)
from gpulingo.tensors.arrays import Array
from gpulingo.tensors.draws import Draw
from gpulingo.tensors.threads import threads

# Openings per thread in one call of a three-turn search, so that no thread waits long for another.
EACH = 4
FIRST = 8  # openings lowered before all others, to see how far a method lowers them
FEW = 20  # with more than 1/20 of the openings above the goal, all are counted for two more guesses
STEP = 4  # a round lowers every bound by a quarter of the gap
NEAR = 200  # there are no rounds once the gap is below half a mean point
# Measured in benchmarks/README.md, "Schedules of bounds".
TOGETHER = 16  # openings that are counted in one call
# On a cluster a unit takes some seconds: pairs, if all classes of its openings are counted; most openings.
BLOCK_PAIRS, MOST_BLOCK = 1 << 32, 256
# A limit: pairs up to which two more guesses take minutes. Longer lists use three turns instead, which lower
# bounds further.
TWO_GUESSES = 1 << 40


class Lowering:
    """Lowers the greatest bounds.

    Openings are counted directly, the largest class first, as far as each needs; or one opening is evaluated
    and bounds similar ones. The latter is repeated while it lowers enough; otherwise a batch is counted
    before the next try.

    Args:
        at: workspace with the bounds, some of them evaluated.
        many: whether units run in parallel elsewhere: then no opening bounds another.
    Attributes:
        at_once: lower straight to the goal instead of in rounds.
    """

    def __init__(self, at: UnitWorkspace, *, many: bool = False) -> None:
        self.at, self.at_once, self.many = at, False, many
        self.closing = bool(at.state.exact)  # openings that stay above the goal will be searched
        self.three = at.problem.game.turns > TURNS
        words, pool, given = at.problem.table.words, at.problem.table.pool.shape[0], at.state.given
        # Classes of all words by all openings, here and again in the evaluated partitions, fit the memory.
        fit = 4 * words * words <= at.problem.memory and words**3 <= TWO_GUESSES
        known = given is not None and bool(given.evidence.two_guesses.any() or given.evidence.three_turns)
        self.further = not many and not self.closing and fit and not known
        self.two_guesses = self.further and len(at.bounds.evidence.evaluated) == pool
        self._draw = Draw()
        self._direct_left = 0  # openings to count before the next try to bound others by a similar one
        self._above = 0  # openings above the goal before that try
        self._goal = -1  # of the current round
        self._searched, self._reached = set[int](), 0  # by three turns; number that reached the goal

    def next_unit(self, enough: int, running: Collection[int] = ()) -> WorkUnit | None:
        """Return the next unit; None if no method lowers more, or the greatest bound is low enough.

        Args:
            enough: credits that are low enough. running: openings that other units are lowering.
        """
        bounds, complete = self.at.bounds, self.at.complete(self.two_guesses)
        if complete.shape[0] == 0 and not running:
            greatest = largest_first(bounds.lowest)[: min(FIRST, bounds.table.pool.shape[0])]
            return Evaluate(tuple(greatest.tolist()), enough, self.two_guesses)
        straight = self.closing or self.many or (self.at_once and self.three)
        floor = enough if straight else max(enough, int(bounds.lowest[complete].max()))
        if bounds.bound > floor:
            # In steps, so that the greatest bound sinks from the start.
            if not floor <= self._goal < bounds.bound:
                distance = bounds.bound - floor
                last = self.at_once or self.many or distance * NEAR < bounds.table.targets.shape[0]
                self._goal = floor if last else bounds.bound - max(1, distance // STEP)
            if unit := self._counted(self._goal, running):
                return unit
        # Two more guesses after all openings, if they cost less than three turns of those above the goal.
        above, words = int((bounds.lowest > enough).sum()), bounds.table.words
        if self.further and not self.two_guesses and (not self.at_once or above * FEW > words):
            return self._evaluated_more(enough)
        if not self.three:
            return None
        # Three turns take longest, so they are for openings that no other method lowers to the goal.
        self._goal = enough
        return self._counted(enough, running) or self._in_three_turns(enough, running)

    def note(self, unit: WorkUnit) -> None:
        """Record what a unit has done, after its evidence is applied."""
        lowest = self.at.bounds.lowest
        if isinstance(unit, EvaluateNear):
            lowered = self._above - int((lowest > unit.goal).sum())
            if not self.two_guesses and not self.at.is_worth(lowered):
                self._direct_left = BATCH
        elif isinstance(unit, SearchThreeTurns):
            self._reached += int((lowest[list(unit.openings)] <= unit.goal).sum())

    def _counted(self, goal: int, running: Collection[int]) -> WorkUnit | None:
        """Return a unit that lowers the greatest bounds to the goal by counts; None if no opening is left."""
        left = self.at.left(goal, self.two_guesses)
        if running:
            left = left[~np.isin(left, list(running))]
        if left.shape[0] == 0:
            return None
        if self._direct_left > 0 or self.many:
            openings = self._taken(left)
            self._direct_left -= len(openings)
            return Count(tuple(openings), goal)
        self._above = int((self.at.bounds.lowest > goal).sum())
        center = self.at.nearness.densest(left, self._draw)
        return EvaluateNear((center,), goal, self.two_guesses)

    def _taken(self, left: Array) -> list[int]:
        """Openings to count next: the first; or half the greatest bounds, half random openings."""
        table, lowest = self.at.bounds.table, self.at.bounds.lowest
        if self.many:
            block = BLOCK_PAIRS // (table.pool.shape[0] * table.targets.shape[0])
            return left[: max(1, min(MOST_BLOCK, block))].tolist()
        count = min(TOGETHER, left.shape[0])
        if self.at_once:
            return left[:count].tolist()
        greatest = left[largest_first(lowest[left])[: (count + 1) // 2]]
        others = left[~np.isin(left, greatest)]
        drawn = others[self._draw.order(len(others))[: count - len(greatest)]]
        return greatest.tolist() + drawn.tolist()

    def _evaluated_more(self, enough: int) -> WorkUnit | None:
        """Evaluate openings, the greatest bounds first, until all are and two more guesses take over."""
        bounds = self.at.bounds
        left = np.zeros_like(bounds.evidence.two_guesses)
        left[bounds.table.pool] = True
        left[bounds.evidence.complete] = False
        order = largest_first(bounds.lowest)
        if openings := order[left[order]][:FIRST].tolist():
            return Evaluate(tuple(openings), enough)
        self.two_guesses, self._direct_left, self._goal = True, 0, -1
        self._draw = Draw()
        return self.next_unit(enough)

    def _in_three_turns(self, enough: int, running: Collection[int]) -> WorkUnit | None:
        """Lower the greatest bounds by three turns, straight to the goal; None if none is left to try."""
        bounds = self.at.bounds
        order = largest_first(bounds.lowest)
        above = order[bounds.lowest[order] > enough].tolist()
        left = (opening for opening in above if opening not in self._searched and opening not in running)
        openings = tuple(islice(left, EACH if self.many else EACH * threads()))
        if not openings or (self.closing and self._reached * 2 < len(self._searched)):
            return None
        self._searched.update(openings)
        return SearchThreeTurns(openings, enough)

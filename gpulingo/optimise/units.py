"""Units of work of a search, and the workspace of a process that runs them.

A unit runs in the same way here and on another machine: it reads the problem and the bounds of its workspace,
and applies its results to these. From another machine, what it returns is all that the search needs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from gpulingo.bounds.automorphisms import orbits
from gpulingo.bounds.certificate import Evidence
from gpulingo.bounds.counting import Nearness, TwoGuesses, bounded_by, count_until, evaluate
from gpulingo.bounds.every_guess import Searches, bounded_in_three_turns
from gpulingo.bounds.formulas import counts_classes, counts_help
from gpulingo.bounds.partitions import largest_first, opening_classes
from gpulingo.bounds.state import BoundState
from gpulingo.optimise.every_guess import EveryGuess
from gpulingo.optimise.lookahead import Lookahead, NoneLost, Seeking, is_searchable
from gpulingo.optimise.state import Problem, State
from gpulingo.strategies.objectives import Ranking, parts
from gpulingo.tensors.arrays import Array, Tensor, array_of, cut, like
from gpulingo.tensors.objective import Progress
from gpulingo.trees.tree import Tree

SEARCHES_SHARE = 8  # searches of every guess may take 1/8 of the memory in addition
BATCH = 128  # openings bounded in one call by a similar one
WORTH = 1000  # bounding by similar openings continues while it lowers 1/1000 of the list's openings


class UnitWorkspace:
    """Workspace of a process that runs units: problem, bounds, and caches.

    Args:
        problem: what is searched. state: what is known; bounds are created and lowered in it.
        progress: called with pairs evaluated; may raise to end the work.
    """

    def __init__(self, problem: Problem, state: State, progress: Progress) -> None:
        self.problem, self.state, self.progress = problem, state, progress
        self.sought: Seeking | None = None  # the search for an opening that loses no word

    @property
    def bounds(self) -> BoundState:
        """Bounds of all openings, at first by class sizes."""
        if self.state.bounds is None:
            table, game = self.problem.table, self.problem.game
            self.state.bounds = BoundState(table, game, self.progress)
            self.state.take(self.state.given)
        return self.state.bounds

    @property
    def by_counts(self) -> bool:
        """True if class counts bound openings; False if their values are searched at once."""
        game, table = self.problem.game, self.problem.table
        return counts_classes(game, table) or counts_help(game, table)

    @property
    def first(self) -> Array:
        """[W] int64: the first opening of each opening's orbit, of equal value."""
        if self.state.bounds is not None:
            return self.state.bounds.first
        given, table = self.state.given, self.problem.table
        if given is None or not len(given.evidence.automorphisms):
            return np.arange(table.words)
        return orbits(table, given.evidence.automorphisms)

    @property
    def one_of_each_orbit(self) -> Tensor:
        """[K] int32: the words of the pool that are the first of their orbit."""
        table, pool = self.problem.table, self.bounds.table.pool
        return like(pool[self.bounds.first[pool] == pool], table.letters)

    def most_classes(self, count: int) -> Array:
        """[count] int64: the openings that make most classes of the targets, one per orbit."""
        is_first = self.bounds.evidence.bounds > 0  # in its orbit
        order = largest_first(np.where(is_first, self.bounds.classes, 0))
        return order[: min(count, int((is_first & (self.bounds.classes > 0)).sum()))]

    @cached_property
    def searches(self) -> Searches:
        """Searches of every guess."""
        return Searches(self.problem.table, self.problem.game, self.problem.memory // SEARCHES_SHARE)

    @cached_property
    def nearness(self) -> Nearness:
        """Distances between openings."""
        return Nearness(self.problem.table)

    @cached_property
    def two_guesses(self) -> TwoGuesses:
        """Bounds by two more guesses, once all openings are evaluated."""
        return TwoGuesses(self.bounds)

    @cached_property
    def none_lost(self) -> NoneLost:
        """Sets whose words can all be found."""
        return NoneLost(self.problem.table, self.problem.memory // 2, self.progress)

    def of_opening(self, opening: int, goal: int) -> int:
        """Return the bound of one opening, lowered to a goal if possible."""
        opening = int(self.bounds.first[opening])
        if self.by_counts:
            self.count([opening], goal)
        return int(self.bounds.evidence.bounds[opening])

    def count(self, openings: Sequence[int], goal: int) -> None:
        """Count classes of openings, the largest first, until each bound is at the goal."""
        for lowered in count_until(self.bounds, list(openings), goal, self.progress):
            self.bounds.apply(lowered)

    def evaluate(self, openings: list[int], two_guesses: bool = False) -> None:
        """Evaluate openings, so that they can bound others; with `two_guesses` by two more guesses."""
        if not two_guesses:
            self.bounds.apply(evaluate(self.bounds, openings, self.progress))
        for opening in openings if two_guesses else ():
            self.bounds.apply(self.two_guesses.evaluate(opening, self.progress))

    def complete(self, two_guesses: bool) -> Array:
        """[K] int64: openings whose bounds counts cannot lower further."""
        evidence = self.bounds.evidence
        return np.flatnonzero(evidence.two_guesses) if two_guesses else evidence.complete

    def left(self, goal: int, two_guesses: bool) -> Array:
        """[K] int64: openings above a goal that counts may lower."""
        above = np.flatnonzero(self.bounds.lowest > goal)
        return above[~np.isin(above, self.complete(two_guesses))]

    def is_worth(self, lowered: int) -> bool:
        """True if similar openings lowered enough bounds to continue."""
        return lowered * WORTH >= self.problem.table.pool.shape[0]

    def evidence_of(self, openings: Sequence[int]) -> Evidence:
        """Return evidence of some openings, on the CPU, to be merged in another process."""
        all_of, places = self.bounds.evidence, np.array(openings, np.int64)
        chosen = dict[str, Any]()
        for name in ("searched", "evaluated", "counted", "three_turns", "class_bounds"):
            of = getattr(all_of, name)
            chosen[name] = {opening: of[opening] for opening in openings if opening in of}
        return replace(all_of.rows(places), **chosen)


@dataclass(frozen=True)
class Found:
    """Result of a unit, in addition to the bounds in its workspace."""

    tree: Tree | None = None  # the best that it found, if it is better than the known one
    values: Mapping[int, int] = field(default_factory=dict)  # opening -> credits of its rollout
    closed: Mapping[int, bool] = field(default_factory=dict)  # opening -> whether its search ended
    evidence: Evidence | None = None  # of its openings, from the workspace of another process
    over: bool = False  # whether the search for an opening that loses no word has ended


@dataclass(frozen=True)
class WorkUnit(ABC):
    """Work that is independent of other units that run at the same time."""

    openings: tuple[int, ...]  # their indices
    goal: int  # credits: low enough for bounds; for rollouts the value to exceed
    bounds: ClassVar[bool] = True  # whether it lowers bounds of its openings
    doing: ClassVar[str] = ""  # text of the current work, before the openings if these are named

    @abstractmethod
    def run(self, at: UnitWorkspace) -> Found:
        """Run the unit in a workspace."""


@dataclass(frozen=True)
class Evaluate(WorkUnit):
    """Count all classes of openings, so that they can bound others."""

    two_guesses: bool = False  # whether by two more guesses

    def run(self, at: UnitWorkspace) -> Found:
        at.evaluate(list(self.openings), self.two_guesses)
        return Found()


@dataclass(frozen=True)
class Count(WorkUnit):
    """Count classes of openings, the largest first, until each bound is at the goal; evaluate those above."""

    def run(self, at: UnitWorkspace) -> Found:
        at.count(self.openings, self.goal)
        if above := [opening for opening in self.openings if int(at.bounds.lowest[opening]) > self.goal]:
            at.evaluate(above)
        return Found()


@dataclass(frozen=True)
class EvaluateNear(Evaluate):
    """Evaluate one opening, and bound similar ones by its classes, the nearest first, while that pays."""

    def run(self, at: UnitWorkspace) -> Found:
        (center,), left = self.openings, at.left(self.goal, self.two_guesses)
        at.evaluate([center], self.two_guesses)
        others = left[left != center]
        nearest = others[at.nearness.conditional_bits(center, others).argsort(stable=True)]
        for some in cut(nearest, BATCH):
            at.bounds.apply(bounded_by(at.bounds, some, center, self.goal, at.progress))
            if not at.is_worth(int((at.bounds.lowest[some] <= self.goal).sum())):
                break  # the nearest openings are the easiest to lower
        return Found()


@dataclass(frozen=True)
class SearchThreeTurns(WorkUnit):
    """Bound openings by three-turn values of their classes."""

    def run(self, at: UnitWorkspace) -> Found:
        openings = list(self.openings)
        at.bounds.apply(bounded_in_three_turns(at.searches, at.bounds, openings, self.goal, at.progress))
        return Found()


@dataclass(frozen=True)
class Probe(WorkUnit):
    """Test whether a search of every guess ends for the largest class of an opening."""

    limit: int  # most pairs of guess and candidate
    bounds: ClassVar[bool] = False
    doing: ClassVar[str] = "searching every guess after"

    def run(self, at: UnitWorkspace) -> Found:
        (opening,), left = self.openings, at.problem.game.turns - 1
        classes = opening_classes(at.problem.table, opening)
        largest = classes.take(classes.sizes.argmax()[None])
        (searched,) = at.searches.values(largest, left, [-1], at.progress, past=[opening], limit=self.limit)
        return Found(closed={opening: searched.value >= 0})


@dataclass(frozen=True)
class Close(WorkUnit):
    """Search every guess of classes of openings, until their bounds are low enough."""

    limit: int  # most pairs of guess and candidate per opening
    value: int  # credits of the best tree
    doing: ClassVar[str] = "searching every guess after"

    def run(self, at: UnitWorkspace) -> Found:
        """Search the openings; also build the tree of the best one whose search ended."""
        tree, value = None, max(self.goal, self.value)
        searched = at.searches.of(at.bounds, self.openings, self.goal, self.limit, at.progress)
        for result in searched:
            at.bounds.apply(result.evidence)
        for result in searched:
            if result.closed and result.bound > value:  # its own best strategy
                strategy, value = EveryGuess(result.search, at.progress), result.bound
                tree = at.problem.tree(strategy, [result.opening])
                assert tree.value == value, f"a tree of {tree.value}, its search found {value}"
        return Found(tree, closed={result.opening: result.closed for result in searched})


@dataclass(frozen=True)
class RollOut(WorkUnit):
    """Roll openings out by a lookahead."""

    widths: tuple[tuple[int, int], ...]  # turns left and guesses to expand for each set
    by_classes: bool  # whether guesses are ordered by their number of classes
    stage: int = 0  # number of the stage; -1: to compare the two orders
    bounds: ClassVar[bool] = False
    doing: ClassVar[str] = "rolling out"

    def run(self, at: UnitWorkspace) -> Found:
        """Roll out the openings; also build the tree of the best."""
        if is_searchable(at.problem.game, at.problem.table):
            return self.rolled_out(at, self.openings)
        trees = {opening: at.problem.tree(Ranking("solve", parts), [opening]) for opening in self.openings}
        best = max(trees.values(), key=lambda tree: tree.value)
        return Found(best, {opening: tree.value for opening, tree in trees.items()})

    def rolled_out(
        self, at: UnitWorkspace, openings: Sequence[int], none_lost: NoneLost | None = None
    ) -> Found:
        """Return values of openings, and the tree of the best if it exceeds the goal."""
        problem, order = at.problem, None if self.by_classes else at.problem.order
        lookahead = Lookahead(
            problem.table, problem.game, dict(self.widths), order, seed=problem.seed, memory=problem.memory,
            progress=at.progress, all_found=none_lost,
        )  # fmt: skip
        values = dict(zip(openings, lookahead.values_of(openings), strict=True))
        best = max(openings, key=lambda opening: values[opening])
        if values[best] <= self.goal:
            return Found(values=values)
        tree = problem.tree(lookahead, [best])
        assert tree.value == values[best], f"a tree of {tree.value}, its search found {values[best]}"
        return Found(tree, values)


@dataclass(frozen=True)
class SeekNoneLost(RollOut):
    """Search a class of an opening that may lose no word, or roll out the one found; only in this process."""

    doing: ClassVar[str] = "looking for an opening that loses no word"

    def run(self, at: UnitWorkspace) -> Found:
        """Run one step of `NoneLost.seek`."""
        if at.sought is None:
            at.sought = at.none_lost.seek(array_of(at.problem.table.targets), at.problem.game.turns)
        try:
            next(at.sought)
        except StopIteration as ended:
            if ended.value is None:
                return Found(over=True)
            return replace(self.rolled_out(at, [ended.value], at.none_lost), over=True)
        return Found()

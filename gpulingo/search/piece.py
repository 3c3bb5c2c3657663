"""A piece of the work of a search: what it is to find out, what it finds, and what all pieces have found.

A piece says all that its result depends on beside list and game, so every process finds the same result.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import torch

from gpulingo.bounds.certificate import Certificate, certificate_of
from gpulingo.bounds.every_guess import Searches
from gpulingo.bounds.evidence import Evidence, of_sizes
from gpulingo.bounds.merge import merged, with_rows
from gpulingo.bounds.state import BoundState, bound_state
from gpulingo.bounds.supersets import Constraints, SupersetCounts, Supersets
from gpulingo.search.stages import Stage
from gpulingo.search.state import Problem
from gpulingo.tensors.objective import Progress
from gpulingo.trees.tree import Tree


@dataclass(frozen=True)
class Piece:
    """A part of the work that needs no other part of its round.

    Attributes:
        kind: what is done, a name of `pieces.KINDS`.
        openings: their indices.
        goal: credits: bounds that are low enough; of an opening that is rolled out, those to be exceeded.
        widths: turns left and guesses to expand for each set, where openings are rolled out.
        order: what ranks these guesses, a name of `pieces.ORDERS`.
    """

    kind: str
    openings: tuple[int, ...]
    goal: int
    widths: tuple[tuple[int, int], ...] = ()
    order: str = ""

    @property
    def bounds(self) -> bool:
        """True if the piece bounds its openings."""
        return self.kind in ("count", "search", "close")


@dataclass(frozen=True, eq=False)
class Result:
    """Result of a piece: the same on every process, whatever it worked on before.

    Attributes:
        evidence: of openings; None: no bounds were asked for.
        value: credits of the opening that was rolled out; -1: none was.
        tree: of it, where the value exceeds the goal of the piece; or of an opening whose bound is its value.
        ends: whether searches of every guess come to an end here; None: that was not asked.
    """

    evidence: Evidence | None = None
    value: int = -1
    tree: Tree | None = None
    ends: bool | None = None

    def on_cpu(self) -> Result:
        """Return the result as it travels: on the CPU, with nothing but what it says."""
        if (own := self.evidence) is None:
            return self
        columns = (own.openings.cpu(), own.bounds.cpu(), own.looked.cpu(), own.two_guesses.cpu())
        searched, three = (
            {opening: values.cpu().clone() for opening, values in lists.items()}
            for lists in (own.searched, own.three_turns)
        )
        return replace(self, evidence=Evidence(*columns, searched=searched, three_turns=three))


@dataclass(frozen=True, eq=False)
class Known:
    """State in which the pieces of a round are cut: the same for all who have the results before it.

    Attributes:
        problem: that is searched.
        goal: credits that bounds are to be lowered to.
        plan: stages in which openings are rolled out, one per round.
        classes: [W] int64, that each opening makes of all targets.
        certificate: of the bounds so far, on the CPU.
        tree: the best so far.
        block: openings whose classes are counted in one piece.
        round: number of the round, from 0.
        played: of each round the openings that were rolled out, with their values.
        ends: whether searches of every guess come to an end here; None: not tried.
        by_classes: whether the order of the classes yields more than that of points.
    """

    problem: Problem
    goal: int
    plan: Sequence[Stage]
    classes: torch.Tensor
    certificate: Certificate
    tree: Tree
    block: int
    round: int = 0
    played: tuple[Mapping[int, int], ...] = ()
    ends: bool | None = None
    by_classes: bool = False

    @property
    def value(self) -> int:
        """Value of the best tree, in credits summed over the words."""
        return self.tree.value

    @property
    def bound(self) -> int:
        """No strategy has more, in credits summed over the words."""
        return max(self.value, self.certificate.bound)

    @property
    def above(self) -> list[int]:
        """The openings whose bounds are above the goal, in the order of the list."""
        above: list[int] = (self.certificate.bounds > self.goal).nonzero().squeeze(1).tolist()
        return above

    def after(self, pieces: Sequence[Piece], results: Mapping[Piece, Result]) -> Known:
        """Return the state after a round.

        Args:
            pieces: all of the round, in their order.
            results: of each; in which order they came makes no difference.
        """
        found = [results[piece] for piece in pieces]
        rows = [result.evidence for result in found if result.evidence is not None]
        trees = [self.tree, *(result.tree for result in found if result.tree is not None)]
        played: dict[int, int] = {}
        by_order: dict[str, int] = {}
        for piece, result in zip(pieces, found, strict=True):
            if result.value >= 0:
                (opening,) = piece.openings
                played[opening] = max(result.value, played.get(opening, 0))
                by_order[piece.order] = max(result.value, by_order.get(piece.order, 0))
        both = len(by_order) > 1
        return replace(
            self,
            certificate=with_rows(self.certificate, rows),
            tree=max(trees, key=lambda tree: tree.value),
            round=self.round + 1,
            played=(*self.played, played),
            ends=next((result.ends for result in found if result.ends is not None), self.ends),
            by_classes=by_order["classes"] > by_order["points"] if both else self.by_classes,
        )


class Worker:
    """State that a process keeps between pieces: counts that save work and change no result.

    Args:
        problem: that is searched.
        progress: told pairs of guess and candidate; may raise to end the work.
    """

    def __init__(self, problem: Problem, progress: Progress) -> None:
        self.problem, self.progress = problem, progress

    @cached_property
    def by_size(self) -> BoundState:
        """Bounds of all openings by the sizes of their classes."""
        problem = self.problem  # pieces are of all openings
        return bound_state(problem.table, problem.game, self.progress, counts=self._counts, by_orbit=False)

    @cached_property
    def _counts(self) -> SupersetCounts:
        """Counts of supersets: they tell guesses that need not be counted, and bound nothing."""
        table = self.problem.table
        return SupersetCounts(table, Supersets(Constraints(table), {}), self.problem.counts_memory)

    @cached_property
    def searches(self) -> Searches:
        """Searches of every guess."""
        return Searches(self.problem.table, self.problem.game, self.problem.counts_memory)

    def new_bounds(self) -> BoundState:
        """Bounds that know of sizes alone, whatever was counted before."""
        first, problem = self.by_size, self.problem
        evidence = of_sizes(first.evidence.bounds.clone(), first.evidence.automorphisms)
        return BoundState(problem.table, problem.game, first.classes, evidence, counts=self._counts)


def begun(
    worker: Worker,
    goal: int,
    *,
    plan: Sequence[Stage],
    block: int,
    tree: Tree,
    given: Certificate | None = None,
) -> Known:
    """Return the state before the first round.

    Args:
        worker: of the problem. goal, plan, block: see `Known`.
        tree: to begin with. given: a certificate to begin with.
    """
    problem, first = worker.problem, worker.by_size
    sizes = certificate_of(problem.wordlist, problem.game, first.evidence)
    certificate = sizes if given is None else merged([given, sizes])
    return Known(problem, goal, plan, first.classes, certificate, tree, block)

"""Upper bound of a search, opening by opening, and the work that lowers it.

The one place where the search asks `bounds` for anything but file formats.
"""

from __future__ import annotations

from functools import cached_property

import torch
from torch import Tensor

from gpulingo.bounds.automorphisms import orbits
from gpulingo.bounds.certificate import Certificate
from gpulingo.bounds.counting import count_until, evaluate, recalled, table_bytes
from gpulingo.bounds.every_guess import Exhausted, Searches
from gpulingo.bounds.formulas import counts_classes, counts_help, most_credits
from gpulingo.bounds.partitions import opening_classes
from gpulingo.bounds.schedule import FIRST, BoundSearch, tighten
from gpulingo.bounds.state import BoundState, bound_state
from gpulingo.bounds.three_turns import TURNS
from gpulingo.optimise.state import Problem, SolverState
from gpulingo.tensors.clock import clock
from gpulingo.tensors.objective import Progress

# Limits: seconds in which bounds are tightened after Ctrl-C, and the share of the search that this may take
# else, a tenth.
LAST, LAST_SHARE = 0.5, 10
# A limit: pairs up to which two more guesses take minutes. In rounds longer lists go on by three turns, which
# say more.
TWO_GUESSES = 1 << 40


class UpperBounds:
    """Bounds of all openings of a problem.

    Args:
        problem: whose strategies are bounded.
        state: what is known of it; its `bounds` are made and lowered here.
        progress: called with pairs evaluated; may raise to end the work.
    Attributes:
        given: a certificate that the search began with, or None.
    """

    def __init__(self, problem: Problem, state: SolverState, progress: Progress) -> None:
        self.problem, self.state, self.progress = problem, state, progress
        self.given: Certificate | None = None
        self._search: BoundSearch | None = None

    def begin_with(self, given: Certificate | None) -> None:
        """Take bounds that others found; what is found here does not rest on them."""
        self.given = given
        if self.state.bounds is not None:
            self.state.bounds.given = None if given is None else given.bounds
            if given is not None and given.evidence.counted:
                self.state.bounds.apply(recalled(self.state.bounds, given.evidence.counted))

    @property
    def lowest(self) -> Tensor | None:
        """[W] int64 credits: of all openings, found here or given; None before there are any."""
        if self.state.bounds is not None:
            return self.state.bounds.lowest
        return None if self.given is None else self.given.bounds

    @property
    def greatest(self) -> int:
        """No strategy has more, in credits summed over the words."""
        if self.lowest is not None:
            return int(self.lowest.max())
        return most_credits(self.problem.table, self.problem.game)

    @property
    def by_counts(self) -> bool:
        """Return True if numbers of classes bound openings, False if their values are searched at once."""
        game, table = self.problem.game, self.problem.table
        return counts_classes(game, table) or counts_help(game, table)

    def above(self, value: int) -> int:
        """Return the number of openings that may have more than this, in credits."""
        legal = self.problem.table.pool.shape[0]
        return legal if self.lowest is None else int((self.lowest > value).sum())

    @property
    def counted(self) -> int:
        """Of how many openings all classes were counted."""
        return 0 if self.state.bounds is None else len(self.state.bounds.evidence.evaluated)

    def found(self) -> BoundState:
        """Bounds of all openings, by the sizes of their classes at first."""
        if self.state.bounds is None:
            problem = self.problem
            memory = problem.counts_memory
            bounds = bound_state(problem.table, problem.game, self.progress, memory)
            self.state.bounds = bounds
            self.begin_with(self.given)
        return self.state.bounds

    @property
    def first(self) -> Tensor:
        """[W] int64: the first opening of the orbit of each, which has the same value."""
        if self.state.bounds is not None:
            return self.state.bounds.first
        given, table = self.given, self.problem.table.to("cpu")
        if given is None or not len(given.evidence.automorphisms):
            return torch.arange(table.words)
        return orbits(table, given.evidence.automorphisms)

    @property
    def openings_of_orbit(self) -> int:
        """Mean number of openings with the same value: 1 except in lists of codes."""
        first = self.found().first
        return len(first) // len(first.unique())

    @property
    def one_of_each_orbit(self) -> Tensor:
        """[K] int32: the pool, of the openings that automorphisms map to each other the first."""
        table, pool = self.problem.table, self.found().table.pool
        return pool[self.found().first[pool.long()] == pool].to(table.device)

    def by_classes(self, count: int) -> Tensor:
        """Return [count] int64: the openings that make most classes of the targets."""
        bounds = self.found()
        classes = bounds.classes.where(bounds.evidence.bounds > 0, 0)  # one opening of each orbit
        return classes.sort(descending=True, stable=True).indices[: min(count, int((classes > 0).sum()))]

    def evaluate_first(self) -> bool:
        """Count the classes of some openings, so that they can bound others; False where that was done."""
        bounds = self.found()
        if bounds.evidence.evaluated:
            return False
        bounds.apply(evaluate(bounds, self.by_classes(FIRST).tolist(), self.progress))
        return True

    def lower(self, goal: int, straight: bool) -> bool:
        """Lower the greatest bounds for a while; False when that leads no further.

        Args:
            goal: credits that are low enough.
            straight: lower straight to the goal instead of in rounds.
        """
        if self._search is None:
            exact, left = bool(self.state.exact), self.problem.game.turns - 1
            self._search = BoundSearch(
                self.found(),
                not exact and self._two_guesses(straight),
                searches=None if left < TURNS else self.searches,
                at_once=straight,
                closing=exact,
            )
        return self._search.work(goal, self.progress)

    def _two_guesses(self, straight: bool) -> bool:
        """Return True if bounds by two more guesses fit the memory; and, in rounds, if they are quick.

        Those that are known from the certificate given are not made again.
        """
        words, given = self.problem.table.words, self.given
        known = given is not None and bool(given.evidence.two_guesses.any() or given.evidence.three_turns)
        soon = straight or words**3 <= TWO_GUESSES
        return table_bytes(words) <= self.problem.memory and soon and not known

    def tighten(self, value: int, begun: float, progress: Progress | None) -> None:
        """Make bounds what their evidence yields, the greatest first, where a search ends.

        Args:
            value: credits; bounds up to it that rest on nothing but sizes are left as they are.
            begun: when the search began, on the clock of `clock`.
            progress: called now and then; may raise to end it. None: there is a moment only.
        """
        now = clock()
        ends = now + (LAST if progress is None else max(LAST, (now - begun) / LAST_SHARE))

        def go_on() -> bool:
            if progress:
                progress(0)
            return clock() < ends

        if self.state.bounds is not None and counts_classes(self.problem.game, self.problem.table):
            tighten(self.state.bounds, value, go_on)

    def greatest_evaluated(self) -> int:
        """Return the opening of greatest bound among those whose classes were all counted."""
        bounds = self.found()
        complete = bounds.evidence.complete
        return int(complete[bounds.lowest[complete].argmax()])

    def greatest_openings(self, goal: int) -> list[int]:
        """Return the openings whose bounds are above a goal, the greatest first."""
        assert self.lowest is not None
        greatest = self.lowest.sort(descending=True, stable=True)
        above: list[int] = greatest.indices[greatest.values > goal].tolist()
        return above

    @cached_property
    def searches(self) -> Searches:
        """Searches of every guess."""
        return Searches(self.problem.table, self.problem.game, self.problem.counts_memory)

    def closes(self, opening: int, limit: int) -> bool:
        """Return True if a search of every guess comes to an end with the largest class of an opening."""
        classes = opening_classes(self.problem.table, opening)
        largest, left = classes.take(classes.sizes.argmax()[None]), self.problem.game.turns - 1
        (found,) = self.searches.values(largest, left, [-1], self.progress, past=[opening], limit=limit)
        return found.value >= 0

    def close(self, openings: list[int], goal: int, limit: int) -> list[Exhausted]:
        """Search every guess of classes of openings, until their bounds are low enough; see `Searches`."""
        found = self.searches.of(self.found(), openings, goal, limit, self.progress)
        for of_opening in found:
            self.found().apply(of_opening.evidence)
        return found

    def of_opening(self, opening: int, goal: int) -> tuple[int, int]:
        """Bound of one opening, lowered to a goal if that is possible, and its classes of all targets."""
        bounds = self.found()
        opening = int(bounds.first[opening])
        if self.by_counts:
            for lowered in count_until(bounds, [opening], goal, self.progress):
                bounds.apply(lowered)
        return int(bounds.evidence.bounds[opening]), int(bounds.classes[opening])

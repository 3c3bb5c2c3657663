"""Which openings are bounded next, and by what; all bounds again at the end, by what was learnt late.

Which comes next is a fixed rule that reads no clock, so the same bounds are lowered in the same order on
every machine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import chain, islice

import torch
from torch import Tensor

from gpulingo.bounds.certificate import Evidence
from gpulingo.bounds.counting import Nearness, TwoGuesses, bounded_by, by_letters, count_until, evaluate
from gpulingo.bounds.every_guess import Searches
from gpulingo.bounds.partitions import bounds_by_parts, classes_of_each
from gpulingo.bounds.state import BoundState
from gpulingo.bounds.three_turns import bounded_in_three_turns, may_reach
from gpulingo.tensors.clock import clock
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.threads import one_each, shared, threads

BETWEEN = 64  # openings between two questions whether to go on: a fifth of a second at most
BLOCK = 8  # of them whose classes are bounded in one call on each thread


@one_each()
def tighten(state: BoundState, value: int, go_on: Callable[[], bool]) -> None:
    """Make the bounds of openings what their evidence yields by now, the greatest first.

    Args:
        state: what is known.
        value: credits; bounds up to it that rest on the sizes of classes alone are left as they are.
        go_on: asked now and then; False ends it.
    """
    learnt = _learnt(state)
    state.supersets.sort()
    for openings in _outdated(state, value, learnt).split(BETWEEN):
        if not go_on():
            return
        state.apply(tightened(state, openings.tolist()))
        state.tightened[openings] = learnt


def tightened(state: BoundState, openings: list[int]) -> Evidence:
    """Bound openings by the supersets that are counted by now, and by what three turns find of neighbours.

    Returns:
        Evidence of those of the openings that were lowered.
    """
    class_bounds, evaluated = state.class_bounds, state.evidence.evaluated
    asked = torch.zeros_like(state.evidence.two_guesses)
    asked[torch.tensor(openings, dtype=torch.int64)] = True
    class_bounds.recall(asked)
    blocks = [openings[first : first + BLOCK] for first in range(0, len(openings), BLOCK)]
    least = dict(chain(*shared([partial(_by_supersets, state, block) for block in blocks])))
    named: dict[int, list[int]] = {}
    for opening in openings:
        for other in _by_three(state, opening):
            named.setdefault(other, []).append(opening)
    for other, its in named.items():
        some = torch.tensor(its)
        counts, _, bounds = bounds_by_parts(state.counts.table, some, evaluated[other], class_bounds.left)
        for opening, by_other in zip(its, bounds.split(counts), strict=True):
            least[opening] = least[opening].minimum(by_other)
    sums = {opening: class_bounds.sum(opening, bounds) for opening, bounds in least.items()}
    lowered = [opening for opening in openings if sums[opening] < int(state.evidence.bounds[opening])]
    rows = state.evidence.rows(torch.tensor(lowered, dtype=torch.int64))
    rows.bounds[:] = torch.tensor([sums[opening] for opening in lowered], dtype=torch.int64)
    return replace(rows, class_bounds={opening: least[opening].to(torch.int32) for opening in lowered})


def _learnt(state: BoundState) -> int:
    """Return the number of counted supersets and of openings whose three-turn values are known."""
    threes = sum(counted.three is not None for counted in state.evidence.evaluated.values())
    return len(state.supersets.two) + threes


def _outdated(state: BoundState, value: int, learnt: int) -> Tensor:
    """[K] int64: openings that more was learnt for since they were tightened, the greatest bounds first."""
    evidence = state.evidence
    matter = (state.lowest > value) | (evidence.looked > 0)
    matter[torch.tensor(list(evidence.neighbours), dtype=torch.int64)] = True
    matter[evidence.complete] = False  # no superset says more of them
    by_three = [opening for opening in evidence.neighbours if _by_three(state, opening)]
    matter[torch.tensor(by_three, dtype=torch.int64)] = True
    matter &= state.tightened < learnt
    order = state.lowest.sort(descending=True, stable=True).indices
    return order[matter[order]]


def _by_three(state: BoundState, opening: int) -> list[int]:
    """Neighbours of an opening of which it is known what three turns find, maybe since they bounded it."""
    evidence = state.evidence
    named = evidence.neighbours.get(opening, ())
    return [other for other in named if evidence.evaluated[other].three is not None]


def _by_supersets(state: BoundState, openings: list[int]) -> list[tuple[int, Tensor]]:
    """Openings and [C] int64 bounds of their classes by all that was noted, and by all supersets."""
    class_bounds = state.class_bounds
    counts, classes = classes_of_each(state.table, openings)
    by_supersets = class_bounds.by_supersets(classes)
    columns = classes.sizes.split(counts), by_supersets.split(counts)
    return [
        (opening, class_bounds.of(opening, sizes, by_size=bounds).minimum(bounds))
        for opening, sizes, bounds in zip(openings, *columns, strict=True)
    ]


EACH = (
    4  # openings a thread that three turns are searched of in one call, so that none waits long for another
)
FIRST = 8  # openings that are lowered before all others, to see how far down a method leads
AWHILE = 2.0  # seconds before other work may be due
FEW = 20  # where one opening of so many is above the goal, all are counted for two more guesses
STEP = 4  # a round lowers every bound by a quarter of the gap
NEAR = 200  # within half a point of mean points there are no rounds
# Measured in benchmarks/README.md, "Schedules of bounds".
TOGETHER = 16  # openings lowered DIRECT in one call
BATCH = 128  # openings bounded in one call from one like them, and lowered DIRECT where that is not worth it
WORTH = 1000  # SPREAD_FROM is worth it while it brings down one opening of so many in the list


class BoundSearch:
    """Lowers the greatest bound: by counts of classes, then by two more guesses, then by three turns.

    Args:
        state: bounds of all openings, some of which were evaluated.
        further: whether to continue with two more guesses where that pays.
        searches: what searches three turns; None: fewer are left, and they are left out.
        at_once: lower straight to the goal instead of in rounds.
        closing: openings that stay above the goal will be searched, so that others are lowered below them.
    """

    def __init__(
        self,
        state: BoundState,
        further: bool,
        *,
        searches: Searches | None = None,
        at_once: bool = False,
        closing: bool = False,
    ) -> None:
        self.state, self.further, self.at_once, self.closing = state, further, at_once, closing
        self._searches = searches
        self._searched, self._reached = set[int](), 0  # by three turns; how many of them came to the goal
        self._goal = -1  # that bounds are being lowered to
        self._scheduler = self._new_scheduler()

    @one_each()
    def work(self, enough: int, progress: Progress | None = None) -> bool:
        """Lower bounds for a while; False when that leads no further, or the greatest is small enough."""
        state, scheduler = self.state, self._scheduler
        complete = scheduler.complete
        if complete.shape[0] == 0:
            greatest = state.lowest.topk(min(FIRST, state.table.pool.shape[0])).indices
            scheduler.evaluate(greatest.tolist(), progress)
            return True
        closing = self.closing or (self.at_once and self._searches is not None)
        floor = enough if closing else max(enough, int(state.lowest[complete].max()))
        if state.bound > floor and self._lower_to(floor, progress):
            return True
        if self.further and scheduler.two_guesses is None and self._two_guesses_pay(enough):
            self._evaluate_more(progress)
            return True
        if self._searches is None:
            return False
        # Three turns take longest, so they are left for what nothing else brings down.
        self._goal = enough
        return self._step_for_a_while(progress) or self._search_three_turns(enough, progress)

    def _new_scheduler(self) -> Scheduler:
        """By counts of classes; by two more guesses where all classes were counted."""
        state = self.state
        last = self.further and len(state.evidence.evaluated) == state.table.pool.shape[0]
        return Scheduler(state, TwoGuesses(state) if last else None, scattered=self.at_once)

    def _lower_to(self, floor: int, progress: Progress | None) -> bool:
        """Lower all bounds to the floor, or a part of the way: so the greatest bound sinks from the start.

        Returns:
            Whether there was a bound to lower.
        """
        state = self.state
        if not floor <= self._goal < state.bound:
            distance = state.bound - floor
            last = self.at_once or distance * NEAR < state.table.targets.shape[0]
            self._goal = floor if last else state.bound - max(1, distance // STEP)
        return self._step_for_a_while(progress)

    def _step_for_a_while(self, progress: Progress | None) -> bool:
        """Lower bounds to the goal; False when none is left that could be."""
        begun, lowered = clock(), False
        while self._scheduler.step(self._goal, progress):
            lowered = True
            if clock() - begun > AWHILE:
                break
        return lowered

    def _two_guesses_pay(self, enough: int) -> bool:
        """Return True if two more guesses cost less than three turns after all openings above the goal."""
        return not self.at_once or int((self.state.lowest > enough).sum()) * FEW > self.state.table.words

    def _search_three_turns(self, enough: int, progress: Progress | None) -> bool:
        """Lower the greatest bounds by three turns, straight to the goal; False when none is left to try.

        In rounds the same classes would be searched again and again. Where every guess can be searched, that
        is left to do once half of the openings stay above the goal, or where they are likely to.
        """
        state, searches = self.state, self._searches
        assert searches is not None
        greatest = state.lowest.sort(descending=True, stable=True)
        above = greatest.indices[greatest.values > enough].tolist()
        left = (each for each in above if each not in self._searched)
        if self.closing:
            left = (each for each in left if may_reach(state, each, enough))
        openings = list(islice(left, EACH * threads()))
        if not openings or (self.closing and self._reached * 2 < len(self._searched)):
            return False
        found = bounded_in_three_turns(searches, state, openings, enough, progress)
        state.apply(found)
        self._searched.update(openings)
        self._reached += int((state.lowest[openings] <= enough).sum())
        return True

    def _evaluate_more(self, progress: Progress | None) -> None:
        """Evaluate openings, the greatest bounds first, until all are and two more guesses take over."""
        state = self.state
        left = torch.zeros_like(state.evidence.two_guesses)
        left[state.table.pool.long()] = True
        left[state.evidence.complete] = False
        order = state.lowest.sort(descending=True, stable=True).indices
        begun = clock()
        for openings in order[left[order]].split(FIRST) if bool(left.any()) else ():
            state.apply(evaluate(state, openings.tolist(), progress))
            if clock() - begun > AWHILE:
                return
        self._scheduler = self._new_scheduler()


class Scheduler:
    """Lowers bounds to a goal.

    DIRECT counts classes of openings, the largest first, as far as each needs. SPREAD_FROM evaluates one
    opening with close neighbours, and bounds the neighbours by it, the nearest first. It is repeated while it
    pays; otherwise a batch is lowered DIRECT before it is tried again.

    Args:
        state: the bounds.
        two_guesses: evaluates openings by two more guesses, for which only SPREAD_FROM is there; None: by
            their classes.
        scattered: openings that are lowered DIRECT are all drawn at random, which is faster where all go a
            long way; otherwise half of them are the greatest, so that the bound of the list sinks.
    """

    def __init__(
        self, state: BoundState, two_guesses: TwoGuesses | None = None, scattered: bool = False
    ) -> None:
        self.state, self.two_guesses, self.scattered = state, two_guesses, scattered
        self.nearness = Nearness(state.table)
        self._draw = torch.Generator().manual_seed(0)
        self._direct_left = 0  # openings to lower DIRECT before SPREAD_FROM is tried again

    def step(self, goal: int, progress: Progress | None = None) -> bool:
        """Bring the greatest bounds down to the goal; False when none is left that could be."""
        above = (self.state.lowest > goal).nonzero().squeeze(1)
        left = above[~torch.isin(above, self.complete)]
        if left.shape[0] == 0:
            return False
        if self._direct_left > 0:
            openings = self._taken(left)
            self._direct(openings, goal, progress)
            self._direct_left -= len(openings)
        else:
            self._spread_from(self.nearness.densest(left.cpu(), self._draw), left, goal, progress)
            lowered = above.shape[0] - int((self.state.lowest > goal).sum())
            if self.two_guesses is None and not self._worth_it(lowered):
                self._direct_left = BATCH
        return True

    @property
    def complete(self) -> Tensor:
        """[K] int64: openings whose bounds cannot be lowered in this way."""
        evidence = self.state.evidence
        return evidence.complete if self.two_guesses is None else evidence.two_guesses.nonzero().squeeze(1)

    def evaluate(self, openings: list[int], progress: Progress | None = None) -> None:
        """Lower the bounds of openings as far as this goes, so that they can bound others."""
        if self.two_guesses is None:
            self.state.apply(evaluate(self.state, openings, progress))
            return
        for opening in openings:
            self.state.apply(self.two_guesses.evaluate(opening, progress))

    def _worth_it(self, lowered: int) -> bool:
        """Return True if SPREAD_FROM, or one batch of it, lowered enough openings to continue."""
        return lowered * WORTH >= self.state.table.pool.shape[0]

    def _taken(self, left: Tensor) -> list[int]:
        """Openings to lower DIRECT next."""
        count = min(TOGETHER, left.shape[0])
        if self.scattered:
            return by_letters(self.state.table, left)[:count].tolist()
        greatest = left[self.state.lowest[left].topk((count + 1) // 2).indices]
        others = left[~torch.isin(left, greatest)].cpu()
        drawn = others[torch.randperm(others.shape[0], generator=self._draw)[: count - len(greatest)]]
        return greatest.tolist() + drawn.tolist()

    def _direct(self, openings: list[int], goal: int, progress: Progress | None) -> None:
        """Lower some openings, each for itself; those that stay above the goal are evaluated."""
        for lowered in count_until(self.state, openings, goal, progress):
            self.state.apply(lowered)
        above = [opening for opening in openings if int(self.state.lowest[opening]) > goal]
        if above:
            self.evaluate(above, progress)

    def _spread_from(self, center: int, left: Tensor, goal: int, progress: Progress | None) -> None:
        """Evaluate one opening, and bound its neighbours by it."""
        self.evaluate([center], progress)
        nearest = self.nearness.nearest(center, left[left != center].cpu()).to(left.device)
        for openings in nearest.split(BATCH):
            self.state.apply(bounded_by(self.state, openings, center, goal, progress=progress))
            # The nearest come down most easily.
            if not self._worth_it(int((self.state.lowest[openings] <= goal).sum())):
                return

"""Scheduler of the bound search: runs whichever of three methods has lowered most openings per second."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from math import exp

import torch
from torch import Tensor

from gpulingo.bounds.counting import count_until, evaluate
from gpulingo.bounds.neighbours import Nearness, bounded_by
from gpulingo.bounds.state import BoundState
from gpulingo.bounds.two_guesses import TwoGuesses
from gpulingo.tensors.clock import clock
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.threads import one_each

FIRST = 8  # openings that are lowered before all others, to see how far down a method leads
AWHILE = 2.0  # seconds before other work may be due
STEP = 4  # a round lowers every bound by a quarter of the gap
NEAR = 200  # within half a point of mean points there are no rounds
TOGETHER = 16  # openings whose classes are counted in one call
BATCH = 128  # openings that are bounded together by one like them
CHUNK = 4096  # openings that are bounded in one step by what was evaluated
NEARER = 4  # of what was evaluated, this many more bound each of them
FARTHEST = 64  # after so many an opening is left
TIE = 1e-9  # bits
SAMPLE = (
    3  # times that each method is tried before they are compared, or fewer if that takes as long as LATELY
)
EXPLORED = 0.05  # of the time, about, goes to each method that was slower of late
LEARNING = 0.25  # at most, while it still spends time on what will make it faster
LATELY = 15.0  # seconds after which what was measured counts a third


class Method(IntEnum):
    """How bounds are lowered.

    DIRECT: count as many classes of an opening as it takes. SPREAD_FROM: evaluate one opening, and bound by
    it those nearly like it, the nearest first. COLLECT_FROM: bound openings by more of those that were
    evaluated before.
    """

    DIRECT = 0
    SPREAD_FROM = 1
    COLLECT_FROM = 2


SERVES = {
    Method.DIRECT: 1.0,
    Method.SPREAD_FROM: 1.5,
    Method.COLLECT_FROM: 1.0,
}  # one evaluated serves others


class BoundSearch:
    """Lowers the greatest bound: first by counts of classes, then by two more guesses.

    Args:
        state: bounds of all openings, some of which were evaluated.
        further: whether to go on by two more guesses: where searches are not exact, and there is room.
        at_once: lower straight to the goal instead of in rounds.
    """

    def __init__(self, state: BoundState, further: bool, at_once: bool = False) -> None:
        self.state, self.further, self.at_once = state, further, at_once
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
        floor = max(enough, int(state.lowest[complete].max()))
        if state.bound > floor and (scheduler.pays or not self.further):
            self._lower_to(floor, progress)
            return True
        if not self.further or scheduler.two_guesses is not None:
            return False
        self._evaluate_more(progress)
        return True

    def _new_scheduler(self) -> Scheduler:
        """By counts of classes; by two more guesses where all classes were counted."""
        state = self.state
        last = self.further and len(state.evidence.evaluated) == state.table.pool.shape[0]
        return Scheduler(state, TwoGuesses(state) if last else None, scattered=self.at_once)

    def _lower_to(self, floor: int, progress: Progress | None) -> None:
        """Lower all bounds to the floor, or a part of the way: so the greatest bound sinks from the start."""
        state = self.state
        if not floor <= self._goal < state.bound:
            distance = state.bound - floor
            last = self.at_once or distance * NEAR < state.table.targets.shape[0]
            self._goal = floor if last else state.bound - max(1, distance // STEP)
        begun = clock()
        while self._scheduler.step(self._goal, progress) and clock() - begun < AWHILE:
            pass

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
    """Lowers bounds to a goal by the method that was fastest of late.

    Args:
        state: the bounds.
        two_guesses: bounds openings by two more guesses; None: their classes are counted.
        scattered: openings that are lowered each for itself are drawn from all that are left, which is faster
            where all go a long way; else half of them are the greatest, so that the bound of the list sinks.
        clock: seconds.
    """

    def __init__(
        self,
        state: BoundState,
        two_guesses: TwoGuesses | None = None,
        scattered: bool = False,
        clock: Callable[[], float] = clock,
    ) -> None:
        self.state, self.two_guesses, self.scattered, self.clock = state, two_guesses, scattered, clock
        self.nearness = Nearness(state.table)
        self._draw = torch.Generator().manual_seed(0)
        self._evaluations = Rate()
        self._goal = -1
        self._rates = {method: Rate() for method in Method}
        # Of each opening how many of those evaluated have bounded it, and how many there were then.
        self._asked = torch.zeros(state.table.words, dtype=torch.int64)
        self._known = 0

    def step(self, goal: int, progress: Progress | None = None) -> bool:
        """Bring the greatest bounds down to the goal; False when none is left that could be."""
        state, begun, counting = self.state, self.clock(), self.state.counts.seconds
        if goal != self._goal:  # what was slow near the last one may be fast again
            self._goal, self._rates = goal, {method: Rate() for method in Method}
        above = (state.lowest > goal).nonzero().squeeze(1)
        left = above[~torch.isin(above, self.complete)]
        if left.shape[0] == 0:
            return False
        method = self._choice(self._unasked(left.cpu()).shape[0] > 0, left.shape[0])
        if method == Method.COLLECT_FROM:
            self._collect(self._unasked(left.cpu()), goal, progress)
        elif method == Method.SPREAD_FROM:
            self._spread(self.nearness.densest(left.cpu(), self._draw), left, goal, progress)
        else:
            self._direct(self._taken(left), goal, progress)
        lowered = above.shape[0] - int((state.lowest > goal).sum())
        self._measured(method, self.clock() - begun, lowered, state.counts.seconds - counting)
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

    @property
    def pays(self) -> bool:
        """Whether more openings come down to the goal of late than could be evaluated in that time."""
        tried = self._rates[Method.DIRECT].tried and self._rates[Method.SPREAD_FROM].tried
        if self.two_guesses is not None or not tried:
            return True
        fastest = max(rate.lowered for rate in self._rates.values())
        return fastest * self._evaluations.seconds > self._evaluations.times

    def _taken(self, left: Tensor) -> list[int]:
        """Openings to lower next, each for itself.

        Some are drawn always, so that what is slow for the greatest, which have most to go, is not taken for
        slow for all.
        """
        count = min(TOGETHER if self.two_guesses is None else 1, left.shape[0])
        great = 0 if self.scattered else (count + 1) // 2
        greatest = left[self.state.lowest[left].topk(great).indices]
        others = left[~torch.isin(left, greatest)].cpu()
        drawn = others[torch.randperm(others.shape[0], generator=self._draw)[: count - great]]
        return greatest.tolist() + drawn.tolist()

    def _direct(self, openings: list[int], goal: int, progress: Progress | None) -> None:
        """Lower some openings, each for itself."""
        if self.two_guesses is None:
            for lowered in count_until(self.state, openings, goal, progress):
                self.state.apply(lowered)
        above = [opening for opening in openings if int(self.state.lowest[opening]) > goal]
        if above:
            self.evaluate(above, progress)

    def _spread(self, center: int, left: Tensor, goal: int, progress: Progress | None) -> None:
        """Evaluate one opening, and bound others by it."""
        state, begun = self.state, self.clock()
        self.evaluate([center], progress)
        self._evaluations.add(self.clock() - begun, 1)
        nearest = self.nearness.nearest(center, left[left != center].cpu()).to(left.device)
        for openings in nearest.split(BATCH):
            begun = self.clock()
            state.apply(bounded_by(state, openings, center, goal, progress))
            lowered = int((state.lowest[openings] <= goal).sum())
            # The first come down most easily: go on while these do no less well than openings do of late.
            if lowered < max(1.0, self._rates[Method.SPREAD_FROM].lowered * (self.clock() - begun)):
                return

    def _unasked(self, left: Tensor) -> Tensor:
        """[M] int64 openings that more of those evaluated may bound, those asked about least first."""
        evaluated = self.complete.shape[0]
        if 2 * evaluated > 3 * self._known:  # much is new: ask again
            self._known = evaluated
            self._asked[:] = 0
        asked = self._asked[left]
        order = asked.sort(stable=True).indices
        return left[order[asked[order] < min(evaluated, FARTHEST)]]

    def _collect(self, openings: Tensor, goal: int, progress: Progress | None = None) -> None:
        """Bound openings by some more of those that were evaluated, the nearest first."""
        first, evaluated = int(self._asked[openings[0]]), self.complete.cpu()
        chunk = openings[:CHUNK]
        chunk = chunk[self._asked[chunk] == first]
        columns = []
        for word in evaluated.tolist():
            columns.append(self.nearness.conditional_bits(word, chunk))
            if progress:
                progress(0)  # there may be thousands
        bits = torch.stack(columns, dim=1).double()
        bits += torch.arange(evaluated.shape[0]) * TIE  # so that each time the same ones are the nearest
        last = min(first + NEARER, evaluated.shape[0])
        nearest = bits.topk(last, dim=1, largest=False, sorted=True).indices[:, first:]
        self._asked[chunk] += NEARER
        for center in nearest.unique().tolist():
            mine = chunk[(nearest == center).any(1)].to(self.state.table.device)
            mine = mine[self.state.lowest[mine] > goal]
            if mine.shape[0]:
                self.state.apply(bounded_by(self.state, mine, int(evaluated[center]), goal, progress))

    def _choice(self, unasked: bool, left: int) -> Method:
        """The method to run: each some times, then the one that was fastest of late, and others now and then.

        A method that still learns is given its share of the time that the rest would take, at once and not
        little by little: the sooner it is fast, the more comes of it.

        Args:
            unasked: whether what was evaluated may bound more openings.
            left: openings that are above the goal.
        """
        rates = {
            method: rate for method, rate in self._rates.items() if unasked or method != Method.COLLECT_FROM
        }
        fastest = max(
            rates,
            key=lambda method: (not rates[method].tried, SERVES[method] * rates[method].lowered, method),
        )
        if not rates[fastest].tried:
            return fastest
        for method, rate in rates.items():
            share = max(EXPLORED, min(LEARNING, rate.learning))
            ahead = rate.learning > EXPLORED and rate.seconds * rates[fastest].lowered < share * left
            if method != fastest and (ahead or rate.last < share * rate.idle):
                return method
        return fastest

    def _measured(self, method: Method, seconds: float, lowered: int, learning: float) -> None:
        self._rates[method].add(seconds, lowered, learning)
        for other, rate in self._rates.items():
            rate.idle = 0.0 if other == method else rate.idle + seconds


class Rate:
    """How fast a method was of late.

    Attributes:
        times: it was run. seconds: it ran.
        last: seconds of the last time. idle: seconds since then.
    """

    def __init__(self) -> None:
        self.times, self.seconds, self.last, self.idle = 0, 0.0, 0.0, 0.0
        self._lately = self._lowered = self._learning = 0.0

    def add(self, seconds: float, lowered: int, learning: float = 0.0) -> None:
        """Openings came down in so many seconds, of which some were spent to be faster later."""
        self.seconds, self.last = self.seconds + seconds, seconds
        memory = exp(-seconds / LATELY)
        self._lately = memory * self._lately + seconds
        self._lowered = memory * self._lowered + lowered
        self._learning = memory * self._learning + min(learning, seconds)
        self.times += 1

    @property
    def tried(self) -> bool:
        """Whether it can be compared with others."""
        return self.times >= SAMPLE or self.seconds >= LATELY

    @property
    def lowered(self) -> float:
        """Openings a second, without what was spent to be faster later, up to half of the time."""
        return self._lowered / max(self._lately - self._learning, self._lately / 2, 1e-9)

    @property
    def learning(self) -> float:
        """The share of the time that was spent to be faster later."""
        return self._learning / max(self._lately, 1e-9)

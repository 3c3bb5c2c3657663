"""What is done when to lower bounds of openings: look at their classes, or at those of openings like them."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import torch
from torch import Tensor

from gpulingo.search.nearness import Nearness
from gpulingo.search.openings import OpeningBounds
from gpulingo.search.twofold import Twofold
from gpulingo.tensors.objective import Progress

TOGETHER = 16  # openings whose classes are looked at in one call
BATCH = 128  # openings that are bounded together by one like them
SAMPLE = 6  # times that each way is tried before they are compared
EXPLORED = 0.05  # of the time goes to the way that was slower of late
MEMORY = 0.9  # of what was measured before, for each new time


class Lowering:
    """Lowers bounds to a goal.

    Two ways lead down: look at as many classes of an opening as it takes; or see all classes of one, and
    bound by them those nearly like it, the nearest first. Which is faster is measured.

    Args:
        held: the bounds.
        twofold: bounds openings by two more guesses; None: their classes are looked at.
        clock: seconds.
    """

    def __init__(
        self,
        held: OpeningBounds,
        twofold: Twofold | None = None,
        clock: Callable[[], float] = perf_counter,
    ) -> None:
        self.held, self.twofold, self.clock = held, twofold, clock
        self.nearness = Nearness(held.table)
        self._draw = torch.Generator().manual_seed(0)
        self._seen = _Way()
        self._ways = {True: _Way(), False: _Way()}  # by others or alone

    def step(self, goal: int, progress: Progress | None = None) -> bool:
        """Bring the greatest bounds down to the goal; False when none is left that could be."""
        held, begun = self.held, self.clock()
        above = (held.bounds > goal).nonzero().squeeze(1)
        left = above[~torch.isin(above, self.complete)]
        if left.shape[0] == 0:
            return False
        by_others = self._choice()
        if by_others:
            self._spread(self.nearness.crowded(left.cpu(), self._draw), left, goal, progress)
        else:
            count = min(TOGETHER if self.twofold is None else 1, left.shape[0])
            self._alone(left[held.bounds[left].topk(count).indices].tolist(), goal, progress)
        down = above.shape[0] - int((held.bounds > goal).sum())
        self._ways[by_others].add(self.clock() - begun, down)
        return True

    @property
    def complete(self) -> Tensor:
        """[K] int64: openings whose bounds cannot be lowered in this way."""
        return self.held.complete if self.twofold is None else self.held.twofold.nonzero().squeeze(1)

    def see(self, openings: list[int], progress: Progress | None = None) -> None:
        """Lower the bounds of openings as far as this goes, so that they can bound others."""
        if self.twofold is None:
            self.held.look(openings, progress)
            return
        for opening in openings:
            self.twofold.lower(opening, progress)

    @property
    def pays(self) -> bool:
        """Whether more openings come down to the goal of late than could be seen in whole in that time."""
        if self.twofold is not None or any(way.times < SAMPLE for way in self._ways.values()):
            return True
        return max(way.rate for way in self._ways.values()) * self._seen.seconds > self._seen.times

    def _alone(self, openings: list[int], goal: int, progress: Progress | None) -> None:
        """Lower some openings, each for itself."""
        if self.twofold is None:
            self.held.look_until(openings, goal, progress)
        above = [opening for opening in openings if int(self.held.bounds[opening]) > goal]
        if above:
            self.see(above, progress)

    def _spread(self, center: int, left: Tensor, goal: int, progress: Progress | None) -> None:
        """See one opening in whole, and bound others by it."""
        held = self.held
        begun = self.clock()
        self.see([center], progress)
        self._seen.add(self.clock() - begun, 1)
        nearest = self.nearness.nearest(center, left[left != center].cpu()).to(left.device)
        for openings in nearest.split(BATCH):
            begun = self.clock()
            held.look_near(openings, center, goal, progress)
            down = int((held.bounds[openings] <= goal).sum())
            # The first come down most easily: go on while these do no less well than openings do of late.
            if down < max(1.0, self._ways[True].rate * (self.clock() - begun)):
                return

    def _choice(self) -> bool:
        """Whether to bound openings by one like them."""
        others, alone = self._ways[True], self._ways[False]
        if others.times < SAMPLE or alone.times < SAMPLE:
            return others.times < SAMPLE
        better, worse = (others, alone) if others.rate >= alone.rate else (alone, others)
        explored = worse.seconds < EXPLORED * better.seconds
        return (better is others) != explored


class _Way:
    """How fast one way was of late: openings that came down to the goal, a second."""

    def __init__(self) -> None:
        self.times, self.seconds, self._lately, self._down = 0, 0.0, 0.0, 0.0

    def add(self, seconds: float, down: int) -> None:
        self.seconds += seconds
        self._lately = MEMORY * self._lately + seconds
        self._down = MEMORY * self._down + down
        self.times += 1

    @property
    def rate(self) -> float:
        return self._down / max(self._lately, 1e-9)

"""What is done when to lower bounds of openings: look at their classes, or at those of openings like them."""

from __future__ import annotations

from collections.abc import Callable
from math import exp

import torch
from torch import Tensor

from gpulingo.bounds.evidence import OpeningBounds
from gpulingo.bounds.neighbours import Nearness
from gpulingo.bounds.two_guesses import Twofold
from gpulingo.tensors.clock import clock
from gpulingo.tensors.objective import Progress

TOGETHER = 16  # openings whose classes are looked at in one call
BATCH = 128  # openings that are bounded together by one like them
CHUNK = 4096  # openings that are bounded in one step by what was seen
NEARER = 4  # of what was seen, this many more bound each of them
FARTHEST = 64  # after so many an opening is left
TIE = 1e-9  # bits
SAMPLE = 3  # times that each way is tried before they are compared, or fewer if that takes as long as LATELY
EXPLORED = 0.05  # of the time, about, goes to each way that was slower of late
LEARNING = 0.25  # at most, while it still spends time on what will make it faster
LATELY = 15.0  # seconds after which what was measured counts a third
ALONE, SPREAD, GATHER = range(3)  # the ways
SERVES = {ALONE: 1.0, SPREAD: 1.5, GATHER: 1.0}  # an opening seen in whole serves others later


class Lowering:
    """Lowers bounds to a goal.

    Three ways lead down: look at as many classes of an opening as it takes; see all classes of one, and bound
    by them those nearly like it, the nearest first; or bound openings by those that were seen, of which each
    says a little more. Which is fastest is measured.

    Args:
        held: the bounds.
        twofold: bounds openings by two more guesses; None: their classes are looked at.
        scattered: openings that are lowered each for itself are drawn from all that are left, which is faster
            where all go a long way; else half of them are the greatest, so that the bound of the list sinks.
        clock: seconds.
    """

    def __init__(
        self,
        held: OpeningBounds,
        twofold: Twofold | None = None,
        scattered: bool = False,
        clock: Callable[[], float] = clock,
    ) -> None:
        self.held, self.twofold, self.scattered, self.clock = held, twofold, scattered, clock
        self.nearness = Nearness(held.table)
        self._draw = torch.Generator().manual_seed(0)
        self._seen = _Way()
        self._goal = -1
        self._ways = {way: _Way() for way in (ALONE, SPREAD, GATHER)}
        self._asked = torch.zeros(held.table.words, dtype=torch.int64)  # of what was seen, for each opening
        self._known = 0  # openings that were seen then

    def step(self, goal: int, progress: Progress | None = None) -> bool:
        """Bring the greatest bounds down to the goal; False when none is left that could be."""
        held, begun, counting = self.held, self.clock(), self.held.counting
        if goal != self._goal:  # what was slow near the last one may be fast again
            self._goal, self._ways = goal, {way: _Way() for way in (ALONE, SPREAD, GATHER)}
        above = (held.lowest > goal).nonzero().squeeze(1)
        left = above[~torch.isin(above, self.complete)]
        if left.shape[0] == 0:
            return False
        way = self._choice(self._unasked(left.cpu()).shape[0] > 0, left.shape[0])
        if way == GATHER:
            self._gather(self._unasked(left.cpu()), goal, progress)
        elif way == SPREAD:
            self._spread(self.nearness.crowded(left.cpu(), self._draw), left, goal, progress)
        else:
            self._alone(self._taken(left), goal, progress)
        down = above.shape[0] - int((held.lowest > goal).sum())
        self._took(way, self.clock() - begun, down, held.counting - counting)
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
        if self.twofold is not None or not all(self._ways[way].tried for way in (ALONE, SPREAD)):
            return True
        return max(way.rate for way in self._ways.values()) * self._seen.seconds > self._seen.times

    def _taken(self, left: Tensor) -> list[int]:
        """Openings to lower next, each for itself.

        Some are drawn always, so that what is slow for the greatest, which have most to go, is not taken for
        slow for all.
        """
        count = min(TOGETHER if self.twofold is None else 1, left.shape[0])
        great = 0 if self.scattered else (count + 1) // 2
        greatest = left[self.held.lowest[left].topk(great).indices]
        others = left[~torch.isin(left, greatest)].cpu()
        drawn = others[torch.randperm(others.shape[0], generator=self._draw)[: count - great]]
        return greatest.tolist() + drawn.tolist()

    def _alone(self, openings: list[int], goal: int, progress: Progress | None) -> None:
        """Lower some openings, each for itself."""
        if self.twofold is None:
            self.held.look_until(openings, goal, progress)
        above = [opening for opening in openings if int(self.held.lowest[opening]) > goal]
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
            down = int((held.lowest[openings] <= goal).sum())
            # The first come down most easily: go on while these do no less well than openings do of late.
            if down < max(1.0, self._ways[SPREAD].rate * (self.clock() - begun)):
                return

    def _unasked(self, left: Tensor) -> Tensor:
        """[M] int64 openings that more of what was seen may bound, those of which least was asked first."""
        seen = self.complete.shape[0]
        if 2 * seen > 3 * self._known:  # much is new: ask again
            self._known = seen
            self._asked[:] = 0
        asked = self._asked[left]
        order = asked.sort(stable=True).indices
        return left[order[asked[order] < min(seen, FARTHEST)]]

    def _gather(self, openings: Tensor, goal: int, progress: Progress | None = None) -> None:
        """Bound openings by some more of those that were seen, the nearest first."""
        first = int(self._asked[openings[0]])
        some, seen = openings[:CHUNK], self.complete.cpu()
        some = some[self._asked[some] == first]
        bits = []
        for word in seen.tolist():
            bits.append(self.nearness.added(word, some))
            if progress:
                progress(0)  # there may be thousands
        added = torch.stack(bits, dim=1).double()
        added += torch.arange(seen.shape[0]) * TIE  # so that each time the same ones are the nearest
        last = min(first + NEARER, seen.shape[0])
        asked = added.topk(last, dim=1, largest=False, sorted=True).indices[:, first:]
        self._asked[some] += NEARER
        for center in asked.unique().tolist():
            mine = some[(asked == center).any(1)].to(self.held.bounds.device)
            mine = mine[self.held.lowest[mine] > goal]
            if mine.shape[0]:
                self.held.look_near(mine, int(seen[center]), goal, progress)

    def _choice(self, unasked: bool, left: int) -> int:
        """The way to take: each some times, then the one that was fastest of late, and others now and then.

        A way that still learns is taken for its share of the time that the rest would take, at once and not
        little by little: the sooner it is fast, the more comes of it.

        Args:
            unasked: whether what was seen may bound more openings.
            left: openings that are above the goal.
        """
        ways = {way: found for way, found in self._ways.items() if unasked or way != GATHER}
        fastest = max(ways, key=lambda way: (not ways[way].tried, SERVES[way] * ways[way].rate, way))
        if not ways[fastest].tried:
            return fastest
        for way, found in ways.items():
            share = max(EXPLORED, min(LEARNING, found.learning))
            ahead = found.learning > EXPLORED and found.seconds * ways[fastest].rate < share * left
            if way != fastest and (ahead or found.last < share * found.idle):
                return way
        return fastest

    def _took(self, way: int, seconds: float, down: int, learning: float) -> None:
        self._ways[way].add(seconds, down, learning)
        for other, found in self._ways.items():
            found.idle = 0.0 if other == way else found.idle + seconds


class _Way:
    """How fast one way was of late: openings that came down to the goal, a second."""

    def __init__(self) -> None:
        self.times, self.seconds = 0, 0.0
        self.last = self.idle = 0.0  # seconds of the last time, and since then
        self._lately = self._down = self._learning = 0.0

    def add(self, seconds: float, down: int, learning: float = 0.0) -> None:
        """Openings came down in so many seconds, of which some were spent to be faster later."""
        self.seconds, self.last = self.seconds + seconds, seconds
        memory = exp(-seconds / LATELY)
        self._lately = memory * self._lately + seconds
        self._down = memory * self._down + down
        self._learning = memory * self._learning + min(learning, seconds)
        self.times += 1

    @property
    def tried(self) -> bool:
        """Whether it can be compared with others."""
        return self.times >= SAMPLE or self.seconds >= LATELY

    @property
    def rate(self) -> float:
        """Without what was spent to be faster later, up to half of the time."""
        return self._down / max(self._lately - self._learning, self._lately / 2, 1e-9)

    @property
    def learning(self) -> float:
        """The share of the time that was spent to be faster later."""
        return self._learning / max(self._lately, 1e-9)

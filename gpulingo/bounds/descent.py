"""How the bounds of all openings sink: in step, first by looks at classes, then by two more guesses."""

from __future__ import annotations

import torch

from gpulingo.bounds.evidence import OpeningBounds
from gpulingo.bounds.schedule import Lowering
from gpulingo.bounds.two_guesses import Twofold
from gpulingo.tensors.clock import clock
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.threads import one_each

FIRST = 8  # openings that are lowered before all others, to see how far down a way leads
AWHILE = 2.0  # seconds before other work may be due
STEP = 4  # all go a fourth of the way down before any goes further
NEAR = 200  # within half a point of mean points they go all the way


class Descent:
    """Lowers the greatest bound.

    Args:
        held: bounds of all openings, some of which were seen in whole.
        further: whether to go on by two more guesses: where searches are not exact, and there is room.
        at_once: whether all bounds go down as far as they need at once; else in steps, a part of the way.
    """

    def __init__(self, held: OpeningBounds, further: bool, at_once: bool = False) -> None:
        self.held, self.further, self.at_once = held, further, at_once
        self._goal = -1  # that bounds are being lowered to
        self._lowering = self._way_down()

    @one_each()
    def work(self, enough: int, progress: Progress | None = None) -> bool:
        """Lower bounds for a while; False when that leads no further, or the greatest is small enough."""
        held, lowering = self.held, self._lowering
        complete = lowering.complete
        if complete.shape[0] == 0:
            lowering.see(held.lowest.topk(min(FIRST, held.table.words)).indices.tolist(), progress)
            return True
        floor = max(enough, int(held.lowest[complete].max()))
        if held.bound > floor and (lowering.pays or not self.further):
            self._lower_to(floor, progress)
            return True
        if not self.further or lowering.twofold is not None:
            return False
        self._see_more(progress)
        return True

    def _way_down(self) -> Lowering:
        """By looks at classes; by two more guesses where all classes were looked at."""
        held = self.held
        last = self.further and len(held.seen) == held.table.words
        return Lowering(held, Twofold(held) if last else None, scattered=self.at_once)

    def _lower_to(self, floor: int, progress: Progress | None) -> None:
        """Lower all bounds to the floor, or a part of the way: so the greatest bound sinks from the start."""
        held = self.held
        if not floor <= self._goal < held.bound:
            distance = held.bound - floor
            last = self.at_once or distance * NEAR < held.table.words
            self._goal = floor if last else held.bound - max(1, distance // STEP)
        begun = clock()
        while self._lowering.step(self._goal, progress) and clock() - begun < AWHILE:
            pass

    def _see_more(self, progress: Progress | None) -> None:
        """See openings in whole, the greatest bounds first, until all are and there is another way down."""
        held = self.held
        unseen = torch.ones_like(held.twofold)
        unseen[held.complete] = False
        order = held.lowest.sort(descending=True, stable=True).indices
        begun = clock()
        for some in order[unseen[order]].split(FIRST) if bool(unseen.any()) else ():
            held.look(some.tolist(), progress)
            if clock() - begun > AWHILE:
                return
        self._lowering = self._way_down()

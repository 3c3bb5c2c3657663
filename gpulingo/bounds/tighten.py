"""All bounds again at the end of a search, by what was learnt late."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import chain

import torch
from torch import Tensor

from gpulingo.bounds.certificate import Evidence
from gpulingo.bounds.partitions import bounds_by_parts, classes_of_each
from gpulingo.bounds.state import BoundState
from gpulingo.tensors.threads import one_each, shared

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
    """Evidence of those of the openings that supersets known by now, or three turns of neighbours, lower."""
    class_bounds, evaluated = state.class_bounds, state.evidence.evaluated
    wanted = torch.zeros_like(state.evidence.two_guesses)
    wanted[torch.tensor(openings, dtype=torch.int64)] = True
    class_bounds.recall(wanted)
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

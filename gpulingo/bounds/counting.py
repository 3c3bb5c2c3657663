"""Bounds of openings from counts of the classes that guesses make of their classes, from the largest down."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

import torch

from gpulingo.bounds.evidence import Evidence
from gpulingo.bounds.partitions import (
    Evaluated,
    Pending,
    gain_of_uncounted,
    largest_first,
    opening_classes,
    partition_of,
)
from gpulingo.bounds.state import BoundState
from gpulingo.tensors.frontier import joined
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.threads import shared

# One call counts classes that hold a fiftieth of the targets. `python benchmarks/bounds.py 5 --gap 55`, the
# pit's list: 11.6 CPU seconds, with 10 11.7, with 500 12.2.
SHARE = 50


def evaluate(state: BoundState, openings: list[int], progress: Progress | None = None) -> Evidence:
    """Count all classes of openings, so that they can bound others."""
    fronts = [opening_classes(state.table, opening) for opening in openings]
    counts = state.counts.two_turns(joined(fronts), progress=progress)
    by_opening = zip(openings, fronts, counts.split([front.sets for front in fronts]), strict=True)
    evaluated = {
        opening: Evaluated(partition_of(state.table, front), two) for opening, front, two in by_opening
    }
    looked = torch.tensor([front.sets for front in fronts], dtype=torch.int32)
    return replace(by_counts(state, evaluated), looked=looked.to(state.table.device))


def by_counts(state: BoundState, evaluated: Mapping[int, Evaluated]) -> Evidence:
    """Evidence of openings of which all classes were counted."""
    openings = torch.tensor(list(evaluated), dtype=torch.int64, device=state.table.device)
    rows, class_bounds = state.evidence.rows(openings), {}
    for row, (opening, counted) in enumerate(evaluated.items()):
        known = state.class_bounds.of(opening, counted.partition.sizes)
        bounds = known.minimum(state.class_bounds.by_counts(counted))
        rows.bounds[row] = rows.bounds[row].minimum(state.credits[opening] + bounds.sum())
        if state.class_bounds.keeps(opening):
            class_bounds[opening] = bounds.to(torch.int32)
    return replace(rows, evaluated=evaluated, class_bounds=class_bounds)


def count_until(
    state: BoundState, openings: list[int], goal: int, progress: Progress | None = None
) -> Iterator[Evidence]:
    """Count classes of openings, largest first, until their bounds are at most the goal.

    Yields:
        Evidence of those of the openings that were lowered, as it comes.
    """
    device, searched = state.table.device, state.evidence.searched
    unsearched = [opening for opening in openings if opening not in searched]
    left = torch.tensor(unsearched, dtype=torch.int64, device=device)
    rows = state.evidence.rows(left)
    given = rows.bounds if state.given is None else state.given[left]
    pending = shared([partial(_pending, state, opening) for opening in left.tolist()])
    gains = torch.tensor([waiting.gain for waiting in pending], device=device)
    if bool((gains > 0).any()):
        rows.bounds.sub_(gains)
        gained = [waiting for waiting in pending if waiting.gain > 0]
        class_bounds = {waiting.opening: waiting.bounds.to(torch.int32) for waiting in gained}
        yield replace(rows.rows((gains > 0).nonzero().squeeze(1)), class_bounds=class_bounds)
    while True:
        above = (rows.bounds.minimum(given) > goal).tolist()
        uncounted = [waiting.large > int(rows.looked[row]) for row, waiting in enumerate(pending)]
        going = [row for row in range(len(pending)) if above[row] and uncounted[row]]
        if not going:
            return
        share = state.table.targets.shape[0] // SHARE
        asked = [pending[row].next(int(rows.looked[row]), share) for row in going]
        sets = [pending[row].classes.take(classes) for row, classes in zip(going, asked, strict=True)]
        counts = state.counts.two_turns(joined(sets), more=True, progress=progress)
        two_turns = counts.split([len(classes) for classes in asked])
        for row, classes, two in zip(going, asked, two_turns, strict=True):
            before = pending[row].bounds[classes]
            less = before - state.class_bounds.by_two(pending[row].classes.sizes[classes], two)
            rows.looked[row] += classes.shape[0]
            rows.bounds[row] -= less.clamp(min=0).sum()
        yield rows.rows(torch.tensor(going, device=device))


def _pending(state: BoundState, opening: int) -> Pending:
    """The classes of an opening, bounded by supersets as well."""
    classes = opening_classes(state.table, opening)
    order = largest_first(classes.sizes)
    before = state.class_bounds.of(opening, classes.sizes, classes=classes)
    bounds = before.minimum(state.class_bounds.by_supersets(classes))
    gain = int(state.evidence.bounds[opening]) - state.bound_by(opening, before)
    gain += gain_of_uncounted(before - bounds, order, int(state.evidence.looked[opening]))
    large = int((classes.sizes > 2).sum())
    return Pending(opening, classes, order, bounds, large, gain)

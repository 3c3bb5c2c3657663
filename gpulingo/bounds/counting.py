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
    largest_first,
    opening_classes,
    partition_of,
)
from gpulingo.bounds.state import BoundState
from gpulingo.tensors.frontier import joined
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.threads import shared
from gpulingo.tensors.wordtable import WordTable

KNOWN = 2  # words of the largest class that needs no count: two turns find one word more than it has
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
    return replace(by_counts(state, evaluated), looked=looked)


def open_counts(state: BoundState, value: int) -> dict[int, torch.Tensor]:
    """Return what two turns find of the largest classes of openings that may have more than a value."""
    evidence, above = state.evidence, state.lowest > value
    counts = {each: two for each, two in evidence.counted.items() if above[each]}
    for opening, evaluated in evidence.evaluated.items():
        if above[opening]:
            sizes = evaluated.partition.sizes
            large = largest_first(sizes)[: int((sizes > KNOWN).sum())]
            counts[opening] = evaluated.two[large].to(torch.int32)
    return counts


def fitting(table: WordTable, counted: Mapping[int, torch.Tensor]) -> bool:
    """Return True if counts of openings' largest classes are possible by the sizes of these classes."""
    for opening, two in counted.items():
        sizes = opening_classes(table, opening).sizes
        largest = sizes[largest_first(sizes)]
        if len(two) > int((sizes > KNOWN).sum()) or bool((two > largest[: len(two)] + 1).any()):
            return False
    return True


def recalled(state: BoundState, counted: Mapping[int, torch.Tensor]) -> Evidence:
    """Evidence of openings of which classes were counted before; see `open_counts`."""
    rows = state.evidence.rows(torch.tensor(list(counted), dtype=torch.int64))
    some, evaluated, class_bounds = (
        dict[int, torch.Tensor](),
        dict[int, Evaluated](),
        dict[int, torch.Tensor](),
    )
    for row, (opening, two) in enumerate(counted.items()):
        classes = opening_classes(state.table, opening)
        order, bounds = largest_first(classes.sizes), state.class_bounds.by_size(classes.sizes)
        of_all = classes.sizes + 1
        of_all[order[: len(two)]] = two.long()
        if len(two) == int((classes.sizes > KNOWN).sum()):
            evaluated[opening] = Evaluated(partition_of(state.table, classes), of_all)
            rows.looked[row] = classes.sets
        else:
            some[opening] = two
            rows.looked[row] = rows.looked[row].clamp(min=len(two))
        bounds = bounds.minimum(state.class_bounds.by_two(classes.sizes, of_all))
        rows.bounds[row].clamp_(max=state.class_bounds.sum(opening, bounds))
        class_bounds[opening] = bounds.to(torch.int32)
    return replace(rows, counted=some, evaluated=evaluated, class_bounds=class_bounds)


def by_counts(state: BoundState, evaluated: Mapping[int, Evaluated]) -> Evidence:
    """Evidence of openings of which all classes were counted."""
    openings = torch.tensor(list(evaluated), dtype=torch.int64)
    rows, class_bounds = state.evidence.rows(openings), {}
    for row, (opening, counted) in enumerate(evaluated.items()):
        known = state.class_bounds.of(opening, counted.partition.sizes)
        bounds = known.minimum(state.class_bounds.by_counts(counted))
        rows.bounds[row].clamp_(max=state.class_bounds.sum(opening, bounds))
        class_bounds[opening] = bounds.to(torch.int32)
    return replace(rows, evaluated=evaluated, class_bounds=class_bounds)


def count_until(
    state: BoundState, openings: list[int], goal: int, progress: Progress | None = None
) -> Iterator[Evidence]:
    """Count classes of openings, largest first, until their bounds are at most the goal.

    Yields:
        Evidence of those of the openings that were lowered, as it comes.
    """
    unsearched = [opening for opening in openings if opening not in state.evidence.searched]
    pending = shared([partial(_pending, state, opening) for opening in unsearched])
    lowest = state.lowest[unsearched].tolist()
    known = state.evidence.bounds[unsearched].tolist()
    if lowered := [each for each, before in zip(pending, known, strict=True) if each.bound < before]:
        yield _evidence(state, lowered)
    while True:
        above = [each for each, least in zip(pending, lowest, strict=True) if min(each.bound, least) > goal]
        going = [each for each in above if each.large > len(each.counted)]
        if not going:
            return
        share = state.table.targets.shape[0] // SHARE
        asked = [each.next(share) for each in going]
        sets = [each.classes.take(classes) for each, classes in zip(going, asked, strict=True)]
        counts = state.counts.two_turns(joined(sets), more=True, progress=progress)
        two_turns = counts.split([len(classes) for classes in asked])
        for each, classes, two in zip(going, asked, two_turns, strict=True):
            by_two = state.class_bounds.by_two(each.classes.sizes[classes], two)
            each.bounds[classes] = each.bounds[classes].minimum(by_two)
            each.counted = torch.cat([each.counted, two.to(torch.int32)])
            each.bound = state.class_bounds.sum(each.opening, each.bounds)
        yield _evidence(state, going)


def _pending(state: BoundState, opening: int) -> Pending:
    """Return the classes of an opening, bounded by supersets as well."""
    classes, evidence = opening_classes(state.table, opening), state.evidence
    before = state.class_bounds.of(opening, classes.sizes, classes=classes)
    bounds = before.minimum(state.class_bounds.by_supersets(classes))
    counted = evidence.counted.get(opening, bounds.new_empty(0, dtype=torch.int32))
    large = 0 if opening in evidence.evaluated else int((classes.sizes > KNOWN).sum())
    bound = state.class_bounds.sum(opening, bounds)
    return Pending(opening, classes, largest_first(classes.sizes), bounds, counted, large, bound)


def _evidence(state: BoundState, pending: list[Pending]) -> Evidence:
    """Return what is known so far of openings whose classes are counted."""
    rows = state.evidence.rows(torch.tensor([each.opening for each in pending]))
    bounds = torch.tensor([each.bound for each in pending])
    looked = torch.tensor([len(each.counted) for each in pending], dtype=torch.int32)
    rows.bounds[:], rows.looked[:] = rows.bounds.minimum(bounds), rows.looked.maximum(looked)
    class_bounds = {each.opening: each.bounds.to(torch.int32) for each in pending}
    counted = {each.opening: each.counted for each in pending if len(each.counted)}
    return replace(rows, counted=counted, class_bounds=class_bounds)

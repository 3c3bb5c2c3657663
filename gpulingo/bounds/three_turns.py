"""Bounds of openings by what three turns have of their classes, searched over every guess.

Each class needs to be searched only as far as its opening does: what the opening may have beyond the values
that are sure to be had is shared out, most of it to the classes that take longest.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from threading import Event

import torch
from torch import Tensor

from gpulingo.bounds.every_guess import Searches
from gpulingo.bounds.evidence import Evidence
from gpulingo.bounds.formulas import three_bound
from gpulingo.bounds.partitions import opening_classes
from gpulingo.bounds.state import BoundState
from gpulingo.strategies.values import perfect_split
from gpulingo.tensors.backend import ValueSearch
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Progress

TURNS = 3
SMALL = 50  # smaller classes are always searched to their values
# An order of work, on which no bound rests: the time of a search is taken to be n^RISE e^(-FALL x) for a
# class of n words that may have x times its value beyond that.
FALL, RISE = 4.0, 2.3


def bounded_in_three_turns(
    searches: Searches, state: BoundState, openings: Sequence[int], goal: int, progress: Progress | None
) -> Evidence:
    """Bound openings by three turns, side by side, as far down as the goal if that is possible.

    Args:
        searches: of the list. state: what is known; at least three turns are left after the opening.
        openings: K indices. goal: credits.
        progress: told the pairs evaluated; may raise to end it.
    Returns:
        Evidence of the K openings.
    """
    assert state.game.turns > TURNS, state.game
    found = searches.each([partial(_values, state, opening, goal) for opening in openings], progress)
    rows = state.evidence.rows(torch.tensor(list(openings), dtype=torch.int64, device=state.table.device))
    three, class_bounds = {}, {}
    for row, (opening, (sizes, values, _)) in enumerate(zip(openings, found, strict=True)):
        known = state.class_bounds.of(opening, sizes)
        bounds = known.minimum(three_bound(sizes, values, state.game.turns - 1))
        rows.bounds[row].clamp_(max=state.class_bounds.sum(opening, bounds))
        three[opening], class_bounds[opening] = values, bounds.to(torch.int32)
    return replace(rows, three_turns=three, class_bounds=class_bounds)


def _values(
    state: BoundState, opening: int, goal: int, search: ValueSearch, ended: Event
) -> tuple[Tensor, Tensor, int]:
    """[C] int64 sizes of the classes of an opening, [C] int64 bounds of their values, and pairs evaluated."""
    sets, left = opening_classes(state.table, opening), state.game.turns - 1
    known, values = state.class_bounds.of(opening, sets.sizes), perfect_split(sets.sizes, TURNS)
    later = (left - TURNS) * sets.sizes
    values = values.minimum(known)  # fewer turns have no more
    before = state.evidence.three_turns.get(opening)
    values = values if before is None else values.minimum(before)
    pairs, order = 0, sets.sizes.argsort(stable=True).tolist()
    large = [number for number in order if int(sets.sizes[number]) >= SMALL]
    for number in order[: len(order) - len(large)]:
        pairs += _search(search, sets, number, -1, values)
    sure = {}
    for number in large:
        if ended.is_set():
            break
        least, most = search.bracket(sets.candidates(number).cpu(), TURNS)
        sure[number] = max(1, least)
        if most >= 0:
            values[number] = min(most, int(values[number]))
    for place, number in enumerate(large):
        if ended.is_set():
            break
        bounds = known.minimum(values + later)
        rest = large[place:]
        others = int(bounds.sum() - bounds[rest].sum() + state.credits[opening])
        spare = goal - others - int(later[rest].sum()) - sum(sure[each] for each in rest)
        share = _share(spare, [(int(sets.sizes[each]), sure[each], int(values[each])) for each in rest])
        floor = sure[number] + share if spare > 0 else -1
        pairs += _search(search, sets, number, min(floor, int(values[number]) - 1), values)
    return sets.sizes, values, pairs


def _search(search: ValueSearch, sets: Frontier, number: int, floor: int, values: Tensor) -> int:
    """Lower the value of a class to what it is or to the floor; return the pairs evaluated."""
    found = search.value(sets.candidates(number).cpu(), TURNS, floor)
    if found.value >= 0:  # else it was stopped, or is too large
        # What lies below the floor rests on what was searched before.
        values[number] = min(int(values[number]), max(found.value, floor))
    return found.pairs


def _share(spare: int, classes: Sequence[tuple[int, int, int]]) -> int:
    """What the first of some classes is to have of what may be spared for all.

    The time that all take is least where a credit more would save the same time everywhere; but none needs
    more than what lies between its least and its most.

    Args:
        spare: credits. classes: of each its size, and the least and the most that its value may be.
    """
    if spare <= 0:
        return 0
    logs = [RISE * math.log(size) - math.log(value) for size, value, _ in classes]

    def share(log: float, value: int, most: int, level: float) -> float:
        return min(max(0.0, value / FALL * (log - level)), max(0, most - value))

    low, high = min(logs) - FALL * spare, max(logs)
    for _ in range(60):
        level = (low + high) / 2
        each = zip(logs, classes, strict=True)
        enough = sum(share(log, value, most, level) for log, (_, value, most) in each) <= spare
        low, high = (low, level) if enough else (level, high)
    return int(share(logs[0], classes[0][1], classes[0][2], high))

"""The guesses that a search with three turns left has at hand: their classes, what each is worth at most."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gpulingo.tensors.cpu.compile import inner
from gpulingo.tensors.cpu.families import cover
from gpulingo.tensors.cpu.labels import WholeSet
from gpulingo.tensors.features import Array

GUESSES = 32  # that are at hand at once: the labels of all guesses are read once for all of these
LEARNING = 16  # guesses for which every way to nest families is tried; the ways are sorted as often later
WAYS = 6  # that are tried then, those that took off most first


class Guesses(NamedTuple):
    """Up to B guesses for a set of n words, one a row."""

    ids: Array  # [B] int64: which guess of the set
    totals: Array  # [B] int64: what each is worth at most
    counts: Array  # [B, 2] int64: classes of more than two words, and for how many of them that is the value
    members: Array  # [B, n] int64: the words by class
    starts: Array  # [B, n + 1] int64: where the classes begin
    caps: Array  # [B, n] int64: what each class is worth at most
    order: Array  # [B, n] int64: the classes, the largest first
    tasks: Array  # [B * n, 5] int64: row, class, its size, and the most classes of any guess and of its words
    room: Array  # [L + 1, labels] int32, of `families.cover`
    least: Array  # [labels] int64: classes that any guess makes of each label
    steps: Array  # [n + 2] int64
    ways: Array  # [K] int64: ways to nest families, those first that took off most
    gains: Array  # [K] int64: what each took off
    tried: Array  # [1] int64: how many of them are tried


def new_guesses(whole: WholeSet, ways: int, levels: int) -> Guesses:
    """Working memory for a set, whose families are nested in so many ways and levels."""
    n, wide = len(whole.words), 64 * whole.wide

    def rows(*shape: int) -> Array:
        return np.zeros(shape, np.int64)

    return Guesses(
        rows(GUESSES), rows(GUESSES), rows(GUESSES, 2), rows(GUESSES, n), rows(GUESSES, n + 1),
        rows(GUESSES, n), rows(GUESSES, n), rows(GUESSES * n, 5), np.zeros((levels + 1, wide), np.int32),
        rows(wide), rows(n + 2), np.arange(ways), rows(ways), np.array([ways]),
    )  # fmt: skip


@inner
def sort_ways(guesses, entered):
    """After so many guesses put the ways to nest families first that took off most, where it is time to."""
    ways, gains = guesses.ways, guesses.gains
    guesses.tried[0] = ways.shape[0] if entered < LEARNING else min(WAYS, ways.shape[0])
    if entered < LEARNING or entered % LEARNING == 0:
        for k in range(1, ways.shape[0]):
            way, place = ways[k], k
            while place > 0 and gains[ways[place - 1]] < gains[way]:
                ways[place] = ways[place - 1]
                place -= 1
            ways[place] = way


@inner
def enter(row, floor, whole, labels, families, guesses):
    """Put a guess with [n] labels into a row, bounded by the sizes of its classes, and by families if needed.

    Sets `totals`; only where that is above the floor the rest of the row.
    """
    least, sizes, n = guesses.least, whole.places, labels.shape[0]
    own = np.int64(guesses.ids[row] < n)
    for x in range(sizes.shape[0]):
        sizes[x] = 0
    for t in range(n):
        sizes[labels[t]] += 1
    total = own  # the guess itself is found a turn before those alone in their classes
    largest = np.int64(0)
    for x in range(sizes.shape[0]):
        least[x] = sizes[x]
        total += sizes[x] + (sizes[x] > 0)
        largest = max(largest, sizes[x])
    for k in range(guesses.tried[0]):
        if total <= floor:
            break
        way, before = guesses.ways[k], total
        cover(families, way, labels, sizes, largest, guesses.room, least)
        total = own
        for x in range(sizes.shape[0]):
            if sizes[x] > 0:
                total += _cap(sizes[x], least[x])
        guesses.gains[way] += before - total
    guesses.totals[row] = total
    if total > floor:
        _part(row, n, labels, sizes, guesses)


@inner
def _cap(size, most):
    """What a class is worth with two turns left: its most classes of a guess, and one more."""
    return 1 + (size if size < 3 else most)


@inner
def _part(row, n, labels, sizes, guesses):
    """Sort the words by class, and the classes by size; sizes are lost."""
    starts, members, order, steps = (
        guesses.starts[row], guesses.members[row], guesses.order[row], guesses.steps,
    )  # fmt: skip
    steps[:] = 0
    classes, place, large = 0, 0, 0
    for x in range(sizes.shape[0]):
        size = sizes[x]
        if size > 0:
            starts[classes], guesses.caps[row, classes] = place, _cap(size, guesses.least[x])
            steps[n - size + 1] += 1
            large += size > 2
            classes += 1
            sizes[x] = place
            place += size
    starts[classes] = place
    for t in range(n):
        members[sizes[labels[t]]] = t
        sizes[labels[t]] += 1
    for k in range(n + 1):
        steps[k + 1] += steps[k]
    for c in range(classes):
        size = starts[c + 1] - starts[c]
        order[steps[n - size]] = c
        steps[n - size] += 1
    guesses.counts[row, 0], guesses.counts[row, 1] = large, 0  # smaller ones are worth their cap


@inner
def move(n, row, to, guesses):
    """Move a guess to another row."""
    if row == to:
        return
    guesses.ids[to], guesses.totals[to] = guesses.ids[row], guesses.totals[row]
    guesses.counts[to] = guesses.counts[row]
    guesses.members[to], guesses.starts[to] = guesses.members[row], guesses.starts[row]
    guesses.caps[to], guesses.order[to] = guesses.caps[row], guesses.order[row]

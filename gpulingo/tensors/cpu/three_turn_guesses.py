"""The guesses that a search with three turns left has at hand: their classes, what each is worth at most."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gpulingo.tensors.cpu.compile import inner
from gpulingo.tensors.cpu.labels import WholeSet
from gpulingo.tensors.features import Array

GUESSES = 32  # that are at hand at once: the labels of all guesses are read once for all of these


class Guesses(NamedTuple):
    """Up to B guesses for a set of n words, one a row."""

    ids: Array  # [B] int64: which guess of the set
    totals: Array  # [B] int64: what each is worth at most
    counts: Array  # [B, 2] int64: classes of more than two words, and how many of them were counted
    members: Array  # [B, n] int64: the words by class
    starts: Array  # [B, n + 1] int64: where the classes begin
    most: Array  # [B, n] int64: classes that any guess makes of each class at most
    order: Array  # [B, n] int64: the classes, the largest first
    tasks: Array  # [B * n, 5] int64: row, class, its size, and the most classes of any guess and of its words
    steps: Array  # [n + 2] int64


def new_guesses(whole: WholeSet) -> Guesses:
    """Working memory for a set."""
    n = len(whole.words)

    def rows(*shape: int) -> Array:
        return np.zeros(shape, np.int64)

    return Guesses(
        rows(GUESSES), rows(GUESSES), rows(GUESSES, 2), rows(GUESSES, n), rows(GUESSES, n + 1),
        rows(GUESSES, n), rows(GUESSES, n), rows(GUESSES * n, 5), rows(n + 2),
    )  # fmt: skip


@inner
def enter(row, floor, whole, labels, guesses):
    """Put a guess with [n] labels into a row, bounded by the sizes of its classes.

    With two turns left a class is worth at most the classes that a guess makes of it, and one. Sets `totals`;
    only where that is above the floor the rest of the row.
    """
    sizes, n = whole.places, labels.shape[0]
    sizes[:] = 0
    for t in range(n):
        sizes[labels[t]] += 1
    # The guess itself is found a turn before those alone in their classes.
    total = n + np.int64(guesses.ids[row] < n)
    for x in range(sizes.shape[0]):
        total += sizes[x] > 0
    guesses.totals[row] = total
    if total > floor:
        _part(row, n, labels, sizes, guesses)


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
            starts[classes], guesses.most[row, classes] = place, size
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
    guesses.most[to], guesses.order[to] = guesses.most[row], guesses.order[row]

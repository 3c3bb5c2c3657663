"""Guesses that a search with three turns left has at hand: their classes, and upper bounds of their value."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gpulingo.solvers.rows import copy, fill
from gpulingo.solvers.workspace import Workspace
from gpulingo.tensors.cpu.compile import inner
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


def new_guesses(whole: Workspace) -> Guesses:
    """Working memory for a set."""
    n = len(whole.words)

    def rows(*shape: int) -> Array:
        return np.zeros(shape, np.int64)

    return Guesses(
        rows(GUESSES), rows(GUESSES), rows(GUESSES, 2), rows(GUESSES, n), rows(GUESSES, n + 1),
        rows(GUESSES, n), rows(GUESSES, n), rows(GUESSES * n, 5),
    )  # fmt: skip


@inner
def enter(row, guess, classes, total, caps, labels, places, guesses):
    """Put a guess into a row, its classes by size, the largest first.

    Args:
        classes: their number.
        total: upper bound of its value.
        caps: [.] int32, classes that any guess makes of each class, or more.
        labels: [n], all below the classes.
        places: [.] int64, as many as there are classes.
    """
    starts, members, most, order = (
        guesses.starts[row], guesses.members[row], guesses.most[row], guesses.order[row],
    )  # fmt: skip
    n, large = labels.shape[0], 0
    fill(starts[:classes], 0)
    for t in range(n):
        starts[labels[t]] += 1
    for c in range(classes):
        size, k = starts[c], c
        most[c] = min(size, caps[c])
        large += size > 2
        while k > 0 and starts[order[k - 1]] < size:  # few are: labels are numbered as words go by
            order[k] = order[k - 1]
            k -= 1
        order[k] = c
    place = 0
    for c in range(classes):
        starts[c], places[c], place = place, place, place + starts[c]
    starts[classes] = n
    for t in range(n):
        members[places[labels[t]]] = t
        places[labels[t]] += 1
    guesses.ids[row], guesses.totals[row] = guess, total
    guesses.counts[row, 0], guesses.counts[row, 1] = large, 0  # smaller ones are worth their cap


@inner
def move(n, row, to, guesses):
    """Move a guess to another row."""
    if row == to:
        return
    guesses.ids[to], guesses.totals[to] = guesses.ids[row], guesses.totals[row]
    for rows in (guesses.counts, guesses.members, guesses.starts, guesses.most, guesses.order):
        copy(rows[row], rows[to])

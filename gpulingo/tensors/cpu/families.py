"""Families of a set: words that are equal but for some places, and the most classes a guess makes of each.

No guess makes more classes of a set than of its parts together, nor more of a part than of the family it is
in. So families bound what can be found of any subset. They are nested: equal but for one place, for that and
another, ..; of each family the less counts of its own classes and of those of the families inside it.
docs/bounds.md says why.
"""

from __future__ import annotations

from itertools import chain, combinations, permutations
from math import perm
from typing import NamedTuple

import numpy as np

from gpulingo.tensors.cpu.compile import compiled, inner
from gpulingo.tensors.cpu.label_lanes import TOGETHER, count_labels
from gpulingo.tensors.cpu.labels import WholeSet
from gpulingo.tensors.features import Array

PLACES = 3  # in which words of a family differ, at most
WAYS = 64  # in which families may be nested: with longer words they differ in fewer places
PACKED = 7  # letters that are compared at once, of 8 bits each


class Families(NamedTuple):
    """K ways to nest the families of n words, each with L levels."""

    order: Array  # [K, n] int64: the words, those of a family side by side on every level
    names: Array  # [K, L, n] int32: which family each of them is in, the smallest first
    classes: Array  # [K, L, n] int32: that a guess makes of this family at most


def families(letters: Array, whole: WholeSet) -> Families:
    """The families of the words of a set, [n, N] uint8 letters, whose guesses are labelled."""
    length = letters.shape[1]
    levels = max((k for k in range(1, min(PLACES, length - 1) + 1) if perm(length, k) <= WAYS), default=0)
    sizes, places = range(1, levels + 1), range(length)
    subsets = chain.from_iterable(combinations(places, k) for k in sizes)
    by_places = {some: _equal_but_for(some, letters, whole) for some in subsets}
    orders, nested = [], []
    for way in permutations(places, levels) if levels else ():
        rising = [by_places[tuple(sorted(way[:level]))] for level in sizes]
        order = np.lexsort([names for names, _ in rising])
        orders.append(order)
        nested.append([(names[order], classes[order]) for names, classes in rising])
    both = np.array(nested, np.int32).reshape(len(orders), levels, 2, len(letters))
    names, classes = (np.ascontiguousarray(both[:, :, k]) for k in range(2))
    return Families(np.array(orders, np.int64).reshape(len(orders), len(letters)), names, classes)


def _equal_but_for(places: tuple[int, ...], letters: Array, whole: WholeSet) -> tuple[Array, Array]:
    """[n] int32 which family each word is in, and [n] int32 the most classes that a guess makes of it."""
    keys = np.zeros(len(letters), np.int64)
    for count, place in enumerate(place for place in range(letters.shape[1]) if place not in places):
        if count and count % PACKED == 0:
            keys = np.unique(keys, return_inverse=True)[1]
        keys = keys * 256 + letters[:, place]
    names = np.unique(keys, return_inverse=True)[1].astype(np.int32)
    classes = np.empty(len(letters), np.int32)
    most_of(whole, names, names.argsort(kind="stable"), classes)
    return names, classes


@compiled
def most_of(whole, names, order, classes):
    """classes[t] = the most classes that a guess makes of the family of word t."""
    scores = whole.scores[0]
    n, start = names.shape[0], 0
    while start < n:
        stop = start + 1
        while stop < n and names[order[stop]] == names[order[start]]:
            stop += 1
        most = stop - start
        if most > 1:
            most = 1
            for first in range(0, scores.shape[0], TOGETHER):
                wide = whole.wides[first // TOGETHER]
                most = max(most, count_labels(scores, whole.labels, order, start, stop, first, wide))
                if most == stop - start:
                    break
        for k in range(start, stop):
            classes[order[k]] = most
        start = stop


@inner
def cover(families, k, labels, room, least):
    """least[x] = how many classes any guess makes of the words with label x, at most, by nesting k.

    Args:
        labels: [n], of all words by one guess.
        room: [2 * L + 1, labels] int64: what is added up on each level, and where the family at hand is.
        least: [labels] int64, at most what is there.
    """
    levels, n = families.names.shape[1], labels.shape[0]
    order, names, classes = families.order[k], families.names[k], families.classes[k]
    for x in range(least.shape[0]):
        for level in range(levels + 1):
            room[level, x] = 0
        for level in range(levels):
            room[levels + 1 + level, x] = -1
    for place in range(n):
        x = labels[order[place]]
        for level in range(levels):
            before = room[levels + 1 + level, x]
            if before >= 0:
                if names[level, before] == names[level, place]:
                    break
                room[level + 1, x] += min(room[level, x], np.int64(classes[level, before]))
                room[level, x] = 0
            room[levels + 1 + level, x] = place
        room[0, x] += 1
    for x in range(least.shape[0]):
        for level in range(levels):
            before = room[levels + 1 + level, x]
            if before >= 0:
                room[level + 1, x] += min(room[level, x], np.int64(classes[level, before]))
        least[x] = min(least[x], room[levels, x])

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
LIMITS = 4, 8, 16, 32, 64  # words of sets that families are kept for
COUNT = 16  # bits of a number that count the words of a family; those above name it
MANY = 1 << 15  # words of which there are no families, as they have no number


class Nested(NamedTuple):
    """K ways to nest the families of n words, each with L levels."""

    order: Array  # [K, n] int64: the words, those of a family side by side on every level
    names: Array  # [K, L, n] int32: which family each of them is in, the smallest first
    classes: Array  # [K, L, n] int32: that a guess makes of this family at most


class Families(NamedTuple):
    """The same, of tight families only: a guess makes fewer classes of them than of the families inside.

    For sets of up to so many words families are left out of which a guess tells more apart. The M words are
    those that are in a family, way after way. A family is a number k 2^16, rising with the words; 0 stands
    for one that is left out.
    """

    limits: Array  # [T] int64: words of a set, rising
    starts: Array  # [T, K + 1] int64: for sets of each limit, where the words of each way begin
    words: Array  # [M] int32
    names: Array  # [M, L] int32: the families of each word, the smallest first
    full: Array  # [M, L] int32: the same, with the most classes that a guess makes of them added; or -1

    @property
    def shape(self) -> tuple[int, int]:
        """K and L."""
        return self.starts.shape[1] - 1, self.names.shape[1]

    @property
    def nbytes(self) -> int:
        """Of memory that they take."""
        return int(self.words.nbytes + self.names.nbytes + self.full.nbytes)


def families(letters: Array, whole: WholeSet) -> Families:
    """The families of the words of a set, [n, N] uint8 letters, whose guesses are labelled."""
    every = nested(letters, whole)
    ways, levels, n = every.names.shape
    limits = np.array([limit for limit in LIMITS if limit < n] + [n])
    starts, columns = np.zeros((len(limits), ways + 1), np.int64), []
    room = np.empty(n, np.int64), np.empty(ways * n, np.int32), *np.empty((2, ways * n, levels), np.int32)
    ends = 0
    for limit, row in zip(limits, starts, strict=True):
        count = tight(*every, limit, *room, row)
        row += ends
        ends += count
        columns.append([column[:count].copy() for column in room[1:]])
    words, names, full = (np.concatenate(column) for column in zip(*columns, strict=True))
    return Families(limits, starts, words, names, full)


def nested(letters: Array, whole: WholeSet) -> Nested:
    """All families, and every way to nest them."""
    length, most = letters.shape[1], 0 if len(letters) >= MANY else PLACES
    levels = max((k for k in range(1, min(most, length - 1) + 1) if perm(length, k) <= WAYS), default=0)
    sizes, n = range(1, levels + 1), len(letters)
    subsets = list(chain.from_iterable(combinations(range(length), k) for k in sizes))
    by_places = np.array([_equal_but_for(some, letters, whole) for some in subsets], np.int32)
    ways = list(permutations(range(length), levels)) if levels else []
    rising = [[subsets.index(tuple(sorted(way[:size]))) for size in sizes] for way in ways]
    both = by_places.reshape(len(subsets), 2, n)[np.array(rising, np.int64).reshape(len(ways), levels)]
    keys = np.zeros((len(ways), n), np.int64)
    for level in reversed(range(levels)):
        keys = keys * n + both[:, level, 0]
    order = keys.argsort(axis=1, kind="stable")
    sorted_both = np.take_along_axis(both, order[:, None, None], axis=3)
    names, classes = (np.ascontiguousarray(sorted_both[:, :, k]) for k in range(2))
    return Nested(order, names, classes)


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


@compiled
def tight(order, all_names, classes, limit, inside, words, names, full, starts):
    """Fill the columns of `Families` for sets of up to so many words; return how many words are in them.

    Args:
        inside: [n] int64, room: classes of the families inside, each at its first word.
    """
    ways, levels, n = all_names.shape
    count = 0
    for way in range(ways):
        first = count
        inside[:] = 1
        for t in range(n):
            words[first + t] = order[way, t]
            for level in range(levels):
                names[first + t, level], full[first + t, level] = 0, -1
        for level in range(levels):
            start = 0
            while start < n:
                stop, name, total = start, all_names[way, level, start], np.int64(0)
                while stop < n and all_names[way, level, stop] == name:
                    total += inside[stop]
                    inside[stop] = 0
                    stop += 1
                most = np.int64(classes[way, level, start])
                caps = most < min(limit, total)
                inside[start] = most if caps else total
                for t in range(first + start, first + stop if caps else 0):
                    names[t, level] = np.int32(start + 1) << COUNT
                    full[t, level] = names[t, level] + np.int32(most)
                start = stop
        for t in range(first, first + n):
            if (full[t] > 0).any():
                words[count], names[count], full[count] = words[t], names[t], full[t]
                count += 1
        starts[way + 1] = count
    return count


@inner
def cover(families, k, labels, sizes, most, room, least):
    """least[x] = how many classes any guess makes of the words with label x, at most, by nesting k.

    A word counts if it is not beyond what a guess tells apart of its family, nor of those around it.

    Args:
        labels: [n], of all words by one guess. sizes: [labels] int64, words with each; most: of them.
        room: [L + 1, labels] int32: on each level the family at hand and its words; and words not counted.
        least: [labels] int64, at most what is there.
    """
    levels = families.names.shape[1]
    lost = room[levels]
    for level in range(levels + 1):
        for x in range(least.shape[0]):
            room[level, x] = 0
    step = 0
    while families.limits[step] < most:
        step += 1
    for place in range(families.starts[step, k], families.starts[step, k + 1]):
        x = labels[families.words[place]]
        counts = np.int32(1)
        for level in range(levels):
            here = max(room[level, x], families.names[place, level])
            counts &= np.int32(here != families.full[place, level])
            room[level, x] = here + counts
        lost[x] += np.int32(1) - counts
    for x in range(least.shape[0]):
        least[x] = min(least[x], sizes[x] - lost[x])

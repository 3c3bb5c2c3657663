"""One set under every guess: words with the same label are in one class; kernels that count and part them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gpulingo.solvers.label_lanes import TOGETHER, count_labels
from gpulingo.solvers.labelling import Labelled, label_set
from gpulingo.tensors.cpu.class_counts import highest
from gpulingo.tensors.cpu.compile import compiled, inner
from gpulingo.tensors.features import Array
from gpulingo.tensors.wordtable import WordTable

TILE = 64  # rows and columns that are near enough to stay in a cache
FRAME = 11  # numbers that a search keeps of each depth


class WholeSet(NamedTuple):
    """One set of n words, the D distinct guesses that part it, and working memory by depth of the search.

    D is rounded up to a multiple of 64 by guesses that put all words in one class.
    """

    words: Array  # [n] int32, indices into the table
    labels: (
        Array  # [n, D] uint8 or uint16: the class that each guess puts each word in; guess i < n is word i
    )
    guesses: Array  # [D] int32, indices into the table
    distinct: int  # how many of them are not there to fill up
    numbers: Array  # [n, 2] uint64: of each word; sums of them are the hash of a set
    wide: int  # words of 64 bits that hold all labels
    wides: Array  # [D / 64] int64: words of 64 bits that hold the labels of 64 guesses
    most: Array  # [D / 64] int64: the most classes that one of these makes
    members: Array  # [depths, n] int64: sets, each a stretch of a row
    starts: Array  # [depths, n + 1] int64: where the classes of a guess begin in the row below
    scores: Array  # [depths, D] int32: classes of each guess, one more for a word of the set
    order: Array  # [depths, D] int32: guesses by score
    places: Array  # [labels] int64
    steps: Array  # [n + 3] int64
    queue: Array  # [depths, n] int64: the classes of a guess that are large enough to be searched
    caps: Array  # [depths, n] int64: what each class of a guess is worth at most, as counted in what it has
    frames: Array  # [depths, FRAME] int64, of the search
    bits: Array  # [wide] uint64


def labelled(table: WordTable, words: Array, others: Array, numbers: Array, depths: int) -> WholeSet:
    """A set with the distinct guesses of its own words, and of [P] int32 others that part it."""
    return whole_set(label_set(table, words, others), words, numbers, depths)


def whole_set(labels: Labelled, words: Array, numbers: Array, depths: int) -> WholeSet:
    """A set of [n] int32 words with its labels and room for so many depths of a search."""
    n, (count, _) = len(words), labels.by_guess.shape
    columns = -(-count // TOGETHER) * TOGETHER
    by_word = np.zeros((n, columns), labels.by_guess.dtype)
    transpose(labels.by_guess, by_word)
    indices = np.full(columns, words[0], np.int32)
    indices[:count] = labels.guesses
    most_classes = np.ones(columns, np.int64)
    most_classes[:count] = labels.classes
    most_classes = most_classes.reshape(-1, TOGETHER).max(1)
    wide = (int(most_classes.max()) + 63) // 64
    return WholeSet(
        words=words.copy(),
        labels=by_word,
        guesses=indices,
        distinct=count,
        numbers=numbers[words],
        wide=wide,
        wides=(most_classes + 63) // 64,
        most=most_classes,
        members=np.empty((depths, n), np.int64),
        starts=np.empty((depths, n + 1), np.int64),
        scores=np.empty((depths, columns), np.int32),
        order=np.empty((depths, columns), np.int32),
        places=np.empty(64 * wide, np.int64),
        steps=np.empty(n + 3, np.int64),
        queue=np.empty((depths, n), np.int64),
        caps=np.empty((depths, n), np.int64),
        frames=np.zeros((depths, FRAME), np.int64),
        bits=np.empty(wide, np.uint64),
    )


@compiled
def transpose(by_guess, by_word):
    """by_word[t, g] = by_guess[g, t], a tile at a time."""
    for first in range(0, by_guess.shape[0], TILE):
        last = min(first + TILE, by_guess.shape[0])
        for start in range(0, by_word.shape[0], TILE):
            for t in range(start, min(start + TILE, by_word.shape[0])):
                for g in range(first, last):
                    by_word[t, g] = by_guess[g, t]


@inner
def ones(word):
    """How many bits of a word are set."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int32((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@inner
def own_words(whole, depth, start, stop):
    """The most classes that a word of a set makes of it, and which word."""
    mine = whole.members[depth]
    most, best = 0, 0
    for s in range(start, stop):
        for w in range(whole.wide):
            whole.bits[w] = 0
        for t in range(start, stop):
            label = np.int64(whole.labels[mine[t], mine[s]])
            whole.bits[label >> 6] |= np.uint64(1) << np.uint64(label & 63)
        classes = 0
        for w in range(whole.wide):
            classes += ones(whole.bits[w])
        if classes > most:
            most, best = classes, mine[s]
    return most, best


@inner
def part(whole, depth, start, stop, guess):
    """Sort a stretch of a row into the row below by the classes of a guess; return how many they are."""
    mine, below = whole.members[depth], whole.members[depth + 1]
    starts, places = whole.starts[depth], whole.places
    for label in range(places.shape[0]):
        places[label] = 0
    for t in range(start, stop):
        places[whole.labels[mine[t], guess]] += 1
    classes, total = 0, 0
    for label in range(places.shape[0]):
        size = places[label]
        if size > 0:
            starts[classes] = total
            classes += 1
            places[label] = total
            total += size
    starts[classes] = total
    for t in range(start, stop):
        label = whole.labels[mine[t], guess]
        below[places[label]] = mine[t]
        places[label] += 1
    return classes


@inner
def score_guesses(whole, depth, start, stop, count):
    """Score every guess of a set by its classes, one more for a word of it; the greatest score.

    It ends early where a score is the number of words: no guess that is left has more.
    """
    mine, scores = whole.members[depth], whole.scores[depth]
    n, guesses, most = stop - start, scores.shape[0], 0
    for first in range(0, guesses, TOGETHER):
        wide = whole.wides[first // TOGETHER]
        most = max(most, count_labels(scores, whole.labels, mine, start, stop, first, wide))
        count[0] += min(TOGETHER, whole.distinct - first) * n
        if most == n:
            for g in range(first + TOGETHER, guesses):
                scores[g] = 0
            break
    for t in range(start, stop):  # they come first, so all of them were counted where it ended early
        if scores[mine[t]] > 0:
            scores[mine[t]] += 1
            most = max(most, scores[mine[t]])
    return most


@inner
def by_score(whole, depth, least, most):
    """Put the guesses whose score is above the least in order, the greatest first; return how many."""
    for k in range(most - least + 1):
        whole.steps[k] = 0
    return highest(whole.scores[depth], least, most, whole.steps, whole.order[depth])


@inner
def by_size(queue, count, starts):
    """Sort classes by size, smallest first: these are soon done, and may be enough."""
    for k in range(1, count):
        number, place = queue[k], k
        size = starts[number + 1] - starts[number]
        while place > 0 and starts[queue[place - 1] + 1] - starts[queue[place - 1]] > size:
            queue[place] = queue[place - 1]
            place -= 1
        queue[place] = number

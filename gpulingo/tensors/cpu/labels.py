"""One set under every guess: words with the same label are in one class; kernels that count and part them.

Guesses of equal labels are one guess to the set and to all its subsets, so only the distinct ones are kept.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gpulingo.tensors.cpu.class_counts import highest
from gpulingo.tensors.cpu.codes import code_targets, room
from gpulingo.tensors.cpu.compile import compiled, inner
from gpulingo.tensors.cpu.dominance import needless
from gpulingo.tensors.cpu.label_lanes import TOGETHER, count_labels
from gpulingo.tensors.cpu.lanes import LANES
from gpulingo.tensors.cpu.rank import program_of
from gpulingo.tensors.cpu.scan import feature_bits
from gpulingo.tensors.features import Array
from gpulingo.tensors.wordtable import WordTable

WIDEST = 1 << 24  # codes that a table has places for: a limit of memory, 4 bytes each
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


def labelled(
    table: WordTable, words: Array, others: Array, numbers: Array, depths: int, finest: bool = False
) -> WholeSet:
    """The distinct guesses of a set, its own words first, then those of [P] int32 others that part it.

    Args:
        finest: leave out others that make no finer classes than one that is kept.
    """
    program, codes = program_of(table)
    n, most_labels = len(words), min(len(words), 3**table.length)
    kind = np.uint8 if most_labels <= 256 else np.uint16
    guesses = np.concatenate([words, others]).astype(np.int32)
    row = room((n + LANES - 1) // LANES * LANES, codes.dtype)
    places = np.full(program.widest if program.widest <= WIDEST else 0, -1, np.int32)
    bits = feature_bits(table.letters.numpy(), words, program)
    labels, kept = np.empty((len(guesses), n), kind), np.empty(len(guesses), np.int32)
    slots = np.full(2 << len(guesses).bit_length(), -1, np.int32)
    factors = np.random.default_rng(0).integers(1, 1 << 64, n, dtype=np.uint64)
    count, most = label_guesses(guesses, bits, program, row, places, labels, kept, slots, factors)
    labels, kept = labels[:count], kept[:count]
    if finest:
        rest = ~needless(table.letters.numpy(), words, guesses[kept], labels)
        labels, kept, count = labels[rest], kept[rest], int(rest.sum())
    wide, columns = (most + 63) // 64, -(-count // TOGETHER) * TOGETHER
    # Those of most classes first, but for the words themselves: few have labels beyond 63.
    classes = labels.max(1).astype(np.int64) + 1
    order = np.concatenate([np.arange(n), n + (-classes[n:]).argsort(kind="stable")])
    by_word = np.zeros((n, columns), kind)
    transpose(labels, order, by_word)
    indices = np.full(columns, guesses[0])
    indices[:count] = guesses[kept[order]]
    most_classes = np.ones(columns, np.int64)
    most_classes[:count] = classes[order]
    most_classes = most_classes.reshape(-1, TOGETHER).max(1)
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
def label_guesses(guesses, bits, program, row, places, labels, kept, slots, factors):
    """Label n words by the classes of each guess, from 0 in the order of their first words.

    Of guesses with equal labels the first is kept, of the first n, the words themselves, each; those that
    leave one class are not.

    Args:
        places: [widest code] int32, -1; becomes so again. Empty where there are too many codes: each is
            looked for among those before it then, of long words, which are few.
        labels: [G, n], kept: [G] int32, room for the labels and numbers of guesses that are kept.
        slots: [2^k] int32, more than G, -1: places of kept guesses by hash.
        factors: [n] uint64, at random: the hash is the sum of the labels times these.
    Returns:
        How many are kept, and the most classes that one of them makes.
    """
    n, mask = labels.shape[1], np.uint64(slots.shape[0] - 1)
    count, most, table = 0, 1, places.shape[0] > 0
    for g in range(guesses.shape[0]):
        code_targets(row, 0, bits, 0, row.shape[0] // LANES, program, guesses[g])
        classes, mine = 0, labels[count]
        key = np.uint64(0)
        for t in range(n):
            place = np.int32(-1)
            if table:
                place = places[row[t]]
            else:
                for s in range(t):
                    if row[s] == row[t]:
                        place = np.int32(mine[s])
                        break
            if place < 0:
                place = np.int32(classes)
                if table:
                    places[row[t]] = place
                classes += 1
            mine[t] = place
        if table:
            for t in range(n):
                places[row[t]] = -1
        for t in range(n):
            key += np.uint64(mine[t]) * factors[t]
        slot = (key >> np.uint64(32)) & mask
        new = True
        while slots[slot] >= 0 and new:
            new = False
            for t in range(n):
                if labels[slots[slot], t] != mine[t]:
                    new = True
                    break
            if new:
                slot = (slot + np.uint64(1)) & mask
        if g < n or (new and classes > 1):
            if new:
                slots[slot] = count
            kept[count] = g
            count += 1
            most = max(most, classes)
    return count, most


@compiled
def transpose(labels, order, by_word):
    """by_word[t, k] = labels[order[k], t], a tile at a time."""
    for first in range(0, order.shape[0], TILE):
        last = min(first + TILE, order.shape[0])
        for start in range(0, by_word.shape[0], TILE):
            for t in range(start, min(start + TILE, by_word.shape[0])):
                for k in range(first, last):
                    by_word[t, k] = labels[order[k], t]


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

"""Sets with their legal guesses for `ruled_search`: labels of a set, kernels that count and part it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gpulingo.solvers.labels import ones
from gpulingo.solvers.legal_bits import ANY
from gpulingo.tensors.cpu.class_counts import highest
from gpulingo.tensors.cpu.compile import inlined, inner
from gpulingo.tensors.features import Array

BLOCK = 256  # guesses whose classes are counted together
FRAME = 12  # numbers that a search keeps of each depth
ONE = np.uint64(1)


class Room(NamedTuple):
    """Room for one set of up to n words and for up to D guesses, by depth of the search."""

    size: (
        Array  # [4] int64: words and guesses of the set, words of 64 bits that hold its labels, most classes
    )
    words: Array  # [n] int32, indices into the table, the heaviest first
    weights: Array  # [n] int64
    numbers: Array  # [n, 2] uint64: of each word; sums of them are the hash of a set
    labels: (
        Array  # [D * n] uint8 or uint16: the class that each guess puts each word in; guess i < n is word i
    )
    columns: Array  # the same by word, where all guesses stay legal; else empty
    guesses: Array  # [D] int32, indices into the table
    column_of: Array  # [P] int32: the number of each word of the pool among the guesses, or -1
    legal: Array  # [depths, B] uint64: the legal guesses of each set
    hashes: Array  # [depths, 2] uint64: of the legal guesses
    lists: Array  # [depths, D] int32: the legal guesses in a row, words of the set first
    members: Array  # [depths, n] uint32: sets, each a stretch of a row
    starts: Array  # [depths, n + 1] int64: where the classes of a guess begin in the row below
    prefix: Array  # [depths, n + 1] int64: what the heaviest words of each set weigh, by how many
    scores: Array  # [depths, D] int32: classes of each legal guess, one more for a word of the set
    order: Array  # [depths, D] int32: places in the list of legal guesses by score
    queue: Array  # [depths, n] int64: the classes of a guess that are large enough to be searched
    caps: Array  # [depths, n] int64: what each class of a guess is worth at most, as counted in what it has
    frames: Array  # [depths, FRAME] int64, of the search
    places: Array  # [classes] int64, 0
    kinds: Array  # [n] int64
    renumbered: Array  # [256 or 65,536] int32, -1: the new number of each class
    steps: Array  # [n + 3] int64
    inside: Array  # [n] bool, False
    bits: Array  # [BLOCK * words of 64 bits] uint64
    slots: Array  # [2^k] int32, more than D, -1: guesses by hash of their labels


def room_for(words: int, pool: int, kind: np.dtype, legal: int, every: bool, depths: int) -> Room:
    """Room for so many words and so many guesses, `legal` words of bits and so many depths."""
    wide, cells = (min(words, 1 << 8 * kind.itemsize) + 63) // 64, words * pool
    by_word, by_guess = (depths, words + 1), (depths, pool)
    return Room(
        size=np.zeros(4, np.int64),
        words=np.empty(words, np.int32),
        weights=np.empty(words, np.int64),
        numbers=np.empty((words, 2), np.uint64),
        labels=np.empty(cells, kind),
        columns=np.empty(cells if every else 0, kind),
        guesses=np.empty(pool, np.int32),
        column_of=np.full(pool, -1, np.int32),
        legal=np.empty((depths, legal), np.uint64),
        hashes=np.zeros((depths, 2), np.uint64),
        lists=np.empty(by_guess, np.int32),
        members=np.empty(by_word, np.uint32),
        starts=np.empty(by_word, np.int64),
        prefix=np.empty(by_word, np.int64),
        scores=np.empty(by_guess, np.int32),
        order=np.empty(by_guess, np.int32),
        queue=np.empty(by_word, np.int64),
        caps=np.empty(by_word, np.int64),
        frames=np.zeros((depths, FRAME), np.int64),
        places=np.zeros(64 * wide, np.int64),
        kinds=np.empty(words, np.int64),
        renumbered=np.full(1 << 8 * kind.itemsize, -1, np.int32),
        steps=np.empty(words + 3, np.int64),
        inside=np.zeros(words, np.bool_),
        bits=np.empty(BLOCK * wide, np.uint64),
        slots=np.full(2 << pool.bit_length() if every else 1, -1, np.int32),
    )


@inner
def fill(row, number):
    """Set all numbers of a row; assigning to a slice would make an array."""
    for k in range(row.shape[0]):
        row[k] = number


@inner
def add_guess(room, matrix, place, ids, guess, distinct):
    """Label the set by a guess, as the next of its guesses, if it leaves more than one class and is new."""
    n, count = room.size[0], room.size[1]
    mine, places, classes = room.labels[count * n : (count + 1) * n], room.renumbered, 0
    key, slot = np.uint64(0), np.uint64(0)
    for t in range(n):
        number = matrix[place, ids[t]]
        if places[number] < 0:
            places[number] = classes
            classes += 1
        mine[t] = places[number]
        key = (key ^ np.uint64(mine[t])) * np.uint64(0x9E3779B97F4A7C15)
        key ^= key >> np.uint64(29)
    for t in range(n):
        places[matrix[place, ids[t]]] = -1
    if distinct:
        mask = np.uint64(room.slots.shape[0] - 1)
        slot = key & mask
        while room.slots[slot] >= 0:
            other = room.labels[room.slots[slot] * n : (room.slots[slot] + 1) * n]
            same = True
            for t in range(n):
                if other[t] != mine[t]:
                    same = False
                    break
            if same and count >= n:
                return
            if same:
                break
            slot = (slot + np.uint64(1)) & mask
    if classes > 1 or count < n:
        if distinct:  # a guess that is not kept leaves nothing behind: the next one takes its row
            room.slots[slot] = count
        room.column_of[place] = count
        room.guesses[count] = guess
        room.size[1] = count + 1
        room.size[3] = max(room.size[3], classes)


@inner
def by_column(room):
    """Write the labels of the set word by word."""
    n, guesses = room.size[0], room.size[1]
    for first in range(0, guesses, BLOCK):
        last = min(first + BLOCK, guesses)
        for t in range(n):
            row = room.columns[t * guesses : (t + 1) * guesses]
            for g in range(first, last):
                row[g] = room.labels[g * n + t]


@inner
def list_legal(room, depth, start, stop):
    """Write the legal guesses of a set in a row, its own words first; return how many."""
    mine, listed, legal = room.members[depth, start:stop], room.lists[depth], room.legal[depth]
    n, count = room.size[0], stop - start
    for t in range(mine.shape[0]):
        room.inside[mine[t]] = True
        listed[t] = mine[t]
    for w in range(legal.shape[0]):
        word = legal[w]
        while word != 0:
            low = word & (~word + np.uint64(1))
            column = room.column_of[64 * w + ones(low - np.uint64(1))]
            if column >= n or (column >= 0 and not room.inside[column]):
                listed[count] = column
                count += 1
            word ^= low
    for t in range(mine.shape[0]):
        room.inside[mine[t]] = False
    return count


@inner
def score_legal(room, rule, depth, start, stop, guesses, enough, count):
    """Score so many legal guesses of a set by their classes, one more for a word of it.

    Return the most classes and the greatest score. It ends early where one leaves as many classes as is
    enough; what is not scored has score 0.
    """
    mine, scores, n = room.members[depth, start:stop], room.scores[depth], stop - start
    most, scored = 0, 0
    for k in range(guesses):
        scores[k] = 0
    while scored < guesses and most < enough:
        last = min(scored + BLOCK, guesses)
        if rule == ANY:
            _count_columns(room, mine, scored, last, scores)
        else:
            for k in range(scored, last):
                base = np.uint64(room.lists[depth, k]) * np.uint64(room.size[0])
                scores[k] = count_classes(room.labels, base, mine, room.bits, room.size[2])
        for k in range(scored, last):
            most = max(most, scores[k])
        count[0] += (last - scored) * n
        scored = last
    parts = most
    for t in range(n):  # they come first, so all of them were counted where it ended early
        k = mine[t] if rule == ANY else t
        if scores[k] > 0:
            scores[k] += 1
            most = max(most, scores[k])
    return parts, most


@inner
def _count_columns(room, mine, first, last, scores):
    """scores[first:last] = the classes that these guesses make of some words."""
    bits, wide, guesses = room.bits, room.size[2], room.size[1]
    for k in range((last - first) * wide):
        bits[k] = 0
    for t in range(mine.shape[0]):
        row = room.columns[mine[t] * guesses + first : mine[t] * guesses + last]
        if wide == 1:
            for k in range(last - first):
                bits[k] |= np.uint64(1) << np.uint64(row[k])
        else:
            for k in range(last - first):
                label = np.int64(row[k])
                bits[k * wide + (label >> 6)] |= np.uint64(1) << np.uint64(label & 63)
    for k in range(last - first):
        total = np.int32(0)
        for w in range(wide):
            total += ones(bits[k * wide + w])
        scores[first + k] = total


@inlined
def count_classes(labels, base, mine, bits, wide):
    """The classes of some words by the labels that begin at a base."""
    total = np.int32(0)
    if wide == 1:
        seen = np.uint64(0)
        for t in range(mine.shape[0]):
            seen |= ONE << np.uint64(labels[base + np.uint64(mine[t])])
        total = ones(seen)
    else:
        for w in range(wide):
            bits[w] = 0
        for t in range(mine.shape[0]):
            label = np.uint64(labels[base + np.uint64(mine[t])])
            bits[label >> np.uint64(6)] |= ONE << (label & np.uint64(63))
        for w in range(wide):
            total += ones(bits[w])
    return total


@inner
def heaviest(room, column, mine):
    """What the heaviest words of the classes of a guess weigh together."""
    bits, n, weight = room.bits, room.size[0], np.int64(0)
    row = room.labels[column * n : (column + 1) * n]
    for w in range(room.size[2]):
        bits[w] = 0
    for t in range(mine.shape[0]):  # the heaviest come first
        label = np.uint64(row[mine[t]])
        bit = np.uint64(1) << (label & np.uint64(63))
        if bits[label >> np.uint64(6)] & bit == 0:
            bits[label >> np.uint64(6)] |= bit
            weight += room.weights[mine[t]]
    return weight


@inlined
def part(room, depth, start, stop, column):
    """Sort a stretch of a row into the row below by the classes of a guess; return how many they are."""
    members, labels, starts, places, kinds = room.members, room.labels, room.starts, room.places, room.kinds
    base, classes, total, below = np.uint64(column) * np.uint64(room.size[0]), 0, 0, depth + 1
    for t in range(start, stop):
        label = labels[base + np.uint64(members[depth, t])]
        if places[label] == 0:
            kinds[classes] = label
            classes += 1
        places[label] += 1
    for c in range(classes):
        size = places[kinds[c]]
        starts[depth, c] = total
        places[kinds[c]] = total
        total += size
    starts[depth, classes] = total
    for t in range(start, stop):
        label = labels[base + np.uint64(members[depth, t])]
        members[below, places[label]] = members[depth, t]
        places[label] += 1
    for c in range(classes):
        places[kinds[c]] = 0
    return classes


@inner
def by_score(room, depth, guesses, least, most):
    """Put the guesses whose score is above the least in order, the greatest first; return how many."""
    for k in range(most - least + 1):
        room.steps[k] = 0
    return highest(room.scores[depth, :guesses], least, most, room.steps, room.order[depth])

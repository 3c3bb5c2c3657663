"""One set of words under every guess, with working memory by depth; kernels that count and split it."""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from gpulingo.solvers.depth_first import NO_LABEL, fill, new_frames, split_words
from gpulingo.solvers.words.label_lanes import TOGETHER, count_labels
from gpulingo.solvers.words.labelling import Labelled
from gpulingo.solvers.words.legality import Legality
from gpulingo.solvers.words.symmetries import twins_of
from gpulingo.tensors.arrays import Array
from gpulingo.tensors.cpu.compile import inlined, inner
from gpulingo.tensors.cpu.most_classes import highest

ONE = np.uint64(1)


# One set of n words, the D guesses that split it, and working memory by depth of a search. If guesses are
# counted side by side, D is rounded up to a multiple of 64 by padding: guesses that put all words in one
# class.
WordWorkspace = namedtuple(
    "WordWorkspace",
    "words weights numbers labels by_guess guesses distinct wide wides most members starts scores order "
    "lists legal hashes column_of twins prefix queue caps frames places kinds steps inside bits",
)


def workspace(
    labels: Labelled, words: Array, weights: Array, numbers: Array, left: int, legality: Legality
) -> WordWorkspace:
    """Return the workspace of a set of [n] int32 words with its labels, for `left` turns left.

    `weights` are [n] int64, `numbers` [W, 2] uint64 of the whole table.
    """
    n, (count, _), depths = len(words), labels.by_guess.shape, left + 1
    ruled, together = legality.within > 0, left > legality.within
    columns = -(-count // TOGETHER) * TOGETHER if together else count
    by_word = np.zeros((n, columns) if together else (0, columns), labels.by_guess.dtype)
    if together:
        by_word[:, :count] = labels.by_guess.T
    indices = np.full(columns, words[0], np.int32)
    indices[:count] = labels.guesses
    most = np.ones(-(-columns // TOGETHER) * TOGETHER, np.int64)
    most[:count] = labels.classes
    most = most.reshape(-1, TOGETHER).max(1)
    wide = (int(most.max()) + 63) // 64
    column_of = np.full(len(legality.every) * 64 if ruled else 0, -1, np.int32)
    if ruled:
        column_of[legality.place_of[labels.guesses]] = np.arange(count)
    return WordWorkspace(
        words=words.copy(),  # [n] int32, indices into the table, the heaviest first
        weights=weights,  # [n] int64
        numbers=numbers[words],  # [n, 2] uint64: of each word; their sums hash a set
        # [n, D] uint8 or uint16: the class that each guess puts each word in; guess i < n is word i.
        labels=by_word,
        by_guess=labels.by_guess,  # [d, n], d <= D: the same by guess
        guesses=indices,  # [D] int32, indices into the table
        distinct=count,  # number of guesses without padding
        wide=wide,  # words of 64 bits for all labels
        wides=(most + 63) // 64,  # [D / 64] int64: words of 64 bits for the labels of each 64 guesses
        most=most,  # [D / 64] int64: the most classes that one of these 64 guesses makes
        members=np.empty((depths, n), np.int64),  # sets, each a stretch of a row
        starts=np.empty((depths, n + 1), np.int64),  # where the classes of a guess begin in the row below
        scores=np.empty((depths, columns), np.int32),  # classes of each guess, one more for a word of the set
        order=np.empty((depths, columns), np.int32),  # guesses by score
        # Legal guesses, words of the set first; empty without a rule.
        lists=np.empty((depths, columns if ruled else 0), np.int32),
        # Guesses that all hints allow, as bits of the pool; as `lists`.
        legal=np.empty((depths, len(legality.every) if ruled else 0), np.uint64),
        hashes=np.zeros((depths, 2), np.uint64),  # hashes of `legal`
        column_of=column_of,  # [P] int32: guess number of each word of the pool, or -1; as `lists`
        # [n] int64: the first word that each is a twin of; empty if there are no twins.
        twins=twins_of(labels.by_guess, np.arange(0 if ruled else n)),
        # Total weight of each set's heaviest words, by their number.
        prefix=np.empty((depths, n + 1), np.int64),
        queue=np.empty((depths, n), np.int64),  # the classes of a guess that are large enough to be searched
        # Upper bound of each class of a guess, as part of the guess's total.
        caps=np.empty((depths, n), np.int64),
        frames=new_frames(depths, "most"),  # "most": classes of a guess, one more for a word of the set
        places=np.zeros(64 * wide, np.int64),  # zeros between calls
        kinds=np.empty(n, np.int64),
        steps=np.empty(n + 3, np.int64),
        inside=np.zeros(n, np.bool_),  # all False between calls
        bits=np.empty(wide, np.uint64),
    )


@inner
def ones(word):
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int32((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@inlined
def count_classes(row, mine, bits):
    """Return the number of classes of some words, from the labels of one guess."""
    total = np.int32(0)
    if bits.shape[0] == 1:
        seen = np.uint64(0)
        for t in range(mine.shape[0]):
            seen |= ONE << np.uint64(row[mine[t]])
        total = ones(seen)
    else:
        fill(bits, 0)
        for t in range(mine.shape[0]):
            label = np.uint64(row[mine[t]])
            bits[label >> np.uint64(6)] |= ONE << (label & np.uint64(63))
        for w in range(bits.shape[0]):
            total += ones(bits[w])
    return total


@inner
def heaviest(space, guess, mine):
    """Return the total weight of the heaviest words of a guess's classes."""
    bits, row, weight = space.bits, space.by_guess[guess], np.int64(0)
    fill(bits, 0)
    for t in range(mine.shape[0]):  # the heaviest come first
        label = np.uint64(row[mine[t]])
        bit = ONE << (label & np.uint64(63))
        if bits[label >> np.uint64(6)] & bit == 0:
            bits[label >> np.uint64(6)] |= bit
            weight += space.weights[mine[t]]
    return weight


@inner
def part(space, depth, start, stop, guess):
    """Sort a part of a row into the row below by the classes of a guess; return the number of classes."""
    mine, below, starts = space.members[depth], space.members[depth + 1], space.starts[depth]
    return split_words(
        space.by_guess[guess], mine, start, stop, below, 0, space.places, space.kinds, starts, NO_LABEL
    )


@inner
def list_legal(space, depth, start, stop):
    """Write the legal guesses of a set to a row, its own words first; return their number."""
    mine, listed, legal = space.members[depth, start:stop], space.lists[depth], space.legal[depth]
    n, count = space.words.shape[0], stop - start
    for t in range(mine.shape[0]):
        space.inside[mine[t]] = True
        listed[t] = mine[t]
    for w in range(legal.shape[0]):
        word = legal[w]
        while word != 0:
            low = word & (~word + ONE)
            column = space.column_of[64 * w + ones(low - ONE)]
            if column >= n or (column >= 0 and not space.inside[column]):
                listed[count] = column
                count += 1
            word ^= low
    for t in range(mine.shape[0]):
        space.inside[mine[t]] = False
    return count


@inner
def score_guesses(space, depth, start, stop, enough, count):
    """Score every guess of a set by its classes, one more for a word of it; return most classes, and score.

    It ends early at a guess with `enough` classes; guesses without a score have 0.
    """
    mine, scores = space.members[depth], space.scores[depth]
    n, guesses, parts = stop - start, scores.shape[0], 0
    for first in range(0, guesses, TOGETHER):
        wide = space.wides[first // TOGETHER]
        parts = max(parts, count_labels(scores, space.labels, mine, start, stop, first, wide))
        count[0] += min(TOGETHER, space.distinct - first) * n
        if parts >= enough:
            fill(scores[first + TOGETHER :], 0)
            break
    most = parts
    for t in range(start, stop):  # these come first, so all of them were counted even if it ended early
        if scores[mine[t]] > 0:
            scores[mine[t]] += 1
            most = max(most, scores[mine[t]])
    return parts, most


@inner
def score_legal(space, depth, start, stop, guesses, enough, count):
    """As `score_guesses`, for the first `guesses` guesses that `list_legal` wrote."""
    mine, scores, listed = space.members[depth, start:stop], space.scores[depth], space.lists[depth]
    n, parts, scored = stop - start, 0, 0
    while scored < guesses and parts < enough:
        last = min(scored + TOGETHER, guesses)
        for k in range(scored, last):
            scores[k] = count_classes(space.by_guess[listed[k]], mine, space.bits)
            parts = max(parts, scores[k])
        count[0] += (last - scored) * n
        scored = last
    fill(scores[scored:guesses], 0)
    most = parts
    for t in range(n):  # they come first
        if scores[t] > 0:
            scores[t] += 1
            most = max(most, scores[t])
    return parts, most


@inner
def by_score(space, depth, guesses, least, most):
    """Order the guesses whose score is above `least`, the greatest first; return their number."""
    fill(space.steps[: most - least + 1], 0)
    return highest(space.scores[depth, :guesses], least, most, space.steps, space.order[depth])


@inner
def by_size(queue, count, starts):
    """Sort classes by size, smallest first: these are quickly searched, and may suffice."""
    for k in range(1, count):
        number, place = queue[k], k
        size = starts[number + 1] - starts[number]
        while place > 0 and starts[queue[place - 1] + 1] - starts[queue[place - 1]] > size:
            queue[place] = queue[place - 1]
            place -= 1
        queue[place] = number

"""Sets of words that a guessed letter splits by its places, for depth-first searches.

A set is a run of word indices in one array; its classes are written behind it and its siblings. So a search
that goes one set deeper uses the next free part, and allocates nothing. The choice of letters is elsewhere.
"""

from __future__ import annotations

from collections import namedtuple
from math import comb

import numpy as np

from gpulingo.solvers.depth_first import fill, new_frames, split_words
from gpulingo.solvers.payoffs import target_weights
from gpulingo.tensors.arrays import Array, array_of
from gpulingo.tensors.cpu.compile import inlined, inner
from gpulingo.tensors.wordtable import WordTable, letter_places

MISS = 0  # the class of the words without the letter, even if it is empty
MOST = 1 << 58  # above all values
# More fields of a frame: alpha as given; the value that some guesser has; upper bound of the letters tried;
# depth of the last set after a hit; number of places that may differ; where classes are written.
MORE = "asked", "lower", "rest", "missed", "places", "room"


def letter_classes(table: WordTable) -> tuple[Array, Array]:
    """Number the classes of each letter by pattern, from `MISS` on.

    Returns [W, A] int16, of each word by each letter; [A, K] int32 or int64, the pattern of each class, -1
    if a letter has fewer.
    """
    places = array_of(letter_places(table))
    known = [np.union1d(column, [MISS]) for column in places.T]
    most = max(map(len, known))
    if most > np.iinfo(np.int16).max:
        raise ValueError(f"letters have up to {most} different places in words, expected at most 32,767")
    patterns = np.full((len(known), most), -1, places.dtype)
    for letter, values in enumerate(known):
        patterns[letter, : len(values)] = values
    columns = [np.searchsorted(values, column) for values, column in zip(known, places.T, strict=True)]
    return np.ascontiguousarray(np.stack(columns, 1), np.int16), patterns


def different_letters(classes: Array, length: int) -> tuple[Array, Array]:
    """Return [W, length] uint8: the different letters of each word first; and [W] int64: their number."""
    letters = np.argsort(classes == MISS, axis=1, kind="stable")[:, :length].astype(np.uint8)
    return letters, (classes != MISS).sum(1)


# The words as split by letters, and working memory for the classes.
LetterSets = namedtuple(
    "LetterSets",
    "numbers letters different hashes weights payoff members digits caps even tally weighed falling hits "
    "touched starts bounds ceilings bounded totals ladder counts order queue frames",
)


def open_caps(length: int, payoff: Array, heaviest: int) -> Array:
    """Return [length + 1, lives + 1] int64, up to `MOST`: bounds by the places that may differ, and lives.

    A letter is at some of the open places, which closes them, or at none, which costs a life.
    """
    lives = len(payoff) - 1
    caps = [[0] * (lives + 1) for _ in range(length + 1)]
    for left in range(1, lives + 1):
        caps[0][left] = int(payoff[left]) * heaviest
        for places in range(1, length + 1):
            closed = sum(comb(places, k) * caps[places - k][left] for k in range(1, places + 1))
            caps[places][left] = caps[places][left - 1] + closed
    return np.array([[min(cap, MOST) for cap in row] for row in caps], np.int64)


def letter_sets(table: WordTable, classes: Array, patterns: Array, payoff: Array) -> LetterSets:
    """Return working memory for sets of a table; see `letter_classes`, and below for the payoff."""
    (words, width), most = classes.shape, patterns.shape[1]
    rows = width + 2
    weights = target_weights(table)
    letters, different = different_letters(classes, table.length)
    return LetterSets(
        # The class of each word by each letter, see `letter_classes`; unsigned: indices need no sign test.
        numbers=classes.astype(np.uint16),
        letters=letters,  # [W, N] uint8: the different letters of each word first
        different=different,  # [W] int64: their number
        # [W, 2] uint64: random; their sums identify a set.
        hashes=np.random.default_rng(0).integers(1, 1 << 64, (words, 2), dtype=np.uint64),
        weights=weights,  # [W] int64: weight of each word
        payoff=payoff,  # [lives + 1] int64: payoff of a word by lives left; payoff[0] is 0, it never falls
        members=np.zeros(rows * words, np.int32),  # runs of word indices
        # [A, C] int64: number of places that each class shows.
        digits=np.bitwise_count(np.maximum(patterns, 0)).astype(np.int64),
        # [N + 1, lives + 1] int64: upper bound of any set by open places and lives.
        caps=open_caps(table.length, payoff, int(weights.max())),
        even=bool((weights == weights[0]).all()),  # whether all words have the same weight
        tally=np.zeros(most, np.int32),  # all 0 between calls: words of each number
        weighed=np.zeros((width, most), np.int64),  # all 0 between calls: weight of the words of each number
        falling=np.zeros(width, np.int64),  # scratch
        hits=np.zeros((rows, width), np.int64),  # upper bound of the words with each letter
        touched=np.zeros((rows, most), np.int32),  # the numbers of a set's classes, a row per depth
        # Where each class begins in `members`; last, where they end.
        starts=np.zeros((rows, most + 1), np.int64),
        bounds=np.zeros((rows, most), np.int64),  # upper bound of each class
        # The same by letter and number, where `bounded` is set.
        ceilings=np.zeros((rows, width, most), np.int64),
        bounded=np.zeros((rows, width), np.uint8),
        totals=np.zeros((rows, width), np.int64),  # upper bound of each letter, summed over its classes
        ladder=np.zeros((rows, len(payoff)), np.int64),  # upper bound of the set by lives
        counts=np.zeros((rows, width), np.int64),  # weight of the words with each letter
        order=np.zeros((rows, width), np.int64),  # letters to guess, in the order of trying
        queue=np.zeros((rows, most), np.int64),  # the classes of a letter to be searched
        frames=new_frames(rows, *MORE),
    )


@inner
def part_by(sets, depth, start, n, free, letter):
    """Split the set of `n` words at `start` by a letter; write its classes from `free` on, misses first.

    Return their number; `touched[depth]` has their class numbers, `starts[depth]` where they begin.
    """
    labels, members = sets.numbers[:, letter], sets.members
    touched, starts = sets.touched[depth], sets.starts[depth]
    return split_words(labels, members, start, start + n, members, free, sets.tally, touched, starts, MISS)


@inlined
def letters_of(sets, word):
    return sets.letters[word, : sets.different[word]]


@inner
def weight_of(sets, start, n):
    total = np.int64(0)
    for t in range(start, start + n):
        total += sets.weights[sets.members[t]]
    return total


@inner
def count_letters(sets, depth, start, n):
    """Count the words with each letter by weight; a letter that all have at the same places counts 0.

    Among letters of equal weight the one with more words is first, so that a letter of words of weight 0
    differs from a letter of no word. Return a letter that all words have, at different places: it costs no
    miss and splits the set; -1 without one.
    """
    counts, members = sets.counts[depth], sets.members
    fill(counts, 0)
    for t in range(start, start + n):
        weight = np.int64(sets.weights[members[t]]) * (n + 1) + 1
        for letter in letters_of(sets, members[t]):
            counts[letter] += weight
    free = -1
    for letter in letters_of(sets, members[start]):  # only these can be in all
        t = start + 1
        number, differs = sets.numbers[members[start], letter], False
        while t < start + n and sets.numbers[members[t], letter] != MISS:
            differs |= sets.numbers[members[t], letter] != number
            t += 1
        if t == start + n:
            if differs:
                free = np.int64(letter)
            else:
                counts[letter] = 0
    return free


@inner
def weigh_hits(sets, depth, start, n, lives, places):
    """Write upper bounds of the words with each letter to `hits[depth]`: by places that may differ."""
    hits, payoff, caps = sets.hits[depth], sets.payoff[lives], sets.caps
    fill(hits, 0)
    for t in range(start, start + n):
        word = sets.members[t]
        weight = sets.weights[word]
        for letter in letters_of(sets, word):
            sets.weighed[letter, sets.numbers[word, letter]] += weight
    for t in range(start, start + n):
        word = sets.members[t]
        for letter in letters_of(sets, word):
            number = sets.numbers[word, letter]
            weight = sets.weighed[letter, number]
            if weight:
                sets.weighed[letter, number] = 0
                closed = sets.digits[letter, number]
                hits[letter] += min(weight * payoff, caps[max(places - closed, 0), lives])
    for letter in range(hits.shape[0]):
        if sets.counts[depth, letter] == 0:
            hits[letter] = 0


@inner
def sort_letters(sets, depth, first):
    """Write the useful letters to `order[depth]`: `first` if not -1, then by count; return their number.

    Letters of equal count keep their order.
    """
    counts, order, many = sets.counts[depth], sets.order[depth], 0
    for letter in range(counts.shape[0]):
        if counts[letter] == 0 or letter == first:
            continue
        place = many
        while place > 0 and counts[order[place - 1]] < counts[letter]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = letter
        many += 1
    if first >= 0 and counts[first] > 0:
        for place in range(many, 0, -1):
            order[place] = order[place - 1]
        order[0] = first
        many += 1
    return many

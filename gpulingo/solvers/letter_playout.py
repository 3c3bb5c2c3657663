"""Playing out a set of words: at every set the best of a few letters, the rest by what most words hold."""

from __future__ import annotations

import numpy as np

from gpulingo.solvers.letter_bounds import known_value
from gpulingo.solvers.letter_classes import MISS
from gpulingo.solvers.letter_sets import count_letters, part_by, sort_letters, weight_of
from gpulingo.solvers.letter_table import NO_GUESS, entry, put_set
from gpulingo.solvers.transpositions import NOWHERE, hash_of, row_of
from gpulingo.tensors.cpu.compile import compiled, inner

# Added to the lives of a set for each level and each letter compared, so that its entries are told apart.
LEVEL, WIDTH = 1 << 40, 1 << 20


@inner
def common_letter(sets, depth):
    """Return the letter that most words hold, on ties the first, after `count_letters`."""
    counts, best = sets.counts[depth], 0
    for letter in range(counts.shape[0]):
        if counts[letter] > counts[best]:
            best = letter
    return best


@inner
def first_letters(sets, depth, start, n, width):
    """Put the letters that are to be compared into `order[depth]` and return how many there are."""
    if count_letters(sets, depth, start, n) >= 0 or width == 1:  # a free one is held by most
        sets.order[depth, 0] = common_letter(sets, depth)
        return 1
    return min(width, sort_letters(sets, depth, NO_GUESS))


@compiled
def playout(sets, table, depth, start, n, room, lives, levels, width, noted):
    """Return the value of a set when each of the first `levels` letters is the best of `width`.

    The others are what most words hold, on ties the first.

    Args:
        sets: `letter_sets.LetterSets`; the set is the n words at `start`, classes are put from `room` on.
        table: the transposition table, which stores the values of sets with levels left.
        depth: of the set, 0 at first.
        levels: 0 or more.
        width: letters that are compared, 1 or more.
        noted: whether the letter is chosen with all the levels at every set; if so the table notes it as the
            search does, which may have a letter for the set that is taken instead.
    """
    value = known_value(sets, start, n, lives, 0)
    if value >= 0:
        return value
    guess, kept = np.int64(NO_GUESS), np.int64(NOWHERE)
    whole, half = hash_of(sets.hashes, sets.members, start, start + n, lives)
    if noted:
        kept = row_of(table, whole, half)
        if kept != NOWHERE:
            guess = entry(table, kept)[3]
    told = lives + LEVEL * levels + WIDTH * width
    key, check = hash_of(sets.hashes, sets.members, start, start + n, told)
    if levels and guess < 0:
        here = row_of(table, key, check)
        if here != NOWHERE and not noted:
            return entry(table, here)[0]
        if here != NOWHERE:
            guess = entry(table, here)[3]
    starts, best, after = sets.starts[depth], np.int64(-1), max(levels - 1, np.int64(0))
    if guess < 0:
        many = first_letters(sets, depth, start, n, width if levels else 1)
        if many == 1 and noted:
            guess, many = sets.order[depth, 0], 0
        for k in range(many):
            letter, total = sets.order[depth, k], np.int64(0)
            classes = part_by(sets, depth, start, n, room, letter)
            for c in range(classes):
                left, size = lives - (sets.touched[depth, c] == MISS), starts[c + 1] - starts[c]
                # Types as Python's caller has them: of a kernel that calls itself with others, the machine
                # code that is read from disk breaks.
                total += playout(
                    sets, table, depth + 1, starts[c], size, starts[classes], left, after, width, np.int64(0)
                )
            if total > best:
                best, guess = total, letter
        if levels and many:
            put_set(table, key, check, n, best, best, best, guess, 0)
    if not noted:
        return best
    total = np.int64(0)
    classes = part_by(sets, depth, start, n, room, guess)
    for c in range(classes):
        left, size = lives - (sets.touched[depth, c] == MISS), starts[c + 1] - starts[c]
        total += playout(
            sets, table, depth + 1, starts[c], size, starts[classes], left, levels, width, np.int64(1)
        )
    if kept == NOWHERE:
        upper = sets.payoff[lives] * weight_of(sets, start, n)
        put_set(table, whole, half, n, total, upper, upper, guess, 0)
    return total

"""The most that the words of a set are worth when letters are guessed: branch and bound, depth first."""

from __future__ import annotations

import numpy as np

from gpulingo.solvers.letter_bounds import (
    bound_classes,
    bound_letter,
    bound_misses,
    chain_bound,
    known_value,
)
from gpulingo.solvers.letter_classes import MISS
from gpulingo.solvers.letter_sets import count_letters, part_by, sort_letters, weigh_hits, weight_of
from gpulingo.solvers.letter_table import NO_GUESS, entry, put_set
from gpulingo.solvers.transpositions import NOWHERE, hash_of, row_of
from gpulingo.tensors.cpu.compile import compiled, inner

NODES, LIMIT = 0, 1  # of `count`: words of the sets that were opened, and the most there may be


@inner
def looked_up(sets, table, key, check, most):
    """What the table knows of a set: as its fields, `most` for what has no bound."""
    here = row_of(table, key, check)
    if here == NOWHERE:
        return np.int64(-1), most, np.int64(-1), np.int64(NO_GUESS), np.int64(0)
    lower, upper, narrow, guess, searched = entry(table, here)
    return lower, min(upper, most), narrow, guess, searched


@inner
def fill_ladder(sets, table, depth, missed, start, n, lives, width, total, upper):
    """Note what a set is worth at most with fewer lives, by what held it and by the table."""
    ladder = sets.ladder[depth]
    for left in range(lives + 1):
        ladder[left] = sets.ladder[depth - 1, left] if depth > missed else sets.payoff[left] * total
    here = row_of(table, *hash_of(sets.hashes, sets.members, start, start + n, lives - 1))
    if here != NOWHERE:
        _, most, narrow, _, searched = entry(table, here)
        ladder[lives - 1] = min(ladder[lives - 1], narrow if searched >= width else most)
    ladder[lives] = min(ladder[lives], upper)


@inner
def line_up(sets, table, depth, missed, start, n, room, lives, places, width, guess, free, floor):
    """Put the letters to try into `order[depth]` and bound each of them; return how many there are."""
    if free >= 0:
        sets.order[depth, 0], many = free, 1
    else:
        many = sort_letters(sets, depth, guess)
    for letter in range(sets.order.shape[1]):
        sets.bounded[depth, letter] = 0
    for k in range(min(many, width)):
        letter = sets.order[depth, k]
        bound_letter(sets, table, depth, missed, start, n, room, letter, lives, places, width, floor)
    if free < 0:
        bound_misses(sets, depth, many, width, lives)
    return min(many, width)


@compiled
def seek_letters(sets, table, count, depth, missed, start, n, room, lives, places, floor, width):
    """The value of a set among `width` letters if it is above the floor, else a bound of it that is not.

    Args:
        sets: `letter_sets.LetterSets`; the set is the n words at `start`; classes are put from `room` on.
        table: the transposition table, with entries of `letter_table`.
        count: [2] int64, words of the sets that were opened and the most there may be; with more it ends, and
            what is returned means nothing.
        depth: of the set, 0 at first. missed: depth of the last set that a hit led to, 0 at first.
        places: that may still differ. floor: not below -1.
    """
    value = known_value(sets, start, n, lives, places)
    if value >= 0:
        return value
    count[NODES] += n
    if count[NODES] > count[LIMIT]:
        return np.int64(floor)
    total = weight_of(sets, start, n)
    upper = min(sets.payoff[lives] * total, sets.caps[places, lives])
    key, check = hash_of(sets.hashes, sets.members, start, start + n, lives)
    lower, upper, narrow, guess, searched = looked_up(sets, table, key, check, upper)
    if upper <= floor or lower >= upper:
        return upper
    if searched >= width and (narrow <= floor or narrow <= lower):
        return max(narrow, lower)
    fill_ladder(sets, table, depth, missed, start, n, lives, width, total, upper)
    free = count_letters(sets, depth, start, n)
    if free < 0:
        weigh_hits(sets, depth, start, n, lives, places)
        upper = min(upper, chain_bound(sets, depth, total, lives))
        if upper <= floor:
            narrow = max(narrow, lower) if searched else upper
            put_set(table, key, check, n, lower, upper, narrow, guess, searched)
            return upper
    best, rest = max(np.int64(floor), lower), np.int64(-1)
    many = line_up(sets, table, depth, missed, start, n, room, lives, places, width, guess, free, best)
    starts, bounds = sets.starts[depth], sets.bounds[depth]
    for k in range(many):
        letter = sets.order[depth, k]
        if sets.totals[depth, letter] <= best:
            rest = max(rest, sets.totals[depth, letter])
            continue
        classes = part_by(sets, depth, start, n, room, letter)
        total = bound_classes(sets, table, depth, missed, classes, letter, lives, places, width)
        for c in range(classes):
            if total <= best:
                break
            if bounds[c] < 0:
                continue
            number, size, after = sets.touched[depth, c], starts[c + 1] - starts[c], starts[classes]
            left, hit = lives - (number == MISS), depth + 1 if number != MISS else missed
            # Types as Python's caller has them: of a kernel that calls itself with others, the machine code
            # that is read from disk breaks.
            low, still = max(best - (total - bounds[c]), np.int64(-1)), places - sets.digits[letter, number]
            value = seek_letters(
                sets, table, count, depth + 1, hit, starts[c], size, after, left, still, low, width
            )
            if count[NODES] > count[LIMIT]:
                if best > max(np.int64(floor), lower):
                    put_set(table, key, check, n, best, upper, upper, guess, 0)
                return best
            total += value - bounds[c]
            sets.ceilings[depth, letter, number] = min(sets.ceilings[depth, letter, number], value)
        if total <= best:
            rest = max(rest, total)
            continue
        best, guess = total, letter
        if best >= upper:
            break
    narrow = best if best > floor else max(rest, lower)
    if width >= sets.order.shape[1]:
        upper = min(upper, narrow)
    put_set(table, key, check, n, best if best > floor else lower, upper, narrow, guess, width)
    return narrow


@compiled
def known_bracket(sets, table, n, lives, places):
    """What the first n `members` have as far as the table knows, and what they are worth at most."""
    value = known_value(sets, 0, n, lives, places)
    if value >= 0:
        return value, value
    lower, upper = np.int64(0), min(sets.payoff[lives] * weight_of(sets, 0, n), sets.caps[places, lives])
    here = row_of(table, *hash_of(sets.hashes, sets.members, 0, n, lives))
    if here != NOWHERE:
        least, most, _, _, _ = entry(table, here)
        lower, upper = max(lower, least), min(upper, most)
    return lower, upper

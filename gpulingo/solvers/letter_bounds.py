"""Upper bounds on the value of sets of words when letters are guessed, without a search.

Four facts are used: with few lives only few letters can be guessed; a letter hits at most the words that hold
it, and no more at a set that misses led to than before them; of words that differ at few places few are
found; a set has at most the value of one that holds it.
"""

from __future__ import annotations

import numpy as np

from gpulingo.solvers.depth_first import FLOOR, LEFT, START, STOP
from gpulingo.solvers.letter_classes import MISS
from gpulingo.solvers.letter_sets import (
    MISSED,
    PLACES,
    ROOM,
    count_letters,
    part_by,
    weigh_hits,
    weight_of,
)
from gpulingo.solvers.letter_table import entry
from gpulingo.solvers.transpositions import NOWHERE, hash_of, row_of
from gpulingo.tensors.cpu.compile import inner

OPEN = -1  # the value is not known without a search


@inner
def known_value(sets, start, n, lives, places):
    """Return the value of a set where no search is needed, otherwise OPEN.

    Args:
        places: that may still differ.
    """
    payoff = sets.payoff
    if lives == 0:
        return np.int64(0)
    if n == 1:
        return payoff[lives] * sets.weights[sets.members[start]]
    # A letter of some of so few words leaves a life for each of the others.
    if n <= lives and payoff[1] == payoff[lives]:
        return payoff[lives] * weight_of(sets, start, n)
    if places == 1 and sets.even:  # every letter hits one word
        value = np.int64(0)
        for k in range(min(n, lives)):
            value += payoff[lives - k]
        return value * sets.weights[sets.members[start]]
    return np.int64(OPEN)


@inner
def chain_bound(sets, depth, total, lives):
    """Bound a set's value: each miss leads to the next letter, which hits no more than it would here.

    Args:
        total: weight of the set. `hits[depth]` is filled.
    """
    hits, falling, many = sets.hits[depth], sets.falling, 0
    for letter in range(hits.shape[0]):
        value = hits[letter]
        if value == 0 or (many == lives and falling[many - 1] >= value):
            continue
        many = min(many + 1, lives)
        place = many - 1
        while place > 0 and falling[place - 1] < value:
            falling[place] = falling[place - 1]
            place -= 1
        falling[place] = value
    bound = np.int64(0)
    for k in range(many):
        bound += falling[k]
    return min(bound, total * sets.payoff[lives])


@inner
def class_bound(sets, table, start, n, lives, places, width):
    """Return the table's upper bound on a class's value, and whether it is the value."""
    value = known_value(sets, start, n, lives, places)
    if value >= 0:
        return value, True
    here = row_of(table, *hash_of(sets.hashes, sets.members, start, start + n, lives))
    if here == NOWHERE:
        return min(sets.payoff[lives] * weight_of(sets, start, n), sets.caps[places, lives]), False
    lower, upper, narrow, _, searched = entry(table, here)
    if searched >= width:
        upper = min(upper, narrow)
    return upper, upper <= lower


@inner
def sharpen(sets, depth, classes, letter, total):
    """Bound the classes of a letter by their own counts until their sum is no more than the floor."""
    frame, starts, bounds = sets.frames[depth], sets.starts[depth], sets.bounds[depth]
    for c in range(classes):
        if bounds[c] < 0:
            continue
        n, number = starts[c + 1] - starts[c], sets.touched[depth, c]
        left, places = frame[LEFT] - (number == MISS), frame[PLACES] - sets.digits[letter, number]
        if count_letters(sets, depth + 1, starts[c], n) >= 0:
            continue
        weigh_hits(sets, depth + 1, starts[c], n, left, places)
        bound = chain_bound(sets, depth + 1, weight_of(sets, starts[c], n), left)
        if bound < bounds[c]:
            total -= bounds[c] - bound
            bounds[c] = bound
            if total <= frame[FLOOR]:
                break
    return total


@inner
def part_and_bound(sets, table, width, depth, letter):
    """Split the set of a frame by a letter, and bound every class.

    By the table, and by what held the set before misses led to it: from the last set that a hit led to, each
    holds the next.

    Returns:
        The number of classes, and the sum of their bounds; `bounds[depth]` has those, and ~ of one that is
            the value.
    """
    frame, starts, bounds = sets.frames[depth], sets.starts[depth], sets.bounds[depth]
    classes = part_by(sets, depth, frame[START], frame[STOP] - frame[START], frame[ROOM], letter)
    above, total = depth, np.int64(0)
    while above >= frame[MISSED] and sets.bounded[above, letter] == 0:
        above -= 1
    for c in range(classes):
        number = sets.touched[depth, c]
        left, places = frame[LEFT] - (number == MISS), frame[PLACES] - sets.digits[letter, number]
        bound, exact = class_bound(sets, table, starts[c], starts[c + 1] - starts[c], left, places, width)
        if above >= frame[MISSED] and not exact:
            bound = min(bound, sets.ceilings[above, letter, number])
        total += bound
        bounds[c] = ~bound if exact else bound
    return classes, total


@inner
def bound_letter(sets, table, width, depth, letter):
    """Note the upper bound of a letter at the set of a frame."""
    classes, total = part_and_bound(sets, table, width, depth, letter)
    if total > sets.frames[depth, FLOOR]:
        total = sharpen(sets, depth, classes, letter, total)
    hits = total
    for c in range(classes):
        number, bound = sets.touched[depth, c], sets.bounds[depth, c]
        bound = ~bound if bound < 0 else bound
        sets.ceilings[depth, letter, number] = bound
        if number == MISS:
            hits -= bound
    sets.bounded[depth, letter] = 1
    sets.totals[depth, letter], sets.hits[depth, letter] = total, hits


@inner
def bound_misses(sets, depth, many, width, lives):
    """Lower the bounds of misses: each leads to one more letter, which finds no more than it would here."""
    order, totals, hits, falling = sets.order[depth], sets.totals[depth], sets.hits[depth], sets.falling
    for k in range(many):
        letter, place = order[k], k
        while place > 0 and falling[place - 1] < hits[letter]:
            falling[place] = falling[place - 1]
            place -= 1
        falling[place] = hits[letter]
    most = np.int64(0)
    for k in range(min(lives, many)):
        most += falling[k]
    last = falling[min(lives, many) - 1]
    for k in range(min(width, many)):
        letter = order[k]
        others = min(most - max(hits[letter], last), sets.ladder[depth, lives - 1])
        if others < sets.ceilings[depth, letter, MISS]:
            sets.ceilings[depth, letter, MISS] = others
            totals[letter] = hits[letter] + others

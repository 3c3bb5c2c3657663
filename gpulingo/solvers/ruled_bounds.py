"""What sets of `ruled_search` are worth at most, by their own words or by growth; hashes of them."""

from __future__ import annotations

import numpy as np

from gpulingo.solvers.ruled_sets import count_classes, heaviest
from gpulingo.solvers.set_table import GUESS, NOWHERE, row_of, write
from gpulingo.solvers.set_table import UPPER as BOUNDED
from gpulingo.solvers.value_table import UNKNOWN
from gpulingo.tensors.cpu.compile import inlined, inner

MOST_OWN = 40  # words of a set whose own words are tried before others


@inlined
def top_of(room, worth, depth, start, stop, left):
    """What no strategy has more of."""
    total = np.int64(0)
    for t in range(start, stop):
        total += room.weights[room.members[depth, t]]
    return (
        total * (worth.pace * (left - 1) + worth.bonus)
        + worth.pace * room.weights[room.members[depth, start]]
    )


@inner
def glance(room, known, worth, depth, start, stop, left):
    """What at least three words are worth at most by their own words alone; if that is the value; the guess.

    It holds whatever else is legal.
    """
    key, check = hash_of_set(room, depth, start, stop, left, False)
    here = row_of(known, key, check)
    if here != NOWHERE:
        return known[here, BOUNDED], known[here, GUESS] >= 0, known[here, GUESS]
    mine, n, bonus, pace = room.members[depth, start:stop], stop - start, worth.bonus, worth.pace
    total = np.int64(0)
    for t in range(n):
        total += room.weights[mine[t]]
    top = total * (pace * (left - 1) + bonus) + pace * room.weights[mine[0]]
    if depth > 0 and n > MOST_OWN:
        return top, False, np.int64(UNKNOWN)
    upper, value, best = top - pace * room.weights[mine[0]], np.int64(UNKNOWN), np.int64(UNKNOWN)
    for s in range(n):
        base = np.uint64(mine[s]) * np.uint64(room.size[0])
        classes = count_classes(room.labels, base, mine, room.bits, room.size[2])
        weight = heaviest(room, mine[s], mine) if worth.weighted else np.int64(classes)
        bound = pace * (room.weights[mine[s]] + weight + total * (left - 2))
        bound += bonus * (total if left > 2 else weight)
        if (left == 2 or classes >= n - 1) and bound > value:  # all classes are words or pairs
            value, best = bound, room.words[mine[s]]
        upper = max(upper, bound)
        if value == top:
            break
    exact = value >= upper
    write(known, key, check, upper, best if exact else UNKNOWN)
    return upper, exact, best


@inlined
def hash_of_set(room, depth, start, stop, left, legal):
    """Two sums that tell sets and turns apart, and maybe their legal guesses."""
    key = np.uint64(left) * np.uint64(0x9E3779B97F4A7C15)
    check = np.uint64(left) * np.uint64(0xC2B2AE3D27D4EB4F)
    for t in range(start, stop):
        word = room.members[depth, t]
        key += room.numbers[word, 0]
        check += room.numbers[word, 1]
    if legal:
        key += room.hashes[depth, 0]
        check += room.hashes[depth, 1]
    return np.int64(key) | 1, np.int64(check)  # 0 is for an empty place


@inlined
def growth(prefix, n, score, most, left, worth):
    """What a guess of this score leads to at most, the greatest score being `most`; see `growth_bound`.

    Args:
        prefix: [n + 1] what the heaviest words weigh, by how many.
    """
    within = min(score, n)
    value = prefix[score - 1] + prefix[1]
    for _ in range(left - 2):
        within = min(within * min(most, n), n)
        value += prefix[within]
    return worth.pace * value + worth.bonus * prefix[within]

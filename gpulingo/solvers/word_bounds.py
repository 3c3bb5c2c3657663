"""Upper bounds on the value of sets of words: by their own words alone, and by growth."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gpulingo.solvers.transpositions import GUESS, NOWHERE, UNKNOWN, UPPER, hash_of, row_of, write
from gpulingo.solvers.workspace import count_classes, heaviest
from gpulingo.tensors.cpu.compile import inlined, inner
from gpulingo.tensors.features import Array

MOST_OWN = (
    40  # words of a set whose own words are tried before others, where guesses are not counted together
)


class Payoff(NamedTuple):
    """Payoff of a found word."""

    credits: Array  # [turns + 1] int64: with so many turns left, the guess included; 0 at 0, it does not fall
    weighted: bool  # whether words count what they weigh


@inlined
def weight_of(space, payoff, mine):
    """Return the total weight of words."""
    if not payoff.weighted:
        return np.int64(mine.shape[0])
    total = np.int64(0)
    for t in range(mine.shape[0]):
        total += space.weights[mine[t]]
    return total


@inlined
def top_of(space, payoff, mine, left):
    """Return an upper bound: the heaviest word is found at once and splits all others."""
    credits = payoff.credits
    later = weight_of(space, payoff, mine) * credits[left - 1]
    return later + (credits[left] - credits[left - 1]) * space.weights[mine[0]]


@inner
def one_by_one(space, payoff, mine, left):
    """Return the value of a set that no guess splits: a word is found on each turn, the heaviest first."""
    value = np.int64(0)
    for t in range(min(left, mine.shape[0])):
        value += payoff.credits[left - t] * space.weights[mine[t]]
    return value


@inner
def quick_bound(space, rows, payoff, within, depth, start, stop, left):
    """Return an upper bound of three words or more by their words alone; if that is the value; the guess.

    It holds whatever else is legal.

    Args:
        within: the most turns left with which guesses are not counted together, because not all are legal.
    """
    key, check = hash_of(space.numbers, space.members[depth], start, stop, left)
    here = row_of(rows, key, check)
    if here != NOWHERE:
        return rows[here, UPPER], rows[here, GUESS] >= 0, rows[here, GUESS]
    mine, n, credits = space.members[depth, start:stop], stop - start, payoff.credits
    total, top = weight_of(space, payoff, mine), top_of(space, payoff, mine, left)
    # A word found on this turn rather than the next, and on the next rather than the one after it, counts
    # so much more.
    now, next_turn = credits[left] - credits[left - 1], credits[left - 1] - credits[left - 2]
    if depth > 0 and n > MOST_OWN and (left <= within or payoff.weighted):
        return top, False, np.int64(UNKNOWN)
    upper, value, best = total * credits[left - 1], np.int64(UNKNOWN), np.int64(UNKNOWN)
    for s in range(n):
        classes = count_classes(space.by_guess[mine[s]], mine, space.bits)
        weight = heaviest(space, mine[s], mine) if payoff.weighted else np.int64(classes)
        bound = now * space.weights[mine[s]] + next_turn * weight + credits[left - 2] * total
        if (left == 2 or classes >= n - 1) and bound > value:  # all classes are words or pairs
            value, best = bound, space.words[mine[s]]
        upper = max(upper, bound)
        if value == top:
            break
    exact = value >= upper
    write(rows, key, check, upper, best if exact else UNKNOWN)
    return upper, exact, best


@inlined
def growth(prefix, n, score, most, left, payoff):
    """Return the value that a guess of this score leads to at most; see `growth_bound`.

    Args:
        prefix: [n + 1] weight of the heaviest words, by their number.
        most: the greatest score of any guess.
    """
    credits, within = payoff.credits, min(score, n)
    now, next_turn = credits[left] - credits[left - 1], credits[left - 1] - credits[left - 2]
    # The guess is a word of the set, or leaves one class more.
    value = max(now * prefix[1] + next_turn * prefix[score - 1], next_turn * prefix[within])
    for later in range(left - 2, 0, -1):
        within = min(within * min(most, n), n)
        value += (credits[later] - credits[later - 1]) * prefix[within]
    return value

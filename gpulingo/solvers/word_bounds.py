"""What sets of words are worth at most: by their own words alone, and by growth."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gpulingo.solvers.legality import ANY
from gpulingo.solvers.transpositions import GUESS, NOWHERE, UNKNOWN, UPPER, hash_of, row_of, write
from gpulingo.solvers.workspace import count_classes, heaviest
from gpulingo.tensors.cpu.compile import inlined, inner

MOST_OWN = (
    40  # words of a set whose own words are tried before others, where guesses are not counted together
)


class Payoff(NamedTuple):
    """What a found word is worth: credits of the bonus and, for each turn left, of the pace; by weight."""

    bonus: int
    pace: int
    weighted: bool


@inlined
def weight_of(space, payoff, mine):
    """What words weigh together."""
    if not payoff.weighted:
        return np.int64(mine.shape[0])
    total = np.int64(0)
    for t in range(mine.shape[0]):
        total += space.weights[mine[t]]
    return total


@inlined
def top_of(space, payoff, mine, left):
    """What no strategy has more of: the heaviest word is found at once and parts all others."""
    total = weight_of(space, payoff, mine)
    return total * (payoff.pace * (left - 1) + payoff.bonus) + payoff.pace * space.weights[mine[0]]


@inner
def quick_bound(space, rows, payoff, rule, depth, start, stop, left):
    """What at least three words are worth at most by their own words alone; if that is the value; the guess.

    It holds whatever else is legal.
    """
    key, check = hash_of(space.numbers, space.members[depth], start, stop, left)
    here = row_of(rows, key, check)
    if here != NOWHERE:
        return rows[here, UPPER], rows[here, GUESS] >= 0, rows[here, GUESS]
    mine, n, bonus, pace = space.members[depth, start:stop], stop - start, payoff.bonus, payoff.pace
    total, heavy = weight_of(space, payoff, mine), space.weights[mine[0]]
    top = total * (pace * (left - 1) + bonus) + pace * heavy
    if depth > 0 and n > MOST_OWN and (rule != ANY or payoff.weighted):
        return top, False, np.int64(UNKNOWN)
    upper, value, best = top - pace * heavy, np.int64(UNKNOWN), np.int64(UNKNOWN)
    for s in range(n):
        classes = count_classes(space.by_guess[mine[s]], mine, space.bits)
        weight = heaviest(space, mine[s], mine) if payoff.weighted else np.int64(classes)
        bound = pace * (space.weights[mine[s]] + weight + total * (left - 2))
        bound += bonus * (total if left > 2 else weight)
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
    """What a guess of this score leads to at most, the greatest score being `most`; see `growth_bound`.

    Args:
        prefix: [n + 1] what the heaviest words weigh, by how many.
    """
    within = min(score, n)
    value = prefix[score - 1] + prefix[1]
    for _ in range(left - 2):
        within = min(within * min(most, n), n)
        value += prefix[within]
    return payoff.pace * value + payoff.bonus * prefix[within]

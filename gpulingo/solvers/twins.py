"""Twins: words that no other guess tells apart and that split other words alike, as anagrams do in jotto.

Swapping two twins maps strategies to strategies. So of the twins in a set it suffices to guess the heaviest,
which also does at least as well as a twin that is not in the set.
"""

from __future__ import annotations

import numpy as np

from gpulingo.tensors.cpu.compile import compiled, inner
from gpulingo.tensors.features import Array

NONE = -1


def twins_of(by_guess: Array, words: int) -> Array:
    """Return [n] int64: of each word the first that it is a twin of; empty if no two words are twins.

    Args:
        by_guess: [d, n], the class that each guess puts each word in; guess i < n is word i.
        words: n, or 0 where none may be taken for twins.
    """
    first = np.arange(words)
    several = find_twins(by_guess, first, np.empty((2, words + 1), np.int64))
    return first if several else first[:0]


@compiled
def find_twins(by_guess, first, renamed):
    """Write the twins of `twins_of`; return whether there are any."""
    several = False
    for t in range(first.shape[0]):
        for s in range(t):
            if first[s] == s and _is_twin(by_guess, s, t, renamed):
                first[t], several = s, True
                break
    return several


@inner
def _is_twin(by_guess, s, t, renamed):
    """Return True if swapping two words maps the classes of every guess to those of a guess."""
    for g in range(by_guess.shape[0]):
        if by_guess[g, s] != by_guess[g, t] and g != s and g != t:
            return False
    one, other, there, back = by_guess[s], by_guess[t], renamed[0], renamed[1]
    there[:], back[:] = NONE, NONE
    for x in range(one.shape[0]):
        y = t if x == s else s if x == t else x
        mine, image = one[x], other[y]
        if there[mine] == NONE and back[image] == NONE:
            there[mine], back[image] = image, mine
        elif there[mine] != image:
            return False
    return True


@inner
def one_of_twins(space, depth, start, stop, many):
    """Leave of the first guesses in the order of a set the heaviest of all twins; return how many."""
    first, order, chosen, left = space.twins, space.order[depth], space.kinds, 0
    chosen[:] = NONE
    for t in range(stop - 1, start - 1, -1):
        chosen[first[space.members[depth, t]]] = space.members[depth, t]
    for k in range(many):
        guess = order[k]
        if guess < first.shape[0]:
            if chosen[first[guess]] == NONE:
                chosen[first[guess]] = guess
            if chosen[first[guess]] != guess:
                continue
        order[left] = guess
        left += 1
    return left

"""Nogoods of words without a common letter: the host always says miss, and each letter takes one of them."""

from __future__ import annotations

import numpy as np

from gpulingo.solvers.adversary_nogoods import FULL, NONE, begin, end
from gpulingo.solvers.decision import LEFT, START, STOP
from gpulingo.solvers.letter_classes import NO_LETTER
from gpulingo.solvers.rows import fill
from gpulingo.tensors.cpu.compile import inner


@inner
def nogood_of_disjoint_words(sets, nogoods, depth):
    """Return a nogood of words that share no splitting letter, if there are enough to lose the set; or NONE.

    A letter hits one of them at most, so that each miss takes one of them.
    """
    frame, row = sets.frames[depth], sets.rows[depth]
    start, stop = frame[START], frame[STOP]
    first, parts, open_letters = sets.first, sets.parts[depth], sets.open_letters
    fill(first, 0)
    fewest, most, many = 1 << 30, 0, 0
    for i in range(start, stop):
        letters = 0
        for letter in sets.letters[row[i]]:
            if letter == NO_LETTER:
                break
            letters += parts[letter]
        open_letters[i] = letters
        fewest, most = min(fewest, letters), max(most, letters)
    for letters in range(fewest, most + 1):
        for i in range(start, stop):
            if open_letters[i] == letters and _stranger(sets, first, parts, row[i]):
                nogoods.union[many] = row[i]
                many += 1
    if many < frame[LEFT] + 2:
        return np.int64(NONE)
    nogood = begin(nogoods, many - 2)
    return nogood if nogood == FULL else end(sets, nogoods, nogood, many)


@inner
def _stranger(sets, taken, parts, word):
    """Return True if a word has none of the taken letters; it takes its own then."""
    for letter in sets.letters[word]:
        if letter == NO_LETTER:
            break
        if parts[letter] and taken[letter]:
            return False
    for letter in sets.letters[word]:
        if letter == NO_LETTER:
            break
        taken[letter] = parts[letter]
    return True

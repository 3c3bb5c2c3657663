"""Search for whether some number of misses is enough against a host who only keeps a set of words.

A part of a set never costs more misses than the set. So a letter is judged by its miss class alone: where
that is won with a miss less, the set is won if and only if all other classes of the letter are. Where no
letter's is, the set is lost, and the nogoods of the miss classes make a nogood of the set.
"""

from __future__ import annotations

import numpy as np

from gpulingo.solvers.adversary_nogoods import FULL, NONE, enlist, inherit, nogood_of, nogood_without_misses
from gpulingo.solvers.adversary_sets import TRIES, UNRULED, count_letters, part_by, put_won, won_letter
from gpulingo.solvers.decision import (
    CLASS,
    CLASSES,
    LEFT,
    LOST,
    OPEN,
    START,
    STOP,
    STOPPED,
    TRIED,
    WON,
    decision_search,
)
from gpulingo.solvers.disjoint_words import nogood_of_disjoint_words
from gpulingo.solvers.letter_classes import MISS
from gpulingo.tensors.cpu.compile import inner

FIRST = 1 << 40  # words that a miss class counts as where it is searched before the others


@inner
def _known(space, depth, count):
    """Return what is known of a set before its letters are tried."""
    sets, nogoods, won = space
    frame = sets.frames[depth]
    frame[CLASS], frame[TRIES] = OPEN, 0
    size = frame[STOP] - frame[START]
    if size <= frame[LEFT] + 1:
        return WON
    if won_letter(won, sets.sums[depth, 0], sets.sums[depth, 1], frame[LEFT]) >= 0:
        return WON
    count[0] += size
    count[2] += 1
    count_letters(sets, depth)
    nogood = nogood_of_disjoint_words(sets, nogoods, depth)
    return OPEN if nogood == NONE else _known_by(nogoods, nogood)


@inner
def _known_by(nogoods, nogood):
    """LOST by a nogood, which is noted as the last; STOPPED where there was no room for it."""
    nogoods.size[1] = nogood
    return STOPPED if nogood == FULL else LOST


@inner
def _next_guess(space, depth, count):
    """Try the next letter, if there is one."""
    sets, _, won = space
    letter = _next_letter(sets, won, depth)
    if letter >= 0:
        _try(sets, won, depth, letter)
    return letter >= 0


@inner
def _enter(space, depth):
    """Begin with the next class of the letter that is tried."""
    sets, nogoods, _ = space
    frame, child = sets.frames[depth], sets.frames[depth + 1]
    c = sets.queue[depth, frame[CLASS]]
    code = sets.classes[depth, c]
    child[START], child[STOP] = sets.starts[depth, c], sets.starts[depth, c + 1]
    child[LEFT] = frame[LEFT] - (code == MISS)
    sets.sums[depth + 1, 0], sets.sums[depth + 1, 1] = sets.keys[depth, c, 0], sets.keys[depth, c, 1]
    inherit(sets, nogoods, depth + 1, frame[TRIED], code)


@inner
def _keep_won(space, depth):
    """Keep a set that is won."""
    sets, _, won = space
    frame = sets.frames[depth]
    put_won(won, sets.sums[depth, 0], sets.sums[depth, 1], frame[LEFT], frame[TRIED])


@inner
def _keep_lost(space, depth, count):
    """Keep a nogood of a set whose letters are all ruled out."""
    sets, nogoods, _ = space
    if sets.frames[depth, LEFT]:
        return _known_by(nogoods, nogood_of(sets, nogoods, depth))
    return _known_by(nogoods, nogood_without_misses(sets, nogoods, depth))


@inner
def _backtrack(space, depth):
    """Before the first set that the last nogood is a part of and loses; the others learn of it."""
    sets, nogoods, _ = space
    return enlist(sets, nogoods, nogoods.size[1], depth) - 1


@inner
def _next_letter(sets, won, depth):
    """Return the letter to try next, or -1.

    One that all words hold is first, then one whose miss class is known to be won, then that of most hits.
    """
    frame, hits, key = sets.frames[depth], sets.hits[depth], sets.sums[depth]
    size, level = frame[STOP] - frame[START], frame[LEFT]
    best, most, known = np.int64(-1), -1, False
    for letter in range(hits.shape[0]):
        if not sets.parts[depth, letter]:
            continue
        if hits[letter] == size:
            return np.int64(letter)
        if level == 0 or sets.ruled[depth, letter] != UNRULED:
            continue
        sure = size - hits[letter] <= level
        if not sure and (hits[letter] > most or not known):
            first, second = key[0] - sets.missed[depth, letter, 0], key[1] - sets.missed[depth, letter, 1]
            sure = won_letter(won, first, second, level - 1) >= 0
        if (sure, hits[letter]) > (known, most):
            best, most, known = np.int64(letter), hits[letter], sure
    return best


@inner
def _try(sets, won, depth, letter):
    """Part a set by a letter and queue the classes that are not known to be won, largest first.

    The miss class is last at the first letter: a lost class among the others ends the search of the set. They
    are mostly won if that was no help, so that at the next letters it is first.
    """
    frame, starts, queue = sets.frames[depth], sets.starts[depth], sets.queue[depth]
    many, queued = part_by(sets, depth, letter), 0
    for c in range(many):
        level = frame[LEFT] - (sets.classes[depth, c] == MISS)
        size = starts[c + 1] - starts[c]
        if size <= level + 1 or won_letter(won, sets.keys[depth, c, 0], sets.keys[depth, c, 1], level) >= 0:
            continue
        size, place = _weighed(sets, depth, c), queued
        while place > 0 and _weighed(sets, depth, queue[place - 1]) < size:
            queue[place] = queue[place - 1]
            place -= 1
        queue[place] = c
        queued += 1
    frame[TRIED], frame[CLASS], frame[CLASSES] = letter, 0, queued
    frame[TRIES] += 1


@inner
def _weighed(sets, depth, c):
    """Return the words of a class as they count in the queue."""
    if sets.classes[depth, c]:
        return np.int64(sets.starts[depth, c + 1] - sets.starts[depth, c])
    return np.int64(FIRST if sets.frames[depth, TRIES] else 0)


search = decision_search(_known, _next_guess, _enter, _keep_won, _keep_lost, _backtrack)

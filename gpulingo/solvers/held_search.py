"""Whether a guesser of letters needs at most so many misses against a host who only keeps a set of words.

A part of a set never costs more misses than the set. So a letter is judged by its miss class alone: where
that is won with a miss less, the set is won if and only if all other classes of the letter are. Where no
letter's is, the set is lost, and the cores of the miss classes make a core of the set.
"""

from __future__ import annotations

import numpy as np

from gpulingo.solvers.held_cores import FULL, NONE, core_of, core_without_misses, enlist, inherit
from gpulingo.solvers.held_sets import (
    CLASS,
    CLASSES,
    LETTER,
    LEVEL,
    LOST,
    OPEN,
    START,
    STOP,
    TRIED,
    TRIES,
    WON,
    count_letters,
    part_by,
    put_won,
    won_letter,
)
from gpulingo.solvers.held_strangers import core_of_strangers
from gpulingo.tensors.cpu.compile import compiled, inner

FIRST = 1 << 40  # words that a miss class counts as where it is searched before the others


@compiled
def seek(sets, cores, won, count):
    """Whether the set of the first frame is won with the misses it is allowed.

    Depth first, on a stack of frames instead of recursive calls, which numba does not keep on disk.

    Args:
        count: words gone through, the most there may be, sets gone through.
    Returns:
        WON or LOST, and the core; OPEN where the limit was reached, or there is no room for another core.
    """
    depth, core = 0, np.int64(NONE)
    state = _open(sets, won, 0, count)
    if state == OPEN:
        core = core_of_strangers(sets, cores, 0)
        state = OPEN if core == NONE else LOST
    while count[0] <= count[1] and core != FULL:
        if state == LOST:
            depth = enlist(sets, cores, core, depth) - 1
            if depth < 0:
                return LOST, core
            sets.frames[depth, LETTER] = -1
        elif state == WON:
            depth -= 1
            if depth < 0:
                return WON, core
            sets.frames[depth, CLASS] += 1
        frame = sets.frames[depth]
        state = OPEN
        if frame[LETTER] < 0:
            letter = _next_letter(sets, won, depth)
            if letter >= 0:
                _try(sets, won, depth, letter)
            else:
                state = LOST
                core = (
                    core_of(sets, cores, depth) if frame[LEVEL] else core_without_misses(sets, cores, depth)
                )
        elif frame[CLASS] == frame[CLASSES]:
            put_won(won, sets.sums[depth, 0], sets.sums[depth, 1], frame[LEVEL], frame[LETTER])
            state = WON
        else:
            _enter(sets, cores, depth)
            depth += 1
            state = _open(sets, won, depth, count)
            if state == OPEN:
                core = core_of_strangers(sets, cores, depth)
                state = OPEN if core == NONE else LOST
    return OPEN, core


@inner
def _enter(sets, cores, depth):
    """Go on to the class that is next of the set at a depth."""
    frame, child = sets.frames[depth], sets.frames[depth + 1]
    c = sets.queue[depth, frame[CLASS]]
    code = sets.classes[depth, c]
    child[START], child[STOP] = sets.starts[depth, c], sets.starts[depth, c + 1]
    child[LEVEL] = frame[LEVEL] - (code == 0)
    sets.sums[depth + 1, 0], sets.sums[depth + 1, 1] = sets.keys[depth, c, 0], sets.keys[depth, c, 1]
    inherit(sets, cores, depth + 1, frame[LETTER], code)


@inner
def _open(sets, won, depth, count):
    """What is known of a set before its letters are tried."""
    frame = sets.frames[depth]
    frame[LETTER], frame[TRIES] = -1, 0
    size = frame[STOP] - frame[START]
    if size <= frame[LEVEL] + 1:
        return WON
    if won_letter(won, sets.sums[depth, 0], sets.sums[depth, 1], frame[LEVEL]) >= 0:
        return WON
    count[0] += size
    count[2] += 1
    count_letters(sets, depth)
    return OPEN


@inner
def _next_letter(sets, won, depth):
    """The letter to try next, or -1.

    One that all words hold is first, then one whose miss class is known to be won, then that of most hits.
    """
    frame, hits, key = sets.frames[depth], sets.hits[depth], sets.sums[depth]
    size, level = frame[STOP] - frame[START], frame[LEVEL]
    best, most, known = np.int64(-1), -1, False
    for letter in range(hits.shape[0]):
        if not sets.parts[depth, letter]:
            continue
        if hits[letter] == size:
            return np.int64(letter)
        if level == 0 or sets.ruled[depth, letter] != TRIED:
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
        level = frame[LEVEL] - (sets.classes[depth, c] == 0)
        size = starts[c + 1] - starts[c]
        if size <= level + 1 or won_letter(won, sets.keys[depth, c, 0], sets.keys[depth, c, 1], level) >= 0:
            continue
        size, place = _weighed(sets, depth, c), queued
        while place > 0 and _weighed(sets, depth, queue[place - 1]) < size:
            queue[place] = queue[place - 1]
            place -= 1
        queue[place] = c
        queued += 1
    frame[LETTER], frame[CLASS], frame[CLASSES] = letter, 0, queued
    frame[TRIES] += 1


@inner
def _weighed(sets, depth, c):
    """The words of a class as they count in the queue."""
    if sets.classes[depth, c]:
        return np.int64(sets.starts[depth, c + 1] - sets.starts[depth, c])
    return np.int64(FIRST if sets.frames[depth, TRIES] else 0)

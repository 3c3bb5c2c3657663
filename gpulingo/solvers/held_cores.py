"""Cores of lost sets: made where every letter is ruled out, and told to all sets that hold them."""

from __future__ import annotations

import numpy as np

from gpulingo.solvers.decision import LEFT, START, STOP
from gpulingo.solvers.held_sets import PARTED, UNRULED
from gpulingo.solvers.letter_classes import NO_LETTER
from gpulingo.solvers.rows import fill
from gpulingo.tensors.cpu.compile import inner

CHOICES = 64  # cores among which the one that adds fewest words is chosen
NONE, FULL = -1, -2  # no core: none is needed; there is no room for one


@inner
def inherit(sets, cores, depth, letter, code):
    """List the cores that a class holds, of those that the set before it holds, and what they rule out."""
    level, many = sets.frames[depth, LEFT], 0
    fill(sets.ruled[depth], UNRULED)
    for i in range(sets.many[depth - 1]):
        core = sets.lists[depth - 1, i]
        if cores.codes[core, letter] == code:
            sets.lists[depth, many] = core
            many += 1
            if cores.level[core] == level - 1:
                rule_out(sets, cores, depth, core)
    sets.many[depth] = many


@inner
def rule_out(sets, cores, depth, core):
    """Rule out the letters that a core lacks, which is lost with a miss less than its set is allowed."""
    for letter in range(sets.ruled.shape[1]):
        if cores.codes[core, letter] == 0 and sets.ruled[depth, letter] == UNRULED:
            sets.ruled[depth, letter] = core


@inner
def enlist(sets, cores, core, depth):
    """Tell a core to the sets on the way to a depth; the first of them that is lost by it."""
    level = cores.level[core]
    for d in range(depth + 1):
        if sets.frames[d, LEFT] <= level:
            return d
        sets.lists[d, sets.many[d]] = core
        sets.many[d] += 1
        if sets.frames[d, LEFT] == level + 1:
            rule_out(sets, cores, d, core)
    return depth


@inner
def core_without_misses(sets, cores, depth):
    """A core of a set that no letter leaves without a miss: each letter that parts it is missed by a word."""
    start, stop = sets.frames[depth, START], sets.frames[depth, STOP]
    core = begin(cores, 0)
    if core == FULL:
        return core
    row, many = sets.rows[depth], 1
    first = row[start]
    cores.union[0] = first
    for i in range(start + 1, stop):
        if _alone(sets, first, row[i]):
            cores.union[1] = row[i]
            many = 2
            break
    if many == 1:
        cores.union[1] = row[start + 1]
        many = 2
        letter = 0
        while letter < sets.hits.shape[1]:
            if _all_hold(sets, cores, letter, many):
                for i in range(start, stop):
                    if sets.codes[row[i], letter] == 0:
                        cores.union[many] = row[i]
                        break
                many += 1
                letter = 0
            else:
                letter += 1
    return end(sets, cores, core, many)


@inner
def _alone(sets, one, other):
    """Whether no letter that both words hold tells them apart."""
    for letter in sets.letters[one]:
        if letter == NO_LETTER:
            break
        if 0 != sets.codes[other, letter] != sets.codes[one, letter]:
            return False
    return True


@inner
def _all_hold(sets, cores, letter, many):
    """Whether all words of the union hold a letter, and it tells some of them apart."""
    code, parted = sets.codes[cores.union[0], letter], False
    for i in range(many):
        other = sets.codes[cores.union[i], letter]
        if other == 0:
            return False
        parted |= other != code
    return parted


@inner
def core_of(sets, cores, depth):
    """A core of a set whose letters are all ruled out: of cores, one for each letter that parts it."""
    level = sets.frames[depth, LEFT]
    core = begin(cores, level)
    if core == FULL:
        return core
    letters = sets.ruled.shape[1]
    best = np.int64(-1)
    for letter in range(letters):  # begin with the smallest
        other = sets.ruled[depth, letter]
        if sets.parts[depth, letter] and (best < 0 or _size(cores, other) < _size(cores, best)):
            best = other
    many, used = _add(cores, core, best, 0), 1
    cores.used[0] = best
    letter = 0
    while letter < letters:
        code, parted = sets.codes[cores.union[0], letter], False
        for i in range(1, many):
            parted |= sets.codes[cores.union[i], letter] != code
        if not parted or _answered(cores, letter, used) >= 0:
            letter += 1
            continue
        other = _fewest(sets, cores, depth, core, letter)
        many = _add(cores, core, other, many)
        cores.used[used] = other
        used += 1
        letter = 0
    for letter in range(letters):
        cores.answers[core, letter] = _answered(cores, letter, used)
    return end(sets, cores, core, many)


@inner
def _answered(cores, letter, used):
    """A core of the union that lacks a letter, or -1."""
    for k in range(used):
        if cores.codes[cores.used[k], letter] == 0:
            return np.int64(cores.used[k])
    return np.int64(-1)


@inner
def _fewest(sets, cores, depth, core, letter):
    """Of cores that rule out a letter one that adds few words to the union."""
    best, least, seen = np.int64(sets.ruled[depth, letter]), 1 << 30, 0
    level = sets.frames[depth, LEFT] - 1
    for i in range(-1, sets.many[depth]):
        other = sets.ruled[depth, letter] if i < 0 else sets.lists[depth, i]
        if cores.level[other] == level and cores.codes[other, letter] == 0:
            more = 0
            for j in range(cores.starts[other], cores.starts[other + 1]):
                more += cores.inside[cores.words[j]] != core
            if more < least:
                best, least = np.int64(other), more
            seen += 1
            if seen > CHOICES:
                break
    return best


@inner
def _size(cores, core):
    """Words of a core."""
    return cores.starts[core + 1] - cores.starts[core]


@inner
def _add(cores, core, other, many):
    """Add the words of another core to the union; how many it has then."""
    for j in range(cores.starts[other], cores.starts[other + 1]):
        word = cores.words[j]
        if cores.inside[word] != core:
            cores.inside[word] = core
            cores.union[many] = word
            many += 1
    return many


@inner
def begin(cores, level):
    """Number of a new core, or FULL."""
    core = cores.size[0]
    if core >= len(cores.level) or cores.starts[core] + len(cores.inside) > len(cores.words):
        return np.int64(FULL)
    cores.level[core] = level
    fill(cores.answers[core], -1)
    return np.int64(core)


@inner
def end(sets, cores, core, many):
    """Keep the union as a core."""
    start = cores.starts[core]
    for i in range(many):
        cores.words[start + i] = cores.union[i]
    for letter in range(cores.codes.shape[1]):
        code = sets.codes[cores.union[0], letter]
        for i in range(1, many):
            if sets.codes[cores.union[i], letter] != code:
                code = PARTED
                break
        cores.codes[core, letter] = code
    cores.starts[core + 1] = start + many
    cores.size[0] += 1
    return core

"""Nogoods of lost sets: made where every letter is ruled out, and told to all sets that hold them."""

from __future__ import annotations

import numpy as np

from gpulingo.solvers.adversary_sets import SPLIT, UNRULED
from gpulingo.solvers.decision import LEFT, START, STOP
from gpulingo.solvers.letter_classes import NO_LETTER
from gpulingo.solvers.rows import fill
from gpulingo.tensors.cpu.compile import inner

CHOICES = 64  # nogoods among which the one that adds fewest words is chosen
NONE, FULL = -1, -2  # no nogood: none is needed; there is no room for one


@inner
def inherit(sets, nogoods, depth, letter, code):
    """List the nogoods that a class holds, of those that the set before it holds, and what they rule out."""
    level, many = sets.frames[depth, LEFT], 0
    fill(sets.ruled[depth], UNRULED)
    for i in range(sets.many[depth - 1]):
        nogood = sets.lists[depth - 1, i]
        if nogoods.codes[nogood, letter] == code:
            sets.lists[depth, many] = nogood
            many += 1
            if nogoods.level[nogood] == level - 1:
                rule_out(sets, nogoods, depth, nogood)
    sets.many[depth] = many


@inner
def rule_out(sets, nogoods, depth, nogood):
    """Rule out the letters that a nogood lacks, which is lost with a miss less than its set is allowed."""
    for letter in range(sets.ruled.shape[1]):
        if nogoods.codes[nogood, letter] == 0 and sets.ruled[depth, letter] == UNRULED:
            sets.ruled[depth, letter] = nogood


@inner
def enlist(sets, nogoods, nogood, depth):
    """Tell a nogood to the sets on the way to a depth; the first of them that is lost by it."""
    level = nogoods.level[nogood]
    for d in range(depth + 1):
        if sets.frames[d, LEFT] <= level:
            return d
        sets.lists[d, sets.many[d]] = nogood
        sets.many[d] += 1
        if sets.frames[d, LEFT] == level + 1:
            rule_out(sets, nogoods, d, nogood)
    return depth


@inner
def nogood_without_misses(sets, nogoods, depth):
    """A nogood of a set that no letter leaves without a miss: some word misses each letter that parts it."""
    start, stop = sets.frames[depth, START], sets.frames[depth, STOP]
    nogood = begin(nogoods, 0)
    if nogood == FULL:
        return nogood
    row, many = sets.rows[depth], 1
    first = row[start]
    nogoods.union[0] = first
    for i in range(start + 1, stop):
        if _alone(sets, first, row[i]):
            nogoods.union[1] = row[i]
            many = 2
            break
    if many == 1:
        nogoods.union[1] = row[start + 1]
        many = 2
        letter = 0
        while letter < sets.hits.shape[1]:
            if _all_hold(sets, nogoods, letter, many):
                for i in range(start, stop):
                    if sets.codes[row[i], letter] == 0:
                        nogoods.union[many] = row[i]
                        break
                many += 1
                letter = 0
            else:
                letter += 1
    return end(sets, nogoods, nogood, many)


@inner
def _alone(sets, one, other):
    """Return True if no letter that both words hold tells them apart."""
    for letter in sets.letters[one]:
        if letter == NO_LETTER:
            break
        if 0 != sets.codes[other, letter] != sets.codes[one, letter]:
            return False
    return True


@inner
def _all_hold(sets, nogoods, letter, many):
    """Return True if all words of the union hold a letter, and it tells some of them apart."""
    code, split = sets.codes[nogoods.union[0], letter], False
    for i in range(many):
        other = sets.codes[nogoods.union[i], letter]
        if other == 0:
            return False
        split |= other != code
    return split


@inner
def nogood_of(sets, nogoods, depth):
    """A nogood of a set whose letters are all ruled out: of nogoods, one for each letter that parts it."""
    level = sets.frames[depth, LEFT]
    nogood = begin(nogoods, level)
    if nogood == FULL:
        return nogood
    letters = sets.ruled.shape[1]
    best = np.int64(-1)
    for letter in range(letters):  # begin with the smallest
        other = sets.ruled[depth, letter]
        if sets.parts[depth, letter] and (best < 0 or _size(nogoods, other) < _size(nogoods, best)):
            best = other
    many, used = _add(nogoods, nogood, best, 0), 1
    nogoods.used[0] = best
    letter = 0
    while letter < letters:
        code, split = sets.codes[nogoods.union[0], letter], False
        for i in range(1, many):
            split |= sets.codes[nogoods.union[i], letter] != code
        if not split or _answered(nogoods, letter, used) >= 0:
            letter += 1
            continue
        other = _fewest(sets, nogoods, depth, nogood, letter)
        many = _add(nogoods, nogood, other, many)
        nogoods.used[used] = other
        used += 1
        letter = 0
    for letter in range(letters):
        nogoods.answers[nogood, letter] = _answered(nogoods, letter, used)
    return end(sets, nogoods, nogood, many)


@inner
def _answered(nogoods, letter, used):
    """Return a nogood of the union that lacks a letter, or -1."""
    for k in range(used):
        if nogoods.codes[nogoods.used[k], letter] == 0:
            return np.int64(nogoods.used[k])
    return np.int64(-1)


@inner
def _fewest(sets, nogoods, depth, nogood, letter):
    """Of nogoods that rule out a letter one that adds few words to the union."""
    best, least, seen = np.int64(sets.ruled[depth, letter]), 1 << 30, 0
    level = sets.frames[depth, LEFT] - 1
    for i in range(-1, sets.many[depth]):
        other = sets.ruled[depth, letter] if i < 0 else sets.lists[depth, i]
        if nogoods.level[other] == level and nogoods.codes[other, letter] == 0:
            more = 0
            for j in range(nogoods.starts[other], nogoods.starts[other + 1]):
                more += nogoods.inside[nogoods.words[j]] != nogood
            if more < least:
                best, least = np.int64(other), more
            seen += 1
            if seen > CHOICES:
                break
    return best


@inner
def _size(nogoods, nogood):
    """Words of a nogood."""
    return nogoods.starts[nogood + 1] - nogoods.starts[nogood]


@inner
def _add(nogoods, nogood, other, many):
    """Add the words of another nogood to the union; how many it has then."""
    for j in range(nogoods.starts[other], nogoods.starts[other + 1]):
        word = nogoods.words[j]
        if nogoods.inside[word] != nogood:
            nogoods.inside[word] = nogood
            nogoods.union[many] = word
            many += 1
    return many


@inner
def begin(nogoods, level):
    """Number of a new nogood, or FULL."""
    nogood = nogoods.size[0]
    if nogood >= len(nogoods.level) or nogoods.starts[nogood] + len(nogoods.inside) > len(nogoods.words):
        return np.int64(FULL)
    nogoods.level[nogood] = level
    fill(nogoods.answers[nogood], -1)
    return np.int64(nogood)


@inner
def end(sets, nogoods, nogood, many):
    """Keep the union as a nogood."""
    start = nogoods.starts[nogood]
    for i in range(many):
        nogoods.words[start + i] = nogoods.union[i]
    for letter in range(nogoods.codes.shape[1]):
        code = sets.codes[nogoods.union[0], letter]
        for i in range(1, many):
            if sets.codes[nogoods.union[i], letter] != code:
                code = SPLIT
                break
        nogoods.codes[nogood, letter] = code
    nogoods.starts[nogood + 1] = start + many
    nogoods.size[0] += 1
    return nogood

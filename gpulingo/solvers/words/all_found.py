"""Search for whether all words of a set can be found in a number of turns, with the whole pool legal.

They cannot if each guess leaves, in one of its classes, words that cannot be found with one turn less. A few
of the words already show that: a nogood, which holds for every set that contains it. With one turn any two
words are one. A set needs a guess that splits each nogood within it; without one, these make a nogood of one
turn more. Each is stored with the guesses that leave its words in one class, which help no set around it.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from gpulingo.solvers.depth_first import (
    LOST,
    NO_LABEL,
    OPEN,
    WON,
    copy,
    decision_search,
    fill,
    new_frames,
    split_words,
)
from gpulingo.solvers.transpositions import GUESS, NOWHERE, hash_of, row_of, write
from gpulingo.solvers.words.labelling import classes_of_targets
from gpulingo.solvers.words.search import count_classes, ones
from gpulingo.solvers.words.symmetries import twins_of
from gpulingo.tensors.arrays import Array, array_of
from gpulingo.tensors.cpu.compile import inner
from gpulingo.tensors.wordtable import WordTable, cached_by_table

MOST_NOGOODS = 1 << 14
FEWEST_NOGOODS = 4
ALL = 1 << 62


# Sets of words that cannot all be found. C nogoods, T targets, P words of the pool.
Nogoods = namedtuple("Nogoods", "size turns first words covers")


# Working memory, by depth of the search.
AllFoundWorkspace = namedtuple(
    "AllFoundWorkspace",
    "members starts queue sets alive scores frames mask places bits kinds nogood inside pool_place twins "
    "numbers",
)


@inner
def keep(nogoods, mask, columns, nogood, left):
    """Store a nogood as the last, with the guesses that leave it in one class."""
    capacity = nogoods.turns.shape[0]
    number = nogoods.size[0] % capacity
    nogoods.size[0] += 1
    nogoods.size[1], nogoods.turns[number] = number, left
    as_bits(nogood, nogoods.words[number])
    covers, least = nogoods.covers[number], nogood[0]
    fill(mask, 1)
    for t in nogood[1:]:
        least = min(least, t)
        labels, others = columns[nogood[0]], columns[t]
        for g in range(mask.shape[0]):
            mask[g] &= labels[g] == others[g]
    nogoods.first[number] = least >> 6
    fill(covers, 0)
    for g in range(mask.shape[0]):
        covers[g >> 6] |= np.uint64(mask[g]) << np.uint64(g & 63)


@inner
def _is_within(nogoods, number, bits):
    """Return True if a nogood is within a set of targets."""
    words = nogoods.words[number]
    for w in range(nogoods.first[number], bits.shape[0]):
        if words[w] & ~bits[w] != 0:
            return False
    return True


@inner
def nogoods_within(nogoods, bits, left, most, numbers):
    """List the nogoods of `left` turns or more within a set, the first `most`; return their number."""
    inside = 0
    for number in range(min(nogoods.size[0], nogoods.turns.shape[0])):
        if inside == most:
            break
        if nogoods.turns[number] >= left and _is_within(nogoods, number, bits):
            numbers[inside] = number
            inside += 1
    return inside


@inner
def rule_out(alive, covers):
    """Remove guesses; return whether one of them was still in."""
    seen = np.uint64(0)
    for w in range(alive.shape[0]):
        seen |= alive[w] & covers[w]
        alive[w] &= ~covers[w]
    return seen != 0


@inner
def set_bits(bits, count):
    """Set the first `count` bits."""
    fill(bits, ~np.uint64(0))
    if count & 63:
        bits[-1] = (np.uint64(1) << np.uint64(count & 63)) - np.uint64(1)


@inner
def as_bits(words, bits):
    fill(bits, 0)
    for t in words:
        bits[t >> 6] |= np.uint64(1) << np.uint64(t & 63)


@inner
def parting(work, matrix, columns, words, count):
    """Return a guess that splits words into single ones, or -1; then how many of work.nogood[0] prove that.

    Guesses that leave two words together are dropped, pair by pair, until one guess or none is left.
    """
    mask, places, used, guess = work.mask, work.places, 0, 0
    fill(mask, 1)
    while True:
        while guess < mask.shape[0] and mask[guess] == 0:
            guess += 1
        if guess == mask.shape[0]:
            return np.int64(-1), used
        row, first, second = matrix[guess], -1, -1
        for k in range(words.shape[0]):
            if places[row[words[k]]] > 0:
                first, second = words[places[row[words[k]]] - 1], words[k]
                break
            places[row[words[k]]] = k + 1
        for t in words:
            places[row[t]] = 0
        if first < 0:
            return np.int64(guess), 0
        labels, others = columns[first], columns[second]
        for g in range(mask.shape[0]):
            mask[g] &= labels[g] != others[g]
        count[0] += mask.shape[0]
        used = _use(work.nogood[0], _use(work.nogood[0], used, first), second)


@inner
def _use(nogood, used, word):
    """Add a word to a nogood, unless it has it."""
    for k in range(used):
        if nogood[k] == word:
            return used
    nogood[used] = word
    return used + 1


@inner
def keep_small(work, nogoods, matrix, columns, used, count):
    """Drop words of a two-turn nogood while it remains one, and store it."""
    nogood, drop = work.nogood[1], 0
    copy(work.nogood[0, :used], nogood)
    while drop < used:
        rest = work.nogood[2, : used - 1]
        copy(nogood[:drop], rest)
        copy(nogood[drop + 1 : used], rest[drop:])
        guess, fewer = parting(work, matrix, columns, rest, count)
        if guess >= 0:
            drop += 1
            continue
        kept = 0
        for k in range(used):  # in the same order: the words before were shown to be needed
            for other in work.nogood[0, :fewer]:
                if nogood[k] == other:
                    nogood[kept] = nogood[k]
                    kept += 1
                    break
        used = kept
    keep(nogoods, work.mask, columns, nogood[:used], 2)


class AllFound:
    """Tests whether all words of a set of targets can be found; for one thread at a time.

    `known` is a table of sets, which may be shared with other searches; nogoods may take `memory` bytes.
    """

    def __init__(self, table: WordTable, known: Array, memory: int) -> None:
        self._table, self._known = table, known
        self._targets, self._pool = array_of(table.targets), array_of(table.pool)
        words, guesses = (len(self._targets) + 63) // 64, (len(self._pool) + 63) // 64
        count = max(FEWEST_NOGOODS, min(MOST_NOGOODS, memory // (8 * (words + guesses + 2))))
        self._nogoods = Nogoods(
            size=np.zeros(2, np.int64),  # number of nogoods; the one written or used last
            turns=np.zeros(count, np.int64),  # the words cannot all be found with this many turns left
            first=np.zeros(count, np.int64),  # the word of bits with the first target
            words=np.zeros((count, words), np.uint64),  # targets as bits
            # Guesses that leave the nogood in one class, as bits.
            covers=np.zeros((count, guesses), np.uint64),
        )
        self._work: AllFoundWorkspace | None = None

    def guess(self, words: Array, left: int, count: Array) -> tuple[int, int]:
        """Test whether three words or more can be found in two turns or more: WON and a first guess.

        Otherwise LOST or STOPPED and -1; `count`: pairs of guess and target evaluated so far, and their
        limit.
        """
        if self._work is None or len(self._work.frames) < left:
            self._work = self._workspace(left)
        work, frame = self._work, self._work.frames[0]
        work.members[0, : len(words)] = np.searchsorted(self._targets, words)
        frame["start"], frame["stop"], frame["left"] = 0, len(words), left
        classes = classes_of_targets(self._table), columns_of_targets(self._table)
        state = int(search((work, self._nogoods, self._known, *classes), count))
        return state, int(self._pool[frame["guess"]]) if state == WON else -1

    def _workspace(self, depths: int) -> AllFoundWorkspace:
        targets, pool = len(self._targets), len(self._pool)
        (nogoods, words), guesses = self._nogoods.words.shape, self._nogoods.covers.shape[1]
        classes, pool_place = classes_of_targets(self._table), np.searchsorted(self._pool, self._targets)
        return AllFoundWorkspace(
            # Targets of a set; in the row below its classes.
            members=np.empty((depths + 1, targets), np.int32),
            starts=np.empty((depths, targets + 1), np.int32),  # where classes begin in the row below
            queue=np.empty((depths, targets), np.int32),  # the classes to be searched
            # Targets of a set as bits; one row more as scratch.
            sets=np.empty((depths + 1, words), np.uint64),
            alive=np.empty((depths + 1, guesses), np.uint64),  # guesses that no nogood rules out
            scores=np.empty((depths, pool), np.int32),  # classes of those guesses
            frames=new_frames(depths, "scored"),  # "scored": whether guesses have scores
            # Guesses that may still split a set of two turns into single words.
            mask=np.empty(pool, np.uint8),
            places=np.zeros(targets + 1, np.int32),  # zeros between calls
            bits=np.empty(int(classes.max()) // 64 + 1, np.uint64),  # scratch: one bit per label
            kinds=np.empty(targets, np.int32),  # labels of classes
            nogood=np.empty((3, targets), np.int32),  # words of a nogood in progress
            inside=np.empty(nogoods, np.int64),  # numbers of the nogoods within a set
            pool_place=pool_place,  # [T] int64: the place of each target in the pool
            # [T] int64: the first target that each is a twin of; empty if there are no twins.
            twins=twins_of(classes, pool_place),
            # [T, 2] uint64: of each target; their sums hash a set.
            numbers=np.random.default_rng(2).integers(1, 1 << 64, (targets, 2), dtype=np.uint64),
        )


@cached_by_table
def columns_of_targets(table: WordTable) -> Array:
    """Return [T, P] uint8 or uint16: as `classes_of_targets`, by target; cached."""
    return np.ascontiguousarray(classes_of_targets(table).T)


@inner
def _known(space, depth, count):
    work, nogoods, known, matrix, columns = space
    frame = work.frames[depth]
    words, left = work.members[depth, frame.start : frame.stop], frame.left
    frame.child, frame.scored = OPEN, 0
    if left == 2:
        guess, used = parting(work, matrix, columns, words, count)
        if guess < 0:
            keep_small(work, nogoods, matrix, columns, used, count)
            return LOST
        frame.guess = guess
        return WON
    as_bits(words, work.sets[depth])
    if nogoods_within(nogoods, work.sets[depth], left, 1, work.inside):
        nogoods.size[1] = work.inside[0]
        return LOST
    key, check = hash_of(work.numbers, work.members[depth], frame.start, frame.stop, left)
    here = row_of(known, key, check)
    if here != NOWHERE:
        frame.guess = known[here, GUESS]
        return WON
    used = _too_many_twins(work, words, left) if work.twins.shape[0] else 0
    if used:
        keep(nogoods, work.mask, columns, work.nogood[0, :used], left)
        return LOST
    for t in words:
        if _leaves_pairs(work, matrix[work.pool_place[t]], words):
            frame.guess = work.pool_place[t]
            return WON
    set_bits(work.alive[depth], columns.shape[1])
    for k in range(nogoods_within(nogoods, work.sets[depth], left - 1, ALL, work.inside)):
        rule_out(work.alive[depth], nogoods.covers[work.inside[k]])
    if work.twins.shape[0]:
        _rule_out_twins(work, words, work.alive[depth])
    return OPEN


@inner
def _too_many_twins(work, words, left):
    """Return how many twins of a set are in work.nogood[0]: one more than the turns left can find, or 0."""
    twins, places, used = work.twins, work.places, 0
    for t in words:
        places[twins[t]] += 1
    for t in words:
        if places[twins[t]] > left and used <= left and (used == 0 or twins[t] == twins[work.nogood[0, 0]]):
            work.nogood[0, used] = t
            used += 1
    for t in words:
        places[twins[t]] = 0
    return used


@inner
def _rule_out_twins(work, words, alive):
    """Remove guesses that are twins of a word of the set, except the first of them."""
    twins, places = work.twins, work.places
    for t in words:
        if places[twins[t]]:
            guess = work.pool_place[t]
            alive[guess >> 6] &= ~(np.uint64(1) << np.uint64(guess & 63))
        places[twins[t]] = 1
    for t in words:
        places[twins[t]] = 0


@inner
def _next_guess(space, depth, count):
    """Try the guess of most classes among those that no nogood rules out; return whether there is one."""
    work, _, _, matrix, _ = space
    frame, scores, alive = work.frames[depth], work.scores[depth], work.alive[depth]
    words = work.members[depth, frame.start : frame.stop]
    best, most = -1, 0
    for w in range(alive.shape[0]):
        bits = alive[w]
        while bits != 0:
            low = bits & (~bits + np.uint64(1))
            bits ^= low
            guess = 64 * w + ones(low - np.uint64(1))
            if frame.scored == 0:
                scores[guess] = count_classes(matrix[guess], words, work.bits)
                count[0] += words.shape[0]
            if scores[guess] > most:
                best, most = guess, scores[guess]
    frame.scored = 1
    if best >= 0:
        frame.guess, frame.child = best, 0
        frame.children = _part(work, matrix[best], words, depth)
    return best >= 0


@inner
def _enter(space, depth):
    work = space[0]
    frame, child = work.frames[depth], work.frames[depth + 1]
    number = work.queue[depth, frame.child]
    child.start, child.stop = work.starts[depth, number], work.starts[depth, number + 1]
    child.left = frame.left - 1


@inner
def _keep_won(space, depth):
    work, _, known, _, _ = space
    frame = work.frames[depth]
    key, check = hash_of(work.numbers, work.members[depth], frame.start, frame.stop, frame.left)
    write(known, key, check, 0, frame.guess)


@inner
def _backtrack(space, depth):
    """Go back one guess, and rule out there the guesses that leave the last nogood's words together."""
    work, nogoods = space[0], space[1]
    if depth:
        rule_out(work.alive[depth - 1], nogoods.covers[nogoods.size[1]])
    return depth - 1


@inner
def _leaves_pairs(work, row, words):
    places, most = work.places, 0
    for t in words:
        places[row[t]] += 1
        most = max(most, places[row[t]])
        if most > 2:
            break
    for t in words:
        places[row[t]] = 0
    return most < 3


@inner
def _part(work, row, words, depth):
    """Sort words into the row below by class; list the classes of three or more words, largest first."""
    starts, below, queue, large = work.starts[depth], work.members[depth + 1], work.queue[depth], 0
    many = words.shape[0]
    for c in range(split_words(row, words, 0, many, below, 0, work.places, work.kinds, starts, NO_LABEL)):
        size, place = starts[c + 1] - starts[c], large
        if size > 2:
            while place > 0 and starts[queue[place - 1] + 1] - starts[queue[place - 1]] < size:
                queue[place] = queue[place - 1]
                place -= 1
            queue[place] = c
            large += 1
    return large


@inner
def _keep_lost(space, depth, count):
    """Store words of a set that cannot all be found: those of nogoods that together leave no guess."""
    work, nogoods, _, _, columns = space
    frame, chosen, alive = work.frames[depth], work.sets[-1], work.alive[-1]
    left = frame.left
    words = work.members[depth, frame.start : frame.stop]
    inside = nogoods_within(nogoods, work.sets[depth], left - 1, ALL, work.inside)
    fill(chosen, 0)
    set_bits(alive, columns.shape[1])
    for k in range(inside):
        if rule_out(alive, nogoods.covers[work.inside[k]]):
            for w in range(chosen.shape[0]):
                chosen[w] |= nogoods.words[work.inside[k], w]
    if alive.any():  # some nogoods have been replaced since
        copy(work.sets[depth], chosen)
    inside, kept = nogoods_within(nogoods, chosen, left - 1, ALL, work.inside), 0
    for t in words:
        bit = np.uint64(1) << np.uint64(t & 63)
        if chosen[t >> 6] & bit == 0:
            continue
        set_bits(alive, columns.shape[1])
        for k in range(inside):
            number = work.inside[k]
            if nogoods.words[number, t >> 6] & bit == 0:
                rule_out(alive, nogoods.covers[number])
        if not alive.any():
            chosen[t >> 6] ^= bit
            inside = nogoods_within(nogoods, chosen, left - 1, ALL, work.inside)
        else:
            work.nogood[0, kept] = t
            kept += 1
    keep(nogoods, work.mask, columns, work.nogood[0, :kept], left)
    return LOST


search = decision_search(_known, _next_guess, _enter, _keep_won, _keep_lost, _backtrack)

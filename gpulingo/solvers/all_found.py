"""Whether all words of a set can be found in so many turns, where every word of the pool may be guessed.

They cannot if each guess leaves, in one of its classes, words that cannot be found with a turn less. A few
words show that, a core, for every set that holds them. With one turn any two words are a core. A set needs a
guess that parts each core within it; where there is none, these make a core of one turn more.
"""

from __future__ import annotations

from threading import Lock

import numpy as np

from gpulingo.solvers.nogoods import (
    CLASS,
    CLASSES,
    SCORED,
    START,
    STOP,
    TRIED,
    Desk,
    as_bits,
    core_within,
    cores_within,
    is_empty,
    keep,
    new_cores,
    new_desk,
    rule_out,
    set_bits,
)
from gpulingo.solvers.numbered_classes import classes_of_targets
from gpulingo.solvers.rows import copy, fill
from gpulingo.solvers.transpositions import GUESS, NOWHERE, row_of, write
from gpulingo.solvers.two_turns import keep_small, parting
from gpulingo.solvers.workspace import ones
from gpulingo.tensors.cpu.compile import compiled, inner
from gpulingo.tensors.features import Array
from gpulingo.tensors.wordtable import WordTable, cached_by_table

OPEN, REFUTED, STOPPED = -1, -2, -3  # answers that are no guess
_LOCK = Lock()


class AllFound:
    """Asks of sets of targets whether all can be found; not for several threads at once.

    Args:
        known: a table of sets, which may be shared with other questions.
        memory: bytes that cores may take.
    """

    def __init__(self, table: WordTable, known: Array, memory: int) -> None:
        self._table, self._known = table, known
        self._targets, self._pool = table.targets.numpy(), table.pool.numpy()
        self._cores = new_cores(len(self._targets), len(self._pool), memory)
        self._desk: Desk | None = None

    def guess(self, words: Array, left: int, count: Array) -> int:
        """The first guess after which at least three words can be found in at least two turns, or no guess.

        Args:
            count: pairs of guess and target evaluated, which go on, and the most there may be.
        """
        if self._desk is None or len(self._desk.frames) < left:
            own = np.searchsorted(self._pool, self._targets)
            self._desk = new_desk(own, len(self._pool), left, len(self._cores.turns))
        classes = classes_of_targets(self._table), columns_of_targets(self._table)
        ids = np.searchsorted(self._targets, words)
        place = find_all(self._desk, self._cores, self._known, *classes, ids, left, count)
        return int(self._pool[place]) if place >= 0 else int(place)


def columns_of_targets(table: WordTable) -> Array:
    """[T, P] uint8 or uint16: as `classes_of_targets`, by target; made once."""
    with _LOCK:
        return _columns_of_targets(table)


@cached_by_table
def _columns_of_targets(table: WordTable) -> Array:
    return np.ascontiguousarray(classes_of_targets(table).T)


@compiled
def find_all(desk, cores, known, matrix, columns, ids, left, count):
    """A first guess, by its place in the pool, after which all words can be found; REFUTED if there is none.

    Depth first, on a stack of frames instead of recursive calls, which numba does not keep on disk.

    Args:
        known: the table of sets that can be found.
        matrix: [P, T] classes; columns: the same by target.
        ids: [n] columns of the matrix, at least three. left: turns, at least two.
        count: pairs of guess and target evaluated, and the most there may be; with more it is STOPPED.
    """
    depth, n = 0, ids.shape[0]
    copy(ids, desk.members[0])
    answer = _enter(desk, cores, known, matrix, columns, 0, 0, n, left, count)
    while count[0] <= count[1]:
        frame = desk.frames[depth]
        if answer != OPEN:
            if depth == 0:
                return answer
            depth -= 1
            frame = desk.frames[depth]
            frame[CLASS] += 1
            if answer == REFUTED:
                rule_out(desk.alive[depth], cores.covers[cores.size[1]])
                frame[CLASS] = OPEN
            answer = np.int64(OPEN)
        if frame[CLASS] < 0:
            if not _next_guess(desk, matrix, depth, count):
                _keep_union(desk, cores, columns, depth, left - depth, count)
                answer = np.int64(REFUTED)
        elif frame[CLASS] == frame[CLASSES]:
            answer = frame[TRIED]
            key, check = _hash(desk, depth, left - depth)
            write(known, key, check, 0, answer)
        else:
            number = desk.queue[depth, frame[CLASS]]
            start, stop = desk.starts[depth, number], desk.starts[depth, number + 1]
            depth += 1
            answer = _enter(desk, cores, known, matrix, columns, depth, start, stop, left - depth, count)
    return np.int64(STOPPED)


@inner
def _enter(desk, cores, known, matrix, columns, depth, start, stop, left, count):
    """Begin with a set, a stretch of its row: its answer, or OPEN."""
    frame, words = desk.frames[depth], desk.members[depth, start:stop]
    frame[START], frame[STOP], frame[CLASS], frame[SCORED] = start, stop, OPEN, 0
    if left == 2:
        guess, used = parting(desk, matrix, columns, words, count)
        if guess < 0:
            keep_small(desk, cores, matrix, columns, used, count)
            return np.int64(REFUTED)
        return guess
    as_bits(words, desk.sets[depth])
    number = core_within(cores, desk.sets[depth], left)
    if number >= 0:
        cores.size[1] = number
        return np.int64(REFUTED)
    key, check = _hash(desk, depth, left)
    here = row_of(known, key, check)
    if here != NOWHERE:
        return known[here, GUESS]
    for t in words:
        if _leaves_pairs(desk, matrix[desk.own[t]], words):
            return desk.own[t]
    set_bits(desk.alive[depth], columns.shape[1])
    for k in range(cores_within(cores, desk.sets[depth], left - 1, desk.inside)):
        rule_out(desk.alive[depth], cores.covers[desk.inside[k]])
    return np.int64(OPEN)


@inner
def _next_guess(desk, matrix, depth, count):
    """Try the guess of the most classes of those that no core rules out; whether there is one."""
    frame, scores, alive = desk.frames[depth], desk.scores[depth], desk.alive[depth]
    words = desk.members[depth, frame[START] : frame[STOP]]
    best, most = -1, 0
    for w in range(alive.shape[0]):
        bits = alive[w]
        while bits != 0:
            low = bits & (~bits + np.uint64(1))
            bits ^= low
            guess = 64 * w + ones(low - np.uint64(1))
            if frame[SCORED] == 0:
                scores[guess] = _classes(desk, matrix[guess], words)
                count[0] += words.shape[0]
            if scores[guess] > most:
                best, most = guess, scores[guess]
    frame[SCORED] = 1
    if best >= 0:
        frame[TRIED], frame[CLASS] = best, 0
        frame[CLASSES] = _part(desk, matrix[best], words, depth)
    return best >= 0


@inner
def _classes(desk, row, words):
    """How many classes a guess makes."""
    places, classes = desk.places, 0
    for t in words:
        classes += places[row[t]] == 0
        places[row[t]] = 1
    for t in words:
        places[row[t]] = 0
    return classes


@inner
def _leaves_pairs(desk, row, words):
    """Whether no class of a guess has more than two words."""
    places, most = desk.places, 0
    for t in words:
        places[row[t]] += 1
        most = max(most, places[row[t]])
        if most > 2:
            break
    for t in words:
        places[row[t]] = 0
    return most < 3


@inner
def _part(desk, row, words, depth):
    """Sort words into the row below by the classes of a guess; list those of three or more, largest first."""
    places, starts, below = desk.places, desk.starts[depth], desk.members[depth + 1]
    queue, classes, large = desk.queue[depth], 0, 0
    for t in words:
        if places[row[t]] == 0:
            classes += 1
            places[row[t]] = classes
            starts[classes] = 0
        starts[places[row[t]]] += 1
    starts[0] = 0
    for c in range(1, classes + 1):
        size, place = starts[c], large
        starts[c] += starts[c - 1]
        if size > 2:
            while place > 0 and starts[queue[place - 1] + 1] - starts[queue[place - 1]] < size:
                queue[place] = queue[place - 1]
                place -= 1
            queue[place] = c - 1
            large += 1
    for k in range(words.shape[0] - 1, -1, -1):
        number = places[row[words[k]]]
        starts[number] -= 1
        below[starts[number]] = words[k]
    for c in range(classes):  # each start is where the next class began
        starts[c] = starts[c + 1]
    starts[classes] = words.shape[0]
    for t in words:
        places[row[t]] = 0
    return large


@inner
def _keep_union(desk, cores, columns, depth, left, count):
    """Keep words of a set that cannot all be found: those of cores that together leave no guess."""
    frame, chosen, alive = desk.frames[depth], desk.sets[-1], desk.alive[-1]
    words = desk.members[depth, frame[START] : frame[STOP]]
    inside = cores_within(cores, desk.sets[depth], left - 1, desk.inside)
    fill(chosen, 0)
    set_bits(alive, columns.shape[1])
    for k in range(inside):
        if rule_out(alive, cores.covers[desk.inside[k]]):
            for w in range(chosen.shape[0]):
                chosen[w] |= cores.words[desk.inside[k], w]
    if not is_empty(alive):  # some were forgotten since
        copy(desk.sets[depth], chosen)
    inside, kept = cores_within(cores, chosen, left - 1, desk.inside), 0
    for t in words:
        bit = np.uint64(1) << np.uint64(t & 63)
        if chosen[t >> 6] & bit == 0:
            continue
        set_bits(alive, columns.shape[1])
        for k in range(inside):
            number = desk.inside[k]
            if cores.words[number, t >> 6] & bit == 0:
                rule_out(alive, cores.covers[number])
        if is_empty(alive):
            chosen[t >> 6] ^= bit
            inside = cores_within(cores, chosen, left - 1, desk.inside)
        else:
            desk.core[0, kept] = t
            kept += 1
    keep(cores, desk.mask, columns, desk.core[0, :kept], left)


@inner
def _hash(desk, depth, left):
    """Two sums that tell sets and turns apart."""
    key, check = np.uint64(left) * np.uint64(0x9E3779B97F4A7C15), np.uint64(left)
    for t in desk.members[depth, desk.frames[depth, START] : desk.frames[depth, STOP]]:
        key += desk.numbers[t, 0]
        check += desk.numbers[t, 1]
    return np.int64(key) | 1, np.int64(check)  # 0 is for an empty place

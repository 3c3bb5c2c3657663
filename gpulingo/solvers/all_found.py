"""Whether all words of a set can be found in so many turns, where every word of the pool may be guessed.

They cannot if each guess leaves, in one of its classes, words that cannot be found with a turn less. A few
words show that, a core, for every set that holds them. With one turn any two words are a core. A set needs a
guess that parts each core within it; where there is none, these make a core of one turn more.
"""

from __future__ import annotations

from threading import Lock

import numpy as np

from gpulingo.solvers.decision import (
    CLASS,
    CLASSES,
    LEFT,
    LOST,
    OPEN,
    START,
    STOP,
    TRIED,
    WON,
    decision_search,
)
from gpulingo.solvers.nogoods import (
    SCORED,
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
from gpulingo.solvers.transpositions import GUESS, NOWHERE, hash_of, row_of, write
from gpulingo.solvers.two_turns import keep_small, parting
from gpulingo.solvers.workspace import ones
from gpulingo.tensors.cpu.compile import inner
from gpulingo.tensors.features import Array
from gpulingo.tensors.wordtable import WordTable, cached_by_table

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

    def guess(self, words: Array, left: int, count: Array) -> tuple[int, int]:
        """Whether at least three words can be found in at least two turns, and a first guess where they can.

        Args:
            count: pairs of guess and target evaluated, which go on, and the most there may be.
        Returns:
            WON and the guess; LOST or STOPPED and -1.
        """
        if self._desk is None or len(self._desk.frames) < left:
            own = np.searchsorted(self._pool, self._targets)
            self._desk = new_desk(own, len(self._pool), left, len(self._cores.turns))
        desk, frame = self._desk, self._desk.frames[0]
        desk.members[0, : len(words)] = np.searchsorted(self._targets, words)
        frame[START], frame[STOP], frame[LEFT] = 0, len(words), left
        classes = classes_of_targets(self._table), columns_of_targets(self._table)
        state = int(search((desk, self._cores, self._known, *classes), count))
        return state, int(self._pool[frame[TRIED]]) if state == WON else -1


def columns_of_targets(table: WordTable) -> Array:
    """[T, P] uint8 or uint16: as `classes_of_targets`, by target; made once."""
    with _LOCK:
        return _columns_of_targets(table)


@cached_by_table
def _columns_of_targets(table: WordTable) -> Array:
    return np.ascontiguousarray(classes_of_targets(table).T)


@inner
def _opened(space, depth, count):
    """What is known of a set before its guesses are ranked."""
    desk, cores, known, matrix, columns = space
    frame = desk.frames[depth]
    words, left = desk.members[depth, frame[START] : frame[STOP]], frame[LEFT]
    frame[CLASS], frame[SCORED] = OPEN, 0
    if left == 2:
        guess, used = parting(desk, matrix, columns, words, count)
        if guess < 0:
            keep_small(desk, cores, matrix, columns, used, count)
            return LOST
        frame[TRIED] = guess
        return WON
    as_bits(words, desk.sets[depth])
    number = core_within(cores, desk.sets[depth], left)
    if number >= 0:
        cores.size[1] = number
        return LOST
    key, check = hash_of(desk.numbers, desk.members[depth], frame[START], frame[STOP], left)
    here = row_of(known, key, check)
    if here != NOWHERE:
        frame[TRIED] = known[here, GUESS]
        return WON
    for t in words:
        if _leaves_pairs(desk, matrix[desk.own[t]], words):
            frame[TRIED] = desk.own[t]
            return WON
    set_bits(desk.alive[depth], columns.shape[1])
    for k in range(cores_within(cores, desk.sets[depth], left - 1, desk.inside)):
        rule_out(desk.alive[depth], cores.covers[desk.inside[k]])
    return OPEN


@inner
def _chosen(space, depth, count):
    """Try the guess of the most classes of those that no core rules out; whether there is one."""
    desk, _, _, matrix, _ = space
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
def _entered(space, depth):
    """Begin with the next class of the guess that is tried."""
    desk = space[0]
    frame, child = desk.frames[depth], desk.frames[depth + 1]
    number = desk.queue[depth, frame[CLASS]]
    child[START], child[STOP] = desk.starts[depth, number], desk.starts[depth, number + 1]
    child[LEFT] = frame[LEFT] - 1


@inner
def _won(space, depth):
    """Keep a set all of whose words can be found."""
    desk, _, known, _, _ = space
    frame = desk.frames[depth]
    key, check = hash_of(desk.numbers, desk.members[depth], frame[START], frame[STOP], frame[LEFT])
    write(known, key, check, 0, frame[TRIED])


@inner
def _returned(space, depth):
    """One guess before, where the last core rules out those that leave its words together."""
    desk, cores = space[0], space[1]
    if depth:
        rule_out(desk.alive[depth - 1], cores.covers[cores.size[1]])
    return depth - 1


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
def _lost(space, depth, count):
    """Keep words of a set that cannot all be found: those of cores that together leave no guess."""
    desk, cores, _, _, columns = space
    frame, chosen, alive = desk.frames[depth], desk.sets[-1], desk.alive[-1]
    left = frame[LEFT]
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
    return LOST


search = decision_search(_opened, _chosen, _entered, _won, _lost, _returned)

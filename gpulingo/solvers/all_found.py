"""Search for whether all words of a set can be found in a number of turns, where the whole pool is legal.

They cannot if each guess leaves, in one of its classes, words that cannot be found with a turn less. A few
words show that, a nogood, for every set that holds them. With one turn any two words are a nogood. A set
needs a guess that splits each nogood within it; if no guess does, these make a nogood of one turn more.
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
    AllFoundWorkspace,
    as_bits,
    is_empty,
    keep,
    new_nogoods,
    new_workspace,
    nogood_within,
    nogoods_within,
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
        memory: bytes that nogoods may take.
    """

    def __init__(self, table: WordTable, known: Array, memory: int) -> None:
        self._table, self._known = table, known
        self._targets, self._pool = table.targets.numpy(), table.pool.numpy()
        self._nogoods = new_nogoods(len(self._targets), len(self._pool), memory)
        self._work: AllFoundWorkspace | None = None

    def guess(self, words: Array, left: int, count: Array) -> tuple[int, int]:
        """Find whether three words or more can be found in two turns or more, and a first guess for that.

        Args:
            count: pairs of guess and target evaluated so far, and their limit.
        Returns:
            WON and the guess; LOST or STOPPED and -1.
        """
        if self._work is None or len(self._work.frames) < left:
            own = np.searchsorted(self._pool, self._targets)
            self._work = new_workspace(own, len(self._pool), left, len(self._nogoods.turns))
        work, frame = self._work, self._work.frames[0]
        work.members[0, : len(words)] = np.searchsorted(self._targets, words)
        frame[START], frame[STOP], frame[LEFT] = 0, len(words), left
        classes = classes_of_targets(self._table), columns_of_targets(self._table)
        state = int(search((work, self._nogoods, self._known, *classes), count))
        return state, int(self._pool[frame[TRIED]]) if state == WON else -1


def columns_of_targets(table: WordTable) -> Array:
    """Return [T, P] uint8 or uint16: as `classes_of_targets`, by target; made once."""
    with _LOCK:
        return _columns_of_targets(table)


@cached_by_table
def _columns_of_targets(table: WordTable) -> Array:
    return np.ascontiguousarray(classes_of_targets(table).T)


@inner
def _known(space, depth, count):
    """Return what is known of a set before its guesses are ranked."""
    work, nogoods, known, matrix, columns = space
    frame = work.frames[depth]
    words, left = work.members[depth, frame[START] : frame[STOP]], frame[LEFT]
    frame[CLASS], frame[SCORED] = OPEN, 0
    if left == 2:
        guess, used = parting(work, matrix, columns, words, count)
        if guess < 0:
            keep_small(work, nogoods, matrix, columns, used, count)
            return LOST
        frame[TRIED] = guess
        return WON
    as_bits(words, work.sets[depth])
    number = nogood_within(nogoods, work.sets[depth], left)
    if number >= 0:
        nogoods.size[1] = number
        return LOST
    key, check = hash_of(work.numbers, work.members[depth], frame[START], frame[STOP], left)
    here = row_of(known, key, check)
    if here != NOWHERE:
        frame[TRIED] = known[here, GUESS]
        return WON
    if words.shape[0] > left and _is_unsplit(work, matrix, words):
        keep(nogoods, work.mask, columns, words[: left + 1], left)
        return LOST
    for t in words:
        if _leaves_pairs(work, matrix[work.own[t]], words):
            frame[TRIED] = work.own[t]
            return WON
    set_bits(work.alive[depth], columns.shape[1])
    for k in range(nogoods_within(nogoods, work.sets[depth], left - 1, work.inside)):
        rule_out(work.alive[depth], nogoods.covers[work.inside[k]])
    return OPEN


@inner
def _next_guess(space, depth, count):
    """Try the guess of the most classes of those that no nogood rules out; whether there is one."""
    work, _, _, matrix, _ = space
    frame, scores, alive = work.frames[depth], work.scores[depth], work.alive[depth]
    words = work.members[depth, frame[START] : frame[STOP]]
    best, most = -1, 0
    for w in range(alive.shape[0]):
        bits = alive[w]
        while bits != 0:
            low = bits & (~bits + np.uint64(1))
            bits ^= low
            guess = 64 * w + ones(low - np.uint64(1))
            if frame[SCORED] == 0:
                scores[guess] = _classes(work, matrix[guess], words)
                count[0] += words.shape[0]
            if scores[guess] > most:
                best, most = guess, scores[guess]
    frame[SCORED] = 1
    if best >= 0:
        frame[TRIED], frame[CLASS] = best, 0
        frame[CLASSES] = _part(work, matrix[best], words, depth)
    return best >= 0


@inner
def _enter(space, depth):
    """Begin with the next class of the guess that is tried."""
    work = space[0]
    frame, child = work.frames[depth], work.frames[depth + 1]
    number = work.queue[depth, frame[CLASS]]
    child[START], child[STOP] = work.starts[depth, number], work.starts[depth, number + 1]
    child[LEFT] = frame[LEFT] - 1


@inner
def _keep_won(space, depth):
    """Keep a set all of whose words can be found."""
    work, _, known, _, _ = space
    frame = work.frames[depth]
    key, check = hash_of(work.numbers, work.members[depth], frame[START], frame[STOP], frame[LEFT])
    write(known, key, check, 0, frame[TRIED])


@inner
def _backtrack(space, depth):
    """One guess before, where the last nogood rules out those that leave its words together."""
    work, nogoods = space[0], space[1]
    if depth:
        rule_out(work.alive[depth - 1], nogoods.covers[nogoods.size[1]])
    return depth - 1


@inner
def _classes(work, row, words):
    """Return the number of classes of a guess."""
    places, classes = work.places, 0
    for t in words:
        classes += places[row[t]] == 0
        places[row[t]] = 1
    for t in words:
        places[row[t]] = 0
    return classes


@inner
def _is_unsplit(work, matrix, words):
    """Return True if no guess splits words, but for each of them itself from the others."""
    apart = 0
    for guess in range(matrix.shape[0]):
        apart += _classes(work, matrix[guess], words) - 1
        if apart > min(guess + 1, words.shape[0]):
            return False
    return apart == words.shape[0]


@inner
def _leaves_pairs(work, row, words):
    """Return True if no class of a guess has more than two words."""
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
    """Sort words into the row below by the classes of a guess; list those of three or more, largest first."""
    places, starts, below = work.places, work.starts[depth], work.members[depth + 1]
    queue, classes, large = work.queue[depth], 0, 0
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
def _keep_lost(space, depth, count):
    """Keep words of a set that cannot all be found: those of nogoods that together leave no guess."""
    work, nogoods, _, _, columns = space
    frame, chosen, alive = work.frames[depth], work.sets[-1], work.alive[-1]
    left = frame[LEFT]
    words = work.members[depth, frame[START] : frame[STOP]]
    inside = nogoods_within(nogoods, work.sets[depth], left - 1, work.inside)
    fill(chosen, 0)
    set_bits(alive, columns.shape[1])
    for k in range(inside):
        if rule_out(alive, nogoods.covers[work.inside[k]]):
            for w in range(chosen.shape[0]):
                chosen[w] |= nogoods.words[work.inside[k], w]
    if not is_empty(alive):  # some were forgotten since
        copy(work.sets[depth], chosen)
    inside, kept = nogoods_within(nogoods, chosen, left - 1, work.inside), 0
    for t in words:
        bit = np.uint64(1) << np.uint64(t & 63)
        if chosen[t >> 6] & bit == 0:
            continue
        set_bits(alive, columns.shape[1])
        for k in range(inside):
            number = work.inside[k]
            if nogoods.words[number, t >> 6] & bit == 0:
                rule_out(alive, nogoods.covers[number])
        if is_empty(alive):
            chosen[t >> 6] ^= bit
            inside = nogoods_within(nogoods, chosen, left - 1, work.inside)
        else:
            work.nogood[0, kept] = t
            kept += 1
    keep(nogoods, work.mask, columns, work.nogood[0, :kept], left)
    return LOST


search = decision_search(_known, _next_guess, _enter, _keep_won, _keep_lost, _backtrack)

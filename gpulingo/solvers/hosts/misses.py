"""`AdversaryMisses`: fewest misses of a letter guesser against a host that has only a set of words.

The value of a set of words: 0 for a single one; otherwise the least, over the letters that split it, of the
greatest value of its classes, where the class without the letter counts one miss more.

A part of a set never costs more misses than the set. So a letter is judged by its miss class alone: if that
class is won with one miss less, the set is won exactly if all other classes of the letter are won. If no
letter has such a class, the set is lost, and the nogoods of the miss classes make a nogood of the set.
"""

from __future__ import annotations

import numpy as np

from gpulingo.solvers.depth_first import LOST, OPEN, STOPPED, WON, decision_search
from gpulingo.solvers.hosts.sets import (
    FULL,
    NOGOOD_WORDS,
    NONE,
    SPLIT,
    UNRULED,
    count_letters,
    enlist,
    inherit,
    new_nogoods,
    new_sets,
    nogood_of,
    nogood_of_disjoint_words,
    nogood_without_misses,
    part_by,
    won_letter,
)
from gpulingo.solvers.letters.search import MISS, letter_classes
from gpulingo.solvers.transpositions import new_rows, write
from gpulingo.tensors.arrays import Array
from gpulingo.tensors.checks import code_type
from gpulingo.tensors.cpu.compile import compiled, inner
from gpulingo.tensors.outcomes import Misses
from gpulingo.tensors.wordtable import WordTable

FIRST = 1 << 40  # size in the queue of a miss class that is searched before the others
MOST_MEMORY = 3 << 30  # bytes, however many are given: a process stays below 4 GB
FEWEST_NOGOODS = 1 << 10


@inner
def _known(space, depth, count):
    sets, nogoods, won = space
    frame = sets.frames[depth]
    frame.child, frame.tries = OPEN, 0
    size = frame.stop - frame.start
    if size <= frame.left + 1:
        return WON
    if won_letter(won, sets.sums[depth, 0], sets.sums[depth, 1], frame.left) >= 0:
        return WON
    count[0] += size
    count[2] += 1
    count_letters(sets, depth)
    nogood = nogood_of_disjoint_words(sets, nogoods, depth)
    return OPEN if nogood == NONE else _known_by(nogoods, nogood)


@inner
def _known_by(nogoods, nogood):
    """Return LOST by a nogood, which becomes the last used; STOPPED if there was no room for it."""
    nogoods.size[1] = nogood
    return STOPPED if nogood == FULL else LOST


@inner
def _next_guess(space, depth, count):
    """Split a set by the next letter and queue the classes that are not known to be won, largest first.

    The miss class is last at the first letter, because a lost class among the others ends the search of the
    set. If none was lost, the others are mostly won, so at the next letters the miss class is first.
    """
    sets, _, won = space
    letter = _next_letter(sets, won, depth)
    if letter < 0:
        return False
    frame, starts, queue = sets.frames[depth], sets.starts[depth], sets.queue[depth]
    many, queued = part_by(sets, depth, letter), 0
    for c in range(many):
        level = frame.left - (sets.classes[depth, c] == MISS)
        size = starts[c + 1] - starts[c]
        if size <= level + 1 or won_letter(won, sets.keys[depth, c, 0], sets.keys[depth, c, 1], level) >= 0:
            continue
        size, place = _weighed(sets, depth, c), queued
        while place > 0 and _weighed(sets, depth, queue[place - 1]) < size:
            queue[place] = queue[place - 1]
            place -= 1
        queue[place] = c
        queued += 1
    frame.guess, frame.child, frame.children = letter, 0, queued
    frame.tries += 1
    return True


@inner
def _enter(space, depth):
    sets, nogoods, _ = space
    frame, child = sets.frames[depth], sets.frames[depth + 1]
    c = sets.queue[depth, frame.child]
    code = sets.classes[depth, c]
    child.start, child.stop = sets.starts[depth, c], sets.starts[depth, c + 1]
    child.left = frame.left - (code == MISS)
    sets.sums[depth + 1, 0], sets.sums[depth + 1, 1] = sets.keys[depth, c, 0], sets.keys[depth, c, 1]
    inherit(sets, nogoods, depth + 1, frame.guess, code)


@inner
def _keep_won(space, depth):
    sets, _, won = space
    frame, (key, check) = sets.frames[depth], sets.sums[depth]
    write(won, np.int64(key) | 1, np.int64(check), frame.left, frame.guess)


@inner
def _keep_lost(space, depth, count):
    """Store a nogood of a set whose letters are all ruled out."""
    sets, nogoods, _ = space
    if sets.frames[depth].left:
        return _known_by(nogoods, nogood_of(sets, nogoods, depth))
    return _known_by(nogoods, nogood_without_misses(sets, nogoods, depth))


@inner
def _backtrack(space, depth):
    """Return the depth before the first set that the last nogood loses; the others list the nogood."""
    sets, nogoods, _ = space
    return enlist(sets, nogoods, nogoods.size[1], depth) - 1


@inner
def _next_letter(sets, won, depth):
    """Return the letter to try next, or -1.

    A letter that all words have is first, then one whose miss class is known to be won, then by most hits.
    """
    frame, hits, key = sets.frames[depth], sets.hits[depth], sets.sums[depth]
    size, level = frame.stop - frame.start, frame.left
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
def _weighed(sets, depth, c):
    """Return the size of a class for the order of the queue."""
    if sets.classes[depth, c]:
        return np.int64(sets.starts[depth, c + 1] - sets.starts[depth, c])
    return np.int64(FIRST if sets.frames[depth].tries else 0)


search = decision_search(_known, _next_guess, _enter, _keep_won, _keep_lost, _backtrack)
known_letter = compiled(won_letter.py_func)  # for Python


class AdversaryMisses:
    """A search for the least misses that a guesser of letters needs; it keeps its tables between sets.

    Only `stop` may be called from another thread. A nogood is a set of words with a known number of misses
    that can be forced with them alone, and with the nogood that the host keeps after each letter. `codes` and
    `patterns` are those of `letter_classes`.

    Args:
        table: the words; the guesses are the letters of its alphabet.
        memory: bytes; at most 3 GiB are used, half for won sets, half for nogoods.
    Raises:
        ValueError: words are of more than 39 letters, or a letter has more than 32,766 different places.

    >>> from gpulingo import encode
    >>> table = encode(["bat", "cat", "hat", "rat"])
    >>> AdversaryMisses(table, 1 << 20).least(table.targets.numpy())
    Misses(lower=3, upper=3, nogood=0)
    """

    def __init__(self, table: WordTable, memory: int) -> None:
        code_type(table.length)
        table, memory = table.here, min(memory, MOST_MEMORY)
        codes, self.patterns = letter_classes(table)
        letters = codes.shape[1]
        nogood_bytes = 4 * NOGOOD_WORDS + 8 + 2 + 6 * letters + 4 * (letters + 2)
        most = max(FEWEST_NOGOODS, memory // 2 // nogood_bytes)
        self._sets = new_sets(table, codes, self.patterns.shape[1], most)
        self._nogoods = new_nogoods(table.words, letters, most)
        self._won = new_rows(memory // 2)
        self._count = np.zeros(3, np.int64)
        self._stopped = False
        self.letters, self.codes = letters, codes

    @property
    def positions(self) -> int:
        """Number of sets whose letters were tried, over all calls so far."""
        return int(self._count[2])

    def stop(self) -> None:
        """Stop, from another thread, this search and all later ones, as if their limit were reached."""
        self._stopped = True
        self._count[1] = -1

    def wins(self, members: Array, misses: int, limit: int = 1 << 62) -> bool | None:
        """Return True if `misses` misses are enough for a set, [n] int32; None if the search ended before.

        It ends after `limit` words were processed, when it is stopped, or when its memory is full.
        """
        if misses < 0:
            return False
        state = self._seek(members, misses, limit)[0]
        return None if state == STOPPED else state == WON

    def least(self, members: Array, limit: int = 1 << 62) -> Misses:
        """Return the least misses that are enough for a set, [n] int32; bounds if the search ended before."""
        # From above: with many misses a set is quickly won, and its won subsets are then known.
        upper, lower, nogood, end = self.letters, 0, -1, int(self._count[0]) + limit
        while lower < upper:
            state, lost_by = self._seek(members, upper - 1, end - int(self._count[0]))
            if state == WON:
                upper -= 1
            elif state == LOST:
                lower, nogood = upper, lost_by
            else:
                break
        if lower < upper and (held := self._nogoods_within(members)).size:
            nogood = int(held[self._nogoods.level[held].argmax()])
            lower = int(self._nogoods.level[nogood]) + 1
        return Misses(lower, upper, nogood)

    def letter(self, members: Array, misses: int) -> int | None:
        """Return a letter that wins two words or more with `misses` misses; None: stopped, or lost."""
        codes = self.codes[members]
        if len(members) <= misses + 1:  # then any letter that splits them wins
            hits = (codes != 0).sum(0)
            return int(np.where((codes != codes[0]).any(0), hits, -1).argmax())
        key = self._sets.numbers[members].sum(0)
        letter = known_letter(self._won, key[0], key[1], misses)
        if letter < 0 and self.wins(members, misses):
            letter = known_letter(self._won, key[0], key[1], misses)
        return int(letter) if letter >= 0 else None

    def add_nogood(self, words: Array, misses: int) -> None:
        """Add [k] int32 words that are proven to force `misses` misses, if they fit."""
        nogoods, nogood, codes = self._nogoods, int(self._nogoods.size[0]), self.codes[words]
        stop = int(nogoods.starts[nogood]) + len(words)
        if nogood == len(nogoods.level) or stop > len(nogoods.words):
            return
        nogoods.words[nogoods.starts[nogood] : stop] = words
        nogoods.codes[nogood] = np.where((codes != codes[0]).any(0), SPLIT, codes[0])
        nogoods.level[nogood], nogoods.answers[nogood] = misses - 1, -1
        nogoods.starts[nogood + 1], nogoods.size[0] = stop, nogood + 1

    def nogood(self, nogood: int) -> tuple[Array, int, Array]:
        """Return the words of a nogood, [k] int32, ascending, and the misses that they alone can force.

        Last, [A] int32: the nogood to keep after a miss of a letter that splits this one; -1: none is needed.
        """
        nogoods = self._nogoods
        words = np.sort(nogoods.words[nogoods.starts[nogood] : nogoods.starts[nogood + 1]])
        return words, int(nogoods.level[nogood]) + 1, np.array(nogoods.answers[nogood])

    def _seek(self, members: Array, misses: int, limit: int) -> tuple[int, int]:
        """Return WON, LOST or STOPPED, and the nogood if LOST."""
        sets, frame = self._sets, self._sets.frames[0]
        if len(members) <= misses + 1:
            return WON, -1
        sets.rows[0, : len(members)] = members
        frame["start"], frame["stop"], frame["left"], frame["child"] = 0, len(members), misses, OPEN
        sets.sums[0] = sets.numbers[members].sum(0)
        sets.ruled[0] = UNRULED
        held = self._nogoods_within(members)
        levels = self._nogoods.level[held]
        if held.size and levels.max() >= misses:
            return LOST, int(held[levels.argmax()])
        sets.lists[0, : len(held)] = held
        sets.many[0] = len(held)
        for nogood in held[levels == misses - 1]:
            absent = (self._nogoods.codes[nogood] == 0) & (sets.ruled[0] == UNRULED)
            sets.ruled[0, absent] = nogood
        self._count[1] = self._count[0] + limit
        if self._stopped:  # tested after the limit was set, which may have overwritten the stop
            self._count[1] = -1
        state = search((sets, self._nogoods, self._won), self._count)
        return int(state), int(self._nogoods.size[1])

    def _nogoods_within(self, members: Array) -> Array:
        """Return [k] int32: the nogoods within a set."""
        nogoods, size = self._nogoods, int(self._nogoods.size[0])
        if len(members) == len(nogoods.inside):
            return np.arange(size, dtype=np.int32)
        inside = np.zeros(len(nogoods.inside), np.int64)
        inside[members] = 1
        starts = nogoods.starts[:size]
        if not size:
            return np.empty(0, np.int32)
        words = np.add.reduceat(inside[nogoods.words[: nogoods.starts[size]]], starts)
        return np.flatnonzero(words == np.diff(nogoods.starts[: size + 1])).astype(np.int32)

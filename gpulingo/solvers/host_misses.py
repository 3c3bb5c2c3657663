"""The least misses against a host of a known rule: depth first, with a table of what was not enough."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gpulingo.solvers.adversary_sets import new_sets, put_won, won_letter
from gpulingo.solvers.decision import (
    CLASS,
    CLASSES,
    LEFT,
    LOST,
    OPEN,
    OWN,
    START,
    STOP,
    STOPPED,
    TRIED,
    WON,
    decision_search,
)
from gpulingo.solvers.letter_classes import MISS, letter_classes, shown_places
from gpulingo.solvers.rows import fill
from gpulingo.solvers.transpositions import new_rows
from gpulingo.tensors.cpu.compile import inner
from gpulingo.tensors.features import Array
from gpulingo.tensors.integers import code_dtype
from gpulingo.tensors.wordtable import WordTable

LARGEST, DIVERSITY = 0, 1
HOSTS = {"largest": LARGEST, "diversity": DIVERSITY}
MOST_LETTERS = 64  # bits of a set of letters
NEXT, MANY = OWN, OWN + 1  # fields of a frame: the choice that is next, and how many there are


class Choices(NamedTuple):
    """Host's answers for the set at each depth after each letter, and the count of a set."""

    letters: Array  # [R, A] int16: in the order in which they are tried
    codes: Array  # [R, A] int16: the class that is kept
    size: Array  # [R, A] int32: its words
    shown: Array  # [A, K] int8: places that a class of a letter shows
    held: Array  # [W] uint64: letters of each word, as bits
    sizes: Array  # [A, K] int32: words of each class; 0 between counts
    sums: Array  # [A, K, 2] uint64: sums of the numbers of its words
    bits: Array  # [A, K] uint64: letters of its words
    found: Array  # [A, K] int16: codes of the classes of each letter
    many: Array  # [A] int32: how many


class HostMisses:
    """The least misses against a host of a known rule; see `gpulingo.search.fixed_players`.

    Args:
        table: the words. memory: bytes of its table.
    Raises:
        ValueError: more than 64 different letters, or words of more than 39.
    """

    def __init__(self, table: WordTable, memory: int) -> None:
        code_dtype(table.length)
        table = table.to("cpu")
        codes, patterns = letter_classes(table)
        letters = codes.shape[1]
        if letters > MOST_LETTERS:
            raise ValueError(f"{letters} different letters, expected at most {MOST_LETTERS}: split the list")
        self._sets, self._memory = new_sets(table, codes, patterns.shape[1], 1), memory
        depths = letters + 2
        shown = shown_places(patterns)
        powers = np.uint64(1) << np.arange(letters, dtype=np.uint64)
        self._choices = Choices(
            np.zeros((depths, letters), np.int16),
            np.zeros((depths, letters), np.int16),
            np.zeros((depths, letters), np.int32),
            shown.astype(np.int8),
            ((codes != 0) * powers).sum(1, dtype=np.uint64),
            np.zeros(shown.shape, np.int32),
            np.zeros((*shown.shape, 2), np.uint64),
            np.zeros(shown.shape, np.uint64),
            np.zeros(shown.shape, np.int16),
            np.zeros(letters, np.int32),
        )
        self._count = np.zeros(3, np.int64)

    def least(self, members: Array, host: str, limit: int) -> tuple[int, int]:
        """Misses that are needed, and misses that are enough: the same unless the limit was reached.

        A half of the limit goes to fewer and fewer misses that are enough, which are soon found as long as
        there are many; the rest to more and more that are not.
        """
        failed = new_rows(self._memory)
        self._count[:] = 0, limit // 2, 0
        lower, upper = 0, self._sets.codes.shape[1]
        while lower < upper and (state := self._seek(members, upper - 1, host, failed)) != STOPPED:
            lower, upper = (upper, upper) if state == LOST else (lower, upper - 1)
        self._count[1] = limit
        while lower < upper and (state := self._seek(members, lower, host, failed)) != STOPPED:
            lower, upper = (lower + 1, upper) if state == LOST else (lower, lower)
        return lower, upper

    def _seek(self, members: Array, misses: int, host: str, failed: Array) -> int:
        """Search whether a number of misses is enough: WON, LOST or STOPPED."""
        sets, frame = self._sets, self._sets.frames[0]
        sets.rows[0, : len(members)] = members
        frame[START], frame[STOP], frame[LEFT] = 0, len(members), misses
        sets.sums[0] = sets.numbers[members].sum(0)
        return int(search((sets, self._choices, failed, HOSTS[host]), self._count))


@inner
def _next_guess(space, depth, count):
    """Try the letter that is next, if there is one."""
    sets, choices, _, _ = space
    frame = sets.frames[depth]
    if frame[NEXT] == frame[MANY]:
        return False
    frame[TRIED], frame[CLASS], frame[CLASSES] = choices.letters[depth, frame[NEXT]], 0, 1
    frame[NEXT] += 1
    return True


@inner
def _enter(space, depth):
    """Begin with the class that the host keeps after a letter."""
    sets, choices, _, _ = space
    frame, child = sets.frames[depth], sets.frames[depth + 1]
    letter, many = frame[TRIED], frame[START]
    code = choices.codes[depth, letter]
    fill(sets.sums[depth + 1], 0)
    for i in range(frame[START], frame[STOP]):
        word = sets.rows[depth, i]
        if sets.codes[word, letter] == code:
            sets.rows[depth + 1, many] = word
            sets.sums[depth + 1, 0] += sets.numbers[word, 0]
            sets.sums[depth + 1, 1] += sets.numbers[word, 1]
            many += 1
    child[START], child[STOP], child[LEFT] = frame[START], many, frame[LEFT] - (code == MISS)


@inner
def _known(space, depth, count):
    """Return what is known of a set before its letters are tried; that of the smallest class is first."""
    sets, choices, failed, host = space
    frame, letters = sets.frames[depth], choices.letters[depth]
    size, many, won = frame[STOP] - frame[START], 0, frame[STOP] - frame[START] <= frame[LEFT] + 1
    frame[CLASS] = OPEN
    if won:
        return WON
    count[0] += size
    count[2] += 1
    _count_classes(sets, choices, depth, host)
    for letter in range(sets.codes.shape[1]):
        if choices.many[letter] > 1:
            code = _kept(choices, letter, host)
            kept, sums = choices.sizes[letter, code], choices.sums[letter, code]
            level = frame[LEFT] - (code == MISS)
            won |= kept <= level + 1 and level >= 0
            # The table keeps the least level: that is the most misses that were not enough, negated.
            if level >= 0 and won_letter(failed, sums[0], sums[1], -level) < 0:
                choices.codes[depth, letter], choices.size[depth, letter] = code, kept
                place = many
                while place > 0 and choices.size[depth, letters[place - 1]] > kept:
                    letters[place] = letters[place - 1]
                    place -= 1
                letters[place] = letter
                many += 1
        for k in range(choices.many[letter]):
            choices.sizes[letter, choices.found[letter, k]] = 0
    frame[NEXT], frame[MANY] = 0, many
    return WON if won else OPEN


@inner
def _count_classes(sets, choices, depth, host):
    """Count the words of every class of the set of a depth, the numbers of their words and their letters."""
    fill(choices.many, 0)
    for i in range(sets.frames[depth, START], sets.frames[depth, STOP]):
        word = sets.rows[depth, i]
        for letter in range(sets.codes.shape[1]):
            code = sets.codes[word, letter]
            if choices.sizes[letter, code] == 0:
                choices.found[letter, choices.many[letter]] = code
                choices.many[letter] += 1
                choices.sums[letter, code, 0] = 0
                choices.sums[letter, code, 1] = 0
                choices.bits[letter, code] = 0
            choices.sizes[letter, code] += 1
            choices.sums[letter, code, 0] += sets.numbers[word, 0]
            choices.sums[letter, code, 1] += sets.numbers[word, 1]
            if host == DIVERSITY:
                choices.bits[letter, code] |= choices.held[word]


@inner
def _kept(choices, letter, host):
    """Return the class that the host keeps, of those of a letter."""
    best, first, second, third, last = 0, np.int64(-1), np.int64(0), np.int64(0), np.int64(0)
    for k in range(choices.many[letter]):
        code = np.int64(choices.found[letter, k])
        measure, tie = np.int64(choices.sizes[letter, code]), np.int64(0)
        if host == DIVERSITY:
            bits = choices.bits[letter, code] & ~(np.uint64(1) << np.uint64(letter))
            measure, tie = np.int64(0), measure
            while bits:
                bits &= bits - np.uint64(1)
                measure += 1
        shown = -np.int64(choices.shown[letter, code])
        if (measure, tie, shown, -code) > (first, second, third, last):
            best, first, second, third, last = code, measure, tie, shown, -code
    return best


@inner
def _keep_won(space, depth):
    """A letter is won with its class: that ends the search."""


@inner
def _keep_lost(space, depth, count):
    """Keep the most misses that were not enough for a set."""
    sets, _, failed, _ = space
    put_won(failed, sets.sums[depth, 0], sets.sums[depth, 1], -sets.frames[depth, LEFT], 0)
    return LOST


@inner
def _backtrack(space, depth):
    """One letter before."""
    return depth - 1


search = decision_search(_known, _next_guess, _enter, _keep_won, _keep_lost, _backtrack)

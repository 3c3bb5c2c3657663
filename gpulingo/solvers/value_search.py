"""`value_search` on the CPU: branch and bound over every guess, depth first, one set at a time."""

from __future__ import annotations

from functools import partial

import numpy as np
from torch import Tensor

from gpulingo.solvers.labelling import label_set
from gpulingo.solvers.labels import (
    WholeSet,
    by_score,
    by_size,
    labelled,
    own_words,
    part,
    score_guesses,
    whole_set,
)
from gpulingo.solvers.openings import opened
from gpulingo.solvers.three_turns import EVERY, ThreeTurns
from gpulingo.solvers.value_table import UNKNOWN, hash_of, look_up, new_table, note, place_of, put
from gpulingo.tensors.cpu.compile import compiled, inner
from gpulingo.tensors.features import Array
from gpulingo.tensors.outcomes import Opened, Valued
from gpulingo.tensors.wordtable import WordTable

MOST_LABELS = 1 << 28  # a limit of memory: of a set, 1 or 2 bytes each
MANY_WORDS = 24  # with three turns left smaller sets are searched as those with more turns are
TRIED = 8  # guesses that say what a set has at least
# A frame of the search: where its set begins and ends in its row; what its value has to be above, and is not
# above; the best guess so far; the next guess and how many there are; of the guess that is tried, what it has
# at most, the class that is searched and how many have to be, and the bound of that class.
START, STOP, FLOOR, UPPER, BEST, NEXT, MANY, TOTAL, CLASS, CLASSES, BOUND = range(11)


class ValueSearch:
    """As `value.value_search`; not for several threads at once."""

    def __init__(self, table: WordTable, memory: int) -> None:
        self._table, self._pool, self._known = table, table.pool.numpy(), new_table(memory)
        self._numbers = np.random.default_rng(0).integers(1, 1 << 64, (table.words, 2), dtype=np.uint64)
        self._whole: WholeSet | None = None  # the set that was asked for last
        # Sets with three turns left that are labelled, until their value is asked for; bytes that are free.
        self._kept, self._free = dict[bytes, ThreeTurns](), memory
        self._count = np.zeros(2, np.int64)  # pairs evaluated, and the most there may be

    def value(
        self, members: Tensor, left: int, floor: int = -1, limit: int = 1 << 62, legal: Tensor | None = None
    ) -> Valued:
        """The value of a set; see `value.ValueSearch`. All guesses are legal."""
        self._count[:] = 0, limit
        return self._value(members.numpy(), left, floor)

    def bracket(self, members: Tensor, left: int) -> tuple[int, int]:
        """What a set has by the best of some guesses, and by classes alone; see `value.ValueSearch`."""
        words = members.numpy()
        if left != 3 or len(words) < MANY_WORDS or len(words) * len(self._pool) > MOST_LABELS:
            value = self.value(members, left).value
            return value, value
        self._count[:] = 0, 1 << 62
        one = self._taken(words) or self._labelled(words)
        if one.bytes <= self._free:  # else it is labelled again: those that were asked for first come first
            self._free -= one.bytes
            self._kept[words.tobytes()] = one
        most = one.value(EVERY, self._known, self._count)[0]  # no guess is above that
        return one.value(UNKNOWN, self._known, self._count, TRIED)[0], most

    def forget(self) -> None:
        """Keep no labelled set."""
        self._free += sum(one.bytes for one in self._kept.values())
        self._kept.clear()

    def after(
        self,
        opening: int,
        left: int,
        floor: int = -1,
        limit: int = 1 << 62,
        upper: Tensor | None = None,
    ) -> Opened:
        """What an opening leads to; see `value.ValueSearch`."""
        self._count[:] = 0, limit
        value = partial(self._class_value, left - 1)
        found = opened(self._table, opening, left, floor=floor, bonus=0, pace=1, upper=upper, value=value)
        return Opened(*found, int(self._count[0]))

    def stop(self) -> None:
        """End, from another thread, what is searched now, as if its limit were reached."""
        self._count[1] = -1

    def _class_value(self, left: int, words: Array, floor: int) -> int:
        return self._value(words, left, floor).value

    def _value(self, words: Array, left: int, floor: int) -> Valued:
        """The value of a set; pairs count on."""
        count = self._count
        n, top = len(words), left + (len(words) - 1) * (left - 1)
        taken = self._taken(words) if left == 3 else None
        if top <= floor or n < 3 or left < 2:
            return Valued(top, int(words[0]) if top > floor else UNKNOWN, 0)
        if n * len(self._pool) > MOST_LABELS:
            return Valued(UNKNOWN, UNKNOWN, 0)
        if left == 3 and n >= MANY_WORDS:
            return self._of_three_turns(words, floor, taken)
        whole = self._whole
        if whole is None or left >= len(whole.frames) or not np.array_equal(words, whole.words):
            # Its own words may be enough, and are soon labelled.
            whole = labelled(self._table, words, words[:0], self._numbers, left + 1)
            value, guess = glance(n, left, whole, self._known)
            if value <= floor or guess >= 0:
                return Valued(int(value), int(guess) if value > floor else UNKNOWN, 0)
            others = self._pool[~np.isin(self._pool, words)]
            self._whole = whole = labelled(self._table, words, others, self._numbers, left + 1)
        whole.members[0] = np.arange(n)
        value, guess = seek_value(n, left, floor, whole, self._known, count)
        return Valued(int(value), int(guess) if value > floor else UNKNOWN, int(count[0]))

    def _of_three_turns(self, words: Array, floor: int, taken: ThreeTurns | None) -> Valued:
        """The value of a set with three turns left, labelled or not; pairs count on."""
        known = self._entry(words, 3)
        if known.value <= floor or known.guess >= 0:
            return known if known.value > floor else Valued(known.value, UNKNOWN, 0)
        value, guess = (taken or self._labelled(words)).value(floor, self._known, self._count)
        if value >= 0:
            lower = value if guess >= 0 else UNKNOWN
            note(self._numbers, words, 3, self._known, (lower, value, guess))
        return Valued(value, guess, int(self._count[0]))

    def _entry(self, words: Array, left: int) -> Valued:
        """What is known of a set: its value and a best guess, or a bound and -1."""
        upper, lower, guess = look_up(self._numbers, words, left, self._known)
        top = left + (len(words) - 1) * (left - 1)
        return Valued(int(upper) if upper >= 0 else top, int(guess) if lower == upper else UNKNOWN, 0)

    def _labelled(self, words: Array) -> ThreeTurns:
        """A set with all guesses labelled."""
        others = self._pool[~np.isin(self._pool, words)]
        labels = label_set(self._table, words, others, finest=True)
        whole = whole_set(labels, words, self._numbers, 2)
        return ThreeTurns(self._table.letters.numpy(), labels.by_guess, whole)

    def _taken(self, words: Array) -> ThreeTurns | None:
        """A set that was kept labelled, which it is no longer."""
        kept = self._kept.pop(words.tobytes(), None)
        if kept is not None:
            self._free += kept.bytes
        return kept


@compiled
def glance(n, left, whole, known):
    """What all n words are worth at most by their own words alone; which is best, or -1 if that is open."""
    for t in range(n):
        whole.members[0, t] = t
    upper = _glance(whole, 0, 0, n, left, known)
    key, check = hash_of(whole.numbers, whole.members[0], 0, n, left)
    here = place_of(known.keys, key, check)
    return upper, np.int64(known.guesses[here] if known.lower[here] == upper else UNKNOWN)


@compiled
def seek_value(n, left, floor, whole, known, count):
    """The value of all n words if it is above the floor, else a bound that is not; and a best guess, or -1.

    Depth first, on a stack of frames instead of recursive calls, which numba does not keep on disk.

    Args:
        count: pairs evaluated, and the most there may be; with more the answer is -1.
    """
    frames, depth = whole.frames, 0
    _enter(frames[0], 0, n, floor)
    value = _open(whole, known, 0, left, count)
    while True:
        if count[0] > count[1]:
            return np.int64(UNKNOWN), np.int64(UNKNOWN)
        frame = frames[depth]
        if value >= 0:  # of the set at this depth, which is done
            if depth == 0:
                return value, frame[BEST]
            depth -= 1
            frame = frames[depth]
            frame[TOTAL] += value - frame[BOUND]
            frame[CLASS] += 1
            value = np.int64(UNKNOWN)
        if frame[CLASS] < 0:
            if not _next_guess(whole, known, depth, left - depth):
                value = _close(whole, known, depth, left - depth)
        elif frame[TOTAL] <= frame[FLOOR]:
            frame[CLASS] = UNKNOWN
        elif frame[CLASS] == frame[CLASSES]:  # all are exact, and the guess is better than those before
            frame[BEST] = whole.guesses[whole.order[depth, frame[NEXT] - 1]]
            frame[FLOOR], frame[CLASS] = frame[TOTAL], UNKNOWN
        else:
            number = whole.queue[depth, frame[CLASS]]
            start, stop = whole.starts[depth, number], whole.starts[depth, number + 1]
            frame[BOUND] = whole.caps[depth, number]  # what the table says by now may be another
            _enter(frames[depth + 1], start, stop, frame[FLOOR] - (frame[TOTAL] - frame[BOUND]))
            depth += 1
            value = _open(whole, known, depth, left - depth, count)


@inner
def _enter(frame, start, stop, floor):
    """Begin with a set: a stretch of the row of its depth, and what its value has to be above."""
    frame[START], frame[STOP], frame[FLOOR] = start, stop, floor
    frame[BEST], frame[CLASS], frame[NEXT], frame[MANY] = UNKNOWN, UNKNOWN, 0, 0


@inner
def _open(whole, known, depth, left, count):
    """What is known of the set of a frame without expanding guesses; -1 where they have to be."""
    frame = whole.frames[depth]
    start, stop, floor = frame[START], frame[STOP], frame[FLOOR]
    n = stop - start
    upper = _glance(whole, depth, start, stop, left, known)
    key, check = hash_of(whole.numbers, whole.members[depth], start, stop, left)
    here = place_of(known.keys, key, check)
    if known.lower[here] == upper:
        frame[BEST] = known.guesses[here]
        return upper
    if upper <= floor:
        return upper
    most = score_guesses(whole, depth, start, stop, count)
    upper = min(upper, _growth(n, most, most, left))
    if left == 2 or most == n:  # the guess leaves nothing open
        best = 0
        while whole.scores[depth, best] < most:
            best += 1
        frame[BEST] = whole.guesses[best]
        put(known, key, check, upper, upper, frame[BEST])
        return upper
    if upper <= floor:
        put(known, key, check, UNKNOWN, upper, UNKNOWN)
        return upper
    least = 1
    while least < most and _growth(n, least + 1, most, left) <= floor:
        least += 1
    frame[UPPER], frame[MANY] = upper, by_score(whole, depth, least, most)
    return np.int64(UNKNOWN)


@inner
def _close(whole, known, depth, left):
    """The value of a set all of whose guesses were tried or ruled out, or a bound."""
    frame = whole.frames[depth]
    key, check = hash_of(whole.numbers, whole.members[depth], frame[START], frame[STOP], left)
    value, best = frame[FLOOR], frame[BEST]
    put(known, key, check, value if best >= 0 else UNKNOWN, value, best)
    return value


@inner
def _next_guess(whole, known, depth, left):
    """Go on to the next guess of a set that may be above its floor; whether there is one."""
    frame, starts = whole.frames[depth], whole.starts[depth]
    start, stop, floor = frame[START], frame[STOP], frame[FLOOR]
    n, most = stop - start, whole.scores[depth, whole.order[depth, 0]]
    while frame[NEXT] < frame[MANY] and floor < frame[UPPER]:
        guess = whole.order[depth, frame[NEXT]]
        score = np.int64(whole.scores[depth, guess])
        if _growth(n, score, most, left) <= floor:
            return False
        frame[NEXT] += 1
        classes, large, total = part(whole, depth, start, stop, guess), 0, (left - 2) * n + score
        for c in range(classes):
            size = starts[c + 1] - starts[c]
            if size > 2 and left > 2 and total > floor:
                bound = left - 1 + (size - 1) * (left - 2)
                cap = _glance(whole, depth + 1, starts[c], starts[c + 1], left - 1, known)
                # A guess scores a part no more than the whole.
                cap = min(cap, _growth(size, min(most, size + 1), most, left - 1))
                total += cap - bound
                whole.caps[depth, c] = cap
                whole.queue[depth, large] = c
                large += 1
        if total > floor:
            by_size(whole.queue[depth], large, starts)
            frame[TOTAL], frame[CLASS], frame[CLASSES] = total, 0, large
            return True
    return False


@inner
def _glance(whole, depth, start, stop, left, known):
    """What a set of at least three words is worth at most by what is known, or by its own words alone.

    One of them that parts it into single words is best; one that leaves but a pair is, if none does.
    """
    n = stop - start
    top = left + (n - 1) * (left - 1)
    key, check = hash_of(whole.numbers, whole.members[depth], start, stop, left)
    here = place_of(known.keys, key, check)
    if known.keys[here, 0] == key and known.keys[here, 1] == check:
        return np.int64(known.upper[here])
    most, best = own_words(whole, depth, start, stop)
    if most >= n - 1:
        top -= n - most
        put(known, key, check, top, top, whole.guesses[best])
    else:
        top -= 1
        put(known, key, check, UNKNOWN, top, UNKNOWN)
    return np.int64(top)


@inner
def _growth(n, score, most, left):
    """What a guess of this score leads to at most, the greatest score being `most`; see `growth_bound`."""
    value = within = score
    for _ in range(left - 2):
        within = min(within * min(most, n), n)
        value += within
    return value

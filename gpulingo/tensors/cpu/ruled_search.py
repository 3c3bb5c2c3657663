"""`value_search` on the CPU for all games but the plainest: legal guesses, a bonus for each word, weights."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np
from torch import Tensor

from gpulingo.tensors.cpu import value_search as plain_search
from gpulingo.tensors.cpu.all_found import REFUTED, AllFound
from gpulingo.tensors.cpu.compile import inlined, inner_uncounted, uncounted
from gpulingo.tensors.cpu.labels import by_size
from gpulingo.tensors.cpu.legal_bits import ANY, LANES, hash_bits, legality_of, narrow
from gpulingo.tensors.cpu.openings import is_weighted, opened, target_weights, top_value
from gpulingo.tensors.cpu.ruled_sets import (
    Room,
    add_guess,
    by_column,
    by_score,
    classes_of,
    classes_of_targets,
    count_classes,
    fill,
    heaviest,
    list_legal,
    part,
    room_for,
    score_legal,
)
from gpulingo.tensors.cpu.set_table import GUESS, NOWHERE, new_rows, row_of, write
from gpulingo.tensors.cpu.set_table import UPPER as BOUNDED
from gpulingo.tensors.cpu.value_table import UNKNOWN
from gpulingo.tensors.features import Array
from gpulingo.tensors.outcomes import Opened, Valued
from gpulingo.tensors.wordtable import WordTable

MOST_LABELS = 1 << 28  # a limit of memory: of all targets or of a set, 1 or 2 bytes each
MOST_OWN = 40  # words of a set whose own words are tried before others
# A frame of the search: where its set begins and ends in its row; what its value has to be above, and is not
# above; the best guess so far; the next guess, how many there are, and the most classes of one; of the guess
# that is tried, what it has at most, the class that is searched, how many have to be, its bound.
START, STOP, FLOOR, UPPER, BEST, NEXT, MANY, MOST, TOTAL, CLASS, CLASSES, BOUND = range(12)


class Worth(NamedTuple):
    """What a found word is worth."""

    bonus: int
    pace: int  # credits of a turn left
    weighted: bool


class ValueSearch:
    """As `operations.value_search`; not for several threads at once."""

    def __init__(self, table: WordTable, memory: int, legal: str, bonus: int, pace: int = 1) -> None:
        counts_found = legal == "any" and pace == 0  # who asks for all of them needs cores as well
        self._table, self._known = table, new_rows(memory // 2 if counts_found else memory)
        self._all_found = AllFound(table, self._known, memory // 2) if counts_found else None
        self._pool, self._targets = table.pool.numpy(), table.targets.numpy()
        self._numbers = np.random.default_rng(0).integers(1, 1 << 64, (table.words, 2), dtype=np.uint64)
        self._legality = legality_of(table, legal)
        self._weights = target_weights(table)
        self._worth = Worth(bonus, pace, is_weighted(table))
        self._room: Room | None = None
        self._count = np.zeros(2, np.int64)  # pairs evaluated, and the most there may be

    def value(
        self, members: Tensor, left: int, floor: int = -1, limit: int = 1 << 62, legal: Tensor | None = None
    ) -> Valued:
        """The value of a set; see `operations.value_search`."""
        self._count[:] = 0, limit
        value, guess = self._value(members.numpy(), left, floor, legal=legal)
        return Valued(value, guess if value > floor else UNKNOWN, int(self._count[0]))

    def after(
        self,
        opening: int,
        left: int,
        floor: int = -1,
        limit: int = 1 << 62,
        upper: Tensor | None = None,
    ) -> Opened:
        """What an opening leads to; see `operations.value_search`."""
        self._count[:] = 0, limit
        value = partial(self._class_value, left - 1, opening)
        opening_value = opened(
            self._table, opening, left, floor=floor, upper=upper, value=value,
            bonus=self._worth.bonus, pace=self._worth.pace, large_first=self._all_found is not None,
        )  # fmt: skip
        return Opened(*opening_value, int(self._count[0]))

    def stop(self) -> None:
        """End, from another thread, what is searched now, as if its limit were reached."""
        self._count[1] = -1

    def _class_value(self, left: int, opening: int, words: Array, floor: int) -> int:
        return self._value(words, left, floor, opening)[0]

    def _value(
        self, words: Array, left: int, floor: int, opening: int = -1, legal: Tensor | None = None
    ) -> tuple[int, int]:
        """Value and guess of a set, whose legal guesses are those after an opening, or given."""
        order = np.argsort(-self._weights[words], kind="stable")  # the heaviest first
        words = words[order]
        top = top_value(self._weights[words], left, self._worth.bonus, self._worth.pace)
        if top <= floor or len(words) < 3 or left < 2:
            return top, int(words[0]) if left else UNKNOWN
        if len(words) * len(self._pool) > MOST_LABELS:
            return UNKNOWN, UNKNOWN
        ids = np.searchsorted(self._targets, words)
        known = np.array_equal(self._targets[ids.clip(max=len(self._targets) - 1)], words)
        has_room = known and len(self._targets) * len(self._pool) <= MOST_LABELS
        fewer = top - self._worth.bonus * int(self._weights[words].min())  # the lightest word is lost
        if self._all_found and fewer <= floor and has_room and legal is None:
            guess = self._all_found.guess(words, left, self._count)
            return top if guess >= 0 else fewer if guess == REFUTED else UNKNOWN, max(guess, UNKNOWN)
        if has_room:
            matrix = classes_of_targets(self._table)
        else:
            matrix, ids = classes_of(self._table, words), np.arange(len(words))
        room = self._room_for(len(words), matrix, left + 1)
        n = room.size[0] = len(words)
        room.words[:n], room.weights[:n], room.numbers[:n] = words, self._weights[words], self._numbers[words]
        room.legal[0] = self._legality.every if legal is None else self._bits(legal)
        goal = np.array([left, floor, opening, words[0]])
        value, guess = seek(
            room, self._known, self._legality, self._worth, self._pool, matrix, ids, goal, self._count
        )
        return int(value), int(guess)

    def _bits(self, legal: Tensor) -> Array:
        """Legal guesses as bits."""
        flags = np.zeros(len(self._legality.every) * LANES, np.uint8)
        flags[np.searchsorted(self._pool, legal.numpy())] = 1
        return np.packbits(flags, bitorder="little").view(np.uint64)

    def _room_for(self, words: int, matrix: Array, depths: int) -> Room:
        room = self._room
        if (
            room is None
            or len(room.words) < words
            or room.labels.dtype != matrix.dtype
            or len(room.frames) < depths
        ):
            most = len(self._targets) if matrix.shape[1] == len(self._targets) else words
            legality = self._legality
            room = self._room = room_for(
                most, len(self._pool), matrix.dtype, len(legality.every), legality.rule == ANY, depths
            )
        return room


def value_search(
    table: WordTable, memory: int, legal: str, bonus: int, pace: int = 1
) -> plain_search.ValueSearch | ValueSearch:
    """As `operations.value_search`: the plain search where that is enough."""
    if legal == "any" and (bonus, pace) == (0, 1) and not is_weighted(table):
        return plain_search.ValueSearch(table, memory)
    return ValueSearch(table, memory, legal, bonus, pace)


@uncounted
def seek(room, known, legality, worth, pool, matrix, ids, goal, count):
    """The value of a set if it is above the floor, else a bound that is not; and a best guess, or -1.

    Args:
        ids: [n] columns of the matrix, for the words of the set.
        goal: turns left, the floor, and the opening after which the legal guesses are those of a target.
        count: pairs evaluated, and the most there may be; with more the answer is -1.
    """
    left, floor, n = goal[0], goal[1], ids.shape[0]
    distinct = legality.rule == ANY
    if distinct:
        fill(room.slots, -1)
    elif goal[2] >= 0:
        narrow(legality, room.legal[0], room.legal[0], goal[2], goal[3])
    fill(room.column_of, -1)
    room.size[1] = room.size[3] = 0
    room.size[2] = min((n + 63) // 64, room.bits.shape[0] // 256)
    for t in range(n):
        room.members[0, t] = t
        add_guess(room, matrix, np.searchsorted(pool, room.words[t]), ids, room.words[t], distinct)
    upper, exact, guess = _glance(room, known, worth, 0, 0, n, left)
    if exact or upper <= floor:
        return np.int64(upper), np.int64(guess)
    for w in range(legality.every.shape[0]):
        for b in range(64):
            place = 64 * w + b
            if room.legal[0, w] >> np.uint64(b) & np.uint64(1) and room.column_of[place] < 0:
                add_guess(room, matrix, place, ids, pool[place], distinct)
    room.size[2] = (room.size[3] + 63) // 64
    if distinct:
        by_column(room)
        for depth in range(room.lists.shape[0]):
            for k in range(room.size[1]):
                room.lists[depth, k] = k
    return _seek(room, known, legality, worth, n, left, floor, upper, count)


@inner_uncounted
def _seek(room, known, legality, worth, n, left, floor, upper, count):
    """Depth first, on a stack of frames instead of recursive calls, which numba does not keep on disk."""
    frames, depth = room.frames, 0
    _enter(frames[0], 0, n, floor, upper)
    value = _open(room, known, legality, worth, 0, left, count)
    while True:
        if count[0] > count[1]:
            return np.int64(UNKNOWN), np.int64(UNKNOWN)
        frame = frames[depth]
        if value >= 0:  # of the set at this depth, which is done
            if depth == 0:
                return value, frame[BEST]
            depth -= 1
            frame = frames[depth]
            frame[TOTAL] += min(value, frame[BOUND]) - frame[BOUND]
            frame[CLASS] += 1
            value = np.int64(UNKNOWN)
        if frame[CLASS] < 0:
            if not _next_guess(room, known, worth, depth, left - depth):
                value = _close(room, known, depth, left - depth)
        elif frame[TOTAL] <= frame[FLOOR]:
            frame[CLASS] = UNKNOWN
        elif frame[CLASS] == frame[CLASSES]:  # all are exact, and the guess is better than those before
            frame[BEST] = room.guesses[_tried(room, depth)]
            frame[FLOOR], frame[CLASS] = frame[TOTAL], UNKNOWN
        else:
            number = room.queue[depth, frame[CLASS]]
            start, stop = room.starts[depth, number], room.starts[depth, number + 1]
            bound = frame[BOUND] = room.caps[depth, number]  # what the table says by now may be another
            _enter(frames[depth + 1], start, stop, frame[FLOOR] - (frame[TOTAL] - bound), bound)
            if legality.rule != ANY:
                guess, target = room.guesses[_tried(room, depth)], room.words[room.members[depth + 1, start]]
                narrow(legality, room.legal[depth], room.legal[depth + 1], guess, target)
            depth += 1
            value = _open(room, known, legality, worth, depth, left - depth, count)


@inlined
def _tried(room, depth):
    """The guess that is tried at a depth, by its number in the set."""
    return room.lists[depth, room.order[depth, room.frames[depth, NEXT] - 1]]


@inlined
def _enter(frame, start, stop, floor, upper):
    """Begin with a set: a stretch of its row, what its value has to be above, and is not above."""
    frame[START], frame[STOP], frame[FLOOR], frame[UPPER] = start, stop, floor, upper
    frame[BEST], frame[CLASS], frame[NEXT], frame[MANY] = UNKNOWN, UNKNOWN, 0, 0


@inner_uncounted
def _open(room, known, legality, worth, depth, left, count):
    """What is known of the set of a frame without expanding guesses; -1 where they have to be."""
    frame = room.frames[depth]
    start, stop, floor, upper = frame[START], frame[STOP], frame[FLOOR], frame[UPPER]
    n = stop - start
    if legality.rule != ANY:
        room.hashes[depth, 0], room.hashes[depth, 1] = hash_bits(legality, room.legal[depth])
    key, check = _hash(room, depth, start, stop, left, True)
    here = row_of(known, key, check)
    if here != NOWHERE:
        upper = min(upper, known[here, BOUNDED])
        if known[here, GUESS] >= 0:
            frame[BEST] = known[here, GUESS]
            return upper
    if upper <= floor:
        return upper
    guesses = room.size[1] if legality.rule == ANY else list_legal(room, depth, start, stop)
    prefix, mine = room.prefix[depth], room.members[depth]
    prefix[0] = 0
    for t in range(start, stop):
        prefix[t - start + 1] = prefix[t - start] + room.weights[mine[t]]
    # What a guess that leaves single words is worth, itself none.
    alone = (worth.pace * (left - 1) + worth.bonus) * prefix[n]
    enough = n if upper <= alone else n + 1
    parts, most = score_legal(room, legality.rule, depth, start, stop, guesses, enough, count)
    if left == 2 or (parts == n and upper <= alone):
        value, best = _best_of_two(room, worth, depth, start, stop, guesses, most, left)
        frame[BEST] = room.guesses[room.lists[depth, best]]
        write(known, key, check, value, frame[BEST])
        return value
    upper = min(upper, _growth(prefix, n, most, most, left, worth))
    if upper <= floor:
        write(known, key, check, upper, UNKNOWN)
        return upper
    least = 1
    while least < most and _growth(prefix, n, least + 1, most, left, worth) <= floor:
        least += 1
    frame[UPPER], frame[MOST] = upper, most
    frame[MANY] = by_score(room, depth, guesses, least, most)
    return np.int64(UNKNOWN)


@inner_uncounted
def _best_of_two(room, worth, depth, start, stop, guesses, most, left):
    """The value of a set with two turns left, and which legal guess has it.

    Or of one that a guess parts into single words, with more.
    """
    mine, scores, value, best = room.members[depth, start:stop], room.scores[depth], np.int64(-1), 0
    n = stop - start
    for k in range(guesses):
        score = np.int64(scores[k])
        if score < most and not worth.weighted:
            continue
        column = room.lists[depth, k]
        base = np.uint64(column) * np.uint64(room.size[0])
        classes = count_classes(room.labels, base, mine, room.bits, room.size[2])
        weight = heaviest(room, column, mine) if worth.weighted else np.int64(classes)
        total = weight * (worth.pace * (left - 1) + worth.bonus)
        if score > classes:  # it is a word of the set
            total += worth.pace * room.weights[column]
        if left > 2 and classes < n:
            continue
        if total > value:
            value, best = total, k
    return value, best


@inner_uncounted
def _close(room, known, depth, left):
    """The value of a set all of whose guesses were tried or ruled out, or a bound."""
    frame = room.frames[depth]
    key, check = _hash(room, depth, frame[START], frame[STOP], left, True)
    value, best = frame[FLOOR], frame[BEST]
    write(known, key, check, value, best)
    return value


@inner_uncounted
def _next_guess(room, known, worth, depth, left):
    """Go on to the next guess of a set that may be above its floor; whether there is one."""
    frame, starts, prefix = room.frames[depth], room.starts[depth], room.prefix[depth]
    start, stop, floor, most = frame[START], frame[STOP], frame[FLOOR], frame[MOST]
    n, bonus, pace = stop - start, worth.bonus, worth.pace
    while frame[NEXT] < frame[MANY] and floor < frame[UPPER]:
        place = room.order[depth, frame[NEXT]]
        score = np.int64(room.scores[depth, place])
        if _growth(prefix, n, score, most, left, worth) <= floor:
            return False
        frame[NEXT] += 1
        guess = room.lists[depth, place]
        classes, large = part(room, depth, start, stop, guess), 0
        below, total = room.members[depth + 1], (pace * (left - 2) + bonus) * prefix[n]
        for c in range(classes):
            first = below[starts[c]]
            total += pace * room.weights[first] * (2 if first == guess else 1)
        for c in range(classes):
            size = starts[c + 1] - starts[c]
            if size > 2 and total > floor:
                bound = _top(room, worth, depth + 1, starts[c], starts[c + 1], left - 1)
                cap, exact, _ = _glance(room, known, worth, depth + 1, starts[c], starts[c + 1], left - 1)
                if not exact and not worth.weighted:
                    cap = min(cap, _growth(prefix, size, min(most, size + 1), most, left - 1, worth))
                total += cap - bound
                room.caps[depth, c] = cap
                if not exact:
                    room.queue[depth, large] = c
                    large += 1
        if total > floor:
            by_size(room.queue[depth], large, starts)
            frame[TOTAL], frame[CLASS], frame[CLASSES] = total, 0, large
            return True
    return False


@inlined
def _top(room, worth, depth, start, stop, left):
    """What no strategy has more of."""
    total = np.int64(0)
    for t in range(start, stop):
        total += room.weights[room.members[depth, t]]
    return (
        total * (worth.pace * (left - 1) + worth.bonus)
        + worth.pace * room.weights[room.members[depth, start]]
    )


@inner_uncounted
def _glance(room, known, worth, depth, start, stop, left):
    """What at least three words are worth at most by their own words alone; if that is the value; the guess.

    It holds whatever else is legal.
    """
    key, check = _hash(room, depth, start, stop, left, False)
    here = row_of(known, key, check)
    if here != NOWHERE:
        return known[here, BOUNDED], known[here, GUESS] >= 0, known[here, GUESS]
    mine, n, bonus, pace = room.members[depth, start:stop], stop - start, worth.bonus, worth.pace
    total = np.int64(0)
    for t in range(n):
        total += room.weights[mine[t]]
    top = total * (pace * (left - 1) + bonus) + pace * room.weights[mine[0]]
    if depth > 0 and n > MOST_OWN:
        return top, False, np.int64(UNKNOWN)
    upper, value, best = top - pace * room.weights[mine[0]], np.int64(UNKNOWN), np.int64(UNKNOWN)
    for s in range(n):
        base = np.uint64(mine[s]) * np.uint64(room.size[0])
        classes = count_classes(room.labels, base, mine, room.bits, room.size[2])
        weight = heaviest(room, mine[s], mine) if worth.weighted else np.int64(classes)
        bound = pace * (room.weights[mine[s]] + weight + total * (left - 2))
        bound += bonus * (total if left > 2 else weight)
        if (left == 2 or classes >= n - 1) and bound > value:  # all classes are words or pairs
            value, best = bound, room.words[mine[s]]
        upper = max(upper, bound)
        if value == top:
            break
    exact = value >= upper
    write(known, key, check, upper, best if exact else UNKNOWN)
    return upper, exact, best


@inlined
def _hash(room, depth, start, stop, left, legal):
    """Two sums that tell sets and turns apart, and maybe their legal guesses."""
    key = np.uint64(left) * np.uint64(0x9E3779B97F4A7C15)
    check = np.uint64(left) * np.uint64(0xC2B2AE3D27D4EB4F)
    for t in range(start, stop):
        word = room.members[depth, t]
        key += room.numbers[word, 0]
        check += room.numbers[word, 1]
    if legal:
        key += room.hashes[depth, 0]
        check += room.hashes[depth, 1]
    return np.int64(key) | 1, np.int64(check)  # 0 is for an empty place


@inlined
def _growth(prefix, n, score, most, left, worth):
    """What a guess of this score leads to at most, the greatest score being `most`; see `growth_bound`.

    Args:
        prefix: [n + 1] what the heaviest words weigh, by how many.
    """
    within = min(score, n)
    value = prefix[score - 1] + prefix[1]
    for _ in range(left - 2):
        within = min(within * min(most, n), n)
        value += prefix[within]
    return worth.pace * value + worth.bonus * prefix[within]

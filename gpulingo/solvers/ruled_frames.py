"""The kernels of `ruled_search`: one set, depth first over its legal guesses, on a stack of frames."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gpulingo.solvers.labels import by_size
from gpulingo.solvers.legal_bits import ANY, hash_bits, narrow
from gpulingo.solvers.ruled_bounds import glance, growth, hash_of_set, top_of
from gpulingo.solvers.ruled_sets import (
    add_guess,
    by_column,
    by_score,
    count_classes,
    fill,
    heaviest,
    list_legal,
    part,
    score_legal,
)
from gpulingo.solvers.set_table import GUESS, NOWHERE, row_of, write
from gpulingo.solvers.set_table import UPPER as BOUNDED
from gpulingo.solvers.value_table import UNKNOWN
from gpulingo.tensors.cpu.compile import compiled, inlined, inner

# A frame of the search: where its set begins and ends in its row; what its value has to be above, and is not
# above; the best guess so far; the next guess, how many there are, and the most classes of one; of the guess
# that is tried, what it has at most, the class that is searched, how many have to be, its bound.
START, STOP, FLOOR, UPPER, BEST, NEXT, MANY, MOST, TOTAL, CLASS, CLASSES, BOUND = range(12)


class Worth(NamedTuple):
    """What a found word is worth."""

    bonus: int
    pace: int  # credits of a turn left
    weighted: bool


@compiled
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
    upper, exact, guess = glance(room, known, worth, 0, 0, n, left)
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


@inner
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


@inner
def _open(room, known, legality, worth, depth, left, count):
    """What is known of the set of a frame without expanding guesses; -1 where they have to be."""
    frame = room.frames[depth]
    start, stop, floor, upper = frame[START], frame[STOP], frame[FLOOR], frame[UPPER]
    n = stop - start
    if legality.rule != ANY:
        room.hashes[depth, 0], room.hashes[depth, 1] = hash_bits(legality, room.legal[depth])
    key, check = hash_of_set(room, depth, start, stop, left, True)
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
    upper = min(upper, growth(prefix, n, most, most, left, worth))
    if upper <= floor:
        write(known, key, check, upper, UNKNOWN)
        return upper
    least = 1
    while least < most and growth(prefix, n, least + 1, most, left, worth) <= floor:
        least += 1
    frame[UPPER], frame[MOST] = upper, most
    frame[MANY] = by_score(room, depth, guesses, least, most)
    return np.int64(UNKNOWN)


@inner
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


@inner
def _close(room, known, depth, left):
    """The value of a set all of whose guesses were tried or ruled out, or a bound."""
    frame = room.frames[depth]
    key, check = hash_of_set(room, depth, frame[START], frame[STOP], left, True)
    value, best = frame[FLOOR], frame[BEST]
    write(known, key, check, value, best)
    return value


@inner
def _next_guess(room, known, worth, depth, left):
    """Go on to the next guess of a set that may be above its floor; whether there is one."""
    frame, starts, prefix = room.frames[depth], room.starts[depth], room.prefix[depth]
    start, stop, floor, most = frame[START], frame[STOP], frame[FLOOR], frame[MOST]
    n, bonus, pace = stop - start, worth.bonus, worth.pace
    while frame[NEXT] < frame[MANY] and floor < frame[UPPER]:
        place = room.order[depth, frame[NEXT]]
        score = np.int64(room.scores[depth, place])
        if growth(prefix, n, score, most, left, worth) <= floor:
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
                bound = top_of(room, worth, depth + 1, starts[c], starts[c + 1], left - 1)
                cap, exact, _ = glance(room, known, worth, depth + 1, starts[c], starts[c + 1], left - 1)
                if not exact and not worth.weighted:
                    cap = min(cap, growth(prefix, size, min(most, size + 1), most, left - 1, worth))
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

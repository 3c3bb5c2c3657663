"""The search for the value of a set of words: branch and bound over its legal guesses, depth first."""

from __future__ import annotations

import numpy as np

from gpulingo.solvers.legality import ANY, hash_bits, narrow
from gpulingo.solvers.transpositions import GUESS, NOWHERE, UNKNOWN, hash_of, row_of, write
from gpulingo.solvers.transpositions import UPPER as BOUND_KNOWN
from gpulingo.solvers.word_bounds import growth, quick_bound, top_of
from gpulingo.solvers.workspace import (
    by_score,
    by_size,
    count_classes,
    heaviest,
    list_legal,
    part,
    score_guesses,
    score_legal,
)
from gpulingo.tensors.cpu.compile import compiled, inlined, inner

# A frame of the search: where its set begins and ends in its row; what its value has to be above, and is not
# above; the best guess so far; the next guess, how many there are, and the most classes of one; of the guess
# that is tried, what it has at most, the class that is searched, how many have to be, its bound.
START, STOP, FLOOR, UPPER, BEST, NEXT, MANY, MOST, TOTAL, CLASS, CLASSES, BOUND = range(12)


@compiled
def seek(space, rows, payoff, legality, left, floor, quick, count):
    """The value of all words if it is above the floor, else a bound that is not; and a best guess, or -1.

    On a stack of frames instead of recursive calls, which numba does not keep on disk.

    Args:
        space: where not all guesses are legal, `legal[0]` has those that are.
        rows: the transposition table.
        quick: look at the own words alone; -1 where they are not enough.
        count: pairs evaluated, and the most there may be; with more the answer is -1.
    """
    frames, depth, n = space.frames, 0, space.words.shape[0]
    for t in range(n):
        space.members[0, t] = t
    upper, exact, guess = quick_bound(space, rows, payoff, legality.rule, 0, 0, n, left)
    if exact or upper <= floor:
        return np.int64(upper), np.int64(guess)
    if quick:
        return np.int64(UNKNOWN), np.int64(UNKNOWN)
    _enter(frames[0], 0, n, floor, upper)
    value = _open(space, rows, payoff, legality, 0, left, count)
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
            if not _next_guess(space, rows, payoff, legality.rule, depth, left - depth):
                value = _close(space, rows, depth, left - depth)
        elif frame[TOTAL] <= frame[FLOOR]:
            frame[CLASS] = UNKNOWN
        elif frame[CLASS] == frame[CLASSES]:  # all are exact, and the guess is better than those before
            frame[BEST] = space.guesses[_tried(space, legality.rule, depth)]
            frame[FLOOR], frame[CLASS] = frame[TOTAL], UNKNOWN
        else:
            number = space.queue[depth, frame[CLASS]]
            start, stop = space.starts[depth, number], space.starts[depth, number + 1]
            bound = frame[BOUND] = space.caps[depth, number]  # what the table says by now may be another
            _enter(frames[depth + 1], start, stop, frame[FLOOR] - (frame[TOTAL] - bound), bound)
            if legality.rule != ANY:
                guess = space.guesses[_tried(space, legality.rule, depth)]
                target = space.words[space.members[depth + 1, start]]
                narrow(legality, space.legal[depth], space.legal[depth + 1], guess, target)
            depth += 1
            value = _open(space, rows, payoff, legality, depth, left - depth, count)


@inlined
def _tried(space, rule, depth):
    """The guess that is tried at a depth, by its number in the set."""
    place = space.order[depth, space.frames[depth, NEXT] - 1]
    return place if rule == ANY else space.lists[depth, place]


@inlined
def _enter(frame, start, stop, floor, upper):
    """Begin with a set: a stretch of its row, what its value has to be above, and is not above."""
    frame[START], frame[STOP], frame[FLOOR], frame[UPPER] = start, stop, floor, upper
    frame[BEST], frame[CLASS], frame[NEXT], frame[MANY] = UNKNOWN, UNKNOWN, 0, 0


@inlined
def _hash(space, depth, left):
    """Two sums that tell the set of a frame, turns and legal guesses apart."""
    frame = space.frames[depth]
    key, check = hash_of(space.numbers, space.members[depth], frame[START], frame[STOP], left)
    key += np.int64(space.hashes[depth, 0] << np.uint64(1))
    return key, check + np.int64(space.hashes[depth, 1])


@inner
def _open(space, rows, payoff, legality, depth, left, count):
    """What is known of the set of a frame without expanding guesses; -1 where they have to be."""
    frame = space.frames[depth]
    start, stop, floor, upper = frame[START], frame[STOP], frame[FLOOR], frame[UPPER]
    n = stop - start
    if legality.rule != ANY:
        space.hashes[depth, 0], space.hashes[depth, 1] = hash_bits(legality, space.legal[depth])
    key, check = _hash(space, depth, left)
    here = row_of(rows, key, check)
    if here != NOWHERE:
        upper = min(upper, rows[here, BOUND_KNOWN])
        if rows[here, GUESS] >= 0:
            frame[BEST] = rows[here, GUESS]
            return upper
    if upper <= floor:
        return upper
    prefix, mine = space.prefix[depth], space.members[depth]
    prefix[0] = 0
    for t in range(start, stop):
        prefix[t - start + 1] = prefix[t - start] + space.weights[mine[t]]
    # What a guess that leaves single words is worth, itself none.
    alone = (payoff.pace * (left - 1) + payoff.bonus) * prefix[n]
    enough = n if upper <= alone else n + 1
    if legality.rule == ANY:
        guesses = space.distinct
        parts, most = score_guesses(space, depth, start, stop, enough, count)
    else:
        guesses = list_legal(space, depth, start, stop)
        parts, most = score_legal(space, depth, start, stop, guesses, enough, count)
    if left == 2 or (parts == n and upper <= alone):
        value, best = _best_of_two(space, payoff, legality.rule, depth, start, stop, guesses, most, left)
        frame[BEST] = space.guesses[best]
        write(rows, key, check, value, frame[BEST])
        return value
    upper = min(upper, growth(prefix, n, most, most, left, payoff))
    if upper <= floor:
        write(rows, key, check, upper, UNKNOWN)
        return upper
    least = 1
    while least < most and growth(prefix, n, least + 1, most, left, payoff) <= floor:
        least += 1
    frame[UPPER], frame[MOST] = upper, most
    frame[MANY] = by_score(space, depth, guesses, least, most)
    return np.int64(UNKNOWN)


@inner
def _best_of_two(space, payoff, rule, depth, start, stop, guesses, most, left):
    """The value of a set with two turns left, and which legal guess has it.

    Or of one that a guess parts into single words, with more.
    """
    mine, scores, value, best = space.members[depth, start:stop], space.scores[depth], np.int64(-1), 0
    n = stop - start
    for k in range(guesses):
        score = np.int64(scores[k])
        if score < most and not payoff.weighted:
            continue
        guess = k if rule == ANY else space.lists[depth, k]
        classes = count_classes(space.by_guess[guess], mine, space.bits)
        weight = heaviest(space, guess, mine) if payoff.weighted else np.int64(classes)
        total = weight * (payoff.pace * (left - 1) + payoff.bonus)
        if score > classes:  # it is a word of the set
            total += payoff.pace * space.weights[guess]
        if left > 2 and classes < n:
            continue
        if total > value:
            value, best = total, guess
            if not payoff.weighted and payoff.bonus == 0:
                break  # no other of that score is worth more
    return value, best


@inner
def _close(space, rows, depth, left):
    """The value of a set all of whose guesses were tried or ruled out, or a bound."""
    frame = space.frames[depth]
    key, check = _hash(space, depth, left)
    value, best = frame[FLOOR], frame[BEST]
    write(rows, key, check, value, best)
    return value


@inner
def _next_guess(space, rows, payoff, rule, depth, left):
    """Go on to the next guess of a set that may be above its floor; whether there is one."""
    frame, starts, prefix = space.frames[depth], space.starts[depth], space.prefix[depth]
    floor, most, n = frame[FLOOR], frame[MOST], frame[STOP] - frame[START]
    bonus, pace = payoff.bonus, payoff.pace
    while frame[NEXT] < frame[MANY] and floor < frame[UPPER]:
        score = np.int64(space.scores[depth, space.order[depth, frame[NEXT]]])
        if growth(prefix, n, score, most, left, payoff) <= floor:
            return False
        frame[NEXT] += 1
        guess = _tried(space, rule, depth)
        classes, large = part(space, depth, frame[START], frame[STOP], guess), 0
        below, total = space.members[depth + 1], (pace * (left - 2) + bonus) * prefix[n]
        if payoff.weighted:
            for c in range(classes):
                total += pace * space.weights[below[starts[c]]]
            total += pace * space.weights[guess] * np.int64(score > classes)
        else:
            total += pace * score
        for c in range(classes):
            first, size = starts[c], starts[c + 1] - starts[c]
            if size > 2 and total > floor:
                bound = top_of(space, payoff, below[first : first + size], left - 1)
                cap, exact, _ = quick_bound(
                    space, rows, payoff, rule, depth + 1, first, first + size, left - 1
                )
                if not exact and not payoff.weighted:
                    # A guess scores a part no more than the whole.
                    cap = min(cap, growth(prefix, size, min(most, size + 1), most, left - 1, payoff))
                total += cap - bound
                space.caps[depth, c] = cap
                if not exact:
                    space.queue[depth, large] = c
                    large += 1
        if total > floor:
            by_size(space.queue[depth], large, starts)
            frame[TOTAL], frame[CLASS], frame[CLASSES] = total, 0, large
            return True
    return False

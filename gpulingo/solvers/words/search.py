"""Values of sets when words are guessed: upper bounds, and the parts of the depth-first search.

Bounds use the set's own words alone, and growth.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gpulingo.solvers.depth_first import begin, depth_first
from gpulingo.solvers.transpositions import GUESS, NOWHERE, UNKNOWN, UPPER, hash_of, row_of, write
from gpulingo.solvers.words.legality import hash_bits, narrow
from gpulingo.solvers.words.symmetries import FEWEST, one_of_each, one_of_twins
from gpulingo.solvers.words.workspace import (
    by_score,
    by_size,
    count_classes,
    heaviest,
    list_legal,
    part,
    score_guesses,
    score_legal,
)
from gpulingo.tensors.arrays import Array
from gpulingo.tensors.cpu.compile import compiled, inlined, inner

MOST_OWN = 40  # most words of a set whose own words are tried first, if guesses are not counted together


class Payoff(NamedTuple):
    """Payoff of a found word."""

    credits: Array  # [turns + 1] int64, by turns left, the guess included; 0 at 0, never falling
    weighted: bool  # whether words have weights


@inlined
def weight_of(space, payoff, mine):
    if not payoff.weighted:
        return np.int64(mine.shape[0])
    total = np.int64(0)
    for t in range(mine.shape[0]):
        total += space.weights[mine[t]]
    return total


@inlined
def top_of(space, payoff, mine, left):
    """Return an upper bound: the heaviest word is found at once and the guess splits all others."""
    credits = payoff.credits
    later = weight_of(space, payoff, mine) * credits[left - 1]
    return later + (credits[left] - credits[left - 1]) * space.weights[mine[0]]


@inner
def one_by_one(space, payoff, mine, left):
    """Return the value of a set that no guess splits: one word is found per turn, the heaviest first."""
    value = np.int64(0)
    for t in range(min(left, mine.shape[0])):
        value += payoff.credits[left - t] * space.weights[mine[t]]
    return value


@inner
def quick_bound(space, rows, payoff, within, depth, start, stop, left):
    """Return an upper bound of three words or more from their own words; whether it is the value; the guess.

    It holds whatever else is legal. `within`: the most turns left with which guesses are not counted
    together, because not all are legal.
    """
    key, check = hash_of(space.numbers, space.members[depth], start, stop, left)
    here = row_of(rows, key, check)
    if here != NOWHERE:
        return rows[here, UPPER], rows[here, GUESS] >= 0, rows[here, GUESS]
    mine, n, credits = space.members[depth, start:stop], stop - start, payoff.credits
    total, top = weight_of(space, payoff, mine), top_of(space, payoff, mine, left)
    # Gain of finding a word on this turn instead of the next, and on the next instead of the one after.
    now, next_turn = credits[left] - credits[left - 1], credits[left - 1] - credits[left - 2]
    if depth > 0 and n > MOST_OWN and (left <= within or payoff.weighted):
        return top, False, np.int64(UNKNOWN)
    upper, value, best = total * credits[left - 1], np.int64(UNKNOWN), np.int64(UNKNOWN)
    for s in range(n):
        classes = count_classes(space.by_guess[mine[s]], mine, space.bits)
        weight = heaviest(space, mine[s], mine) if payoff.weighted else np.int64(classes)
        bound = now * space.weights[mine[s]] + next_turn * weight + credits[left - 2] * total
        if (left == 2 or classes >= n - 1) and bound > value:  # all classes have one or two words
            value, best = bound, space.words[mine[s]]
        upper = max(upper, bound)
        if value == top:
            break
    exact = value >= upper
    write(rows, key, check, upper, best if exact else UNKNOWN)
    return upper, exact, best


@inlined
def growth(prefix, n, score, most, left, payoff):
    """Return an upper bound of the value after a guess of this score; `most` is the greatest score.

    `prefix` is [n + 1], total weight of the heaviest words, by their number.
    """
    credits, within = payoff.credits, min(score, n)
    now, next_turn = credits[left] - credits[left - 1], credits[left - 1] - credits[left - 2]
    # Either the guess is a word of the set, or it makes one class more.
    value = max(now * prefix[1] + next_turn * prefix[score - 1], next_turn * prefix[within])
    for later in range(left - 2, 0, -1):
        within = min(within * min(most, n), n)
        value += (credits[later] - credits[later - 1]) * prefix[within]
    return value


@inner
def _known(space, depth, count):
    """Return what is known of a set by the table, by class counts of its guesses, and in two turns."""
    space, rows, payoff, legality, orbits = space
    frame = space.frames[depth]
    start, stop, left, alpha, upper = frame.start, frame.stop, frame.left, frame.alpha, frame.beta
    n = stop - start
    if legality.within > 0:
        space.hashes[depth, 0], space.hashes[depth, 1] = hash_bits(legality, space.legal[depth])
    key, check = hash_of(space.numbers, space.members[depth], start, stop, left)
    key += np.int64(space.hashes[depth, 0] << np.uint64(1))
    check += np.int64(space.hashes[depth, 1])
    here = row_of(rows, key, check)
    if here != NOWHERE:
        upper = min(upper, rows[here, UPPER])
        if rows[here, GUESS] >= 0:
            frame.best = rows[here, GUESS]
            return upper
    if upper <= alpha:
        return upper
    prefix, mine = space.prefix[depth], space.members[depth]
    prefix[0] = 0
    for t in range(start, stop):
        prefix[t - start + 1] = prefix[t - start] + space.weights[mine[t]]
    # The value after a guess that leaves single words, without the guess itself.
    alone = payoff.credits[left - 1] * prefix[n]
    enough = n if upper <= alone else n + 1
    if left > legality.within:
        guesses = space.distinct
        parts, most = score_guesses(space, depth, start, stop, enough, count)
    else:
        guesses = list_legal(space, depth, start, stop)
        parts, most = score_legal(space, depth, start, stop, guesses, enough, count)
    if left == 2 or (parts == n and upper <= alone):
        value, best = _best_of_two(space, payoff, legality.within, depth, start, stop, guesses, most, left)
        frame.best = space.guesses[best]
        write(rows, key, check, value, frame.best)
        return value
    if parts == 2 and _is_unsplit(space.scores[depth, :guesses]):
        value, frame.best = one_by_one(space, payoff, mine[start:stop], left), space.guesses[mine[start]]
        write(rows, key, check, value, frame.best)
        return value
    upper = min(upper, growth(prefix, n, most, most, left, payoff))
    if upper <= alpha:
        write(rows, key, check, upper, UNKNOWN)
        return upper
    least = 1
    while least < most and growth(prefix, n, least + 1, most, left, payoff) <= alpha:
        least += 1
    frame.beta, frame.most, frame.hash, frame.check = upper, most, key, check
    frame.moves = by_score(space, depth, guesses, least, most)
    if n >= FEWEST:
        frame.moves = one_of_each(space, orbits, depth, frame.moves)
    if space.twins.shape[0]:
        frame.moves = one_of_twins(space, depth, start, stop, frame.moves)
    return np.int64(UNKNOWN)


@inner
def _is_unsplit(scores):
    """Return True if no guess splits a set; none has three classes, a candidate splits off itself."""
    for k in range(scores.shape[0]):
        if scores[k] == 2:
            return False
    return True


@inner
def _best_of_two(space, payoff, within, depth, start, stop, guesses, most, left):
    """Return the value of a set with two turns left, and the legal guess that has it.

    With more turns, of a set that a guess splits into single words.
    """
    mine, scores, value, best = space.members[depth, start:stop], space.scores[depth], np.int64(-1), 0
    n, credits = stop - start, payoff.credits
    now = credits[left] - credits[left - 1]  # gain of a guess that is a word of the set
    # Of two guesses the one of less score is not better, unless the gain exceeds the value of a class.
    by_classes = not payoff.weighted and now <= credits[left - 1]
    for k in range(guesses):
        score = np.int64(scores[k])
        if score < most and by_classes:
            continue
        guess = k if left > within else space.lists[depth, k]
        classes = count_classes(space.by_guess[guess], mine, space.bits)
        weight = heaviest(space, guess, mine) if payoff.weighted else np.int64(classes)
        total = weight * credits[left - 1]
        if score > classes:  # a word of the set
            total += now * space.weights[guess]
        if left > 2 and classes < n:
            continue
        if total > value:
            value, best = total, guess
            if by_classes and (left > 2 or now == credits[left - 1]):
                break  # no other of that score is better
    return value, best


@inner
def _next_guess(space, depth, count):
    """Advance to the next guess of a set that may be above alpha; return whether there is one."""
    space, rows, payoff, legality, _ = space
    frame, starts, prefix = space.frames[depth], space.starts[depth], space.prefix[depth]
    alpha, left, most, n = frame.alpha, frame.left, frame.most, frame.stop - frame.start
    credits = payoff.credits
    now, next_turn = credits[left] - credits[left - 1], credits[left - 1] - credits[left - 2]
    while frame.move < frame.moves and alpha < frame.beta:
        guess = space.order[depth, frame.move]
        score = np.int64(space.scores[depth, guess])
        if growth(prefix, n, score, most, left, payoff) <= alpha:
            return False
        frame.move += 1
        if left <= legality.within:
            guess = space.lists[depth, guess]
        frame.guess = space.guesses[guess]
        classes, large = part(space, depth, frame.start, frame.stop, guess), 0
        below, total = space.members[depth + 1], credits[left - 2] * prefix[n]
        if payoff.weighted:
            for c in range(classes):
                total += next_turn * space.weights[below[starts[c]]]
        else:
            total += next_turn * classes
        if score > classes:  # a word of the set
            total += now * space.weights[guess]
        for c in range(classes):
            first, size = starts[c], starts[c + 1] - starts[c]
            if size > 2 and total > alpha:
                bound = top_of(space, payoff, below[first : first + size], left - 1)
                cap, exact, _ = quick_bound(
                    space, rows, payoff, legality.within, depth + 1, first, first + size, left - 1
                )
                if not exact and not payoff.weighted:
                    # A guess scores a part at most as high as the whole.
                    cap = min(cap, growth(prefix, size, min(most, size + 1), most, left - 1, payoff))
                total += cap - bound
                space.caps[depth, c] = cap
                if not exact:
                    space.queue[depth, large] = c
                    large += 1
        if total > alpha:
            by_size(space.queue[depth], large, starts)
            frame.total, frame.child, frame.children = total, 0, large
            return True
    return False


@inner
def _enter(space, depth):
    space, _, _, legality, _ = space
    frame = space.frames[depth]
    number = space.queue[depth, frame.child]
    start, stop = space.starts[depth, number], space.starts[depth, number + 1]
    bound = frame.cap = space.caps[depth, number]  # not the table's bound, which may have changed
    alpha = frame.alpha - (frame.total - bound)
    begin(space.frames[depth + 1], start, stop, frame.left - 1, alpha, bound)
    if legality.within > 0:
        target = space.words[space.members[depth + 1, start]]
        narrow(legality, space.legal[depth], space.legal[depth + 1], frame.guess, target)


@inner
def _learn(space, depth, value):
    """Do nothing: the table has the value of each class."""


@inner
def _keep(space, depth):
    """Store the value of a set whose guesses were all tried or ruled out, or a bound."""
    space, rows, _, _, _ = space
    frame = space.frames[depth]
    write(rows, frame.hash, frame.check, frame.alpha, frame.best)
    return frame.alpha


@inner
def _keep_part(space, depth):
    """Do nothing: only some of the guesses were tried."""


_search = depth_first(_known, _next_guess, _enter, _learn, _keep, _keep_part)


@compiled
def seek(space, rows, payoff, legality, orbits, left, alpha, quick, count):
    """Return the value of all words if above alpha, otherwise an upper bound; and a best guess, or -1.

    Args:
        space: if a rule binds now or later, `legal[0]` has the guesses that all hints allow.
        quick: use the set's own words alone; -1 if they do not suffice.
        count: pairs evaluated, and their limit; beyond it the result is -1.
    """
    frame, n = space.frames[0], space.words.shape[0]
    for t in range(n):
        space.members[0, t] = t
    upper, exact, guess = quick_bound(space, rows, payoff, legality.within, 0, 0, n, left)
    if exact or upper <= alpha:
        return np.int64(upper), np.int64(guess)
    if quick:
        return np.int64(UNKNOWN), np.int64(UNKNOWN)
    begin(frame, 0, n, left, alpha, upper)
    value = _search((space, rows, payoff, legality, orbits), count)
    return value, frame.best if value >= 0 else np.int64(UNKNOWN)

"""Values of sets when words are guessed: working memory, upper bounds, and the parts of the search.

Bounds use the set's own words alone, and growth.
"""

from __future__ import annotations

from collections import namedtuple
from typing import NamedTuple

import numpy as np

from gpulingo.solvers.depth_first import (
    NO_LABEL,
    begin,
    depth_first,
    fill,
    new_frames,
    nothing,
    split_words,
)
from gpulingo.solvers.transpositions import GUESS, NOWHERE, UNKNOWN, UPPER, hash_of, row_of, write
from gpulingo.solvers.words.labelling import Labelled
from gpulingo.solvers.words.legality import Legality, hash_bits, narrow
from gpulingo.solvers.words.symmetries import FEWEST, one_of_each, one_of_twins, twins_of
from gpulingo.tensors.arrays import Array
from gpulingo.tensors.cpu.compile import compiled, inlined, inner
from gpulingo.tensors.cpu.lanes import TOGETHER, count_labels
from gpulingo.tensors.cpu.most_classes import highest

MOST_OWN = 40  # most words of a set whose own words are tried first, if guesses are not counted together
ONE = np.uint64(1)


# One set of n words, the D guesses that split it, and working memory by depth of a search. If guesses are
# counted side by side, D is rounded up to a multiple of 64 by padding: guesses that put all words in one
# class.
WordWorkspace = namedtuple(
    "WordWorkspace",
    "words weights numbers labels by_guess guesses distinct wide wides most members starts scores order "
    "lists legal hashes column_of twins prefix queue caps frames places kinds steps inside bits",
)


def workspace(
    labels: Labelled, words: Array, weights: Array, numbers: Array, left: int, legality: Legality
) -> WordWorkspace:
    """Return the workspace of a set of [n] int32 words with its labels, for `left` turns left.

    `weights` are [n] int64, `numbers` [W, 2] uint64 of the whole table.
    """
    n, (count, _), depths = len(words), labels.by_guess.shape, left + 1
    ruled, together = legality.within > 0, left > legality.within
    columns = -(-count // TOGETHER) * TOGETHER if together else count
    by_word = np.zeros((n, columns) if together else (0, columns), labels.by_guess.dtype)
    if together:
        by_word[:, :count] = labels.by_guess.T
    indices = np.full(columns, words[0], np.int32)
    indices[:count] = labels.guesses
    most = np.ones(-(-columns // TOGETHER) * TOGETHER, np.int64)
    most[:count] = labels.classes
    most = most.reshape(-1, TOGETHER).max(1)
    wide = (int(most.max()) + 63) // 64
    column_of = np.full(len(legality.every) * 64 if ruled else 0, -1, np.int32)
    if ruled:
        column_of[legality.place_of[labels.guesses]] = np.arange(count)
    return WordWorkspace(
        words=words.copy(),  # [n] int32, indices into the table, the heaviest first
        weights=weights,  # [n] int64
        numbers=numbers[words],  # [n, 2] uint64: of each word; their sums hash a set
        # [n, D] uint8 or uint16: the class that each guess puts each word in; guess i < n is word i.
        labels=by_word,
        by_guess=labels.by_guess,  # [d, n], d <= D: the same by guess
        guesses=indices,  # [D] int32, indices into the table
        distinct=count,  # number of guesses without padding
        wide=wide,  # words of 64 bits for all labels
        wides=(most + 63) // 64,  # [D / 64] int64: words of 64 bits for the labels of each 64 guesses
        most=most,  # [D / 64] int64: the most classes that one of these 64 guesses makes
        members=np.empty((depths, n), np.int64),  # sets, each a stretch of a row
        starts=np.empty((depths, n + 1), np.int64),  # where the classes of a guess begin in the row below
        scores=np.empty((depths, columns), np.int32),  # classes of each guess, one more for a word of the set
        order=np.empty((depths, columns), np.int32),  # guesses by score
        # Legal guesses, words of the set first; empty without a rule.
        lists=np.empty((depths, columns if ruled else 0), np.int32),
        # Guesses that all hints allow, as bits of the pool; as `lists`.
        legal=np.empty((depths, len(legality.every) if ruled else 0), np.uint64),
        hashes=np.zeros((depths, 2), np.uint64),  # hashes of `legal`
        column_of=column_of,  # [P] int32: guess number of each word of the pool, or -1; as `lists`
        # [n] int64: the first word that each is a twin of; empty if there are no twins.
        twins=twins_of(labels.by_guess, np.arange(0 if ruled else n)),
        # Total weight of each set's heaviest words, by their number.
        prefix=np.empty((depths, n + 1), np.int64),
        queue=np.empty((depths, n), np.int64),  # the classes of a guess that are large enough to be searched
        # Upper bound of each class of a guess, as part of the guess's total.
        caps=np.empty((depths, n), np.int64),
        frames=new_frames(depths, "most"),  # "most": classes of a guess, one more for a word of the set
        places=np.zeros(64 * wide, np.int64),  # zeros between calls
        kinds=np.empty(n, np.int64),
        steps=np.empty(n + 3, np.int64),
        inside=np.zeros(n, np.bool_),  # all False between calls
        bits=np.empty(wide, np.uint64),
    )


@inner
def ones(word):
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int32((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@inlined
def count_classes(row, mine, bits):
    """Return the number of classes of some words, from the labels of one guess."""
    total = np.int32(0)
    if bits.shape[0] == 1:
        seen = np.uint64(0)
        for t in range(mine.shape[0]):
            seen |= ONE << np.uint64(row[mine[t]])
        total = ones(seen)
    else:
        fill(bits, 0)
        for t in range(mine.shape[0]):
            label = np.uint64(row[mine[t]])
            bits[label >> np.uint64(6)] |= ONE << (label & np.uint64(63))
        for w in range(bits.shape[0]):
            total += ones(bits[w])
    return total


@inner
def heaviest(space, guess, mine):
    """Return the total weight of the heaviest words of a guess's classes."""
    bits, row, weight = space.bits, space.by_guess[guess], np.int64(0)
    fill(bits, 0)
    for t in range(mine.shape[0]):  # the heaviest come first
        label = np.uint64(row[mine[t]])
        bit = ONE << (label & np.uint64(63))
        if bits[label >> np.uint64(6)] & bit == 0:
            bits[label >> np.uint64(6)] |= bit
            weight += space.weights[mine[t]]
    return weight


@inner
def list_legal(space, depth, start, stop):
    """Write the legal guesses of a set to a row, its own words first; return their number."""
    mine, listed, legal = space.members[depth, start:stop], space.lists[depth], space.legal[depth]
    n, count = space.words.shape[0], stop - start
    for t in range(mine.shape[0]):
        space.inside[mine[t]] = True
        listed[t] = mine[t]
    for w in range(legal.shape[0]):
        word = legal[w]
        while word != 0:
            low = word & (~word + ONE)
            column = space.column_of[64 * w + ones(low - ONE)]
            if column >= n or (column >= 0 and not space.inside[column]):
                listed[count] = column
                count += 1
            word ^= low
    for t in range(mine.shape[0]):
        space.inside[mine[t]] = False
    return count


@inner
def score_guesses(space, depth, start, stop, enough, count):
    """Score every guess of a set by its classes, one more for a word of it; return most classes, and score.

    It ends early at a guess with `enough` classes; guesses without a score have 0.
    """
    mine, scores = space.members[depth], space.scores[depth]
    n, guesses, parts = stop - start, scores.shape[0], 0
    for first in range(0, guesses, TOGETHER):
        wide = space.wides[first // TOGETHER]
        parts = max(parts, count_labels(scores, space.labels, mine, start, stop, first, wide))
        count[0] += min(TOGETHER, space.distinct - first) * n
        if parts >= enough:
            fill(scores[first + TOGETHER :], 0)
            break
    most = parts
    for t in range(start, stop):  # these come first, so all of them were counted even if it ended early
        if scores[mine[t]] > 0:
            scores[mine[t]] += 1
            most = max(most, scores[mine[t]])
    return parts, most


@inner
def score_legal(space, depth, start, stop, guesses, enough, count):
    """As `score_guesses`, for the first `guesses` guesses that `list_legal` wrote."""
    mine, scores, listed = space.members[depth, start:stop], space.scores[depth], space.lists[depth]
    n, parts, scored = stop - start, 0, 0
    while scored < guesses and parts < enough:
        last = min(scored + TOGETHER, guesses)
        for k in range(scored, last):
            scores[k] = count_classes(space.by_guess[listed[k]], mine, space.bits)
            parts = max(parts, scores[k])
        count[0] += (last - scored) * n
        scored = last
    fill(scores[scored:guesses], 0)
    most = parts
    for t in range(n):  # they come first
        if scores[t] > 0:
            scores[t] += 1
            most = max(most, scores[t])
    return parts, most


@inner
def by_score(space, depth, guesses, least, most):
    """Order the guesses whose score is above `least`, the greatest first; return their number."""
    fill(space.steps[: most - least + 1], 0)
    return highest(space.scores[depth, :guesses], least, most, space.steps, space.order[depth])


@inner
def by_size(queue, count, starts):
    """Sort classes by size, smallest first: these are quickly searched, and may suffice."""
    for k in range(1, count):
        number, place = queue[k], k
        size = starts[number + 1] - starts[number]
        while place > 0 and starts[queue[place - 1] + 1] - starts[queue[place - 1]] > size:
            queue[place] = queue[place - 1]
            place -= 1
        queue[place] = number


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
        below, total, large = space.members[depth + 1], credits[left - 2] * prefix[n], 0
        classes = split_words(
            space.by_guess[guess], space.members[depth], frame.start, frame.stop, below, 0, space.places,
            space.kinds, starts, NO_LABEL,
        )  # fmt: skip
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
def _keep(space, depth):
    """Store the value of a set whose guesses were all tried or ruled out, or a bound."""
    space, rows, _, _, _ = space
    frame = space.frames[depth]
    write(rows, frame.hash, frame.check, frame.alpha, frame.best)
    return frame.alpha


# Nothing to learn: the table has the value of each class. If some guesses were not tried, nothing is stored.
_search = depth_first(_known, _next_guess, _enter, nothing, _keep, nothing)


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

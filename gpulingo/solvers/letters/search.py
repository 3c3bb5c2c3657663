"""Values of sets if letters are guessed: upper bounds, and the parts of the depth-first search.

Bounds use four facts. With few lives only few letters can be guessed. A letter hits at most the words that
have it, and after misses no more than before them. Among words that differ at few places few are found. A set
has at most the value of a set that contains it.
"""

from __future__ import annotations

import numpy as np

from gpulingo.solvers.depth_first import begin, depth_first, fill
from gpulingo.solvers.letters.sets import MISS, count_letters, part_by, sort_letters, weigh_hits, weight_of
from gpulingo.solvers.transpositions import NO_GUESS, NOWHERE, UNKNOWN, entry, hash_of, put_set, row_of
from gpulingo.tensors.cpu.compile import compiled, inner


@inner
def known_value(sets, start, n, lives, places):
    """Return the value of a set that needs no search, otherwise UNKNOWN; `places` may still differ."""
    payoff = sets.payoff
    if lives == 0:
        return np.int64(0)
    if n == 1:
        return payoff[lives] * sets.weights[sets.members[start]]
    # With so few words, letters of the words leave a life for each of the others.
    if n <= lives and payoff[1] == payoff[lives]:
        return payoff[lives] * weight_of(sets, start, n)
    if places == 1 and sets.even:  # every letter hits one word
        value = np.int64(0)
        for k in range(min(n, lives)):
            value += payoff[lives - k]
        return value * sets.weights[sets.members[start]]
    return np.int64(UNKNOWN)


@inner
def chain_bound(sets, depth, total, lives):
    """Bound a set's value by its weight: each miss leads to the next letter, which hits no more than here.

    `hits[depth]` is filled.
    """
    hits, falling, many = sets.hits[depth], sets.falling, 0
    for letter in range(hits.shape[0]):
        value = hits[letter]
        if value == 0 or (many == lives and falling[many - 1] >= value):
            continue
        many = min(many + 1, lives)
        place = many - 1
        while place > 0 and falling[place - 1] < value:
            falling[place] = falling[place - 1]
            place -= 1
        falling[place] = value
    bound = np.int64(0)
    for k in range(many):
        bound += falling[k]
    return min(bound, total * sets.payoff[lives])


@inner
def class_bound(sets, table, start, n, lives, places, width):
    """Return the table's upper bound on a class's value, and whether it is the value."""
    value = known_value(sets, start, n, lives, places)
    if value >= 0:
        return value, True
    here = row_of(table, *hash_of(sets.hashes, sets.members, start, start + n, lives))
    if here == NOWHERE:
        return min(sets.payoff[lives] * weight_of(sets, start, n), sets.caps[places, lives]), False
    lower, upper, narrow, _, searched = entry(table, here)
    if searched >= width:
        upper = min(upper, narrow)
    return upper, upper <= lower


@inner
def sharpen(sets, depth, classes, letter, total):
    """Bound the classes of a letter by their own counts until their sum is at most alpha."""
    frame, starts, bounds = sets.frames[depth], sets.starts[depth], sets.bounds[depth]
    for c in range(classes):
        if bounds[c] < 0:
            continue
        n, number = starts[c + 1] - starts[c], sets.touched[depth, c]
        left, places = frame.left - (number == MISS), frame.places - sets.digits[letter, number]
        if count_letters(sets, depth + 1, starts[c], n) >= 0:
            continue
        weigh_hits(sets, depth + 1, starts[c], n, left, places)
        bound = chain_bound(sets, depth + 1, weight_of(sets, starts[c], n), left)
        if bound < bounds[c]:
            total -= bounds[c] - bound
            bounds[c] = bound
            if total <= frame.alpha:
                break
    return total


@inner
def part_and_bound(sets, table, width, depth, letter):
    """Split the set of a frame by a letter and bound every class; return their number, and the sum of bounds.

    By the table, and by the sets before the misses that led here: each of them, from the last hit on,
    contains the next. `bounds[depth]` gets the bounds, as ~bound if it is the exact value.
    """
    frame, starts, bounds = sets.frames[depth], sets.starts[depth], sets.bounds[depth]
    classes = part_by(sets, depth, frame.start, frame.stop - frame.start, frame.room, letter)
    above, total = depth, np.int64(0)
    while above >= frame.missed and sets.bounded[above, letter] == 0:
        above -= 1
    for c in range(classes):
        number = sets.touched[depth, c]
        left, places = frame.left - (number == MISS), frame.places - sets.digits[letter, number]
        bound, exact = class_bound(sets, table, starts[c], starts[c + 1] - starts[c], left, places, width)
        if above >= frame.missed and not exact:
            bound = min(bound, sets.ceilings[above, letter, number])
        total += bound
        bounds[c] = ~bound if exact else bound
    return classes, total


@inner
def bound_letter(sets, table, width, depth, letter):
    """Store the upper bound of a letter at the set of a frame."""
    classes, total = part_and_bound(sets, table, width, depth, letter)
    if total > sets.frames[depth].alpha:
        total = sharpen(sets, depth, classes, letter, total)
    hits = total
    for c in range(classes):
        number, bound = sets.touched[depth, c], sets.bounds[depth, c]
        bound = ~bound if bound < 0 else bound
        sets.ceilings[depth, letter, number] = bound
        if number == MISS:
            hits -= bound
    sets.bounded[depth, letter] = 1
    sets.totals[depth, letter], sets.hits[depth, letter] = total, hits


@inner
def bound_misses(sets, depth, many, width, lives):
    """Lower the bounds of misses: each leads to one more letter, which finds no more than here."""
    order, totals, hits, falling = sets.order[depth], sets.totals[depth], sets.hits[depth], sets.falling
    for k in range(many):
        letter, place = order[k], k
        while place > 0 and falling[place - 1] < hits[letter]:
            falling[place] = falling[place - 1]
            place -= 1
        falling[place] = hits[letter]
    most = np.int64(0)
    for k in range(min(lives, many)):
        most += falling[k]
    last = falling[min(lives, many) - 1]
    for k in range(min(width, many)):
        letter = order[k]
        others = min(most - max(hits[letter], last), sets.ladder[depth, lives - 1])
        if others < sets.ceilings[depth, letter, MISS]:
            sets.ceilings[depth, letter, MISS] = others
            totals[letter] = hits[letter] + others


@inner
def fill_ladder(sets, table, width, depth, total):
    """Write upper bounds of a set's value with fewer lives, by its supersets and by the table."""
    frame, ladder = sets.frames[depth], sets.ladder[depth]
    lives = frame.left
    for left in range(lives + 1):
        ladder[left] = sets.ladder[depth - 1, left] if depth > frame.missed else sets.payoff[left] * total
    here = row_of(table, *hash_of(sets.hashes, sets.members, frame.start, frame.stop, lives - 1))
    if here != NOWHERE:
        _, most, narrow, _, searched = entry(table, here)
        ladder[lives - 1] = min(ladder[lives - 1], narrow if searched >= width else most)
    ladder[lives] = min(ladder[lives], frame.beta)


@inner
def line_up(sets, table, width, depth, free):
    """Write the letters to try to `order[depth]` and bound each of them; return their number.

    `free` is a letter that all words have, at different places, or -1.
    """
    frame = sets.frames[depth]
    if free >= 0:
        sets.order[depth, 0], many = free, 1
    else:
        many = sort_letters(sets, depth, frame.best)
    fill(sets.bounded[depth], 0)
    for k in range(min(many, width)):
        bound_letter(sets, table, width, depth, sets.order[depth, k])
    if free < 0:
        bound_misses(sets, depth, many, width, frame.left)
    return min(many, width)


@inner
def _known(space, depth, count):
    """Return what is known of a set by its words, the table and letter counts."""
    sets, table, width = space
    frame = sets.frames[depth]
    start, n, lives, places = frame.start, frame.stop - frame.start, frame.left, frame.places
    frame.asked, frame.lower, frame.rest = frame.alpha, UNKNOWN, UNKNOWN
    value = known_value(sets, start, n, lives, places)
    if value >= 0:
        return value
    count[0] += n
    if count[0] > count[1]:
        return np.int64(UNKNOWN)
    total, alpha = weight_of(sets, start, n), frame.alpha
    upper = min(sets.payoff[lives] * total, sets.caps[places, lives])
    key, check = hash_of(sets.hashes, sets.members, start, frame.stop, lives)
    here = row_of(table, key, check)
    lower, narrow, guess, searched = np.int64(UNKNOWN), np.int64(UNKNOWN), np.int64(NO_GUESS), np.int64(0)
    if here != NOWHERE:
        lower, most, narrow, guess, searched = entry(table, here)
        upper = min(upper, most)
    if upper <= alpha or lower >= upper:
        return upper
    if searched >= width and (narrow <= alpha or narrow <= lower):
        return max(narrow, lower)
    frame.hash, frame.check, frame.beta, frame.best = key, check, upper, guess
    fill_ladder(sets, table, width, depth, total)
    free = count_letters(sets, depth, start, n)
    if free < 0:
        weigh_hits(sets, depth, start, n, lives, places)
        upper = min(upper, chain_bound(sets, depth, total, lives))
        if upper <= alpha:
            narrow = max(narrow, lower) if searched else upper
            put_set(table, key, check, n, lower, upper, narrow, guess, searched)
            return upper
    frame.beta, frame.lower, frame.alpha = upper, lower, max(alpha, lower)
    frame.moves = line_up(sets, table, width, depth, free)
    return np.int64(UNKNOWN)


@inner
def _next_guess(space, depth, count):
    """Advance to the next letter of a set that may be above alpha; return whether there is one."""
    sets, table, width = space
    frame, bounds = sets.frames[depth], sets.bounds[depth]
    frame.rest = max(frame.rest, frame.total)  # upper bound of the letters tried so far
    while frame.move < frame.moves and frame.alpha < frame.beta:
        letter = sets.order[depth, frame.move]
        frame.move += 1
        if sets.totals[depth, letter] <= frame.alpha:
            frame.rest = max(frame.rest, sets.totals[depth, letter])
            continue
        classes, frame.total = part_and_bound(sets, table, width, depth, letter)
        frame.guess, frame.child, frame.children = letter, 0, 0
        for c in range(classes):
            if bounds[c] >= 0:
                sets.queue[depth, frame.children] = c
                frame.children += 1
        return True
    return False


@inner
def _enter(space, depth):
    sets, _, _ = space
    frame, child = sets.frames[depth], sets.frames[depth + 1]
    c = sets.queue[depth, frame.child]
    number, bound = sets.touched[depth, c], sets.bounds[depth, c]
    frame.cap, alpha = bound, max(frame.alpha - (frame.total - bound), np.int64(UNKNOWN))
    start, stop = sets.starts[depth, c], sets.starts[depth, c + 1]
    begin(child, start, stop, frame.left - (number == MISS), alpha, bound)
    child.room = frame.room + frame.stop - frame.start
    child.places = frame.places - sets.digits[frame.guess, number]
    child.missed = frame.missed if number == MISS else depth + 1


@inner
def _learn(space, depth, value):
    """Use the value of a class to bound sets after further misses, and the same letter there."""
    sets, _, _ = space
    frame = sets.frames[depth]
    letter, number = frame.guess, sets.touched[depth, sets.queue[depth, frame.child]]
    sets.ceilings[depth, letter, number] = min(sets.ceilings[depth, letter, number], value)


@inner
def _keep(space, depth):
    """Store the value of a set among the letters that were compared, or a bound."""
    sets, table, width = space
    frame = sets.frames[depth]
    best, lower, upper = frame.alpha, frame.lower, frame.beta
    better = best > frame.asked
    narrow = best if better else max(frame.rest, lower)
    if width >= sets.order.shape[1]:
        upper = min(upper, narrow)
    _put(table, frame, best if better else lower, upper, narrow, width)
    return narrow


@inner
def _keep_part(space, depth):
    sets, table, _ = space
    frame = sets.frames[depth]
    if frame.alpha > max(frame.asked, frame.lower):
        _put(table, frame, frame.alpha, frame.beta, frame.beta, 0)


@inner
def _put(table, frame, lower, upper, narrow, width):
    n = frame.stop - frame.start
    put_set(table, frame.hash, frame.check, n, lower, upper, narrow, frame.best, width)


_search = depth_first(_known, _next_guess, _enter, _learn, _keep, _keep_part)


@compiled
def seek_letters(sets, table, n, lives, places, alpha, width, count):
    """Return the value of the first n `members` among `width` letters, or a bound that is at most alpha.

    `places` may differ; alpha is at least -1. `count` is [2] int64: words of the sets opened, and their
    limit; beyond it the result is -1.
    """
    frame = sets.frames[0]
    begin(frame, 0, n, lives, alpha, alpha)
    frame.missed, frame.places, frame.room = 0, places, n
    return _search((sets, table, width), count)


@compiled
def known_bracket(sets, table, n, lives, places):
    """Return known lower and upper bounds of the value of the first n `members`, by the table."""
    value = known_value(sets, 0, n, lives, places)
    if value >= 0:
        return value, value
    lower, upper = np.int64(0), min(sets.payoff[lives] * weight_of(sets, 0, n), sets.caps[places, lives])
    here = row_of(table, *hash_of(sets.hashes, sets.members, 0, n, lives))
    if here != NOWHERE:
        least, most, _, _, _ = entry(table, here)
        lower, upper = max(lower, least), min(upper, most)
    return lower, upper

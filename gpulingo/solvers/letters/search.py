"""Values of sets if letters are guessed: upper bounds, and the parts of the depth-first search.

Bounds use four facts. With few lives only few letters can be guessed. A letter hits at most the words that
have it, and after misses no more than before them. Among words that differ at few places few are found. A set
has at most the value of a set that contains it.

A set is a run of word indices in one array; its classes are written behind it and its siblings. So a search
that goes one set deeper uses the next free part, and allocates nothing.
"""

from __future__ import annotations

from collections import namedtuple
from math import comb

import numpy as np

from gpulingo.solvers.depth_first import begin, depth_first, fill, new_frames, split_words
from gpulingo.solvers.payoffs import target_weights
from gpulingo.solvers.transpositions import NO_GUESS, NOWHERE, UNKNOWN, entry, hash_of, put_set, row_of
from gpulingo.tensors.arrays import Array, array_of
from gpulingo.tensors.cpu.compile import compiled, inlined, inner
from gpulingo.tensors.wordtable import WordTable, letter_places

MISS = 0  # the class of the words without the letter, even if it is empty
MOST = 1 << 58  # above all values
EVERY = 1 << 8  # more letters than an alphabet has
# More fields of a frame: alpha as given; the value that some guesser has; upper bound of the letters tried;
# depth of the last set after a hit; number of places that may differ; where classes are written.
MORE = "asked", "lower", "rest", "missed", "places", "room"


def letter_classes(table: WordTable) -> tuple[Array, Array]:
    """Number the classes of each letter by pattern, from `MISS` on.

    Returns [W, A] int16, of each word by each letter; [A, K] int32 or int64, the pattern of each class, -1
    if a letter has fewer.
    """
    places = array_of(letter_places(table))
    known = [np.union1d(column, [MISS]) for column in places.T]
    most = max(map(len, known))
    if most > np.iinfo(np.int16).max:
        raise ValueError(f"letters have up to {most} different places in words, expected at most 32,767")
    patterns = np.full((len(known), most), -1, places.dtype)
    for letter, values in enumerate(known):
        patterns[letter, : len(values)] = values
    columns = [np.searchsorted(values, column) for values, column in zip(known, places.T, strict=True)]
    return np.ascontiguousarray(np.stack(columns, 1), np.int16), patterns


def different_letters(classes: Array, length: int) -> tuple[Array, Array]:
    """Return [W, length] uint8: the different letters of each word first; and [W] int64: their number."""
    letters = np.argsort(classes == MISS, axis=1, kind="stable")[:, :length].astype(np.uint8)
    return letters, (classes != MISS).sum(1)


# The words as split by letters, and working memory for the classes.
LetterSets = namedtuple(
    "LetterSets",
    "numbers letters different hashes weights payoff members digits caps even tally weighed falling hits "
    "touched starts bounds ceilings bounded totals ladder counts order queue frames",
)


def open_caps(length: int, payoff: Array, heaviest: int) -> Array:
    """Return [length + 1, lives + 1] int64, up to `MOST`: bounds by the places that may differ, and lives.

    A letter is at some of the open places, which closes them, or at none, which costs a life.
    """
    lives = len(payoff) - 1
    caps = [[0] * (lives + 1) for _ in range(length + 1)]
    for left in range(1, lives + 1):
        caps[0][left] = int(payoff[left]) * heaviest
        for places in range(1, length + 1):
            closed = sum(comb(places, k) * caps[places - k][left] for k in range(1, places + 1))
            caps[places][left] = caps[places][left - 1] + closed
    return np.array([[min(cap, MOST) for cap in row] for row in caps], np.int64)


def letter_sets(table: WordTable, classes: Array, patterns: Array, payoff: Array) -> LetterSets:
    """Return working memory for sets of a table; see `letter_classes`, and below for the payoff."""
    (words, width), most = classes.shape, patterns.shape[1]
    rows = width + 2
    weights = target_weights(table)
    letters, different = different_letters(classes, table.length)
    return LetterSets(
        # The class of each word by each letter, see `letter_classes`; unsigned: indices need no sign test.
        numbers=classes.astype(np.uint16),
        letters=letters,  # [W, N] uint8: the different letters of each word first
        different=different,  # [W] int64: their number
        # [W, 2] uint64: random; their sums identify a set.
        hashes=np.random.default_rng(0).integers(1, 1 << 64, (words, 2), dtype=np.uint64),
        weights=weights,  # [W] int64: weight of each word
        payoff=payoff,  # [lives + 1] int64: payoff of a word by lives left; payoff[0] is 0, it never falls
        members=np.zeros(rows * words, np.int32),  # runs of word indices
        # [A, C] int64: number of places that each class shows.
        digits=np.bitwise_count(np.maximum(patterns, 0)).astype(np.int64),
        # [N + 1, lives + 1] int64: upper bound of any set by open places and lives.
        caps=open_caps(table.length, payoff, int(weights.max())),
        even=bool((weights == weights[0]).all()),  # whether all words have the same weight
        tally=np.zeros(most, np.int32),  # all 0 between calls: words of each number
        weighed=np.zeros((width, most), np.int64),  # all 0 between calls: weight of the words of each number
        falling=np.zeros(width, np.int64),  # scratch
        hits=np.zeros((rows, width), np.int64),  # upper bound of the words with each letter
        touched=np.zeros((rows, most), np.int32),  # the numbers of a set's classes, a row per depth
        # Where each class begins in `members`; last, where they end.
        starts=np.zeros((rows, most + 1), np.int64),
        bounds=np.zeros((rows, most), np.int64),  # upper bound of each class
        # The same by letter and number, where `bounded` is set.
        ceilings=np.zeros((rows, width, most), np.int64),
        bounded=np.zeros((rows, width), np.uint8),
        totals=np.zeros((rows, width), np.int64),  # upper bound of each letter, summed over its classes
        ladder=np.zeros((rows, len(payoff)), np.int64),  # upper bound of the set by lives
        counts=np.zeros((rows, width), np.int64),  # weight of the words with each letter
        order=np.zeros((rows, width), np.int64),  # letters to guess, in the order of trying
        queue=np.zeros((rows, most), np.int64),  # the classes of a letter to be searched
        frames=new_frames(rows, *MORE),
    )


@inner
def part_by(sets, depth, start, n, free, letter):
    """Split the set of `n` words at `start` by a letter; write its classes from `free` on, misses first.

    Return their number; `touched[depth]` has their class numbers, `starts[depth]` where they begin.
    """
    labels, members = sets.numbers[:, letter], sets.members
    touched, starts = sets.touched[depth], sets.starts[depth]
    return split_words(labels, members, start, start + n, members, free, sets.tally, touched, starts, MISS)


@inlined
def letters_of(sets, word):
    return sets.letters[word, : sets.different[word]]


@inner
def weight_of(sets, start, n):
    total = np.int64(0)
    for t in range(start, start + n):
        total += sets.weights[sets.members[t]]
    return total


@inner
def count_letters(sets, depth, start, n):
    """Count the words with each letter by weight; a letter that all have at the same places counts 0.

    Among letters of equal weight the one with more words is first, so that a letter of words of weight 0
    differs from a letter of no word. Return a letter that all words have, at different places: it costs no
    miss and splits the set; -1 without one.
    """
    counts, members = sets.counts[depth], sets.members
    fill(counts, 0)
    for t in range(start, start + n):
        weight = np.int64(sets.weights[members[t]]) * (n + 1) + 1
        for letter in letters_of(sets, members[t]):
            counts[letter] += weight
    free = -1
    for letter in letters_of(sets, members[start]):  # only these can be in all
        t = start + 1
        number, differs = sets.numbers[members[start], letter], False
        while t < start + n and sets.numbers[members[t], letter] != MISS:
            differs |= sets.numbers[members[t], letter] != number
            t += 1
        if t == start + n:
            if differs:
                free = np.int64(letter)
            else:
                counts[letter] = 0
    return free


@inner
def weigh_hits(sets, depth, start, n, lives, places):
    """Write upper bounds of the words with each letter to `hits[depth]`: by places that may differ."""
    hits, payoff, caps = sets.hits[depth], sets.payoff[lives], sets.caps
    fill(hits, 0)
    for t in range(start, start + n):
        word = sets.members[t]
        weight = sets.weights[word]
        for letter in letters_of(sets, word):
            sets.weighed[letter, sets.numbers[word, letter]] += weight
    for t in range(start, start + n):
        word = sets.members[t]
        for letter in letters_of(sets, word):
            number = sets.numbers[word, letter]
            weight = sets.weighed[letter, number]
            if weight:
                sets.weighed[letter, number] = 0
                closed = sets.digits[letter, number]
                hits[letter] += min(weight * payoff, caps[max(places - closed, 0), lives])
    for letter in range(hits.shape[0]):
        if sets.counts[depth, letter] == 0:
            hits[letter] = 0


@inner
def sort_letters(sets, depth, first):
    """Write the useful letters to `order[depth]`: `first` if not -1, then by count; return their number.

    Letters of equal count keep their order.
    """
    counts, order, sorted_from = sets.counts[depth], sets.order[depth], 0
    if first >= 0 and counts[first] > 0:
        order[0], sorted_from = first, 1
    many = sorted_from
    for letter in range(counts.shape[0]):
        if counts[letter] == 0 or letter == first:
            continue
        place = many
        while place > sorted_from and counts[order[place - 1]] < counts[letter]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = letter
        many += 1
    return many


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
def class_bounds(sets, table, start, n, lives, places, width):
    """Return the table's lower and upper bounds of a set's value; the upper one among `width` letters."""
    value = known_value(sets, start, n, lives, places)
    if value >= 0:
        return value, value
    here = row_of(table, *hash_of(sets.hashes, sets.members, start, start + n, lives))
    if here == NOWHERE:
        return np.int64(0), min(sets.payoff[lives] * weight_of(sets, start, n), sets.caps[places, lives])
    lower, upper, narrow, _, searched = entry(table, here)
    return lower, min(upper, narrow) if searched >= width else upper


known_bounds = compiled(class_bounds.py_func)  # for Python


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
        lower, bound = class_bounds(sets, table, starts[c], starts[c + 1] - starts[c], left, places, width)
        exact = bound <= lower
        if above >= frame.missed and not exact:
            bound = min(bound, sets.ceilings[above, letter, number])
        total += bound
        bounds[c] = ~bound if exact else bound
    return classes, total


@inner
def bound_letter(sets, table, width, depth, letter):
    """Store the upper bound of a letter at the set of a frame."""
    classes, total = part_and_bound(sets, table, width, depth, letter)
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
    n, least = frame.stop - frame.start, best if better else lower
    put_set(table, frame.hash, frame.check, n, least, upper, narrow, frame.best, width)
    return narrow


@inner
def _keep_part(space, depth):
    sets, table, _ = space
    frame = sets.frames[depth]
    if frame.alpha > max(frame.asked, frame.lower):
        n = frame.stop - frame.start
        put_set(table, frame.hash, frame.check, n, frame.alpha, frame.beta, frame.beta, frame.best, 0)


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

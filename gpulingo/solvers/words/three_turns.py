"""The value of a set with three turns left: guesses bounded, the best first, by their classes one by one.

The bound of a class is its size plus one, or a bound from counted classes of similar guesses; it falls to the
class's value once all guesses were counted for it. A guess's largest classes come first, until its bound is
not above the best so far. The classes of one guess split those of another: no guess makes more classes of a
class than of its parts together, nor more of a part than of the class that it is cut from.
docs/bounds.md says why that is enough.
"""

from __future__ import annotations

from collections import namedtuple
from typing import NamedTuple

import numpy as np

from gpulingo.solvers.depth_first import copy, fill
from gpulingo.solvers.transpositions import EXACT, GUESS, NOWHERE, UNKNOWN, UPPER, hash_of, row_of, write
from gpulingo.solvers.words.search import WordWorkspace, by_score, ones, score_guesses
from gpulingo.tensors.arrays import Array
from gpulingo.tensors.cpu.compile import compiled, inner
from gpulingo.tensors.cpu.lanes import TOGETHER, count_labels

GUESSES = 32  # guesses in progress at once: the labels of all guesses are read once for all of these
# Any guess bounds any other; these choose well. `python benchmarks/three_turns.py 5 --gap 12`, the pit's
# list: CPU seconds per opening 2.94 with ASKED 4, 2.34 with 10, 2.35 with 30; at 4 letters 1.53, 1.32, 1.31.
KEPT = 1024
ASKED = 16  # counted guesses, nearest to a guess, that bound it
PLACED = 8  # likeness of a letter in common at the same place; elsewhere 1
PLACES = KEPT  # factor of likeness that leaves room for a place number, a power of two
ALIKE = np.int32(PLACED * PLACES)
FEW = 12  # most words of a class whose own words are tried first
SHARE = 4  # 1/4 of the words of each guess is counted between two looks at its bound


class TriedGuesses(NamedTuple):
    """Up to B guesses for a set of n words, one per row."""

    ids: Array  # [B] int64: number of the guess among the set's guesses
    totals: Array  # [B] int64: upper bound of each
    counts: Array  # [B, 2] int64: classes of more than two words, and how many of them were counted
    members: Array  # [B, n] int64: the words by class
    starts: Array  # [B, n + 1] int64: where the classes begin
    most: Array  # [B, n] int64: upper bound of the classes that any guess makes of each class
    order: Array  # [B, n] int64: the classes, the largest first
    rows: Array  # [B] int64: the rows of the guesses in progress
    tasks: Array  # [B * n, 5] int64: row, class, its size, most classes by any guess, most by its own words


@inner
def enter(row, guess, classes, total, caps, labels, places, guesses):
    """Write a guess to a row, with its classes ordered by size, the largest first.

    `caps` are upper bounds of the classes that any guess makes of each class; [n] labels are below the
    number of classes.
    """
    starts, members = guesses.starts[row], guesses.members[row]
    most, order = guesses.most[row], guesses.order[row]
    n, large = labels.shape[0], 0
    fill(starts[:classes], 0)
    for t in range(n):
        starts[labels[t]] += 1
    for c in range(classes):
        size, k = starts[c], c
        most[c] = min(size, caps[c])
        large += size > 2
        while k > 0 and starts[order[k - 1]] < size:  # rarely: labels are numbered in the order of words
            order[k] = order[k - 1]
            k -= 1
        order[k] = c
    place = 0
    for c in range(classes):
        starts[c], places[c], place = place, place, place + starts[c]
    starts[classes] = n
    for t in range(n):
        members[places[labels[t]]] = t
        places[labels[t]] += 1
    guesses.ids[row], guesses.totals[row], guesses.rows[row] = guess, total, row
    guesses.counts[row, 0], guesses.counts[row, 1] = large, 0  # smaller ones have their cap as value


# Up to K guesses, of all D guesses for a set, that were counted last.
CountedGuesses = namedtuple(
    "CountedGuesses", "letters masks kept kept_letters kept_masks most ends likeness caps shared"
)


def none_counted(letters: Array, whole: WordWorkspace) -> CountedGuesses:
    """Return the state without counted guesses for a set; letters are [W, N] uint8, of the whole table."""
    of_guesses, labels = letters[whole.guesses], 64 * whole.wide
    masks = np.bitwise_or.reduce(np.uint64(1) << (of_guesses & 63).astype(np.uint64), axis=1)
    kept = min(KEPT, whole.distinct)
    return CountedGuesses(
        letters=np.ascontiguousarray(of_guesses.T),  # [N, D] uint8, of all guesses
        masks=masks,  # [D] uint64: a bit for each letter of a guess
        kept=np.zeros(kept, np.int64),  # the counted guesses
        kept_letters=np.zeros((of_guesses.shape[1], kept), np.uint8),
        kept_masks=np.zeros(kept, np.uint64),
        # Upper bound of the classes that any guess makes of each label's words.
        most=np.zeros((kept, labels), np.int32),
        ends=np.zeros(2, np.int64),  # number of stored guesses, and the place of the next
        likeness=np.zeros(kept, np.int32),  # similarity to a guess; below 0 after it was used
        caps=np.zeros(labels, np.int32),  # upper bound of the classes of each class of the guess to bound
        shared=np.zeros((labels, labels), np.uint16),  # zeros: words that classes of two guesses share
    )


@inner
def ask_nearest(guess, classes, floor, by_guess, counted):
    """Bound the value of a guess with `classes` classes by the nearest counted guesses; set `caps`.

    It ends once the bound is not above the floor.
    """
    n, table, caps = by_guess.shape[1], counted.shared, counted.caps
    fill(caps[:classes], n)
    # With two turns left a class has at most its cap plus one; the guess itself is found one turn before.
    alone = classes + np.int64(guess < n)
    total = np.int64(alone + n)
    _compare(guess, counted)
    for _ in range(min(ASKED, counted.ends[0])):
        place = _next_nearest(counted)
        theirs, limits = by_guess[counted.kept[place]], counted.most[place]
        for t in range(n):
            table[by_guess[guess, t], theirs[t]] += 1
        total = np.int64(alone)
        for c in range(classes):
            row, cap = table[c], np.int32(0)
            for x in range(row.shape[0]):
                cap = np.int32(cap + min(np.int32(row[x]), limits[x]))
                row[x] = 0
            caps[c] = min(caps[c], cap)
            total += caps[c]
        if total <= floor:
            break
    return total


@inner
def _compare(guess, counted):
    """Set `likeness` to a guess, by letters in common; on ties the earlier place is nearer."""
    mask, likeness, count = counted.masks[guess], counted.likeness, counted.ends[0]
    for place in range(count):
        like = ones(mask & counted.kept_masks[place])
        likeness[place] = (like + 1) * PLACES - 1 - place
    for i in range(counted.letters.shape[0]):
        mine, theirs = counted.letters[i, guess], counted.kept_letters[i]
        for place in range(count):
            likeness[place] += ALIKE * np.int32(mine == theirs[place])


@inner
def _next_nearest(counted):
    """Return the place of the nearest counted guess not used yet; there is one."""
    most = np.int32(0)
    for place in range(counted.ends[0]):
        most = max(most, counted.likeness[place])
    nearest = PLACES - 1 - (most & (PLACES - 1))
    counted.likeness[nearest] = -1
    return nearest


@inner
def keep(row, labels, guesses, counted):
    """Store the counts of the guess in a row, which has these [n] labels."""
    place = counted.ends[1]
    counted.ends[1] = (place + 1) % counted.kept.shape[0]
    counted.ends[0] = max(counted.ends[0], place + 1)
    guess = guesses.ids[row]
    counted.kept[place], counted.kept_masks[place] = guess, counted.masks[guess]
    copy(counted.letters[:, guess], counted.kept_letters[:, place])
    starts, c = guesses.starts[row], 0
    while starts[c] < labels.shape[0]:
        counted.most[place, labels[guesses.members[row, starts[c]]]] = guesses.most[row, c]
        c += 1


def value_in_three_turns(
    letters: Array, whole: WordWorkspace, floor: int, known: Array, count: Array
) -> tuple[int, int]:
    """Return value and guess of a set; see `seek`.

    `letters` are [W, N] uint8, of the whole table; `whole` is the set's workspace, for two depths.
    """
    n = len(whole.words)
    sizes = (), (), (2,), (n,), (n + 1,), (n,), (n,), ()
    shapes = *((GUESSES, *size) for size in sizes), (GUESSES * n, 5)
    guesses = TriedGuesses(*(np.zeros(shape, np.int64) for shape in shapes))
    value, guess = seek(floor, whole, guesses, none_counted(letters, whole), known, count)
    return int(value), int(guess)


@compiled
def seek(floor, whole, guesses, counted, known, count):
    """Return a set's value if above the floor, otherwise a bound that is not; and a best guess, or -1.

    `count` has the pairs evaluated, and their limit; beyond it both results are -1.
    """
    by_guess, n, bound, best = whole.by_guess, whole.words.shape[0], np.int64(0), np.int64(UNKNOWN)
    for t in range(n):
        whole.members[0, t] = t
    _, most = score_guesses(whole, 0, 0, n, n, count)
    many, following, width = by_score(whole, 0, whole.distinct, 1, most), 0, 1
    while following < many:
        rows = 0
        while rows < width and following < many:
            guess = np.int64(whole.order[0, following])
            score = np.int64(whole.scores[0, guess])
            top = score + min(score * min(most, n), n)
            if top <= floor:  # as are all later guesses
                bound, following = max(bound, top), many
                break
            classes = score - (guess < n)
            total = ask_nearest(guess, classes, floor, by_guess, counted)
            if total > floor:
                enter(rows, guess, classes, total, counted.caps, by_guess[guess], whole.places, guesses)
                rows += 1
            else:
                bound = max(bound, total)
            following += 1
        width = GUESSES  # after the first, which sets the value to exceed
        while rows > 0:
            if count[0] > count[1]:
                return np.int64(UNKNOWN), np.int64(UNKNOWN)
            tasks = _choose(rows, floor, whole, known, guesses)
            _count(tasks, whole, guesses, count)
            _learn(tasks, whole, known, guesses)
            kept = 0
            for row in guesses.rows[:rows]:
                total = guesses.totals[row]
                if total > floor and guesses.counts[row, 1] < guesses.counts[row, 0]:
                    guesses.rows[kept] = row
                    kept += 1
                    continue
                keep(row, by_guess[guesses.ids[row]], guesses, counted)
                if total > floor:
                    floor, best = total, np.int64(whole.guesses[guesses.ids[row]])
                else:
                    bound = max(bound, total)
            rows = kept
    return (bound, best) if best < 0 else (floor, best)


@inner
def _choose(rows, floor, whole, known, guesses):
    """Write the classes to count next, the largest unknown ones of every guess; return their number."""
    tasks, n = 0, whole.words.shape[0]
    for row in guesses.rows[:rows]:
        starts, members, most = guesses.starts[row], guesses.members[row], guesses.most[row]
        words, counts = 0, guesses.counts[row]
        while counts[1] < counts[0] and words * SHARE < n and guesses.totals[row] > floor:
            c = guesses.order[row, counts[1]]
            counts[1] += 1
            start, stop = starts[c], starts[c + 1]
            value = _known_value(whole, members, start, stop, known)
            if value >= 0:
                guesses.totals[row] -= most[c] + 1 - value
                most[c] = min(most[c], value)
                continue
            words += stop - start
            task = guesses.tasks[tasks]
            task[0], task[1], task[2], task[3], task[4] = row, c, stop - start, 0, 0
            tasks += 1
    return tasks


@inner
def _known_value(whole, members, start, stop, known):
    """Return the value of a class with two turns left, from the table or by its own words, or -1."""
    key, check = hash_of(whole.numbers, members, start, stop, 2)
    here = row_of(known, key, check)
    if here != NOWHERE and known[here, GUESS] != UNKNOWN:
        return known[here, UPPER]
    n, most = stop - start, 0
    for s in range(start, stop if n <= FEW else start):
        classes = 0
        for t in range(start, stop):
            label, new = whole.labels[members[t], members[s]], True
            for u in range(start, t):
                if whole.labels[members[u], members[s]] == label:
                    new = False
                    break
            classes += new
        most = max(most, classes)
        if most == n:
            break
    # A word of the class that leaves one pair together is as good as another guess that leaves none.
    return np.int64(most + 1 if most > 0 and most >= n - 1 else UNKNOWN)


@inner
def _count(tasks, whole, guesses, count):
    """Count the classes that guesses make of the chosen ones: 64 guesses for all of them, then the next 64.

    So labels stay in the cache. A class is done once no remaining guess makes more classes of the whole set.
    """
    scores, n = whole.scores[1], whole.words.shape[0]
    for first in range(0, scores.shape[0], TOGETHER):
        wide, most = whole.wides[first // TOGETHER], whole.most[first // TOGETHER]
        for k in range(tasks):
            task = guesses.tasks[k]
            if first >= n and task[3] >= min(task[2], most):
                continue
            members, start = guesses.members[task[0]], guesses.starts[task[0], task[1]]
            stop = start + task[2]
            classes = count_labels(scores, whole.labels, members, start, stop, first, wide)
            task[3] = max(task[3], classes)
            count[0] += min(TOGETHER, whole.distinct - first) * task[2]
            for t in range(start, stop if first < n else start):
                if first <= members[t] < first + TOGETHER:
                    task[4] = max(task[4], np.int64(scores[members[t]]))


@inner
def _learn(tasks, whole, known, guesses):
    """Take over the counts."""
    for k in range(tasks):
        task = guesses.tasks[k]
        row, c, value = task[0], task[1], max(task[3], task[4] + 1)
        guesses.totals[row] -= guesses.most[row, c] + 1 - value
        guesses.most[row, c] = task[3]
        start = guesses.starts[row, c]
        key, check = hash_of(whole.numbers, guesses.members[row], start, start + task[2], 2)
        write(known, key, check, value, EXACT)

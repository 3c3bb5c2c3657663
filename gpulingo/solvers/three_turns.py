"""The value of a set with three turns left: guesses bounded from the best down, by their classes one by one.

The bound of a class of a guess is its words and one, or what the classes say that were counted of guesses
like it; that falls to its value when all guesses were counted for it. A guess's largest classes come first,
until it is not above the best so far. docs/bounds.md says why that is enough.
"""

from __future__ import annotations

import numpy as np

from gpulingo.solvers.counted_guesses import Counted, ask_nearest, keep, none_counted
from gpulingo.solvers.label_lanes import TOGETHER, count_labels
from gpulingo.solvers.three_turn_guesses import GUESSES, Guesses, enter, move, new_guesses
from gpulingo.solvers.transpositions import EXACT, GUESS, NOWHERE, UNKNOWN, UPPER, hash_of, row_of, write
from gpulingo.solvers.workspace import Workspace, by_score, score_guesses
from gpulingo.tensors.cpu.compile import compiled, inner
from gpulingo.tensors.features import Array

EVERY = 1 << 62  # guesses: all
FEW = 12  # words of a class that is tried with its own words first, at most
SHARE = 4  # a quarter of the words of each guess is counted before it is looked at again


class ThreeTurns:
    """A set of n words, [n] int32 ascending, whose guesses are labelled; not for several threads at once.

    Args:
        letters: [W, N] uint8, of the whole table. whole: the set with room for two depths.
    """

    def __init__(self, letters: Array, whole: Workspace) -> None:
        self.whole, self._by_guess, self._counted = whole, whole.by_guess, none_counted(letters, whole)
        self._guesses = new_guesses(whole)

    @property
    def bytes(self) -> int:
        """Of memory that it takes, nearly."""
        return self._by_guess.nbytes * 2 + self._counted.nbytes + self._guesses.members.nbytes * 4

    def value(self, floor: int, known: Array, count: Array, tried: int = EVERY) -> tuple[int, int]:
        """Search as `seek` does, among the `tried` guesses of most classes."""
        given: tuple[Workspace, Array, Guesses, Counted] = (
            self.whole, self._by_guess, self._guesses, self._counted,
        )  # fmt: skip
        value, guess = seek(floor, tried, *given, known, count)
        return int(value), int(guess)


@compiled
def seek(floor, tried, whole, by_guess, guesses, counted, known, count):
    """Return a set's value if it is above the floor, otherwise a bound that is not; and a best guess, or -1.

    Args:
        tried: guesses that are looked at, those of most classes.
        by_guess: [D, n], the labels by guess.
        counted: the guesses that an earlier search counted; those of this one are added.
        known: what is known of sets with two turns left.
        count: pairs evaluated, and the most there may be; with more both answers are -1.
    """
    n, bound, best = whole.words.shape[0], np.int64(0), np.int64(UNKNOWN)
    for t in range(n):
        whole.members[0, t] = t
    _, most = score_guesses(whole, 0, 0, n, n, count)
    many, following, width = min(tried, by_score(whole, 0, whole.distinct, 1, most)), 0, 1
    while following < many:
        rows = 0
        while rows < width and following < many:
            guess = np.int64(whole.order[0, following])
            score = np.int64(whole.scores[0, guess])
            top = score + min(score * min(most, n), n)
            if top <= floor:  # so are those after it
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
        width = GUESSES  # after the first, which says how good the others have to be
        while rows > 0:
            if count[0] > count[1]:
                return np.int64(UNKNOWN), np.int64(UNKNOWN)
            tasks = _choose(rows, floor, whole, known, guesses)
            _count(tasks, whole, guesses, count)
            _learn(tasks, whole, known, guesses)
            kept = 0
            for row in range(rows):
                total = guesses.totals[row]
                if total > floor and guesses.counts[row, 1] < guesses.counts[row, 0]:
                    move(n, row, kept, guesses)
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
    """The classes to count next, of every guess the largest that are not known; return how many they are."""
    tasks, n = 0, whole.words.shape[0]
    for row in range(rows):
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
    """Return the value of a class with two turns left by what is known or by its own words, or -1."""
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
    # A word that leaves one pair together is as good as another that leaves none.
    return np.int64(most + 1 if most > 0 and most >= n - 1 else UNKNOWN)


@inner
def _count(tasks, whole, guesses, count):
    """Count the classes that guesses make of the chosen ones: 64 guesses for all of them, then others.

    So their labels stay near. A class is done when no guess that is left makes more classes of the whole set.
    """
    scores, own = whole.scores[1], whole.words.shape[0]
    for first in range(0, scores.shape[0], TOGETHER):
        wide, most = whole.wides[first // TOGETHER], whole.most[first // TOGETHER]
        for k in range(tasks):
            task = guesses.tasks[k]
            if first >= own and task[3] >= min(task[2], most):
                continue
            members, start = guesses.members[task[0]], guesses.starts[task[0], task[1]]
            stop = start + task[2]
            classes = count_labels(scores, whole.labels, members, start, stop, first, wide)
            task[3] = max(task[3], classes)
            count[0] += min(TOGETHER, whole.distinct - first) * task[2]
            for t in range(start, stop if first < own else start):
                if first <= members[t] < first + TOGETHER:
                    task[4] = max(task[4], np.int64(scores[members[t]]))


@inner
def _learn(tasks, whole, known, guesses):
    """Take over what was counted."""
    for k in range(tasks):
        task = guesses.tasks[k]
        row, c, value = task[0], task[1], max(task[3], task[4] + 1)
        guesses.totals[row] -= guesses.most[row, c] + 1 - value
        guesses.most[row, c] = task[3]
        start = guesses.starts[row, c]
        key, check = hash_of(whole.numbers, guesses.members[row], start, start + task[2], 2)
        write(known, key, check, value, EXACT)

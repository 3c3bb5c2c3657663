"""Dominated guesses: another guess's partition of the set refines theirs.

Where g' splits a set at least as finely as g, the classes of g are unions of classes of g', of every subset
too, and no strategy has more of a union than of its parts. So g need not be tried, unless it is a word of the
set itself, which may be found.

The marks of a guess say which of its letters are placed, and for each letter how many copies a target holds,
up to those in the guess; nothing more (`tensors.paircodes`). A letter of g tells at its place where words of
the set differ in one of these. A g' that has all telling letters of g, at the same places, says as much: it
has as many copies of those whose number tells, as then all places of that letter tell.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gpulingo.tensors.cpu.compile import inner, making_arrays
from gpulingo.tensors.features import Array
from gpulingo.tensors.wordtable import WordTable, cached_by_table


class Orders(NamedTuple):
    """All W words of a table in order of their letters, for each place with which one may begin."""

    words: Array  # [N, W] int32: from place i on, and then from the first
    ranks: Array  # [N, W] int32: where each word stands


class Differing(NamedTuple):
    """In what the words of a set differ."""

    placed: Array  # [N, letters] bool: whether some have the letter at the place, and some have not
    least: Array  # [letters] int64: copies of each that all have
    most: Array  # [letters] int64: copies of each that any has


@cached_by_table
def orders_of(table: WordTable) -> Orders:
    """Return the orders of a table; made once."""
    letters = table.letters.numpy()
    length = letters.shape[1]
    words = np.stack([np.lexsort(np.roll(letters, -i, 1).T[::-1]) for i in range(length)]).astype(np.int32)
    return Orders(words, words.argsort(1).astype(np.int32))


def needless(table: WordTable, words: Array, guesses: Array) -> Array:
    """Mark guesses that another one dominates; of those that say the same, all except the first.

    Args:
        words: [n] int32, the set.
        guesses: [D] int32, words of the table, those of the set first; none of these is dominated.
    Returns:
        [D] bool.
    """
    alphabet = len(table.alphabet)
    differing = Differing(
        placed=np.zeros((table.length, alphabet), np.bool_),
        least=np.full(alphabet, table.length, np.int64),
        most=np.zeros(alphabet, np.int64),
    )
    letters, numbers = table.letters.numpy(), np.full(table.words, -1, np.int32)
    numbers[guesses] = np.arange(len(guesses))
    compare(letters, words, differing)
    found = np.zeros(len(guesses), np.bool_)
    find(len(words), letters, guesses, numbers, orders_of(table), differing, found)
    return found


@making_arrays
def compare(letters, words, differing):
    """Fill `differing`; its least are N, all others zeros."""
    placed, least, most = differing
    length, alphabet = placed.shape
    counts, copies = np.zeros((length, alphabet), np.int64), np.zeros(alphabet, np.int64)
    for word in words:
        copies[:] = 0
        for i in range(length):
            counts[i, letters[word, i]] += 1
            copies[letters[word, i]] += 1
        for x in range(alphabet):
            least[x], most[x] = min(least[x], copies[x]), max(most[x], copies[x])
    for i in range(length):
        for x in range(alphabet):
            placed[i, x] = 0 < counts[i, x] < words.shape[0]


@making_arrays
def find(n, letters, guesses, numbers, orders, differing, found):
    """Look for a guess that says as much as each of those after the first n; sets `found`.

    It stands near in the order that begins where the longest run of telling letters does, around the end.

    Args:
        numbers: [W] int32: of each word, which guess it is, or -1.
    """
    length, words = letters.shape[1], letters.shape[0]
    copies = np.zeros(differing.least.shape[0], np.int64)
    tells, others = np.zeros(length, np.bool_), np.zeros(length, np.bool_)
    for g in range(n, guesses.shape[0]):
        guess = guesses[g]
        mine = _tell(letters[guess], differing, copies, tells)
        if mine == length:  # none has more
            continue
        start, run = _longest_run(tells)
        rank, order = orders.ranks[start, guess], orders.words[start]
        found[g] = mine == 0  # nothing is said
        for step in (1, -1):
            place = rank + step
            while not found[g] and 0 <= place < words:
                other, together = order[place], 0
                while together < run and _alike(letters, guess, other, (start + together) % length):
                    together += 1
                if together < run:
                    break
                place += step
                number, within = numbers[other], True
                for i in range(length):
                    within &= not tells[i] or _alike(letters, guess, other, i)
                if within and number >= 0:
                    theirs = _tell(letters[other], differing, copies, others)
                    found[g] = theirs > mine or number < g


@inner
def _alike(letters, guess, other, place):
    """Return True if two guesses have the same letter at a place."""
    return letters[guess, place] == letters[other, place]


@inner
def _tell(word, differing, copies, tells):
    """Set which letters of a guess tell, at their places; return how many. `copies` stays zeros."""
    placed, least, most = differing
    count = 0
    for x in word:
        copies[x] += 1
    for i in range(word.shape[0]):
        x = word[i]
        tells[i] = placed[i, x] or least[x] < min(most[x], copies[x])
        count += tells[i]
    for x in word:
        copies[x] = 0
    return count


@inner
def _longest_run(tells):
    """Return the start and the length of the longest run of places that tell; the first follows the last."""
    length, best, start, run = tells.shape[0], 0, 0, 0
    for i in range(2 * length):
        run = run + 1 if tells[i % length] else 0
        if run > best:
            best, start = run, (i - run + 1) % length
    return start, best

"""Guesses of a set that another guess makes needless: it tells apart whatever they do.

Where g' parts a set at least as finely as g, the classes of g are unions of classes of g', of every subset
too, and no strategy has more of a union than of its parts. So g need not be tried, unless it is a word of the
set itself, which may be found.

Which g' is looked for is no more than a guess: a word that has all letters of g whose marks differ in the
set, at the same places, and more such letters. Whether its classes are finer is then seen from all of them.
"""

from __future__ import annotations

import numpy as np

from gpulingo.tensors.cpu.compile import compiled, inner
from gpulingo.tensors.features import Array

EIGHT = 8  # letters that are compared at once


def needless(letters: Array, words: Array, guesses: Array, labels: Array) -> Array:
    """Which guesses of a set another one makes needless.

    Args:
        letters: [W, N] uint8.
        words: [n] int32, the set.
        guesses: [D] int32, indices into the letters, the words of the set first; none of these is needless.
        labels: [D, n]: the class that each guess puts each word in.
    Returns:
        [D] bool.
    """
    length, count = letters.shape[1], len(guesses)
    alphabet = int(letters.max()) + 1
    telling = np.zeros((length, alphabet), np.bool_)
    tell_apart(letters, words, telling)
    letters_of = letters[guesses]
    tells = telling[np.arange(length), letters_of]  # [D, N]
    packed = np.zeros((count, -(-length // EIGHT) * EIGHT), np.uint8)
    masks = np.zeros_like(packed)
    packed[:, :length] = np.where(tells, letters_of + np.uint8(1), 0)
    masks[:, :length] = np.where(tells, 255, 0)
    telling_letters = tells.sum(1)
    order = (-telling_letters).argsort(kind="stable")
    starts = np.zeros(length * alphabet + 1, np.int64)
    lists = np.empty(int(telling_letters.sum()), np.int32)
    by_letter(letters_of, tells, order, starts, lists)
    found = np.zeros(count, np.bool_)
    find(
        len(words), letters_of, tells, telling_letters, packed.view(np.uint64), masks.view(np.uint64),
        starts, lists, alphabet, labels, np.zeros(len(words), np.int64), found,
    )  # fmt: skip
    return found


@compiled
def tell_apart(letters, words, telling):
    """telling[i, x] = whether the mark of letter x at place i differs among the words."""
    length, alphabet = telling.shape
    n, holding, placed = words.shape[0], np.zeros(alphabet, np.int64), np.zeros((length, alphabet), np.int64)
    last = np.full(alphabet, -1)
    for t in range(n):
        for i in range(length):
            x = letters[words[t], i]
            placed[i, x] += 1
            if last[x] != t:
                last[x] = t
                holding[x] += 1
    for i in range(length):
        for x in range(alphabet):
            alike = holding[x] == 0 or placed[i, x] == n or (placed[i, x] == 0 and holding[x] == n)
            telling[i, x] = not alike


@compiled
def by_letter(letters, tells, order, starts, lists):
    """List the guesses of each telling letter and place, in this order."""
    count, length = letters.shape
    alphabet = (starts.shape[0] - 1) // length
    for g in range(count):
        for i in range(length):
            if tells[g, i]:
                starts[i * alphabet + letters[g, i] + 1] += 1
    for k in range(starts.shape[0] - 1):
        starts[k + 1] += starts[k]
    ends = starts.copy()
    for k in range(count):
        for i in range(length):
            if tells[order[k], i]:
                place = i * alphabet + letters[order[k], i]
                lists[ends[place]] = order[k]
                ends[place] += 1


@compiled
def find(
    n, letters, tells, telling_letters, packed, masks, starts, lists, alphabet, labels, seen, found
):  # fmt: skip
    """Look for a finer guess for each of those that are no words of the set."""
    count, length = letters.shape
    stamp = np.int64(0)
    for g in range(n, count):
        mine, first, last = telling_letters[g], 0, lists.shape[0]
        if mine == length:  # none has more
            continue
        for i in range(length):  # the shortest list
            place = i * alphabet + letters[g, i]
            if tells[g, i] and starts[place + 1] - starts[place] < last - first:
                first, last = starts[place], starts[place + 1]
        for k in range(first, last):
            other = lists[k]
            if telling_letters[other] <= mine:
                break
            within = True
            for part in range(packed.shape[1]):
                within &= packed[other, part] & masks[g, part] == packed[g, part]
            if within:
                stamp += 1
                if is_finer(labels[other], labels[g], seen, stamp):
                    found[g] = True
                    break


@inner
def is_finer(labels, others, seen, stamp):
    """Whether words of the same label are of the same other label; `seen` is [n], of lower stamps."""
    for t in range(labels.shape[0]):
        entry = stamp << 16 | np.int64(others[t])
        before = seen[labels[t]]
        if before >> 16 != stamp:
            seen[labels[t]] = entry
        elif before != entry:
            return False
    return True

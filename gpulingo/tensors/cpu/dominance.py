"""Guesses of a set that another guess makes needless: it tells apart whatever they do.

Where g' parts a set at least as finely as g, the classes of g are unions of classes of g', of every subset
too, and no strategy has more of a union than of its parts. So g need not be tried, unless it is a word of the
set itself, which may be found.

Which g' is looked for is no more than a guess: a word that has all letters of g whose marks differ in the
set, at the same places, and more such letters. Whether its classes are finer is then seen from all of them.
"""

from __future__ import annotations

from typing import NamedTuple

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
        labels: [D, m], m >= n: the class that each guess puts each word in, and more that is not looked at.
    Returns:
        [D] bool.
    """
    length, count = letters.shape[1], len(guesses)
    alphabet = int(letters.max()) + 1
    telling = np.zeros((length, alphabet), np.bool_)
    tell_apart(letters, words, telling)
    packed = np.zeros((count, -(-length // EIGHT) * EIGHT), np.uint8)
    masks, telling_letters = np.zeros_like(packed), np.zeros(count, np.int64)
    pack(letters, guesses, telling, packed, masks, telling_letters)
    order, room = (-telling_letters).argsort(kind="stable"), int(telling_letters.sum())
    eights = packed.view(np.uint64)
    lists = Lists(
        starts=np.zeros((length, alphabet + 1), np.int64),
        guesses=np.empty(room, np.int32),
        packed=np.empty((room, eights.shape[1]), np.uint64),
        telling=telling_letters,
    )
    by_letter(length, packed, eights, order, lists)
    found, seen = np.zeros(count, np.bool_), np.zeros(len(words), np.int64)
    find(length, packed, eights, masks.view(np.uint64), lists, labels, seen, found)
    return found


class Lists(NamedTuple):
    """For each place and letter the guesses, of D, that have it there where it tells; P eights of letters."""

    starts: Array  # [N, letters + 1] int64: where each list begins, and the last of a place ends
    guesses: Array  # [L] int32, in each list those with the most telling letters first
    packed: Array  # [L, P] uint64: their telling letters
    telling: Array  # [D] int64: how many letters of each guess tell


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
def pack(letters, guesses, telling, packed, masks, telling_letters):
    """Write the telling letters of each guess, one more than they are; 255 for each; how many they are."""
    for g in range(guesses.shape[0]):
        word = letters[guesses[g]]
        for i in range(telling.shape[0]):
            if telling[i, word[i]]:
                packed[g, i], masks[g, i] = word[i] + 1, 255
                telling_letters[g] += 1


@compiled
def by_letter(length, packed, eights, order, lists):
    """Fill the lists with the guesses, in this order."""
    starts, total = lists.starts, 0
    for g in order:
        for i in range(length):
            if packed[g, i] > 0:
                starts[i, packed[g, i] - 1] += 1
    for i in range(length):
        for x in range(starts.shape[1]):
            starts[i, x], total = total, total + starts[i, x]
    ends = starts.copy()
    for g in order:
        for i in range(length):
            if packed[g, i] > 0:
                end = ends[i, packed[g, i] - 1]
                lists.guesses[end], lists.packed[end] = g, eights[g]
                ends[i, packed[g, i] - 1] += 1


@compiled
def find(length, packed, eights, masks, lists, labels, seen, found):
    """Look for a finer guess for each of those that are no words of the set; `seen` is [n] int64, zeros."""
    starts, stamp = lists.starts, np.int64(0)
    for g in range(seen.shape[0], packed.shape[0]):
        mine, first, last = lists.telling[g], 0, lists.guesses.shape[0]
        if mine == length:  # none has more
            continue
        for i in range(length):  # the shortest list
            if packed[g, i] > 0:
                start, stop = starts[i, packed[g, i] - 1], starts[i, packed[g, i]]
                if stop - start < last - first:
                    first, last = start, stop
        own, mask = eights[g], masks[g]
        for k in range(first, last):
            if lists.packed[k, 0] & mask[0] != own[0]:
                continue
            other, within = lists.guesses[k], True
            if lists.telling[other] <= mine:  # so have those after it
                break
            for part in range(1, own.shape[0]):
                within &= lists.packed[k, part] & mask[part] == own[part]
            if within:
                stamp += 1
                if is_finer(labels[other], labels[g], seen, stamp):
                    found[g] = True
                    break


@inner
def is_finer(labels, others, seen, stamp):
    """Whether words of the same label are of the same other label; `seen` is [n], of lower stamps."""
    for t in range(seen.shape[0]):
        entry = stamp << 16 | np.int64(others[t])
        before = seen[labels[t]]
        if before >> 16 != stamp:
            seen[labels[t]] = entry
        elif before != entry:
            return False
    return True

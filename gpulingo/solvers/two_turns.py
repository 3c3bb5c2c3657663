"""Guess that separates all words, or a small subset that no guess separates."""

from __future__ import annotations

import numpy as np

from gpulingo.solvers.nogoods import keep
from gpulingo.solvers.rows import copy, fill
from gpulingo.tensors.cpu.compile import inner


@inner
def parting(work, matrix, columns, words, count):
    """Return a guess that parts words into single ones, or -1; then how many of work.nogood[0] show it.

    Guesses that leave two words together are dropped, pair by pair, until one or none is left.
    """
    mask, places, used, guess = work.mask, work.places, 0, 0
    fill(mask, 1)
    while True:
        while guess < mask.shape[0] and mask[guess] == 0:
            guess += 1
        if guess == mask.shape[0]:
            return np.int64(-1), used
        row, first, second = matrix[guess], -1, -1
        for k in range(words.shape[0]):
            if places[row[words[k]]] > 0:
                first, second = words[places[row[words[k]]] - 1], words[k]
                break
            places[row[words[k]]] = k + 1
        for t in words:
            places[row[t]] = 0
        if first < 0:
            return np.int64(guess), 0
        one, other = columns[first], columns[second]
        for g in range(mask.shape[0]):
            mask[g] &= one[g] != other[g]
        count[0] += mask.shape[0]
        used = _use(work.nogood[0], _use(work.nogood[0], used, first), second)


@inner
def _use(nogood, used, word):
    """Add a word to a nogood that may have it."""
    for k in range(used):
        if nogood[k] == word:
            return used
    nogood[used] = word
    return used + 1


@inner
def keep_small(work, nogoods, matrix, columns, used, count):
    """Drop words of a nogood of two turns while it stays one, and keep it."""
    nogood, drop = work.nogood[1], 0
    copy(work.nogood[0, :used], nogood)
    while drop < used:
        rest = work.nogood[2, : used - 1]
        copy(nogood[:drop], rest)
        copy(nogood[drop + 1 : used], rest[drop:])
        guess, fewer = parting(work, matrix, columns, rest, count)
        if guess >= 0:
            drop += 1
            continue
        kept = 0
        for k in range(used):  # in the same order: those before were shown to be needed
            for other in work.nogood[0, :fewer]:
                if nogood[k] == other:
                    nogood[kept] = nogood[k]
                    kept += 1
                    break
        used = kept
    keep(nogoods, work.mask, columns, nogood[:used], 2)

"""The whole tree of guessing the letter that candidates hold most: no search, a set is asked for its letter.

Set by set as any strategy is played, the same tree of 37,829 words takes 21 seconds, here one.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from gpulingo.tensors.cpu.compile import inner, inner_making_arrays, making_arrays
from gpulingo.tensors.features import letter_places
from gpulingo.tensors.outcomes import LetterTree
from gpulingo.tensors.wordtable import WordTable

FEW = 32  # members that are sorted by insertion


def most_held_tree(
    table: WordTable, members: Tensor, lives: int, counts: Tensor, before: Tensor
) -> LetterTree:
    """The tree of guessing the letter that is counted most among the candidates, of those that part them.

    Args:
        table: of feedback `positions`. members: [n] int32, ascending: the candidates. lives: 1 to 255.
        counts: [W, A] int64, 0 or more: what each letter of the alphabet counts in each word, 0 where the
            word lacks it.
        before: [A] int64: of letters that are counted alike the one with most here is guessed, then the
            first.
    """
    table, members, counts, before = table.to("cpu"), members.cpu(), counts.cpu(), before.cpu()
    most = 2 * members.shape[0]  # a letter parts its set in two at least
    guess, pattern = np.empty(most, np.int32), np.empty(most, np.int64)
    first, hit = np.empty(most + 1, np.int32), np.zeros(most, np.uint8)
    starts, sizes, left = np.empty(most, np.int64), np.empty(most, np.int64), np.empty(most, np.uint8)
    places, row = letter_places(table).numpy(), members.numpy().copy()
    nodes = _grown(
        places, counts.numpy(), before.numpy(), row, lives, guess, pattern, first, hit, starts, sizes, left
    )
    arrays = guess[:nodes], pattern[:nodes], first[: nodes + 1], hit[:nodes]
    return LetterTree(*map(torch.from_numpy, arrays))


@making_arrays
def _grown(places, counts, before, row, lives, guess, pattern, first, hit, starts, sizes, left):
    """Make node after node; returns how many there are. A set is a part of the row, cut into its classes."""
    words, alphabet = places.shape
    sums = np.empty(alphabet, np.int64)
    keys = np.empty(row.shape[0], np.int64)
    pattern[0], starts[0], sizes[0], left[0], nodes, node = -1, 0, row.shape[0], lives, 1, 0
    while node < nodes:
        first[node] = nodes
        start, end = starts[node], starts[node] + sizes[node]
        if sizes[node] == 1:
            guess[node], hit[node] = row[start], 1
            node += 1
            continue
        letter = _most_held(places, counts, before, row, start, end, sums)
        guess[node] = words + letter
        _sort(places, row, start, end, letter, keys)
        at = start
        while at < end:
            stop = at + 1
            while stop < end and keys[stop] == keys[at]:
                stop += 1
            remain = left[node] - (1 if keys[at] == 0 else 0)
            if remain > 0:
                pattern[nodes], starts[nodes], sizes[nodes], left[nodes] = keys[at], at, stop - at, remain
                nodes += 1
            at = stop
        node += 1
    first[nodes] = nodes
    return nodes


@inner
def _most_held(places, counts, before, row, start, end, sums):
    """The letter of greatest sum that parts the members from start to end."""
    sums[:] = 0
    for i in range(start, end):
        word = row[i]
        for letter in range(sums.shape[0]):
            sums[letter] += counts[word, letter]
    best = -1
    for letter in range(sums.shape[0]):
        better = best < 0 or sums[letter] > sums[best]
        if better or (sums[letter] == sums[best] and before[letter] > before[best]):
            alike, i = places[row[start], letter], start + 1
            while i < end and places[row[i], letter] == alike:
                i += 1
            if i < end:
                best = letter
    return best


@inner_making_arrays
def _sort(places, row, start, end, letter, keys):
    """Sort the members from start to end by their patterns of a letter, which become keys; stable."""
    for i in range(start, end):
        keys[i] = places[row[i], letter]
    if end - start <= FEW:
        for i in range(start + 1, end):
            key, word, j = keys[i], row[i], i
            while j > start and keys[j - 1] > key:
                keys[j], row[j] = keys[j - 1], row[j - 1]
                j -= 1
            keys[j], row[j] = key, word
        return
    order = np.argsort(keys[start:end], kind="mergesort")
    keys[start:end] = keys[start:end][order]
    row[start:end] = row[start:end][order]

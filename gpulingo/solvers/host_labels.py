"""The class that every guess puts every target in, numbered in the order in which a host prefers classes."""

from __future__ import annotations

from functools import partial

import numpy as np

from gpulingo.solvers.numbered_classes import classes_of
from gpulingo.tensors.cpu.class_counts import class_counts
from gpulingo.tensors.cpu.compile import compiled, inner
from gpulingo.tensors.cpu.scan import pattern_of
from gpulingo.tensors.features import Array
from gpulingo.tensors.threads import shared
from gpulingo.tensors.wordtable import WordTable

BLOCK = 1 << 9  # guesses that a thread takes at once


def host_labels(table: WordTable, memory: int) -> tuple[Array, int]:
    """[P, T] uint8 to uint32, the class of each target by each guess of the pool; most classes of a guess.

    Raises:
        ValueError: they take more bytes than `memory`.
    """
    guesses, words = table.pool.numpy(), table.targets.numpy()
    most = int(class_counts(table, table.targets).numpy().max())
    kind = np.dtype(np.uint8 if most <= 256 else np.uint16 if most <= 1 << 16 else np.uint32)
    size = len(guesses) * len(words) * kind.itemsize
    if size > memory:
        seen = f"{len(guesses):,} guesses and {len(words):,} targets take {size:,} bytes"
        raise ValueError(f"{seen}, expected at most {memory:,}: allow more memory, or take fewer targets")
    letters, labels = table.letters.numpy(), classes_of(table, words)

    def ordered(first: int) -> None:
        block = slice(first, first + BLOCK)
        room, spare = np.empty((5, len(words)), np.int64), np.zeros(256, np.int64)
        order_classes(letters, guesses[block], words, labels[block], room, spare)

    shared(partial(ordered, first) for first in range(0, len(guesses), BLOCK))
    return labels, most


@compiled
def order_classes(letters, guesses, words, labels, room, spare):
    """Number the classes of n words by fewest placed letters, fewest misplaced ones, and the smaller pattern.

    Args:
        labels: [G, n]: their numbers from 0, in the order of their first words; they are changed.
        room: [5, n] int64. spare: [256] int64, zero; becomes so again.
    """
    first, patterns, shown, order, number = room[0], room[1], room[2], room[3], room[4]
    for g in range(guesses.shape[0]):
        classes = 0
        for t in range(words.shape[0]):
            if labels[g, t] == classes:
                first[classes] = t
                classes += 1
        for c in range(classes):
            code = pattern_of(letters[guesses[g]], letters[words[first[c]]], spare)
            patterns[c], shown[c] = code, 0
            for _ in range(letters.shape[1]):
                digit = code % 3
                shown[c] += (letters.shape[1] + 1) * (digit == 2) + (digit == 1)
                code //= 3
        _sort(order, classes, shown, patterns)
        for k in range(classes):
            number[order[k]] = k
        for t in range(words.shape[0]):
            labels[g, t] = number[labels[g, t]]


@inner
def _sort(order, count, shown, patterns):
    """Write the numbers of classes in the order of what is shown, then of patterns: a Shell sort."""
    gap = 1
    while 3 * gap < count:
        gap = 3 * gap + 1
    for c in range(count):
        order[c] = c
    while gap > 0:
        for k in range(gap, count):
            c, place = order[k], k
            while place >= gap:
                other = order[place - gap]
                if (shown[other], patterns[other]) <= (shown[c], patterns[c]):
                    break
                order[place] = other
                place -= gap
            order[place] = c
        gap //= 3

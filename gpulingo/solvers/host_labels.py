"""The class that every guess puts every target in, numbered in the order in which a host prefers classes."""

from __future__ import annotations

from functools import partial

import numpy as np

from gpulingo.solvers.rows import fill
from gpulingo.tensors.cpu.class_counts import class_counts
from gpulingo.tensors.cpu.codes import code_targets, room
from gpulingo.tensors.cpu.compile import inner, making_arrays
from gpulingo.tensors.cpu.lanes import LANES
from gpulingo.tensors.cpu.rank import program_of
from gpulingo.tensors.cpu.scan import feature_bits, pattern_of
from gpulingo.tensors.features import Array
from gpulingo.tensors.threads import shared
from gpulingo.tensors.wordtable import WordTable

BLOCK = 1 << 9  # guesses that a thread labels at once


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
    labels = np.empty((len(guesses), len(words)), kind)
    program, codes = program_of(table)
    bits = feature_bits(table.letters.numpy(), words, program)

    def label(first: int) -> None:
        block = guesses[first : first + BLOCK]
        row = room((len(words) + LANES - 1) // LANES * LANES, codes.dtype)
        slots, spare = np.empty(2 << len(words).bit_length(), np.int32), np.zeros(256, np.int64)
        written = labels[first : first + BLOCK]
        label_in_order(table.letters.numpy(), block, words, bits, program, row, slots, spare, written)

    shared(partial(label, first) for first in range(0, len(guesses), BLOCK))
    return labels, most


@making_arrays
def label_in_order(letters, guesses, words, bits, program, row, slots, spare, labels):
    """Number the classes of n words by fewest placed letters, fewest misplaced ones, and the smaller pattern.

    Args:
        row: room for the codes of n words. slots: [2^k] int32, more than n.
        spare: [256] int64, zero; becomes so again.
        labels: [G, n], to be written.
    """
    n, length = words.shape[0], letters.shape[1]
    patterns, shown = np.empty(n, np.int64), np.empty(n, np.int64)
    number, first, mask = np.empty(n, np.int64), np.empty(n, np.int64), np.uint64(slots.shape[0] - 1)
    order = np.empty(n, np.int64)
    for g in range(guesses.shape[0]):
        code_targets(row, 0, bits, 0, row.shape[0] // LANES, program, guesses[g])
        fill(slots, -1)
        classes = 0
        for t in range(n):
            slot = np.uint64(row[t]) * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(20) & mask
            while slots[slot] >= 0 and row[first[slots[slot]]] != row[t]:
                slot = (slot + np.uint64(1)) & mask
            if slots[slot] < 0:
                slots[slot], first[classes] = classes, t
                code = pattern_of(letters[guesses[g]], letters[words[t]], spare)
                patterns[classes], shown[classes] = code, 0
                for _ in range(length):
                    digit = code % 3
                    shown[classes] += (length + 1) * (digit == 2) + (digit == 1)
                    code //= 3
                classes += 1
            labels[g, t] = slots[slot]
        _sort(order, classes, shown, patterns)
        for k in range(classes):
            number[order[k]] = k
        for t in range(n):
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

"""The labels that guesses give to the words of one set: words of the same class have the same label.

Guesses of equal labels are one guess to the set and to all its subsets, so only the distinct ones are kept.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gpulingo.solvers.dominance import needless
from gpulingo.tensors.cpu.codes import code_targets, room
from gpulingo.tensors.cpu.compile import compiled
from gpulingo.tensors.cpu.lanes import LANES
from gpulingo.tensors.cpu.rank import program_of
from gpulingo.tensors.cpu.scan import feature_bits
from gpulingo.tensors.features import Array
from gpulingo.tensors.feedback import feedback_of
from gpulingo.tensors.wordtable import WordTable

WIDEST = 1 << 24  # codes that a table has places for: a limit of memory, 4 bytes each
EIGHT = 8  # labels, or four where they take two bytes, are compared at once


class Labelled(NamedTuple):
    """The D distinct guesses for a set of n words: its own words first, of others those of most classes."""

    by_guess: Array  # [D, n] uint8 or uint16: the class that each guess puts each word in
    guesses: Array  # [D] int32, indices into the table
    classes: Array  # [D] int64: how many each makes


def label_set(
    table: WordTable, words: Array, others: Array, finest: bool = False, distinct: bool = True
) -> Labelled:
    """Label a set of [n] int32 words by themselves and by those of [P] int32 others that part it.

    Args:
        finest: leave out others that `needless` names, where each letter shows by itself; only words are
            guessed then.
        distinct: of others that label all words alike keep the first; without it, all.
    """
    program, codes = program_of(table)
    n, most_labels = len(words), min(len(words), 3**table.length)
    kind = np.uint8 if most_labels <= 256 else np.uint16
    guesses = np.concatenate([words, others]).astype(np.int32)
    if finest and feedback_of(table).by_letter:
        guesses = guesses[~needless(table, words, guesses)]
    row = room((n + LANES - 1) // LANES * LANES, codes.dtype)
    numbers = np.int32 if len(guesses) * n <= np.iinfo(np.int32).max else np.int64
    places = np.full(program.widest if program.widest <= WIDEST else 0, -1, numbers)
    bits = feature_bits(table.letters.numpy(), words, program)
    labels = np.zeros((len(guesses), -(-n // EIGHT) * EIGHT), kind)  # those of no word stay 0
    packed = labels.view(np.uint64)
    kept, classes = np.empty(len(guesses), np.int32), np.empty(len(guesses), np.int64)
    slots = np.full(2 << len(guesses).bit_length(), -1, np.int32)
    factors = np.random.default_rng(0).integers(1, 1 << 64, packed.shape[1], dtype=np.uint64)
    count = label_guesses(
        n, distinct, guesses, bits, program, row, places, labels, packed, kept, classes, slots, factors
    )  # fmt: skip
    kept, classes = guesses[kept[:count]], classes[:count]
    # Those of most classes first, but for the words themselves: few have labels beyond 63.
    order = np.concatenate([np.arange(n), n + (-classes[n:]).argsort(kind="stable")])
    return Labelled(labels[order, :n], kept[order], classes[order])


@compiled
def label_guesses(
    n, distinct, guesses, bits, program, row, places, labels, packed, kept, made, slots, factors
):
    """Label n words by the classes of each guess, from 0 in the order of their first words.

    Of guesses with equal labels only the first stays; of the first n, the words themselves, each stays.
    Guesses that leave one class do not stay.

    Args:
        places: [widest code] int32, or int64 if G n is above its numbers, -1. Empty where there are too many
            codes: each is looked for among those before it then, of long words, which are few.
        labels: [G, m], m >= n, zeros: room for the labels.
        packed: [G, w] uint64: the same memory.
        kept: [G] int32: room for the numbers of the guesses that stay.
        made: [G] int64: for their classes.
        slots: [2^k] int32, more than G, -1: places of kept guesses by hash.
        factors: [w] uint64, at random: the hash is the sum of the packed labels times these.
    Returns:
        The number of guesses that stay.
    """
    mask = np.uint64(slots.shape[0] - 1)
    count, table, many = 0, places.shape[0] > 0, packed.shape[1]
    for g in range(guesses.shape[0]):
        code_targets(row, 0, bits, 0, row.shape[0] // LANES, program, guesses[g])
        classes, mine, all_of_mine = 0, labels[count], packed[count]
        base = g * n  # no place that an earlier guess wrote is as great
        for t in range(n):
            place = np.int64(-1)
            if table:
                place = np.int64(places[row[t]]) - base
            else:
                for s in range(t):
                    if row[s] == row[t]:
                        place = np.int64(mine[s])
                        break
            if place < 0:
                place = np.int64(classes)
                if table:
                    places[row[t]] = base + classes
                classes += 1
            mine[t] = place
        key = np.uint64(0)
        for k in range(many):
            key += all_of_mine[k] * factors[k]
        slot = (key >> np.uint64(32)) & mask
        new = True
        while slots[slot] >= 0 and new:
            new = False
            for k in range(many):
                if packed[slots[slot], k] != all_of_mine[k]:
                    new = True
                    break
            if new:
                slot = (slot + np.uint64(1)) & mask
        if g < n or ((new or not distinct) and classes > 1):
            if new:
                slots[slot] = count
            kept[count], made[count] = g, classes
            count += 1
    return count

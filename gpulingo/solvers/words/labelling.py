"""The labels that guesses give to the words of one set: words of one class have one label.

Guesses with equal labels are equivalent for the set and all its subsets, so only distinct ones are kept.

Others are dominated: another guess's partition of the set refines theirs. If g' splits a set at least as
finely as g, the classes of g are unions of classes of g', in every subset too, and no strategy has more of a
union than of its parts. So g need not be tried, unless it is a word of the set itself.

The marks of a guess show which of its letters are placed, and for each letter how many copies a target has,
up to those in the guess; nothing more (`tensors.paircodes`). A letter of g tells at its place if words of the
set differ in one of these. A g' that has all telling letters of g, at the same places, shows as much: it has
as many copies of letters whose number tells, because then all places of that letter tell.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gpulingo.tensors.arrays import Array, array_of
from gpulingo.tensors.cpu.codes import code_targets, row_of
from gpulingo.tensors.cpu.compile import compiled, inner, making_arrays
from gpulingo.tensors.cpu.lanes import LANES
from gpulingo.tensors.cpu.rank import program_of
from gpulingo.tensors.cpu.scan import feature_bits
from gpulingo.tensors.feedback import feedback_of
from gpulingo.tensors.wordtable import WordTable, cached_by_table

WIDEST = 1 << 24  # a limit of memory: most codes with a place each, of 4 bytes
EIGHT = 8  # labels compared at once; four if they take two bytes


class Labelled(NamedTuple):
    """The D distinct guesses for a set of n words: its own words first, then others by number of classes."""

    by_guess: Array  # [D, n] uint8 or uint16: the class that each guess puts each word in
    guesses: Array  # [D] int32, indices into the table
    classes: Array  # [D] int64: number of classes of each


def label_set(
    table: WordTable, words: Array, guesses: Array, finest: bool = False, distinct: bool = True
) -> Labelled:
    """Label a set of [n] int32 words by themselves and by those others of [P] int32 guesses that split it.

    With `finest`, dominated guesses (see `needless`) are left out if feedback is by letter; it assumes that
    only words are guessed later. With `distinct`, among others with equal labels only the first is kept.
    """
    program = program_of(table)
    n, most_labels = len(words), min(len(words), 3**table.length)
    kind = np.uint8 if most_labels <= 256 else np.uint16
    others = np.ones(table.words, np.bool_)
    others[words] = False
    guesses = np.concatenate([words, guesses[others[guesses]]]).astype(np.int32)
    if finest and feedback_of(table).by_letter:
        guesses = guesses[~needless(table, words, guesses)]
    row = row_of(program, n)
    bits = feature_bits(array_of(table.letters), words, program)
    labels = np.zeros((len(guesses), -(-n // EIGHT) * EIGHT), kind)  # padding stays 0
    packed, scratch = labels.view(np.uint64), places_of(program.widest, len(guesses), n)
    kept, classes = np.empty(len(guesses), np.int32), np.empty(len(guesses), np.int64)
    slots = np.full(2 << len(guesses).bit_length(), -1, np.int32)
    factors = np.random.default_rng(0).integers(1, 1 << 64, packed.shape[1], dtype=np.uint64)
    count = label_guesses(
        n, distinct, guesses, bits, program, row, *scratch, labels, packed, kept, classes, slots, factors
    )  # fmt: skip
    kept, classes = guesses[kept[:count]], classes[:count]
    # By number of classes, after the words themselves: then few blocks have labels beyond 63.
    order = np.concatenate([np.arange(n), n + (-classes[n:]).argsort(kind="stable")])
    return Labelled(labels[order, :n], kept[order], classes[order])


def places_of(codes: int, guesses: int, n: int) -> tuple[Array, Array]:
    """Return scratch of `number_words`, for n words by some guesses; codes are below a number.

    It has a place for each code, or fewer, for codes by hash; and the first word of each class.
    """
    kind = np.int32 if guesses * n <= np.iinfo(np.int32).max else np.int64
    return np.full(codes if codes <= WIDEST else 2 << n.bit_length(), -1, kind), np.empty(n, np.int64)


@inner
def number_words(codes, widest, g, places, first, labels):
    """Number the classes of n words by their codes for guess g, in the order of words; return how many."""
    classes, mask = 0, np.uint64(places.shape[0] - 1)
    base = g * labels.shape[0]  # above all that earlier guesses wrote
    for t in range(labels.shape[0]):
        slot = np.uint64(codes[t])
        if places.shape[0] < widest:
            slot = slot * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(20) & mask
            while places[slot] >= base and codes[first[places[slot] - base]] != codes[t]:
                slot = (slot + np.uint64(1)) & mask
        if places[slot] < base:
            places[slot], first[classes] = base + classes, t
            classes += 1
        labels[t] = places[slot] - base
    return classes


@compiled
def label_guesses(
    n, distinct, guesses, bits, program, row, places, first, labels, packed, kept, made, slots, factors
):
    """Label n words by the classes of each guess, in the order of their first words; return the guesses kept.

    Of guesses with equal labels only the first is kept; the first n, the words themselves, are all kept.
    Guesses with a single class are dropped.

    Args:
        places, first: see `places_of`.
        labels: [G, m], m >= n, zeros: receives the labels; `packed` [G, w] uint64: the same memory.
        kept, made: [G]: receive the guesses kept, and their numbers of classes.
        slots: [2^k] int32, more than G, -1: places of kept guesses by hash.
        factors: [w] uint64, random: the hash is the sum of the packed labels times these.
    """
    mask = np.uint64(slots.shape[0] - 1)
    count, many = 0, packed.shape[1]
    for g in range(guesses.shape[0]):
        code_targets(row, 0, bits, 0, row.shape[0] // LANES, program, guesses[g])
        all_of_mine = packed[count]
        classes = number_words(row, program.widest, g, places, first, labels[count, :n])
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


@cached_by_table
def classes_of_targets(table: WordTable) -> Array:
    """Return [P, T]: the class that each word of the pool puts each target in; cached."""
    return classes_of(table, array_of(table.targets))


def classes_of(table: WordTable, words: Array) -> Array:
    """Return [P, n] uint8, uint16 or uint32: the class that each word of the pool puts [n] int32 words in."""
    program = program_of(table)
    pool, n = array_of(table.pool), len(words)
    bits = feature_bits(array_of(table.letters), words, program)
    row = row_of(program, n)
    for kind in (np.uint8, np.uint16, np.uint32):
        labels, scratch = np.empty((len(pool), n), kind), places_of(program.widest, len(pool), n)
        if number_classes(pool, bits, program, row, *scratch, labels, np.iinfo(kind).max):
            break
    return labels


@compiled
def number_classes(guesses, bits, program, row, places, first, labels, most):
    """Number the classes of each guess from 0, in the order of first words; return whether `most` suffices.

    `row`, for the codes of the words, `places` and `first` are scratch.
    """
    for g in range(guesses.shape[0]):
        code_targets(row, 0, bits, 0, row.shape[0] // LANES, program, guesses[g])
        if number_words(row, program.widest, g, places, first, labels[g]) - 1 > most:
            return False
    return True


@cached_by_table
def orders_of(table: WordTable) -> tuple[Array, Array]:
    """Return [N, W] int32: all words sorted by their letters from each place on, cyclically; cached.

    Then [N, W] int32, the position of each word in each of these orders.
    """
    letters = array_of(table.letters)
    length = letters.shape[1]
    words = np.stack([np.lexsort(np.roll(letters, -i, 1).T[::-1]) for i in range(length)]).astype(np.int32)
    return words, words.argsort(1).astype(np.int32)


def needless(table: WordTable, words: Array, guesses: Array) -> Array:
    """[D] bool: the guesses that another one dominates; among equivalent ones, all except the first.

    `words` are the [n] int32 words of the set; they are the first of the [D] int32 guesses and not dominated.
    """
    held = array_of(table.letters)[words][:, :, None] == np.arange(len(table.alphabet))  # [n, N, letters]
    counts, copies = held.sum(0), held.sum(1)
    differing = (counts > 0) & (counts < len(words)), copies.min(0), copies.max(0)
    letters, numbers = array_of(table.letters), np.full(table.words, -1, np.int32)
    numbers[guesses] = np.arange(len(guesses))
    dominated = np.zeros(len(guesses), np.bool_)
    find_needless(len(words), letters, guesses, numbers, orders_of(table), differing, dominated)
    return dominated


@making_arrays
def find_needless(n, letters, guesses, numbers, orders, differing, dominated):
    """For each guess after the first n, search for one that shows as much; set `dominated`.

    It is close in the order that starts at the longest run of telling letters, cyclically.

    Args:
        numbers: [W] int32: the guess that each word is, or -1. orders: see `orders_of`.
        differing: where the words of the set differ: [N, letters] bool, whether only some have the letter at
            the place; [letters] int64, copies of each letter that all have, and the most in a word.
    """
    length, words = letters.shape[1], letters.shape[0]
    (sorted_words, ranks), copies = orders, np.zeros(differing[1].shape[0], np.int64)
    tells, others = np.zeros(length, np.bool_), np.zeros(length, np.bool_)
    for g in range(n, guesses.shape[0]):
        guess = guesses[g]
        mine = _tell(letters[guess], differing, copies, tells)
        if mine == length:  # no other guess can show more
            continue
        start, run = _longest_run(tells)
        rank, order = ranks[start, guess], sorted_words[start]
        dominated[g] = mine == 0  # it shows nothing
        for step in (1, -1):
            place = rank + step
            while not dominated[g] and 0 <= place < words:
                other, together, i = order[place], 0, start
                while together < run and letters[guess, i] == letters[other, i]:
                    together, i = together + 1, (i + 1) % length
                if together < run:
                    break
                place += step
                number, within = numbers[other], True
                for i in range(length):
                    within &= not tells[i] or letters[guess, i] == letters[other, i]
                if within and number >= 0:
                    theirs = _tell(letters[other], differing, copies, others)
                    dominated[g] = theirs > mine or number < g


@inner
def _tell(word, differing, copies, tells):
    """Mark the telling letters of a guess by place; return their number. `copies` stays zeros."""
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
    """Return start and length of the longest run of telling places, cyclically."""
    length, best, start, run = tells.shape[0], 0, 0, 0
    for i in range(2 * length):
        run = run + 1 if tells[i % length] else 0
        if run > best:
            best, start = run, (i - run + 1) % length
    return start, best

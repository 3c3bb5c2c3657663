"""The sets of `adversary_search`, those known to be won, and the nogoods of those known to be lost.

A set is lost at a level, a number of misses, where the host can force more misses than that. A part of a lost
set that is itself lost is a nogood: every set that holds it is lost as well.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gpulingo.solvers.decision import FRAME, OWN, START, STOP
from gpulingo.solvers.letter_classes import NO_LETTER, different_letters
from gpulingo.solvers.rows import fill
from gpulingo.solvers.transpositions import GUESS, NOWHERE, UPPER, row_of, write
from gpulingo.tensors.cpu.compile import inner
from gpulingo.tensors.features import Array
from gpulingo.tensors.wordtable import WordTable

SPLIT, UNRULED = -1, -2  # a letter that tells words of a nogood apart; a letter that no nogood rules out
TRIES = OWN  # of a frame: how many letters were tried before
NOGOOD_WORDS = 24  # words that nogoods are expected to have in the middle, for the memory of their rows


class Sets(NamedTuple):
    """Search state of the set at each depth; R depths, n words at most, K classes of a letter."""

    codes: Array  # [W, A] int16: the class of each word by each letter, see `letter_classes`
    letters: Array  # [W, N + 1] uint8: the different letters of each word, then NO_LETTER
    numbers: Array  # [W, 2] uint64: random
    rows: Array  # [R, n] int32: words, in the order of the classes of the letter tried at the depth before
    frames: Array  # [R, FRAME] int64
    sums: Array  # [R, 2] uint64: sums of the numbers of the words
    hits: Array  # [R, A] int32: words that hold each letter
    parts: Array  # [R, A] uint8: whether each letter tells words apart
    ruled: (
        Array  # [R, A] int32: nogood within the miss class of each letter, lost at a level less; or UNRULED
    )
    missed: Array  # [R, A, 2] uint64: sums of the numbers of the words that hold each letter
    starts: Array  # [R, K + 1] int32: where the classes begin
    classes: Array  # [R, K] int16: their codes
    keys: Array  # [R, K, 2] uint64: sums of the numbers of their words
    queue: Array  # [R, K] int32: those to be searched, in this order
    slot: Array  # [K] int32: number of the class of a code, or -1
    first: Array  # [A] int16: work of a count
    open_letters: Array  # [n] int16: work of a count
    lists: Array  # [R, P] int32: the nogoods that the set of each depth holds
    many: Array  # [R] int64: how many


class Nogoods(NamedTuple):
    """Sets that are lost: at most P nogoods of X words in total."""

    words: Array  # [X] int32
    starts: Array  # [P + 1] int64: where the words of each begin
    level: Array  # [P] int16: more misses than this can be forced
    codes: Array  # [P, A] int16: class that all its words are in by each letter, or SPLIT
    answers: Array  # [P, A] int32: nogood that is kept when a letter that parts it is missed; -1: any word
    size: Array  # [2] int64: how many nogoods there are, and which was made or used last
    inside: Array  # [W] int64: work of a union: the number of the last one that a word was in
    union: Array  # [W + 1] int32: work of a union: its words
    used: Array  # [A + 2] int32: work of a union: the nogoods in it


def new_sets(table: WordTable, codes: Array, classes: int, nogoods: int) -> Sets:
    """Room for a search of all words of a table."""
    words, alphabet = codes.shape
    depths = alphabet + 2
    numbers = np.random.default_rng(0).integers(1, 1 << 64, (words, 2), dtype=np.uint64)
    return Sets(
        codes,
        different_letters(codes, table.length),
        numbers,
        np.empty((depths, words), np.int32),
        np.zeros((depths, FRAME), np.int64),
        np.zeros((depths, 2), np.uint64),
        np.zeros((depths, alphabet), np.int32),
        np.zeros((depths, alphabet), np.uint8),
        np.full((depths, alphabet), UNRULED, np.int32),
        np.zeros((depths, alphabet, 2), np.uint64),
        np.zeros((depths, classes + 1), np.int32),
        np.zeros((depths, classes), np.int16),
        np.zeros((depths, classes, 2), np.uint64),
        np.zeros((depths, classes), np.int32),
        np.full(classes, -1, np.int32),
        np.zeros(alphabet, np.int16),
        np.zeros(words, np.int16),
        np.zeros((depths, nogoods), np.int32),
        np.zeros(depths, np.int64),
    )


def new_nogoods(words: int, alphabet: int, most: int) -> Nogoods:
    """Working memory for `most` nogoods."""
    return Nogoods(
        np.empty(most * NOGOOD_WORDS, np.int32),
        np.zeros(most + 1, np.int64),
        np.zeros(most, np.int16),
        np.zeros((most, alphabet), np.int16),
        np.zeros((most, alphabet), np.int32),
        np.zeros(2, np.int64),
        np.full(words, -1, np.int64),
        np.zeros(words + 1, np.int32),
        np.zeros(alphabet + 2, np.int32),
    )


@inner
def won_letter(won, key, check, level):
    """Return a letter to guess in a set known to be won with `level` misses; -1: it is not known."""
    here = row_of(won, np.int64(key) | 1, np.int64(check))
    return won[here, GUESS] if here != NOWHERE and won[here, UPPER] <= level else np.int64(-1)


@inner
def put_won(won, key, check, level, letter):
    """Note that a set is won with `level` misses, and a letter to guess then."""
    write(won, np.int64(key) | 1, np.int64(check), level, letter)


@inner
def count_letters(sets, depth):
    """Count, for the set of a depth, the words that hold each letter, and note which letters part it."""
    start, stop = sets.frames[depth, START], sets.frames[depth, STOP]
    hits, parts, missed, first = sets.hits[depth], sets.parts[depth], sets.missed[depth], sets.first
    fill(hits, 0)
    fill(parts, 0)
    for letter in range(missed.shape[0]):
        fill(missed[letter], 0)
    for i in range(start, stop):
        word = sets.rows[depth, i]
        for letter in sets.letters[word]:
            if letter == NO_LETTER:
                break
            code = sets.codes[word, letter]
            if hits[letter] == 0:
                first[letter] = code
            elif first[letter] != code:
                parts[letter] = 1
            hits[letter] += 1
            missed[letter, 0] += sets.numbers[word, 0]
            missed[letter, 1] += sets.numbers[word, 1]
    for letter in range(hits.shape[0]):
        if 0 < hits[letter] < stop - start:
            parts[letter] = 1


@inner
def part_by(sets, depth, letter):
    """Split the set of a depth by a letter into the next row; return the number of classes."""
    start, stop = sets.frames[depth, START], sets.frames[depth, STOP]
    starts, classes, keys, slot = sets.starts[depth], sets.classes[depth], sets.keys[depth], sets.slot
    many = 0
    for i in range(start, stop):
        word = sets.rows[depth, i]
        code = sets.codes[word, letter]
        c = slot[code]
        if c < 0:
            c = many
            slot[code], classes[c], starts[c + 1] = c, code, 0
            keys[c, 0], keys[c, 1] = 0, 0
            many += 1
        starts[c + 1] += 1
        keys[c, 0] += sets.numbers[word, 0]
        keys[c, 1] += sets.numbers[word, 1]
    starts[0] = start
    for c in range(many):
        starts[c + 1] += starts[c]
    for i in range(stop - 1, start - 1, -1):
        word = sets.rows[depth, i]
        c = slot[sets.codes[word, letter]]
        starts[c + 1] -= 1
        sets.rows[depth + 1, starts[c + 1]] = word
    for c in range(many):  # each start was counted down to where its class begins
        starts[c] = starts[c + 1]
        slot[classes[c]] = -1
    starts[many] = stop
    return many

"""Legal guesses as bits, one per word of the pool; feedback removes guesses by their features."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gpulingo.solvers.depth_first import copy
from gpulingo.tensors.arrays import Array, array_of
from gpulingo.tensors.cpu.compile import compiled, inner
from gpulingo.tensors.wordtable import WordTable, most_copies, target_features

LANES = 64  # words of the pool per word of bits
ANY, HARD, CONSISTENT = range(3)
NUMBER_OF = {"any": ANY, "hard": HARD, "consistent": CONSISTENT}
COUNTED = {"counts": 3, "placed": 4, "common": 5}  # by feedback: rules of consistent guesses


class Legality(NamedTuple):
    """Rule for legal guesses. B words of bits hold the P words of the pool."""

    rule: int  # ANY, HARD, CONSISTENT or one of COUNTED
    within: int  # the rule binds with at most this many turns left; before, any word is legal
    letters: Array  # [W, N] uint8
    alphabet: int
    every: Array  # [B] uint64: the whole pool
    features: Array  # [F, B] uint64: words with each feature, numbered as in `PairCodes`; none without a rule
    salts: Array  # [B] uint64, random
    place_of: Array  # [W] int32: place of a word in the pool, or -1
    pool: Array  # [P] int32


def legality_of(table: WordTable, rule: str, within: int) -> Legality:
    """Return the rule for the words of a table, which binds with at most `within` turns left."""
    pool = array_of(table.letters)[array_of(table.pool)]
    alphabet = len(table.alphabet)
    features = np.zeros((0, len(pool)), np.bool_)
    if rule != "any":
        features = target_features(pool, alphabet, most_copies(pool)).T
    every = pool_bits(np.ones(len(pool), np.bool_))
    salts = np.random.default_rng(1).integers(1, 1 << 64, len(every), dtype=np.uint64)
    place_of = np.full(table.guesses, -1, np.int32)
    place_of[array_of(table.pool)] = np.arange(len(pool))
    turns, letters = within if rule != "any" else 0, array_of(table.letters)
    number = NUMBER_OF[rule] if rule == "any" else COUNTED.get(table.feedback, NUMBER_OF[rule])
    ids = array_of(table.pool)
    return Legality(number, turns, letters, alphabet, every, pool_bits(features), salts, place_of, ids)


def pool_bits(flags: Array) -> Array:
    """Return [.., B] uint64: [.., P] flags, a bit for each word of the pool."""
    count = flags.shape[-1]
    padded = np.zeros((*flags.shape[:-1], -(-count // LANES) * LANES), np.bool_)
    padded[..., :count] = flags
    return np.packbits(padded, axis=-1, bitorder="little").view(np.uint64)


@inner
def _number_shown(rule, word, target):
    """Return the number that a guess shows for a target; different numbers are different patterns."""
    length, placed, common = word.shape[0], 0, 0
    for i in range(length):
        placed += word[i] == target[i]
        earlier, copies, held = 0, 0, 0
        for j in range(length):
            earlier += j < i and word[j] == word[i]
            copies += word[j] == word[i]
            held += target[j] == word[i]
        if earlier == 0:
            common += min(copies, held)
    if rule == 4:
        return placed
    return common + (placed == length) if rule == 5 else 256 * placed + common


@inner
def _match(legality, before, after, word, answer):
    """Write which guesses that were legal before would show the same number for the target."""
    number = _number_shown(legality.rule, word, answer)
    for w in range(after.shape[0]):
        kept = np.uint64(0)
        for lane in range(LANES):
            bit = np.uint64(1) << np.uint64(lane)
            if before[w] & bit:
                other = legality.letters[legality.pool[w * LANES + lane]]
                if _number_shown(legality.rule, word, other) == number:
                    kept |= bit
        after[w] = kept


@inner
def narrow(legality, before, after, guess, target):
    """Write which of the guesses that were legal before remain legal after a guess, for this target."""
    word, answer, features = legality.letters[guess], legality.letters[target], legality.features
    length, alphabet, strict = word.shape[0], legality.alphabet, legality.rule == CONSISTENT
    if legality.rule > CONSISTENT:
        _match(legality, before, after, word, answer)
        return
    copy(before, after)
    for i in range(length):
        letter = np.int64(word[i])
        if answer[i] == letter:
            _keep(after, features[i * alphabet + letter])
        elif strict:
            _drop(after, features[i * alphabet + letter])
        earlier, copies, held = 0, 0, 0
        for j in range(length):
            earlier += j < i and word[j] == letter
            copies += word[j] == letter
            held += answer[j] == letter
        marked = min(copies, held)
        if earlier == 0 and marked > 0:
            _keep(after, features[(length + marked - 1) * alphabet + letter])
        if earlier == 0 and strict and marked < copies:
            _drop(after, features[(length + marked) * alphabet + letter])


@inner
def _keep(bits, those):
    for w in range(bits.shape[0]):
        bits[w] &= those[w]


@inner
def _drop(bits, those):
    for w in range(bits.shape[0]):
        bits[w] &= ~those[w]


@inner
def hash_bits(legality, bits):
    """Return two sums that identify a set of legal guesses."""
    key, check = np.uint64(0), np.uint64(0)
    for w in range(bits.shape[0]):
        mixed = bits[w] ^ legality.salts[w]
        mixed = (mixed ^ (mixed >> np.uint64(32))) * np.uint64(0xD6E8FEB86659FD93)
        mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
        key += mixed ^ (mixed >> np.uint64(31))
        check += (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return key, check


narrowed = compiled(narrow.py_func)  # for Python


@compiled
def narrow_rounds(legality, begin, given, past, targets, bits, seen):
    """Write in [R, B] bits what is legal after the [R, H] guesses, -1 for none, of rounds with [R] targets.

    `seen` [R, 1 + H] has the target and the guesses that are in the bits already. A round that has others
    starts from `begin`, and if its first letter is given, from the words that start with it.
    """
    for r in range(targets.shape[0]):
        target, other = targets[r], seen[r, 0] != targets[r]
        for h in range(past.shape[1]):
            other |= seen[r, 1 + h] >= 0 and seen[r, 1 + h] != past[r, h]
        if other:
            copy(begin, bits[r])
            if given:
                _keep(bits[r], legality.features[legality.letters[target, 0]])
            seen[r] = -1
            seen[r, 0] = target
        for h in range(past.shape[1]):
            if past[r, h] != seen[r, 1 + h]:
                narrow(legality, bits[r], bits[r], past[r, h], target)
                seen[r, 1 + h] = past[r, h]

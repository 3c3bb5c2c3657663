"""Pair codes: the feedback of one guess as a dot product of small weights with 0/1 features of the target.

A target has the features "letter x stands at place i" and "holds at least j copies of x". The marks of a
guess say, for each of its places, whether the letter is placed, and for the j-th copy of a letter, whether
the target holds j copies; nothing more. So a sum of weights that keeps those apart tells the classes of that
guess apart. Codes of different guesses are not comparable. How classes are counted is left to the backends.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpulingo.tensors.compiled import compiled
from gpulingo.tensors.patterns import code_dtype
from gpulingo.words.encode import WordTable

SLOTS = 5  # a slot is one place of a guess: its two features; five slots always fit a group
GROUP_RANGE = 256  # the codes of a group fit a byte
Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class PairCodes:
    """The weights of every word of a table when it is guessed.

    The code of word g is the sum over its groups p in starts[g]:starts[g + 1] of radix[p] x the sum over the
    group's 10 features of weight x feature; each group's inner sum is below 256.

    Attributes:
        alphabet: number of letters A.
        copies: most copies J of one letter in a word of the table.
        total: number of features, (N + J) * A + 1.
        starts: [W + 1] int64, groups of each word.
        features: [P, 10] uint16; i * A + x: letter x at place i; N * A + (j - 1) * A + x: at least j copies
            of x; the last feature, `total` - 1, no target has.
        weights: [P, 10] uint8.
        radix: [P] uint64.
        ranges: [W] uint64, one more than the largest code of each word.
        slots: [P, 5] uint16, or uint32 for more than 65,536 rows: which row of `slot_features` and
            `slot_weights` each pair of features is.
        slot_features: [Q, 2] uint16, the distinct slots.
        slot_weights: [Q, 2] uint8.
    """

    alphabet: int
    copies: int
    total: int
    starts: Array
    features: Array
    weights: Array
    radix: Array
    ranges: Array
    slots: Array
    slot_features: Array
    slot_weights: Array

    @property
    def dtype(self) -> type[np.unsignedinteger[Any]]:
        """The narrowest unsigned type that holds every code and one number more."""
        most = int(self.ranges.max())
        return next(t for t in (np.uint8, np.uint16, np.uint32, np.uint64) if most <= np.iinfo(t).max)


def letter_weights(copies: int) -> tuple[list[int], list[int], int]:
    """Weights of a letter that stands `copies` times in the guess.

    With c copies of the letter in the target at most c of its places are placed, so the placed bits, read as
    a binary number, stay within the sum of their c highest bits; each further copy starts after that.

    Returns:
        Weight of "holds at least j copies" for j = 1.., weight of "placed" for each copy, and the range:
        3, 8, 21, 54, 135 for one to five copies (every combination that can occur has its own sum).
    """
    held = [1 if c == 0 else (1 << copies) - (1 << (copies - c)) + 1 for c in range(copies)]
    return held, [1 << c for c in range(copies)], sum(held) + (1 << copies)


@compiled
def _pack(word, alphabet, copies, order, count, seen, features, weights, ranges):
    """Lay the letters of one word into groups, the first that has room; return the number of groups.

    Letters with most copies come first, because they are hardest to fit; then in the order given.
    """
    length = word.shape[0]
    zero = (length + copies) * alphabet
    groups = 0
    slots_used = np.zeros(2 * length, np.int64)
    for i in range(length):
        count[word[i]] += 1
    for k in range(length, 0, -1):
        while True:
            x = -1
            for i in range(length):
                if count[word[i]] == k and not seen[word[i]] and (x < 0 or order[word[i]] < order[x]):
                    x = np.int64(word[i])
            if x < 0:
                break
            seen[x] = 1
            # Up to five copies: one chunk of k slots. More: copies and places separately, five slots each.
            chunks = 1 if k <= SLOTS else 2 * ((k + SLOTS - 1) // SLOTS)
            half = chunks // 2
            for chunk in range(chunks):
                part = chunk % half if half else 0
                lo, hi = part * SLOTS, min(k, part * SLOTS + SLOTS)
                if half == 0:
                    span = 1 << k
                    for c in range(k):
                        span += 1 if c == 0 else (1 << k) - (1 << (k - c)) + 1
                elif chunk < half:
                    span = hi - lo + 1
                else:
                    span = 1 << (hi - lo)
                g = 0
                while g < groups and (ranges[g] * span > GROUP_RANGE or slots_used[g] + hi - lo > SLOTS):
                    g += 1
                if g == groups:
                    groups += 1
                    ranges[g] = 1
                    features[g] = zero
                    weights[g] = 0
                copy = 0
                for i in range(length):
                    if word[i] != x:
                        continue
                    if lo <= copy < hi:
                        slot = slots_used[g]
                        slots_used[g] += 1
                        held = placed = 0
                        if half == 0:
                            held = 1 if copy == 0 else (1 << k) - (1 << (k - copy)) + 1
                            placed = 1 << copy
                        elif chunk < half:
                            held = 1
                        else:
                            placed = 1 << (copy - lo)
                        if held:
                            features[g, 2 * slot] = (length + copy) * alphabet + x
                            weights[g, 2 * slot] = held * ranges[g]
                        if placed:
                            features[g, 2 * slot + 1] = i * alphabet + x
                            weights[g, 2 * slot + 1] = placed * ranges[g]
                    copy += 1
                ranges[g] *= span
    for i in range(length):
        count[word[i]] = 0
        seen[word[i]] = 0
    return groups


@compiled
def _pack_all(letters, alphabet, copies, order):
    """Pack every word, once to count groups and once to keep them."""
    words, length = letters.shape
    count, seen = np.zeros(256, np.int64), np.zeros(256, np.uint8)
    group_features = np.zeros((2 * length, 2 * SLOTS), np.uint16)
    group_weights = np.zeros((2 * length, 2 * SLOTS), np.uint8)
    group_ranges = np.zeros(2 * length, np.int64)
    starts = np.zeros(words + 1, np.int64)
    for w in range(words):
        groups = _pack(
            letters[w], alphabet, copies, order, count, seen, group_features, group_weights, group_ranges
        )
        starts[w + 1] = starts[w] + groups
    features = np.zeros((starts[words], 2 * SLOTS), np.uint16)
    weights = np.zeros((starts[words], 2 * SLOTS), np.uint8)
    radix = np.zeros(starts[words], np.uint64)
    ranges = np.zeros(words, np.uint64)
    for w in range(words):
        groups = _pack(
            letters[w], alphabet, copies, order, count, seen, group_features, group_weights, group_ranges
        )
        whole = np.uint64(1)
        for g in range(groups):
            at = starts[w] + g
            features[at] = group_features[g]
            weights[at] = group_weights[g]
            radix[at] = whole
            whole *= np.uint64(group_ranges[g])
        ranges[w] = whole
    return starts, features, weights, radix, ranges


def most_copies(letters: Array) -> int:
    """Most copies of one letter in any word of [W, N] uint8 letters."""
    return int(max((letters == letters[:, i : i + 1]).sum(1).max() for i in range(letters.shape[1])))


def pair_codes(table: WordTable) -> PairCodes:
    """Weights of every word of a table, as numpy arrays on the CPU.

    Raises:
        ValueError: words of more than 39 letters, whose codes need not fit 64 bits.
    """
    code_dtype(table.length)
    letters = table.letters.cpu().numpy()
    copies = most_copies(letters)
    alphabet = len(table.alphabet)
    # Letters that many words hold get the small weights: then most codes are small, and what is counted by
    # code stays within few cache lines.
    holders = np.array([(letters == x).any(1).sum() for x in range(alphabet)])
    order = np.argsort(np.argsort(-holders, kind="stable"))
    starts, features, weights, radix, ranges = _pack_all(letters, alphabet, copies, order)
    kinds = features.reshape(-1, 2).astype(np.int64) @ [1 << 32, 1 << 16] + weights.reshape(-1, 2) @ [
        1 << 8,
        1,
    ]
    distinct, slots = np.unique(kinds, return_inverse=True)
    return PairCodes(
        alphabet,
        copies,
        (table.length + copies) * alphabet + 1,
        starts,
        features,
        weights,
        radix,
        ranges,
        slots.reshape(-1, SLOTS).astype(np.uint16 if len(distinct) <= 1 << 16 else np.uint32),
        np.stack([distinct >> 32, (distinct >> 16) & 0xFFFF], axis=1).astype(np.uint16),
        np.stack([(distinct >> 8) & 0xFF, distinct & 0xFF], axis=1).astype(np.uint8),
    )


def target_features(table: WordTable, copies: int) -> Array:
    """[W, F] bool: the features of every word, numbered as in `PairCodes`; the last is False everywhere."""
    letters = table.letters.cpu().numpy()
    words = table.words
    alphabet = len(table.alphabet)
    one_hot = letters[:, :, None] == np.arange(alphabet, dtype=np.uint8)  # [W, N, A]
    held = one_hot.sum(1)[:, None, :] > np.arange(copies)[:, None]  # [W, J, A]
    none = np.zeros((words, 1), np.bool_)
    return np.concatenate([one_hot.reshape(words, -1), held.reshape(words, -1), none], axis=1)


def codes(program: PairCodes, features: Array, guess: int) -> Array:
    """[T] uint64: the pair codes of one guess, straight from the definition.

    Args:
        program: weights of the table the guess is in.
        features: [T, F] bool, rows of `target_features` of the same table.
        guess: index of the guess.
    """
    out = np.zeros(features.shape[0], np.uint64)
    for p in range(program.starts[guess], program.starts[guess + 1]):
        inner = features[:, program.features[p]].astype(np.uint64) @ program.weights[p].astype(np.uint64)
        out += program.radix[p] * inner
    return out

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

from gpulingo.tensors.feedback import code_dtype
from gpulingo.tensors.wordtable import WordTable

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


@dataclass(frozen=True, eq=False)
class _Entries:
    """The letters of every word, in the order in which they are laid into groups; each array is [E, W] int64.

    What lies side by side is a block: all copies of a letter, each with both its features. A letter with more
    than five copies has entries for "holds at least j copies" first, then some for "placed", five to a block.

    Attributes:
        letter, place, copy: of the entry; copies are counted from 0.
        held, placed: weights of its two features, to be multiplied by the range of what the group holds
            before; 0: without that feature. Both are 0 where a word has less entries than others.
        at, size: which one of its block it is, and how many the block has.
        span: by how much the block multiplies the range of its group.
    """

    letter: Array
    place: Array
    copy: Array
    held: Array
    placed: Array
    at: Array
    size: Array
    span: Array


def _entries(letters: Array, order: Array) -> _Entries:
    """Letters with most copies come first, because they are hardest to fit; then in the order given."""
    length = letters.shape[1]
    column = letters.T.copy()  # [N, W]
    count = np.stack([(column == one).sum(0) for one in column])
    copy = np.stack([(column[:i] == column[i]).sum(0) for i in range(length)])
    key = ((length - count) * len(order) + order[column]) * 2 * length + copy
    if count.max() > SLOTS:
        # An entry for "placed" too; where there is none, it goes to the end.
        key = np.concatenate([key, np.where(count > SLOTS, key + length, np.iinfo(np.int64).max)])
    by_key = key.argsort(axis=0)  # [E, W]
    place = by_key % length
    count, copy, letter = (np.take_along_axis(one, place, axis=0) for one in (count, copy, column))
    short = count <= SLOTS
    later, none = by_key >= length, short & (by_key >= length)
    at = copy % SLOTS
    size = np.minimum(count - copy + at, SLOTS)
    sums = [letter_weights(k + 1) for k in range(SLOTS)]
    held = np.array([(some + SLOTS * [0])[:SLOTS] for some, _, _ in sums])  # [k, copy]
    whole = np.array([span for _, _, span in sums])
    few = np.minimum(count, SLOTS) - 1
    return _Entries(
        letter.astype(np.int64),
        place,
        copy,
        held=np.where(short, held[few, at], ~later) * ~none,
        placed=np.where(short | later, 1 << at, 0) * ~none,
        at=at,
        size=size,
        span=np.where(short, whole[few], np.where(later, 1 << size, size + 1)),
    )


def _pack(
    letters: Array, alphabet: int, copies: int, order: Array
) -> tuple[Array, Array, Array, Array, Array]:
    """Lay the blocks of every word into groups, each into the first that has room.

    Returns:
        starts, features, weights, radix and ranges, as in `PairCodes`.
    """
    entries = _entries(letters, order)
    most, words = entries.place.shape
    every = np.arange(words)
    ranges, filled = np.ones((most, words), np.int64), np.zeros((most, words), np.int64)  # of every group
    group, slot, before = (np.zeros((most, words), np.int64) for _ in range(3))  # of every entry
    groups = 1  # of these some may be empty still
    for e in range(most):
        size, span = entries.size[e], entries.span[e]
        room = (ranges[:groups] * span <= GROUP_RANGE) & (filled[:groups] + size <= SLOTS)
        first = (entries.at[e] == 0) & (entries.held[e] + entries.placed[e] > 0)
        mine = group[e] = np.where(first, room.argmax(0), group[e - 1])
        slot[e] = np.where(first, filled[mine, every], slot[e - 1] + 1)
        before[e] = np.where(first, ranges[mine, every], before[e - 1])
        ranges[mine, every] *= np.where(first, span, 1)
        filled[mine, every] += np.where(first, size, 0)
        groups = min(int(group.max()) + 2, most)
    used = (filled > 0).T
    starts = np.concatenate([[0], used.sum(1).cumsum()])
    features = np.full(starts[-1] * 2 * SLOTS, (letters.shape[1] + copies) * alphabet, np.uint16)
    weights = np.zeros(starts[-1] * 2 * SLOTS, np.uint8)
    where = (starts[:-1] + group) * 2 * SLOTS + 2 * slot
    for weight, row, feature in (
        (entries.held, letters.shape[1] + entries.copy, 0),
        (entries.placed, entries.place, 1),
    ):
        there = weight > 0
        features[where[there] + feature] = (row * alphabet + entries.letter)[there]
        weights[where[there] + feature] = (weight * before)[there]
    whole = ranges.T.astype(np.uint64).cumprod(axis=1)
    radix = np.concatenate([np.ones((words, 1), np.uint64), whole[:, :-1]], axis=1)
    shape = (-1, 2 * SLOTS)
    return starts, features.reshape(shape), weights.reshape(shape), radix[used], whole[:, -1].copy()


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
    starts, features, weights, radix, ranges = _pack(letters, alphabet, copies, order)
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

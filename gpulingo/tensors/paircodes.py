"""Pair codes: the marks of one guess as a dot product of small coefficients with 0/1 features of the target.

The features of a target are "letter x is at place i" and "has at least j copies of x". The marks of a guess
show, for each of its places, whether the letter is placed, and for the j-th copy of a letter, whether the
target has j copies; nothing more. So coefficients whose sums differ wherever these facts differ identify the
classes of that guess. Codes of different guesses are not comparable. The backends count the classes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gpulingo.tensors.arrays import Array, array_of
from gpulingo.tensors.checks import check_length
from gpulingo.tensors.wordtable import WordTable, most_copies

SLOTS = 5  # a slot is one place of a guess: its two features; five slots always fit a group
GROUP_RANGE = 256  # the codes of a group fit a byte
PLACES = 8  # bits of a byte


@dataclass(frozen=True, eq=False)
class PairCodes:
    """The coefficients of every guess.

    The code of guess g is the sum over its groups p in starts[g]:starts[g + 1] of radix[p] x the sum over the
    group's 10 features of coefficient x feature; each group's inner sum is below 256.
    Feature i * A + x is letter x at place i, N * A + (j - 1) * A + x at least j copies of x; the last one,
    `total` - 1, is a feature that no target has.
    """

    alphabet: int  # A letters
    copies: int  # most copies J of one letter in a word of the table
    total: int  # features, (N + J) * A + 1
    starts: Array  # [G + 1] int64, groups of each guess, at least one
    features: Array  # [P, 10] uint16
    coefficients: Array  # [P, 10] uint8
    radix: Array  # [P] uint64
    ranges: Array  # [G] uint64, one more than the largest code of each guess
    period: int = 0  # not 0: codes below period x (period - 1), all but the guess's own, are taken modulo it
    slots: Array = field(init=False)  # [P, 5] uint16, or uint32 if needed: rows of the next two arrays
    slot_features: Array = field(init=False)  # [Q, 2] uint16, the distinct slots
    slot_coefficients: Array = field(init=False)  # [Q, 2] uint8

    def __post_init__(self) -> None:
        pairs = np.concatenate([self.features.reshape(-1, 2), self.coefficients.reshape(-1, 2)], axis=1)
        kinds = pairs.astype(np.int64) @ np.array([1 << 32, 1 << 16, 1 << 8, 1])
        distinct, slots = np.unique(kinds, return_inverse=True)
        narrow = np.uint16 if len(distinct) <= 1 << 16 else np.uint32
        object.__setattr__(self, "slots", slots.reshape(-1, SLOTS).astype(narrow))
        columns = [distinct >> 32, distinct >> 16 & 0xFFFF, distinct >> 8 & 0xFF, distinct & 0xFF]
        object.__setattr__(self, "slot_features", np.stack(columns[:2], axis=1).astype(np.uint16))
        object.__setattr__(self, "slot_coefficients", np.stack(columns[2:], axis=1).astype(np.uint8))

    @property
    def dtype(self) -> type[np.unsignedinteger[Any]]:
        """The narrowest unsigned type for every code and one further number."""
        most = int(self.ranges.max())
        return next(t for t in (np.uint8, np.uint16, np.uint32, np.uint64) if most <= np.iinfo(t).max)


def letter_coefficients(copies: int) -> tuple[list[int], list[int], int]:
    """Return the coefficients of a letter that occurs `copies` times in the guess.

    If the target has c copies of the letter, at most c of its places are placed, so the placed bits, read as
    a binary number, are at most the sum of their c highest bits; sums with one more copy start above that.
    First those of "has at least j copies" for j = 1.., then those of "placed" for each copy, and the range:
    3, 8, 21, 54, 135 for one to five copies (every possible combination has a different sum).
    """
    contained = [1 if c == 0 else (1 << copies) - (1 << (copies - c)) + 1 for c in range(copies)]
    return contained, [1 << c for c in range(copies)], sum(contained) + (1 << copies)


@dataclass(frozen=True, eq=False)
class _Entries:
    """The letters of every word, in the order in which they are put into groups; each array is [E, W] int64.

    Neighbouring entries form a block: all copies of a letter, each with both its features. A letter with more
    than five copies has entries for "has at least j copies" first, then some for "placed", five per block.
    Coefficients are still to be multiplied by the range of the group's earlier blocks; 0: the feature is not
    used. Both are 0 if a word has fewer entries than others.
    """

    letter: Array
    place: Array
    copy: Array  # from 0
    contained: Array  # coefficient
    placed: Array  # coefficient
    index: Array  # in its block
    size: Array  # of its block
    span: Array  # factor by which the block multiplies the range of its group


def _entries(letters: Array, order: Array) -> _Entries:
    """Return the letters, those with most copies first, because they are hardest to fit; then as given."""
    length = letters.shape[1]
    column = letters.T.copy()  # [N, W]
    count = np.stack([(column == row).sum(0) for row in column])
    copy = np.stack([(column[:i] == column[i]).sum(0) for i in range(length)])
    key = ((length - count) * len(order) + order[column]) * 2 * length + copy
    if count.max() > SLOTS:
        # An entry for "placed" too; unused ones go to the end.
        key = np.concatenate([key, np.where(count > SLOTS, key + length, np.iinfo(np.int64).max)])
    by_key = key.argsort(axis=0)  # [E, W]
    place = by_key % length
    count, copy, letter = (np.take_along_axis(array, place, axis=0) for array in (count, copy, column))
    short = count <= SLOTS
    later, none = by_key >= length, short & (by_key >= length)
    index = copy % SLOTS
    size = np.minimum(count - copy + index, SLOTS)
    sums = [letter_coefficients(k + 1) for k in range(SLOTS)]
    contained = np.array([(coefficients + SLOTS * [0])[:SLOTS] for coefficients, _, _ in sums])  # [k, copy]
    whole = np.array([span for _, _, span in sums])
    few = np.minimum(count, SLOTS) - 1
    return _Entries(
        letter.astype(np.int64),
        place,
        copy,
        contained=np.where(short, contained[few, index], ~later) * ~none,
        placed=np.where(short | later, 1 << index, 0) * ~none,
        index=index,
        size=size,
        span=np.where(short, whole[few], np.where(later, 1 << size, size + 1)),
    )


@dataclass(frozen=True, eq=False)
class _Groups:
    """Layout of the entries of every word; axes as in `_Entries`, groups as many as there are entries."""

    ranges: Array  # [E, W] of every group, the product of its blocks' spans
    filled: Array  # [E, W] of every group, its slots in use
    group: Array  # [E, W] of every entry, its group
    slot: Array  # [E, W] of every entry, its slot in the group
    before: Array  # [E, W] of every entry, the range of the group's earlier blocks


def _grouped(entries: _Entries) -> _Groups:
    """Lay the blocks of every word into groups, each into the first that has room."""
    shape = entries.place.shape
    every_word = np.arange(shape[1])
    laid = _Groups(np.ones(shape, np.int64), *(np.zeros(shape, np.int64) for _ in range(4)))
    ranges, filled = laid.ranges, laid.filled
    groups = 1  # the last of them may still be empty
    for e in range(shape[0]):
        size, span = entries.size[e], entries.span[e]
        room = (ranges[:groups] * span <= GROUP_RANGE) & (filled[:groups] + size <= SLOTS)
        there = entries.contained[e] + entries.placed[e] > 0
        begins = (entries.index[e] == 0) & there  # a block
        group = laid.group[e] = np.where(begins, room.argmax(0), laid.group[e - 1])
        laid.slot[e] = np.where(begins, filled[group, every_word], laid.slot[e - 1] + 1)
        laid.before[e] = np.where(begins, ranges[group, every_word], laid.before[e - 1])
        ranges[group, every_word] *= np.where(begins, span, 1)
        filled[group, every_word] += np.where(begins, size, 0)
        groups = min(int(laid.group.max()) + 2, shape[0])
    return laid


def _written(
    entries: _Entries, laid: _Groups, starts: Array, length: int, alphabet: int
) -> tuple[Array, Array]:
    """Features and coefficients of the groups that begin at `starts`, as in `PairCodes`."""
    none = (length + int(entries.copy.max()) + 1) * alphabet  # the feature that no target has
    features = np.full(starts[-1] * 2 * SLOTS, none, np.uint16)
    coefficients = np.zeros(starts[-1] * 2 * SLOTS, np.uint8)
    place = (starts[:-1] + laid.group) * 2 * SLOTS + 2 * laid.slot
    for coefficient, row, second in (
        (entries.contained, length + entries.copy, 0),
        (entries.placed, entries.place, 1),
    ):
        there = coefficient > 0
        features[place[there] + second] = (row * alphabet + entries.letter)[there]
        coefficients[place[there] + second] = (coefficient * laid.before)[there]
    return features.reshape(-1, 2 * SLOTS), coefficients.reshape(-1, 2 * SLOTS)


def pair_codes(table: WordTable) -> PairCodes:
    """Coefficients of every word of a table, as numpy arrays on the CPU."""
    check_length(table.length)
    letters = array_of(table.letters)
    alphabet, copies = len(table.alphabet), most_copies(letters)
    total = (table.length + copies) * alphabet + 1
    # Letters that many words have get small coefficients: then most codes are small, and counts by code stay
    # within few cache lines.
    holders = np.array([(letters == x).any(1).sum() for x in range(alphabet)])
    entries = _entries(letters, np.argsort(np.argsort(-holders, kind="stable")))
    laid = _grouped(entries)
    used = (laid.filled > 0).T
    starts = np.concatenate([[0], used.sum(1).cumsum()])
    features, coefficients = _written(entries, laid, starts, table.length, alphabet)
    products = laid.ranges.T.astype(np.uint64).cumprod(axis=1)
    radix = np.concatenate([np.ones((table.words, 1), np.uint64), products[:, :-1]], axis=1)[used]
    ranges = products[:, -1].copy()
    return PairCodes(alphabet, copies, total, starts, features, coefficients, radix, ranges)


def place_codes(table: WordTable) -> PairCodes:
    """Return coefficients of guessed letters, which show their places, and of words, which show nothing.

    Guess W + x is letter x of the alphabet; its code has one bit per place, eight per group.
    """
    check_length(table.length)
    words, length, alphabet = table.words, table.length, len(table.alphabet)
    none = length * alphabet  # the feature that no target has
    groups = -(-length // PLACES)
    counts = np.repeat([1, groups], [words, alphabet])
    features = np.full((int(counts.sum()), 2 * SLOTS), none, np.uint16)
    coefficients = np.zeros(features.shape, np.uint8)
    radix = np.ones(len(features), np.uint64)
    for place in range(length):
        rows = words + np.arange(alphabet) * groups + place // PLACES
        features[rows, place % PLACES] = place * alphabet + np.arange(alphabet)
        coefficients[rows, place % PLACES] = 1 << place % PLACES
        radix[rows] = GROUP_RANGE ** (place // PLACES)
    ranges = np.repeat(np.array([1, 1 << length], np.uint64), [words, alphabet])
    starts = np.concatenate([[0], counts.cumsum()])
    return PairCodes(alphabet, 0, none + 1, starts, features, coefficients, radix, ranges)


def count_codes(table: WordTable, placed: int, held: int, period: int = 0) -> PairCodes:
    """Return coefficients of words where feedback is only numbers of letters; groups of radix 1 add up.

    `placed` is the coefficient of a placed letter, in addition to that of its copy, `held` that of a copy in
    the target; five of both are below 256.
    """
    check_length(table.length)
    letters = array_of(table.letters)
    (words, length), alphabet, copies = letters.shape, len(table.alphabet), most_copies(letters)
    total, groups = (length + copies) * alphabet + 1, -(-length // SLOTS)
    features = np.full((words * groups, 2 * SLOTS), total - 1, np.uint16)
    coefficients = np.zeros(features.shape, np.uint8)
    for place in range(length):
        rows, slot = np.arange(words) * groups + place // SLOTS, 2 * (place % SLOTS)
        letter = letters[:, place].astype(np.int64)
        copy = (letters[:, :place] == letters[:, place, None]).sum(1)
        features[rows, slot], coefficients[rows, slot] = (length + copy) * alphabet + letter, held
        features[rows, slot + 1], coefficients[rows, slot + 1] = place * alphabet + letter, placed
    ranges = np.full(words, length * (placed + held) + 1, np.uint64)
    starts, radix = np.arange(words + 1) * groups, np.ones(len(features), np.uint64)
    return PairCodes(alphabet, copies, total, starts, features, coefficients, radix, ranges, period)


def folded(codes: Array, period: int) -> Array:
    """Return the codes reduced by `PairCodes.period`."""
    return np.where(codes < period * (period - 1), codes % max(period, 1), codes)

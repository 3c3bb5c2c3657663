"""Pair codes: the marks of one guess as a dot product of small coefficients with 0/1 features of the target.

The features of a target are "letter x is at place i" and "has at least j copies of x". The marks of a guess
show, for each of its places, whether the letter is placed, and for the j-th copy of a letter, whether the
target has j copies; nothing more. So coefficients whose sums differ wherever these facts differ identify the
classes of that guess. Codes of different guesses are not comparable. The backends count the classes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from gpulingo.tensors.arrays import Array, array_of
from gpulingo.tensors.checks import check_length, narrowest
from gpulingo.tensors.wordtable import WordTable, most_copies

SLOTS = 5  # a slot is one place of a guess: its two features; five slots always fit a group
GROUP_RANGE = 256  # the codes of a group fit a byte
PLACES = 8  # bits of a byte


class PairCodes(NamedTuple):
    """The coefficients of every guess, as kernels read them.

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
    widest: int  # the greatest of them
    period: int  # not 0: codes below period x (period - 1), all but the guess's own, are taken modulo it
    folded: Array  # the code that each counts as, if there is a period; otherwise empty
    slots: Array  # [P, 5] uint16, or uint32 if needed: rows of the next two arrays
    slot_features: Array  # [Q, 2] uint16, the distinct slots
    slot_coefficients: Array  # [Q, 2] uint8

    @property
    def dtype(self) -> type[Any]:
        """The narrowest unsigned type for every code and one further number."""
        return self.folded.dtype.type


def _completed(
    alphabet: int, copies: int, total: int, starts: Array, features: Array, coefficients: Array, radix: Array,
    ranges: Array, period: int = 0,
) -> PairCodes:  # fmt: skip
    """Return pair codes with what follows from these fields."""
    widest = int(ranges.max())
    kind = narrowest(widest, "uint8", "uint16", "uint32", "uint64")
    pairs = np.concatenate([features.reshape(-1, 2), coefficients.reshape(-1, 2)], axis=1).astype(np.int64)
    distinct, slots = np.unique(pairs @ np.array([1 << 32, 1 << 16, 1 << 8, 1]), return_inverse=True)
    columns = [distinct >> 32, distinct >> 16 & 0xFFFF, distinct >> 8 & 0xFF, distinct & 0xFF]
    return PairCodes(
        alphabet, copies, total, starts, features, coefficients, radix, ranges, widest, period,
        folded(np.arange(widest if period else 0), period).astype(kind),
        slots.reshape(-1, SLOTS).astype(narrowest(len(distinct) - 1, "uint16", "uint32")),
        np.stack(columns[:2], axis=1).astype(np.uint16), np.stack(columns[2:], axis=1).astype(np.uint8),
    )  # fmt: skip


def letter_coefficients(copies: int) -> tuple[list[int], list[int], int]:
    """Return the coefficients of a letter that occurs `copies` times in the guess.

    If the target has c copies of the letter, at most c of its places are placed, so the placed bits, read as
    a binary number, are at most the sum of their c highest bits; sums with one more copy start above that.
    First those of "has at least j copies" for j = 1.., then those of "placed" for each copy, and the range:
    3, 8, 21, 54, 135 for one to five copies (every possible combination has a different sum).
    """
    contained = [1 if c == 0 else (1 << copies) - (1 << (copies - c)) + 1 for c in range(copies)]
    return contained, [1 << c for c in range(copies)], sum(contained) + (1 << copies)


def _blocks(counts: Sequence[int]) -> Iterator[tuple[range, list[int], list[int], int]]:
    """Yield the blocks of a word: neighbouring letters, the coefficients of their two features, the range.

    Letters are sorted, each with the number of its copies. All copies of a letter are one block; those of a
    letter with more than five are blocks of "has at least j copies", then of "placed", five in each.
    """
    first = 0
    while first < len(counts):
        end = first + counts[first]
        if end - first <= SLOTS:
            yield range(first, end), *letter_coefficients(end - first)
        else:
            parts = [range(start, min(start + SLOTS, end)) for start in range(first, end, SLOTS)]
            for part in parts:
                yield part, [1] * len(part), [0] * len(part), len(part) + 1
            for part in parts:
                yield part, [0] * len(part), [1 << k for k in range(len(part))], 1 << len(part)
        first = end


def _layout(counts: Sequence[int]) -> tuple[list[int], Array]:
    """Lay the blocks of a word into groups, each into the first that has room.

    Returns the range of each group, and [4, E] of the features: letter, group, column, coefficient.
    """
    ranges, rows = [1], [list[tuple[int, int, int, int]]()]  # by group; the last is empty
    for letters, contained, placed, span in _blocks(counts):
        group = next(
            p for p, row in enumerate(rows)
            if ranges[p] * span <= GROUP_RANGE and len(row) // 2 + len(letters) <= SLOTS
        )  # fmt: skip
        for letter, *both in zip(letters, contained, placed, strict=True):
            rows[group] += [(letter, group, len(rows[group]) + k, both[k] * ranges[group]) for k in range(2)]
        ranges[group] *= span
        if rows[-1]:
            ranges, rows = [*ranges, 1], [*rows, []]
    return ranges[:-1], np.array([feature for row in rows for feature in row if feature[3]]).T


def pair_codes(table: WordTable) -> PairCodes:
    """Coefficients of every word of a table, as numpy arrays on the CPU."""
    check_length(table.length)
    letters = array_of(table.letters)
    alphabet, copies = len(table.alphabet), most_copies(letters)
    total = (table.length + copies) * alphabet + 1
    # Letters that many words have get small coefficients: then most codes are small, and counts by code stay
    # within few cache lines. Before them come those with most copies, because they are hardest to fit.
    holders = np.array([(letters == x).any(1).sum() for x in range(alphabet)])
    order = np.argsort(np.argsort(-holders, kind="stable"))
    same = letters[:, :, None] == letters[:, None]  # [W, N, N]
    count, copy = same.sum(2), np.tril(same, -1).sum(2)
    place = np.argsort((table.length - count) * alphabet + order[letters], axis=1, kind="stable")
    letter, count, copy = (np.take_along_axis(row, place, axis=1) for row in (letters, count, copy))
    # Words with as many copies of their letters have one layout; bytes are sorted faster than rows.
    kinds, kind = np.unique(count.astype(np.uint8).view(f"S{table.length}")[:, 0], return_inverse=True)
    layouts = [_layout(counts) for counts in kinds.tolist()]
    groups = np.array([len(spans) for spans, _ in layouts])
    starts = np.concatenate([[0], groups[kind].cumsum()])
    features = np.full((starts[-1], 2 * SLOTS), total - 1, np.uint16)
    coefficients = np.zeros(features.shape, np.uint8)
    radix, ranges = np.empty(starts[-1], np.uint64), np.empty(table.words, np.uint64)
    rows = np.stack([table.length + copy, place])  # of features, by column: see `PairCodes`
    for number, (spans, (which, group, column, coefficient)) in enumerate(layouts):
        words = np.flatnonzero(kind == number)[:, None]
        products = np.cumprod([1, *spans], dtype=np.uint64)
        radix[starts[words] + np.arange(len(spans))], ranges[words] = products[:-1], products[-1]
        features[starts[words] + group, column] = (
            rows[column % 2, words, which] * alphabet + letter[words, which]
        )
        coefficients[starts[words] + group, column] = coefficient
    return _completed(alphabet, copies, total, starts, features, coefficients, radix, ranges)


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
    return _completed(alphabet, 0, none + 1, starts, features, coefficients, radix, ranges)


def count_codes(table: WordTable, placed: int, held: int, period: int = 0) -> PairCodes:
    """Return coefficients of words where feedback is only numbers of letters; groups of radix 1 add up.

    `placed` is the coefficient of a placed letter, in addition to that of its copy, `held` that of a copy in
    the target; five of both are below 256.
    """
    check_length(table.length)
    letters = array_of(table.letters)
    (words, length), alphabet, copies = letters.shape, len(table.alphabet), most_copies(letters)
    total, groups = (length + copies) * alphabet + 1, -(-length // SLOTS)
    copy = np.tril(letters[:, :, None] == letters[:, None], -1).sum(2)
    features = np.full((words, groups * SLOTS, 2), total - 1, np.uint16)
    features[:, :length, 0] = (length + copy) * alphabet + letters
    features[:, :length, 1] = np.arange(length) * alphabet + letters
    coefficients = np.zeros(features.shape, np.uint8)
    coefficients[:, :length] = held, placed
    rows = features.reshape(-1, 2 * SLOTS), coefficients.reshape(-1, 2 * SLOTS)
    ranges = np.full(words, length * (placed + held) + 1, np.uint64)
    starts, radix = np.arange(words + 1) * groups, np.ones(words * groups, np.uint64)
    return _completed(alphabet, copies, total, starts, *rows, radix, ranges, period)


def folded(codes: Array, period: int) -> Array:
    """Return the codes reduced by `PairCodes.period`."""
    return np.where(codes < period * (period - 1), codes % max(period, 1), codes)

"""`LineSearch`: the shortest lines of guesses against a host who keeps the largest class, as in `hosts`.

Lines of three guesses are counted by the sets that the second guess leaves.

Other first guesses leave many of the same sets, so counts of a set are stored in a table that threads share.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np

from gpulingo.solvers.depth_first import fill
from gpulingo.solvers.transpositions import GUESS, NOWHERE, UNKNOWN, UPPER, new_rows, row_of, write
from gpulingo.solvers.words.labelling import classes_of
from gpulingo.tensors.arrays import Array, Tensor, array_of, like
from gpulingo.tensors.cpu.compile import compiled, inner, making_arrays
from gpulingo.tensors.cpu.most_classes import highest
from gpulingo.tensors.cpu.scan import pattern_of
from gpulingo.tensors.operations import class_counts
from gpulingo.tensors.outcomes import Kept, Lines
from gpulingo.tensors.threads import shared
from gpulingo.tensors.wordtable import WordTable

MOST_MEMORY = 1 << 28  # bytes of the table of counts
GUESSES = 1 << 9  # guesses per work item of a thread
MOST_GUESSES = 3  # longest lines that `shortest` finds; longer ones are built from them
PAIRS = 16  # pairs of words for which all guesses are tested at once, before each is tested alone
BLOCK = 64  # guesses whose labels are copied together


by_classes = compiled(highest.py_func)  # for Python


class HostTable(NamedTuple):
    """Labels of the targets, their hash numbers, and what is known of sets."""

    labels: Array  # [P, T] as by `host_labels`
    numbers: Array  # [T, 2] uint64: of each target; their sums hash a set
    known: Array  # [E, 4] int64, as in `transpositions`: the bound is a count of guesses, the guess its check


@inner
def find_known(known, key, check):
    """Return the stored count of a set, or UNKNOWN.

    Threads write while others read, one number at a time: a count that does not match its check is not known.
    """
    here = row_of(known, key, check)
    if here == NOWHERE or known[here, GUESS] != check ^ known[here, UPPER]:
        return np.int64(UNKNOWN)
    return known[here, UPPER]


@making_arrays
def look_up(known, keys):
    """Return the stored counts of sets, 0 for rows without a set; and the places of the unknown ones."""
    counts = np.zeros(keys.shape[0], np.int64)
    for g in range(keys.shape[0]):
        if keys[g, 0] != 0:
            counts[g] = find_known(known, keys[g, 0], keys[g, 1])
    return counts, np.flatnonzero(counts < 0)


def host_labels(table: WordTable, memory: int) -> tuple[Array, int]:
    """[P, T] uint8 to uint32, the class of each target by each guess of the pool; and the most classes."""
    guesses, words = array_of(table.pool), array_of(table.targets)
    most = int(array_of(class_counts(table, table.targets)).max())
    kind = np.dtype(np.uint8 if most <= 256 else np.uint16 if most <= 1 << 16 else np.uint32)
    size = len(guesses) * len(words) * kind.itemsize
    if size > memory:
        seen = f"{len(guesses):,} guesses and {len(words):,} targets take {size:,} bytes"
        raise ValueError(f"{seen}, expected at most {memory:,}: allow more memory, or take fewer targets")
    letters, labels = array_of(table.letters), classes_of(table, words)

    def ordered(first: int) -> None:
        block = slice(first, first + GUESSES)
        order_classes(letters, guesses[block], words, labels[block])

    shared(partial(ordered, first) for first in range(0, len(guesses), GUESSES))
    return labels, most


@making_arrays
def order_classes(letters, guesses, words, labels):
    """Number the classes of n words by fewest placed letters, fewest misplaced ones, and the smaller pattern.

    `labels`: [G, n], their numbers from 0, in the order of their first words, changed in place.
    """
    first, number, spare = np.empty_like(words), np.empty_like(words), np.zeros(256, np.int64)
    patterns, marked = np.empty(words.shape[0], np.int64), np.empty(words.shape[0], np.int64)
    for g in range(guesses.shape[0]):
        classes = 0
        for t in range(words.shape[0]):
            if labels[g, t] == classes:
                first[classes] = t
                classes += 1
        for c in range(classes):
            code = pattern_of(letters[guesses[g]], letters[words[first[c]]], spare)
            patterns[c], marked[c] = code, 0
            for _ in range(letters.shape[1]):
                digit = code % 3
                marked[c] += (letters.shape[1] + 1) * (digit == 2) + (digit == 1)
                code //= 3
        order = np.argsort(patterns[:classes])
        number[order[np.argsort(marked[order], kind="mergesort")]] = np.arange(classes)
        for t in range(words.shape[0]):
            labels[g, t] = number[labels[g, t]]


class Classes(NamedTuple):
    """Classes of one set by every guess of the pool."""

    sizes: Array  # [P] int32: words in the class that is kept
    kept: Array  # [P] int32: its label
    counts: Array  # [P] int32: classes


class LineSearch:
    """A search for the shortest lines of guesses against a host that keeps the largest class.

    Several threads may use it.

    Args:
        table: the words; its feedback is marks.
        memory: bytes; the classes of all targets by every guess must fit.
    Raises:
        ValueError: the memory is too small.

    >>> from gpulingo import encode
    >>> table = encode(["dents", "dozes", "reads"])
    >>> LineSearch(table, 1 << 20).shortest(table.targets, limit=3)
    Lines(guesses=2, lines=3)
    """

    def __init__(self, table: WordTable, memory: int) -> None:
        table = table.here
        self._targets, self._pool = array_of(table.targets), array_of(table.pool)
        labels, self._most = host_labels(table, memory)
        known = new_rows(min(MOST_MEMORY, memory - labels.nbytes))
        numbers = np.random.default_rng(0).integers(1, 1 << 64, (len(self._targets), 2), dtype=np.uint64)
        self._host = HostTable(labels, numbers, known)

    def kept(self, members: Tensor) -> Kept:
        """Return the class that the host keeps of [n] int32 targets, after every guess of the pool."""
        columns, classes = self._parted(members)
        keys = hash_kept(self._host, columns, classes, 0, len(columns))
        _, first, group = np.unique(keys, axis=0, return_index=True, return_inverse=True)
        return Kept(classes.sizes.astype(np.int64), first[group.reshape(-1)])

    def after(self, members: Tensor, guess: int) -> Tensor:
        """Return [m] int32: the members left after a guess of the pool, given as its index into the table."""
        row = self._host.labels[np.searchsorted(self._pool, guess)][self._columns(members)]
        return members[like(row == np.bincount(row).argmax(), members)]

    def shortest(self, members: Tensor, limit: int) -> Lines:
        """Return the shortest lines that end a round, if they have at most `limit` guesses, 1 to 3."""
        if members.shape[0] == 1:
            return Lines(1, 1)
        if limit < 2:
            return Lines()
        columns = self._columns(members)
        # A set with more words than any guess has classes cannot be split into single words.
        few = len(columns) <= self._most
        pairs = int(splitters(self._host.labels, columns, np.zeros(self._most, np.int64))) if few else 0
        if pairs or limit < 3:
            return Lines(2, pairs) if pairs else Lines()
        triples = self._three(*self._parted(members))
        return Lines(3, triples) if triples else Lines()

    def _three(self, columns: Array, classes: Classes) -> int:
        """Return the number of lines of three guesses of a set that has none of two."""
        low, most = int(classes.sizes.min()), int(classes.counts.max())
        if low > most:
            return 0
        keys = hash_kept(self._host, columns, classes, 2, min(most, len(columns) - 1))
        counts, missing = look_up(self._host.known, keys)
        if len(missing):
            low = int(classes.sizes[missing].min())
            starts, order = np.zeros(most - low + 3, np.int64), np.empty(len(counts), np.int32)
            order = order[: by_classes(classes.counts, low - 1, most, starts, order)]  # see `count_missing`
            rows = np.empty((len(columns), len(order)), self._host.labels.dtype)
            tile = np.empty((len(columns), BLOCK), rows.dtype)
            copy_labels(self._host.labels, order, columns, tile, rows)
            stamps = np.zeros(self._most, np.int64)
            count_missing(self._host, columns, classes, keys, missing, rows, starts, most, stamps, counts)
        return int(counts.sum())

    def _columns(self, members: Tensor) -> Array:
        """Return the positions of the members among the targets."""
        return np.searchsorted(self._targets, array_of(members))

    def _parted(self, members: Tensor) -> tuple[Array, Classes]:
        """Return the columns of a set, and its classes by every guess."""
        columns, guesses = self._columns(members), len(self._host.labels)
        classes = Classes(*(np.empty(guesses, np.int32) for _ in Classes._fields))
        tally_classes(self._host.labels, columns, np.zeros((4, self._most), np.int32), classes)
        return columns, classes


@compiled
def tally_classes(labels, columns, tally, classes):
    """Count the classes of a set by every guess; on ties the largest class of the first label is kept.

    `tally` is [4, labels] int32; four, because a count waits for the previous one at the same place.
    """
    n = columns.shape[0]
    for g in range(labels.shape[0]):
        row = labels[g]
        for q in range(4):
            fill(tally[q], 0)
        for t in range(0, n - 3, 4):
            for q in range(4):
                tally[q, row[columns[t + q]]] += 1
        for t in range(n // 4 * 4, n):
            tally[0, row[columns[t]]] += 1
        most, count, kept = np.int32(0), np.int32(0), 0
        for label in range(tally.shape[1]):
            size = tally[0, label] + tally[1, label] + tally[2, label] + tally[3, label]
            tally[0, label] = size
            count += size > 0
            most = max(most, size)
        while tally[0, kept] != most:
            kept += 1
        classes.sizes[g], classes.kept[g], classes.counts[g] = most, kept, count


@making_arrays
def hash_kept(host, columns, classes, least, most):
    """Return [P, 2] int64: sums that identify each kept set of `least` to `most` words; 0 for the others."""
    n, keys = columns.shape[0], np.zeros((classes.sizes.shape[0], 2), np.int64)
    first, second = host.numbers[columns, 0], host.numbers[columns, 1]
    for g in range(classes.sizes.shape[0]):
        if classes.sizes[g] < least or classes.sizes[g] > most:
            continue
        row, kept = host.labels[g], classes.kept[g]
        key, check = np.uint64(0), np.uint64(0)
        for t in range(n):
            inside = np.uint64(0) - np.uint64(row[columns[t]] == kept)  # all bits or none: no branch
            key += first[t] & inside
            check += second[t] & inside
        keys[g, 0], keys[g, 1] = np.int64(key) | 1, np.int64(check)
    return keys


@compiled
def copy_labels(labels, order, columns, tile, rows):
    """rows[t, k] = labels[order[k], columns[t]].

    Through a tile, [n, BLOCK], because single writes to distant rows are slow.
    """
    for first in range(0, order.shape[0], BLOCK):
        last = min(first + BLOCK, order.shape[0])
        for k in range(first, last):
            row = labels[order[k]]
            for t in range(columns.shape[0]):
                tile[t, k - first] = row[columns[t]]
        for t in range(columns.shape[0]):
            for k in range(first, last):
                rows[t, k] = tile[t, k - first]


@compiled
def splitters(labels, columns, stamps):
    """Count the guesses that split a set into single words; `stamps` is zeros, a number per label."""
    count = 0
    for g in range(labels.shape[0]):
        count += _is_split(labels[g], columns, stamps, g + 1)
    return count


@inner
def _is_split(labels, words, stamps, stamp):
    """Return True if no two words have a label; `stamps`, a number per label, are below this one."""
    for t in words:
        if stamps[labels[t]] == stamp:
            return False
        stamps[labels[t]] = stamp
    return True


@making_arrays
def count_missing(host, columns, classes, keys, missing, rows, starts, most, stamps, counts):
    """Count the guesses that split each of the missing sets into single words, and store the counts.

    `rows` are [n, K] labels of the guesses, those that make most classes of the whole set first; `starts`:
    how many of them make most - k classes or more. A guess with fewer classes than a set has words cannot
    split that set into single words.
    """
    n, used = columns.shape[0], 0
    kept, fit = np.empty(n, np.int64), np.empty(rows.shape[1], np.uint8)
    left = np.empty(rows.shape[1] + 1, np.int64)
    for place in range(missing.shape[0]):
        g = missing[place]
        counts[g] = find_known(host.known, keys[g, 0], keys[g, 1])  # another guess may leave the same set
        if counts[g] >= 0:
            continue
        row, size = host.labels[g], 0
        for t in range(n):
            if row[columns[t]] == classes.kept[g]:
                kept[size] = t
                size += 1
        many = part_pairs(rows, kept, size, starts[most - size], fit, left)
        count = 0
        for k in range(many):
            used += 1
            count += _is_split(rows[:, left[k]], kept[:size], stamps, used)
        counts[g] = count
        write(host.known, keys[g, 0], keys[g, 1], count, keys[g, 1] ^ count)


@inner
def part_pairs(rows, kept, size, width, fit, left):
    """Keep those of the first guesses that split some pairs of words; return how many are left.

    Neighbours in the list come first, because they are often similar.
    """
    fill(fit[:width], 1)
    first, apart = 0, 1
    for _ in range(min(PAIRS, size * (size - 1) // 2)):
        labels, others = rows[kept[first]], rows[kept[first + apart]]
        for k in range(width):
            fit[k] &= labels[k] != others[k]
        first += 1
        if first + apart == size:
            first, apart = 0, apart + 1
    many = 0
    for k in range(width):
        left[many] = k
        many += fit[k]
    return many

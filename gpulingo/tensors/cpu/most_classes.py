"""`most_classes` and `greatest_capped` on the CPU: kernels, and work items for threads."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpulingo.tensors.arrays import Array, Tensor, array_of, like
from gpulingo.tensors.cpu.class_sizes import FREE, MOST, worth_of_row
from gpulingo.tensors.cpu.codes import bits_size, fill_bits, room
from gpulingo.tensors.cpu.compile import compiled, inner
from gpulingo.tensors.cpu.rank import program_of, rank, worth_of
from gpulingo.tensors.cpu.scan import scan_many, scratch
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Progress, classes
from gpulingo.tensors.outcomes import CappedClasses
from gpulingo.tensors.threads import shared, threads
from gpulingo.tensors.wordtable import WordTable

SMALL = 100  # words of the largest set that is ranked: there limits save less than they take
MANY = 256  # most guesses of a set that are tried before limits are compared with the best again
ITEMS = 4  # blocks of guesses, or of sets, for each thread
SETS = 16  # most sets of a block: each block makes its own working memory
ROOM = (1 << 31) - 1  # above the size of any class
FEW = 16  # with more classes than this per word, a set is processed word by word


def most_classes(table: WordTable, sets: Frontier, progress: Progress | None = None) -> Tensor:
    """As `operations.most_classes`; guesses of large sets are tried by their limits, see `fill_limits`."""
    members, offsets = array_of(sets.members), array_of(sets.offsets)
    sizes = np.diff(offsets)
    most = sizes + 1  # right for sets of one or two words
    small = np.flatnonzero((sizes > 2) & (sizes <= SMALL))
    if len(small):
        ranked = sets.take(like(small, sets.members))
        objective = classes(int(sizes[small].max()), bonus=1)
        most[small] = array_of(rank(table, ranked, table.pool, objective, 1, progress).ranks[:, 0])
    order = np.flatnonzero(sizes > SMALL)
    order = order[np.argsort(-sizes[order], kind="stable")]  # the longest work first
    program, words = program_of(table), (array_of(table.letters), array_of(table.pool))

    def most_of(chosen: Array) -> tuple[Array, int]:
        n = int(sizes[chosen].max())
        worth, bits = worth_of(classes(n, 1), n), room(bits_size(n, program.total), np.uint64)
        keys, best = np.full(len(chosen), FREE), np.empty(1, np.int32)
        # Candidates have bit 0 in the first row and bit 1 in the second: each stage of a scan reads its row.
        states = np.stack([np.zeros(table.guesses, np.uint8), np.ones(table.guesses, np.uint8)])
        spaces = np.empty((2, table.guesses), np.int32), np.empty(n + 2, np.int64)
        marks = np.empty((2, table.length, len(table.alphabet)), np.int64)
        scan = (bits, program, worth, scratch(n, program, worth), keys, best)
        pairs = under_each(chosen, members, offsets, *words, marks, states, *spaces, *scan)
        return keys >> 1, pairs

    parts = max(ITEMS * threads(), len(order) // SETS)
    items = [order[part::parts] for part in range(min(parts, len(order)))]
    done = None if progress is None else lambda result: progress(result[1])
    results = shared([partial(most_of, item) for item in items], done)
    for chosen, (values, _) in zip(items, results, strict=True):
        most[chosen] = values
    return like(most, sets.members)


@compiled
def under_each(
    chosen, members, offsets, letters, pool, marks, states, spaces, starts,
    bits, program, worths, work, keys, best,
):  # fmt: skip
    """Write the most classes of each of the chosen sets to `keys`; return the pairs evaluated.

    `states` are [2, W] uint8, one row for each stage of a scan; `spaces` [2, W] int32, `marks` [2, N, A] and
    `starts`, two more than the largest set, are written.
    """
    limits, pairs = spaces[0], 0
    for k in range(chosen.shape[0]):
        candidates = members[offsets[chosen[k]] : offsets[chosen[k] + 1]]
        n = candidates.shape[0]
        fill_bits(letters, candidates, program, bits[: bits_size(n, program.total)], work.letters)
        fill_limits(letters, candidates, pool, marks[0], marks[1], limits)
        for t in range(n):
            limits[candidates[t]] += 1
            states[0, candidates[t]], states[1, candidates[t]] = 1, 3
        starts[: n + 2] = 0
        scan = (bits, program, worths, work, keys[k : k + 1], best)
        pairs += under(n, states, limits, spaces[1], starts, *scan)
        for t in range(n):
            states[0, candidates[t]], states[1, candidates[t]] = 0, 1
    return pairs


@inner
def fill_limits(letters, candidates, pool, marks, rare, limits):
    """Write for each guess of the pool an upper bound of its classes of the candidates; 0 for other words.

    A letter shows one of `marks` at its place, and all but `rare` candidates show the same: so with it there
    are at most `marks` times as many classes as without, and at most `rare` more.
    """
    n, length = candidates.shape[0], letters.shape[1]
    marks[:], limits[:] = 0, 0
    for word in candidates:
        for i in range(length):
            marks[i, letters[word, i]] += 1
    for x in range(marks.shape[1]):
        copies = 0
        for i in range(length):
            copies += marks[i, x]
        for i in range(length):
            placed = marks[i, x]
            rare[i, x] = min(copies, n - placed)  # most are marked alike: the letter is absent, or placed
            marks[i, x] = 1 if rare[i, x] == 0 else 2 + (placed > 0)
    for g in pool:
        first, last = 1, 1  # from the first letter on, and from the last
        for i in range(length):
            x, j = letters[g, i], length - 1 - i
            first = min(first * marks[i, x], first + rare[i, x])
            x = letters[g, j]
            last = min(last * marks[j, x], last + rare[j, x])
        limits[g] = min(first, last, n)


@inner
def under(n, states, limits, guesses, starts, bits, program, worths, work, keys, best):
    """Try guesses for one set of n, the highest limit first, until none is above the best; return pairs."""
    words, worth = limits.shape[0], worth_of_row(worths, 0)
    first = 0
    for g in range(words):
        if limits[g] > limits[first]:
            first = g
    guesses[0] = first
    coded, lo, hi, most = 0, 0, 1, 1
    while lo < hi and limits[guesses[lo]] > keys[0] >> 1:
        for stage in range(2):
            stretch = (guesses, lo, hi, stage, states[stage], n)
            coded += scan_many(*stretch, program, bits, worth, work, keys, best, MOST)
        lo = hi
        if coded == 1:  # only now is it known which other guesses need sorting
            limits[first] = 0
            most, lo = highest(limits, keys[0] >> 1, n + 1, starts, guesses), 0
        hi = min(lo + min(lo + 1, MANY), most)
    return coded * n


@inner
def highest(limits, least, most, starts, order):
    """Write the guesses with limits above `least` to `order`, the highest first; return their number.

    No limit is above `most`.
    """
    for g in range(limits.shape[0]):
        if limits[g] > least:
            starts[most - limits[g] + 1] += 1
    for k in range(most - least):
        starts[k + 1] += starts[k]
    many = starts[most - least]
    for g in range(limits.shape[0]):
        if limits[g] > least:
            order[starts[most - limits[g]]] = g
            starts[most - limits[g]] += 1
    return many


def greatest_capped(
    capped: CappedClasses, front: Frontier, most: Tensor, progress: Progress | None = None
) -> Tensor:
    """As `operations.greatest_capped`."""
    members, rows = unsigned(array_of(front.members)), unsigned(array_of(capped.classes))
    offsets, limits = array_of(front.offsets), array_of(capped.caps)
    room = array_of(most).clip(max=ROOM).astype(np.int32)
    totals = limits.sum(1)  # upper bound of a set's value after a guess, without the guess itself
    order, parts = (-totals).argsort(kind="stable"), ITEMS * threads()
    best_by_part = np.zeros((parts, front.sets), np.int64)

    def pairs(part: int) -> int:
        guesses, best, counts = order[part::parts], best_by_part[part], np.zeros(limits.shape[1], np.int32)
        return int(_greatest_capped(rows, limits, totals, members, offsets, room, guesses, best, counts))

    shared([partial(pairs, part) for part in range(parts)], progress)
    return like(best_by_part.max(0), most)


def unsigned(places: NDArray[Any]) -> NDArray[Any]:
    """Return places, none below 0, as unsigned numbers: numba tests signed ones for counting from the end."""
    return places.view(f"u{places.itemsize}")


@compiled
def _greatest_capped(classes, caps, totals, members, offsets, most, guesses, best, counts):
    """Raise the best sums of sets to those of some guesses, great totals first; return the pairs evaluated.

    `totals` are [P] int64, the sum of each guess's caps; `counts` [K] int32, zeros before and after.
    """
    pairs = 0
    for g in guesses:
        row, limits = classes[g], caps[g]
        for s in range(most.shape[0]):
            if totals[g] + 1 <= best[s]:
                continue
            words = members[offsets[s] : offsets[s + 1]]
            pairs += words.shape[0]
            for word in words:
                counts[row[word]] += 1
            if FEW * words.shape[0] < counts.shape[0]:
                value = _few_capped(row, words, counts, limits, most[s])
            else:
                value = _capped(counts, limits, most[s])
            if value >= best[s]:
                for word in words:
                    value += word == g
                best[s] = max(best[s], value)
    return pairs


@inner
def _capped(counts, limits, room):
    """Return the total value of the classes of a set, and reset their counts to zero.

    The loop covers all classes, not only those of the set: without a branch it takes eight at a time.
    """
    total = np.int64(0)
    for k in range(counts.shape[0]):
        worth = min(np.int32(counts[k] + np.int32(1)), limits[k], room)
        total += worth if counts[k] > 0 else np.int32(0)
        counts[k] = 0
    return total


@inner
def _few_capped(row, words, counts, limits, room):
    """As `_capped`, over the classes of the set's words only."""
    total = np.int64(0)
    for word in words:
        k = row[word]
        if counts[k] > 0:
            total += min(np.int32(counts[k] + np.int32(1)), limits[k], room)
            counts[k] = 0
    return total

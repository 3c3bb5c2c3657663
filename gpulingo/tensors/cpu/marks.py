"""Marks on the CPU: patterns of all pairs of guess and target, and turns of many rounds.

A block of targets, or of pairs, has a row per place and a vector lane each.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from gpulingo.tensors.arrays import Tensor, array_of, like
from gpulingo.tensors.checks import code_type, narrowest
from gpulingo.tensors.cpu.compile import compiled, inner
from gpulingo.tensors.cpu.rank import paired_patterns
from gpulingo.tensors.outcomes import RoundArrays
from gpulingo.tensors.threads import shared, threads
from gpulingo.tensors.wordtable import WordTable

BLOCK = 2048  # targets whose letters and marks fit into the first cache
ITEM = 1 << 22  # pairs per work item
ROUNDS = 512  # pairs whose letters and marks fit into the first cache
TOGETHER = 1 << 14  # rounds per work item


# LLVM vectorises these short loops over rows, but not the same loops inside `fill_patterns`.
@inner
def match(placed, column, letter):
    """Write where a column has a letter."""
    for t in range(column.shape[0]):
        placed[t] = np.int8(column[t] == letter)


@inner
def copy(to, row):
    for t in range(row.shape[0]):
        to[t] = row[t]


@inner
def take_away(spare, placed, used):
    """Subtract the placed copies (`used` 0), or the others, which an earlier letter may use (`used` 1)."""
    for t in range(spare.shape[0]):
        spare[t] -= placed[t] ^ used


@inner
def append(codes, placed, spare):
    """Append the mark of one letter to the codes."""
    for t in range(spare.shape[0]):
        codes[t] = codes[t] * 3 + 2 * placed[t] + ((spare[t] > 0) & (placed[t] == 0))


@compiled
def fill_patterns(guesses, columns, rows, copies, placed, spare, codes, out):
    """Fill [G, T] patterns of [G, N] guesses against [N, T] letters.

    `copies` is [A, T] int8, copies of each letter in each target; `rows` [256] is the row of each letter.
    `placed` is [N, BLOCK] and `spare` [BLOCK] int8; `codes` [BLOCK] is of a type that holds a code.
    """
    length, targets = columns.shape
    for start in range(0, targets, BLOCK):
        end = min(targets, start + BLOCK)
        n = end - start
        for g in range(guesses.shape[0]):
            for i in range(length):
                match(placed[i], columns[i, start:end], guesses[g, i])
            codes[:n] = 0
            for i in range(length):
                copy(spare, copies[rows[guesses[g, i]], start:end])
                for j in range(length):
                    if guesses[g, j] == guesses[g, i]:
                        take_away(spare[:n], placed[j], 0)
                        if j < i:
                            take_away(spare[:n], placed[j], 1)
                append(codes, placed[i], spare[:n])
            copy(out[g, start:end], codes[:n])


def patterns(guesses: Tensor, targets: Tensor) -> Tensor:
    """As `operations.patterns`, on all threads."""
    words, columns = (np.ascontiguousarray(rows) for rows in (array_of(guesses), array_of(targets).T))
    length, count = columns.shape
    letters = np.unique(words)
    rows = np.searchsorted(letters, np.arange(256))
    copies = np.empty((len(letters), count), np.int8)
    for row, letter in enumerate(letters):
        (columns == letter).sum(0, dtype=np.int8, out=copies[row])
    out = np.empty((len(words), count), code_type(length))
    narrow = narrowest(3**length - 1, "uint8", "uint16", str(out.dtype))

    def fill(first: int, last: int) -> None:
        placed, spare = np.empty((length, BLOCK), np.int8), np.empty(BLOCK, np.int8)
        fill_patterns(
            words[first:last], columns, rows, copies, placed, spare, np.empty(BLOCK, narrow), out[first:last]
        )

    step = max(1, ITEM // max(1, count))
    shared(partial(fill, first, first + step) for first in range(0, len(words), step))
    return like(out, guesses)


@inner
def differ(out, row, other):
    """Write where two rows differ."""
    for t in range(out.shape[0]):
        out[t] = row[t] != other[t]


@inner
def add_equal(spare, row, letter, counted):
    """Add one where a row has a letter and counts."""
    for t in range(spare.shape[0]):
        spare[t] += np.int8((row[t] == letter[t]) & counted[t])


@inner
def subtract_equal(spare, row, letter, counted):
    for t in range(spare.shape[0]):
        spare[t] -= np.int8((row[t] == letter[t]) & counted[t])


@inner
def write_marks(marks, spare, unplaced):
    for t in range(marks.shape[0]):
        marks[t] = 2 - unplaced[t] * (2 - np.uint8(spare[t] > 0))


@inner
def mark_pairs(guess, target, unplaced, spare, marks):
    """Write [N, n] uint8 marks of [N, n] letters of guesses against targets; `spare` is [n] int8."""
    length = guess.shape[0]
    for i in range(length):
        differ(unplaced[i], guess[i], target[i])
    for i in range(length):
        spare[:] = 0
        for j in range(length):
            add_equal(spare, target[j], guess[i], unplaced[j])
        for j in range(i):
            subtract_equal(spare, guess[j], guess[i], unplaced[j])
        write_marks(marks[i], spare, unplaced[i])


@compiled
def play_rounds(letters, payoff, rounds, guesses, out, rows, spare):
    """Make the next guess of every round; `rows` is [4, N, ROUNDS] uint8, `spare` [ROUNDS] int8."""
    targets, past, shown, turn, left, done, paid, invalid = rounds
    words, length = letters.shape
    for start in range(0, guesses.shape[0], ROUNDS):
        n = min(ROUNDS, guesses.shape[0] - start)
        for k in range(n):
            guess, target = guesses[start + k], targets[start + k]
            invalid[start + k] = done[start + k] or guess < 0 or guess >= words
            guess = 0 if invalid[start + k] else guess
            for i in range(length):
                rows[0, i, k] = letters[guess, i]
                rows[1, i, k] = letters[target, i]
        mark_pairs(rows[0, :, :n], rows[1, :, :n], rows[2, :, :n], spare[:n], rows[3, :, :n])
        for k in range(n):
            b = start + k
            for i in range(length):
                out[b, i] = 0 if invalid[b] else rows[3, i, k]
            if done[b]:
                continue
            guess, place = guesses[b], turn[b]
            past[b, place] = -1 if invalid[b] else guess
            for i in range(length):
                shown[b, place, i] = out[b, i]
            found = guess == targets[b]
            done[b] = found or left[b] == 1
            if done[b]:
                paid[b] = payoff[left[b] if found else 0]
            turn[b] += 1
            left[b] -= 1


def play(table: WordTable, rounds: RoundArrays, guesses: Tensor) -> Tensor:
    """As `operations.play`, on all threads. Marks have a kernel."""
    if not table.shows_marks or rounds.counts_misses:
        from gpulingo.tensors import reference

        return reference.play(table, rounds, guesses, paired=paired_patterns)
    count, length = guesses.shape[0], table.length
    made = np.empty((count, length), np.uint8)
    arrays = (
        rounds.targets, rounds.guesses, rounds.marks, rounds.turn, rounds.turns_left, rounds.done,
        rounds.credits, rounds.invalid,
    )  # fmt: skip
    state = tuple(array_of(array) for array in arrays)
    letters, payoff, given = (array_of(array) for array in (table.letters, rounds.payoff, guesses))

    def block(first: int, last: int) -> None:
        rows, spare = np.empty((4, length, ROUNDS), np.uint8), np.empty(ROUNDS, np.int8)
        part = tuple(array[first:last] for array in state)
        play_rounds(letters, payoff, part, given[first:last], made[first:last], rows, spare)

    if count <= TOGETHER or threads() == 1:
        block(0, count)
    else:
        shared(partial(block, first, first + TOGETHER) for first in range(0, count, TOGETHER))
    return like(made, guesses)

"""Patterns of marks of all pairs of guess and target: a column per place, a vector lane per target."""

from __future__ import annotations

from functools import partial

import numpy as np

from gpulingo.tensors.arrays import Tensor, array_of, like
from gpulingo.tensors.checks import code_type, narrowest
from gpulingo.tensors.cpu.compile import compiled, inner
from gpulingo.tensors.threads import shared

BLOCK = 2048  # targets whose letters and marks fit into the first cache
ITEM = 1 << 22  # pairs per work item


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

"""Numba kernels that offer guesses to sets of more than 32 words: loops around coding and counting.

Up to 4,096 words, a batch of guesses is coded at a time; for more, one guess in phases.
"""

from __future__ import annotations

import numpy as np

from gpulingo.tensors.cpu.batches import BATCH, PHASE, TABLE, code_batch, next_batch
from gpulingo.tensors.cpu.class_sizes import (
    APART,
    DENSE,
    SPARSE,
    add_counts,
    clear,
    key_of,
    mark,
    new_stamps,
    offer,
    take_counts,
    tally,
    worth_by_hash,
    worth_of_tally,
)
from gpulingo.tensors.cpu.compile import inner
from gpulingo.tensors.cpu.lanes import LANES, take_marks


@inner
def words_of(n):
    """Words of 64 lanes that n targets take."""
    return (n + LANES - 1) // LANES


@inner
def together(n):
    """Return the number of guesses to code before any is counted: as many as fit half a phase."""
    return max(1, min(BATCH, PHASE // 2 // (words_of(n) * LANES)))


@inner
def scan_many(guesses, lo, hi, stage, state, n, program, bits, worth, work, keys, best, stop):
    """As `scan_few`, for a set of more than 32 words whose classes are counted."""
    # In one piece: a call for each guess would pass every array on the stack, seven words or more of each.
    codes, marks, stamps, batch = work.many, work.marks, work.stamps, work.batch
    coded = 0
    while lo < hi:
        lo, count = next_batch(guesses, lo, hi, stage, state, batch, together(n))
        coded += count
        if n <= PHASE:
            code_batch(codes, 0, bits, 0, words_of(n), program, batch, count)
        for k in range(count):
            span = np.int64(min(program.ranges[batch[k]], np.uint64(TABLE + 1)))
            stamp = work.stamp[0] % 255 + 1
            work.stamp[0] = stamp
            if stamp == 1:
                clear(stamps, stamps.shape[0])
            value = np.int64(0)
            for phase in range(0, n, PHASE):
                width = min(PHASE, n - phase)
                start = phase if span > TABLE else 0
                if n > PHASE:
                    code_batch(codes, start, bits, phase // LANES, words_of(phase + width), program, batch, 1)
                if span <= SPARSE * n and span <= TABLE:
                    mark(codes, k * codes.shape[1] + start, width, marks)
                elif span <= TABLE:
                    value += new_stamps(codes, k, start, width, stamps, np.uint8(stamp))
            if span > TABLE:
                value = worth_by_hash(codes, k, 0, n, worth, work.places, work.counts)
            elif span <= SPARSE * n:
                for c in range(0, span, LANES):
                    value += take_marks(marks, c)
            if offer(keys, best, key_of(value, worth.bonus, stage == 0), batch[k]) >= stop:
                return coded
    return coded


@inner
def scan_sizes(guesses, lo, hi, stage, state, n, program, bits, worth, work, keys, best, stop):
    """As `scan_many`, for an objective of class sizes."""
    codes, batch, steps = work.many, work.batch, worth.steps
    small, shorts, counts = work.bytes, work.shorts, work.counts
    coded = 0
    while lo < hi:
        lo, count = next_batch(guesses, lo, hi, stage, state, batch, together(n))
        coded += count
        if n <= PHASE:
            code_batch(codes, 0, bits, 0, words_of(n), program, batch, count)
        for k in range(count):
            span = np.int64(min(program.ranges[batch[k]], np.uint64(TABLE + 1)))
            dense, apart = DENSE * span <= n and span <= TABLE, span if APART * span <= n else 0
            # What passes over the codes again needs all codes of the guess at once.
            keep = not dense and (span > TABLE or span > SPARSE * n or worth.largest)
            value = np.int64(0)
            for phase in range(0, n, PHASE):
                width = min(PHASE, n - phase)
                start = phase if keep else 0
                if n > PHASE:
                    code_batch(codes, start, bits, phase // LANES, words_of(phase + width), program, batch, 1)
                if dense:
                    tally(codes, k, start, width, counts, apart)
                elif span > TABLE:
                    continue
                elif n < 1 << 8:
                    value += add_counts(codes, k, start, width, small, steps)
                elif n < 1 << 16:
                    value += add_counts(codes, k, start, width, shorts, steps)
                else:
                    value += add_counts(codes, k, start, width, counts, steps)
            if dense:
                taken = worth_of_tally(span, counts, apart, worth)
            elif span > TABLE:
                taken = worth_by_hash(codes, k, 0, n, worth, work.places, counts)
            elif n < 1 << 8:
                taken = take_counts(codes, k, n, span, small, worth)
            elif n < 1 << 16:
                taken = take_counts(codes, k, n, span, shorts, worth)
            else:
                taken = take_counts(codes, k, n, span, counts, worth)
            value = taken if worth.largest else value + taken
            if offer(keys, best, key_of(value, worth.bonus, stage == 0), batch[k]) >= stop:
                return coded
    return coded

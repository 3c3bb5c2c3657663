"""Numba kernels that offer guesses to candidate sets: loops around coding and counting, and the entry points.

Sets of up to 32 are scanned here, larger ones in `many`; all return the same integers. Threads and the order
of work are left to `rank`.
"""

from __future__ import annotations

import numpy as np

from gpulingo.tensors.cpu.batches import BATCH, PAD, STRIDE, next_batch
from gpulingo.tensors.cpu.class_sizes import key_of, least_of_few, limits, offer, sums_of_few, worth_of_row
from gpulingo.tensors.cpu.codes import Program, bits_size, code_rows, code_targets, fill_bits, room
from gpulingo.tensors.cpu.compile import compiled, inner
from gpulingo.tensors.cpu.lanes import ROW, distinct, earlier_equals, slot_row
from gpulingo.tensors.cpu.many import scan_many, scan_sizes
from gpulingo.tensors.features import Array


@inner
def scan_few(guesses, lo, hi, stage, state, n, program, bits, worth, work, keys, best, stop):
    """Offer the guesses of guesses[lo:hi] that belong to the stage; return how many were coded.

    For a set of up to 32 words. Candidates are coded from the bits, the many of the pool from a slot table.
    """
    codes, rows, batch, values = work.few, work.rows, work.batch, work.values
    seen, outside, steps, table = work.seen, work.outside, work.steps, worth.table
    for t in range(ROW):
        outside[t] = 0 if t < n else ROW
    if stage == 1:
        for q in range(program.slot_features.shape[0]):
            slot_row(rows, q, bits, program.slot_features, program.slot_coefficients)
    coded = 0
    while lo < hi:
        # Short loops of one kind: coding, counting and offering guess by guess takes twice as long.
        lo, count = next_batch(guesses, lo, hi, stage, state, batch, BATCH)
        if stage == 1:
            for k in range(count):
                code_rows(codes, PAD + k * STRIDE, rows, program, batch[k])
        else:
            for k in range(count):
                code_targets(codes, PAD + k * STRIDE, bits, 0, 1, program, batch[k])
        if worth.counts:
            for k in range(count):
                values[k] = distinct(codes, PAD + k * STRIDE, n)
        else:
            for k in range(count):
                earlier_equals(seen, k * ROW, codes, PAD + k * STRIDE, n, outside)
            for k in range(count if worth.largest else 0):
                values[k] = least_of_few(codes, PAD + k * STRIDE, n, table, seen, k * ROW)
            if not worth.largest:
                sums_of_few(seen, count, n, steps, values)
        coded += count
        for k in range(count):
            if offer(keys, best, key_of(values[k], worth.bonus, stage == 0), batch[k]) >= stop:
                return coded
    return coded


@inner
def pattern_of(guess, target, spare):
    """Pattern of one guess against one target; `spare` is zero, [256], and becomes so again."""
    length = guess.shape[0]
    for i in range(length):
        if guess[i] != target[i]:
            spare[target[i]] += 1
    code = np.int64(0)
    for i in range(length):
        code *= 3
        if guess[i] == target[i]:
            code += 2
        elif spare[guess[i]] > 0:
            spare[guess[i]] -= 1
            code += 1
    for i in range(length):
        spare[target[i]] = 0
    return code


@inner
def mark_legal(candidates, legal, state):
    """Set bit 0 of the candidates that are among the legal guesses; both rise."""
    first = 0
    for t in range(candidates.shape[0]):
        last = legal.shape[0]
        while first < last:
            middle = (first + last) // 2
            if legal[middle] < candidates[t]:
                first = middle + 1
            else:
                last = middle
        state[candidates[t]] = first < legal.shape[0] and legal[first] == candidates[t]


@compiled
def rank_sets(
    letters, members, offsets, first, last, rows, span, pool, pool_ends, state, bits, filled, program, worths,
    work, keys, best,
):  # fmt: skip
    """Rank guesses for the sets first:last; return pairs evaluated.

    Args:
        rows: of each set that of its objective among the worths.
        span: four numbers: of each set's candidates, and then of its pool, the part that is ranked.
        pool_ends: offsets of the pool of each set; empty: the pool is that of all sets.
        state: [W] uint8, 1 for the words of the pool; bit 1 is for the candidates of the set at hand.
        bits: room for the feature bits of a set, `filled` when they are there; then there is one set.
        keys, best: [sets of the frontier, K], filled for the sets first:last.
    """
    pairs = np.int64(0)
    for s in range(first, last):
        candidates = members[offsets[s] : offsets[s + 1]]
        n, worth = candidates.shape[0], worth_of_row(worths, rows[s])
        ends = limits(n, worth, keys.shape[1])
        for c in range(0 if worth.counts else min(ROW, worth.steps.shape[0])):
            work.steps[c] = worth.steps[c]
        if not filled:
            fill_bits(letters, candidates, program, bits[: bits_size(n, program.total)], work.letters)
        legal = pool
        if pool_ends.shape[0] > 0:
            legal = pool[pool_ends[s] : pool_ends[s + 1]]
            mark_legal(candidates, legal, state)
        for t in range(n):
            state[candidates[t]] |= 2
        # Candidates first, those in the pool; then the pool without them.
        for stage in range(2):
            guesses = candidates if stage == 0 else legal
            lo, hi = span[2 * stage], min(span[2 * stage + 1], guesses.shape[0])
            if lo >= hi or keys[s, 0] >= ends[1]:
                continue
            offered, so_far = (guesses, lo, hi, stage, state), (keys[s], best[s], ends[stage])
            if n <= ROW:
                pairs += n * scan_few(*offered, n, program, bits, worth, work, *so_far)
            elif worth.counts:
                pairs += n * scan_many(*offered, n, program, bits, worth, work, *so_far)
            else:
                pairs += n * scan_sizes(*offered, n, program, bits, worth, work, *so_far)
        for t in range(n):
            state[candidates[t]] &= 1 if pool_ends.shape[0] == 0 else 0
    return pairs


@compiled
def write_bits(letters, members, program, bits, spare):
    """As `fill_bits`."""
    fill_bits(letters, members, program, bits, spare)


@compiled
def paired(letters, guesses, targets, out, spare):
    """Pattern of every guess against the target at the same place; `spare` as in `pattern_of`."""
    for m in range(guesses.shape[0]):
        out[m] = pattern_of(letters[guesses[m]], letters[targets[m]], spare)


def feature_bits(letters: Array, members: Array, program: Program) -> Array:
    """Return the features of a set, as kernels read them."""
    bits = room(bits_size(len(members), program.total), np.uint64)
    write_bits(letters, members, program, bits, np.zeros(256, np.int64))
    return bits

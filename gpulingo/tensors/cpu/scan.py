"""Numba kernels that offer guesses to candidate sets: loops around coding and counting, and the entry points.

All ways return the same integers. For sets of 33 to 4,096 words, a batch of guesses is coded at a time; for
larger ones, one guess in phases. `rank` chooses threads and the order of work.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from gpulingo.tensors.arrays import Array
from gpulingo.tensors.cpu.class_sizes import (
    APART,
    DENSE,
    MOST,
    SPARSE,
    Worth,
    add,
    add_counts,
    clear,
    key_of,
    least_of_few,
    limits,
    mark,
    new_stamps,
    offer,
    sums_of_few,
    take,
    take_counts,
    tally,
    worth_by_hash,
    worth_of_row,
    worth_of_tally,
)
from gpulingo.tensors.cpu.codes import bits_size, code_rows, code_targets, fill_bits, room
from gpulingo.tensors.cpu.compile import compiled, inner
from gpulingo.tensors.cpu.lanes import LANES, ROW, distinct, earlier_equals, slot_row, take_marks
from gpulingo.tensors.paircodes import PairCodes

# For small sets: guesses coded at once; entries per guess; entries before the first.
BATCH, STRIDE, PAD = 16, 128, 64
PHASE = 4096  # codes computed before they are counted: a loop that alternates would stall on its own stores
TABLE = 1 << 22  # widest code range with a table entry per code; beyond, codes are hashed


class Scratch(NamedTuple):
    """Working memory of one thread."""

    few: Array  # codes of a batch of guesses for up to 32 targets, each after entries that are not codes
    many: Array  # [BATCH, lanes], codes for more
    marks: Array  # one byte per code
    stamps: Array  # one byte per code
    stamp: Array  # the last one used
    counts: Array  # one number per code, or per place of the hash table: the size or weight of its class
    bytes: Array  # the same for sets below 256: narrow counts stay in the cache
    shorts: Array  # the same for sets below 65,536
    places: Array  # the code at each place of the hash table
    rows: Array  # what each slot adds to the codes of up to 32 targets
    batch: Array  # guesses coded at once
    values: Array  # the value of each of them
    seen: Array  # for each of them and up to 32 targets: earlier targets with the same code
    outside: Array  # 0 for targets, 32 for the lanes after them
    steps: Array  # steps of the objective of the current set for up to 32 targets, 0 for the lanes after them
    weighed: Array  # weights of the candidates of the set, if words have some
    letters: Array  # copies of each letter in a word


@inner
def next_batch(guesses, lo, hi, stage, state, batch, most):
    """Gather up to `most` guesses from guesses[lo:hi]; return where to continue and their number.

    Stage 0 takes candidates that are in the pool, stage 1 words of the pool that are no candidates.
    """
    count = 0
    while lo < hi and count < most:
        batch[count] = guesses[lo]
        count += (state[guesses[lo]] & (1 + stage)) == 1 - stage
        lo += 1
    return lo, count


@inner
def code_batch(codes, start, bits, first, last, program, batch, count):
    """Write codes of `count` guesses against targets of words first:last, each in its row from `start`."""
    for k in range(count):
        code_targets(codes, k * codes.shape[1] + start, bits, first, last, program, batch[k])


def scratch(n: int, program: PairCodes, worth: Worth) -> Scratch:
    """Return working memory for sets up to n.

    Made outside of the kernels: each kind of array that one allocates would have to be compiled into it.
    """
    weighed, widest = len(worth.weights) > 0, program.widest
    many = weighed or n > ROW
    lanes = (n + LANES - 1) // LANES * LANES if many else 0
    hashed = 2 << n.bit_length() if many and widest > TABLE else 0  # a power of two above 2 n
    table = min(widest, TABLE) + LANES if many else 0
    few = room(PAD + BATCH * STRIDE, program.dtype)
    few[:] = np.iinfo(program.dtype).max  # a value that is no code
    classes, sizes = table * worth.counts, table * (not worth.counts)
    return Scratch(
        few,
        many=room(BATCH * lanes, program.dtype).reshape(BATCH, lanes),
        marks=room(classes, np.uint8, np.zeros),
        stamps=room(classes, np.uint8, np.zeros),
        stamp=np.zeros(1, np.int64),
        counts=room(max(hashed, n // DENSE, sizes if weighed or n >= 1 << 16 else 0), np.int32, np.zeros),
        bytes=room(sizes, np.uint8, np.zeros),
        shorts=room(sizes if n >= 1 << 8 else 0, np.uint16, np.zeros),
        places=np.empty(hashed, np.uint64),
        rows=room(program.slot_features.shape[0] * ROW, np.uint8),
        batch=np.empty(BATCH + 1, np.int32),
        values=np.empty(BATCH, np.int64),
        seen=room(BATCH * ROW, np.uint8),
        outside=room(ROW, np.uint8),
        steps=room(2 * ROW, np.int64, np.zeros),
        weighed=np.empty(n if weighed else 0, np.int32),
        letters=np.zeros(256, np.int64),
    )


@inner
def words_of(n):
    """Return the number of words of 64 lanes for n targets."""
    return (n + LANES - 1) // LANES


@inner
def together(n):
    """Return the number of guesses to code before any is counted: as many as fit half a phase."""
    return max(1, min(BATCH, PHASE // 2 // (words_of(n) * LANES)))


@inner
def scan_many(guesses, lo, hi, stage, state, n, program, bits, worth, work, keys, best, stop):
    """As `scan_few`, for a set of more than 32 words whose classes are counted."""
    # One function: a call for each guess would pass every array on the stack, at least seven words each.
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
                value = worth_by_hash(codes, k, n, worth, work.places, work.weighed, work.counts)
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
            # A second pass over the codes needs all codes of the guess in memory.
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
                taken = worth_by_hash(codes, k, n, worth, work.places, work.weighed, counts)
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


@inner
def scan_few(guesses, lo, hi, stage, state, n, program, bits, worth, work, keys, best, stop):
    """Offer those of guesses[lo:hi] that belong to the stage; return how many were coded.

    For a set of up to 32 words. Candidates are coded from the bits, the rest of the pool from a slot table.
    """
    codes, rows, batch, values = work.few, work.rows, work.batch, work.values
    seen, outside, steps = work.seen, work.outside, work.steps
    for t in range(ROW):
        outside[t] = 0 if t < n else ROW
    if stage == 1:
        for q in range(program.slot_features.shape[0]):
            slot_row(rows, q, bits, program.slot_features, program.slot_coefficients)
    coded = 0
    while lo < hi:
        # One short loop per step: coding, counting and offering guess by guess takes twice as long.
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
                values[k] = least_of_few(seen, k * ROW, n, worth.table, work.letters)
            if not worth.largest:
                sums_of_few(seen, count, n, steps, values)
        coded += count
        for k in range(count):
            if offer(keys, best, key_of(values[k], worth.bonus, stage == 0), batch[k]) >= stop:
                return coded
    return coded


@inner
def pattern_of(guess, target, spare):
    """Return the pattern of one guess against one target; `spare` is [256], zeros before and after."""
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
    """Set the state of each candidate to 1 if it is a legal guess, otherwise to 0; both rows ascend."""
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


def ranking(limits: Callable[..., Any], scan: Callable[..., Any]) -> Any:
    """Return a kernel that ranks guesses, made of two parts.

    Args:
        limits: (candidates, worth, work, width): prepare a set; see `class_sizes.limits`.
        scan: offer guesses to a set; see `scan_few`.
    """

    @compiled
    def rank_sets(
        letters, members, offsets, rows, span, pool, pool_ends, state, bits, filled, program, worths, work,
        keys, best,
    ):  # fmt: skip
        """Rank guesses for each set by its row of the worths; return pairs evaluated.

        `span` has two ranges to rank, of candidates and of the pool. `pool_ends` are offsets of the pool of
        each set; empty: all sets have one pool. `state` is [W] uint8: bit 0 for words of the pool, bit 1 for
        candidates of the current set. `bits` is space for the feature bits of a set; `filled`: they are
        there, and there is one set.
        """
        pairs = np.int64(0)
        for s in range(rows.shape[0]):
            candidates = members[offsets[s] : offsets[s + 1]]
            n, worth = candidates.shape[0], worth_of_row(worths, rows[s])
            ends = limits(candidates, worth, work, keys.shape[1])
            if not filled:
                fill_bits(letters, candidates, program, bits[: bits_size(n, program.total)], work.letters)
            legal = pool
            if pool_ends.shape[0] > 0:
                legal = pool[pool_ends[s] : pool_ends[s + 1]]
                mark_legal(candidates, legal, state)
            for t in range(n):
                state[candidates[t]] |= 2
            # First the candidates in the pool, then the other words of the pool.
            for stage in range(2):
                guesses = candidates if stage == 0 else legal
                lo, hi = span[2 * stage], min(span[2 * stage + 1], guesses.shape[0])
                if lo >= hi or keys[s, 0] >= ends[1]:
                    continue
                offered, so_far = (guesses, lo, hi, stage, state), (keys[s], best[s], ends[stage])
                pairs += n * scan(*offered, n, program, bits, worth, work, *so_far)
            for t in range(n):
                state[candidates[t]] &= 1 if pool_ends.shape[0] == 0 else 0
        return pairs

    return rank_sets


@inner
def scan(guesses, lo, hi, stage, state, n, program, bits, worth, work, keys, best, stop):
    """As `scan_few`, for a set of any size."""
    offered, so_far = (guesses, lo, hi, stage, state), (keys, best, stop)
    if n <= ROW:
        return scan_few(*offered, n, program, bits, worth, work, *so_far)
    if worth.counts:
        return scan_many(*offered, n, program, bits, worth, work, *so_far)
    return scan_sizes(*offered, n, program, bits, worth, work, *so_far)


@inner
def weighed_limits(candidates, worth, work, width):
    """As `limits`; write the weights of the candidates."""
    value, heaviest = MOST if worth.largest else np.int64(0), np.int64(0)
    for t in range(candidates.shape[0]):
        weight = worth.weights[candidates[t]]
        work.weighed[t] = weight
        heaviest = max(heaviest, np.int64(weight))
        if weight > 0:
            entry = worth.table[weight]
            value = min(value, entry) if worth.largest else value + entry
    if not worth.complete or width > 1:
        return MOST, MOST
    value = 0 if value == MOST else value
    return (value + worth.bonus * heaviest) * 2 + 1, value * 2


@inner
def by_code(codes, k, n, worth, work):
    """Return the value of the classes that n codes of row k make, with a table entry per code."""
    sums, weighed = work.counts, work.weighed
    for t in range(n):
        add(sums, np.uint64(codes[k, t]), weighed[t], worth.heaviest)
    value = MOST if worth.largest else np.int64(0)
    for t in range(n):
        value = take(sums, np.uint64(codes[k, t]), value, worth)
    return value


@inner
def weigh(guesses, lo, hi, stage, state, n, program, bits, worth, work, keys, best, stop):
    """As `scan_few`, for a set of any size of a table with weights.

    The weights of a class are summed, or the greatest is taken, in a table of the code range; for wide ranges
    in a hash table.
    """
    codes, batch = work.many, work.batch
    few = n <= ROW and stage == 1  # the many of the pool are coded from a slot table
    for q in range(program.slot_features.shape[0] if few else 0):
        slot_row(work.rows, q, bits, program.slot_features, program.slot_coefficients)
    coded = 0
    while lo < hi:
        lo, count = next_batch(guesses, lo, hi, stage, state, batch, together(n))
        for k in range(count if few else 0):
            code_rows(codes, k * codes.shape[1], work.rows, program, batch[k])
        for k in range(0 if few else count):
            code_targets(codes, k * codes.shape[1], bits, 0, words_of(n), program, batch[k])
        for k in range(count):
            if program.ranges[batch[k]] > TABLE:
                value = worth_by_hash(codes, k, n, worth, work.places, work.weighed, work.counts)
            else:
                value = by_code(codes, k, n, worth, work)
            value = 0 if value == MOST else value
            bonus = worth.bonus * worth.weights[batch[k]] if stage == 0 else 0
            if offer(keys, best, key_of(value, bonus, stage == 0), batch[k]) >= stop:
                return coded + count
        coded += count
    return coded


rank_sets, weigh_sets = ranking(limits, scan), ranking(weighed_limits, weigh)


@compiled
def write_bits(letters, members, program, bits, spare):
    """As `fill_bits`."""
    fill_bits(letters, members, program, bits, spare)


@compiled
def paired(letters, guesses, targets, out, spare):
    """Write the pattern of every guess against the target at the same place; `spare` as in `pattern_of`."""
    for m in range(guesses.shape[0]):
        out[m] = pattern_of(letters[guesses[m]], letters[targets[m]], spare)


def feature_bits(letters: Array, members: Array, program: PairCodes) -> Array:
    """Return the features of a set as bits, in the layout of the kernels."""
    bits = room(bits_size(len(members), program.total), np.uint64)
    write_bits(letters, members, program, bits, np.zeros(256, np.int64))
    return bits

"""Numba kernels: codes of many guesses against one candidate set, and what the classes are worth.

Three regimes by size of the set: few (up to 32: all pairs of codes compared in registers), middle (the codes of
a batch of guesses, then one pass over a table of the code range), many (the same, one guess at a time, in
phases). All return the same integers. Threads and the order of work are left to `cpu`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from gpulingo.tensors.cpu_lanes import LANES, ROW, distinct, earlier_equals, feature_codes, slot_codes, slot_row
from gpulingo.tensors.cpu_lanes import take_marks
from gpulingo.tensors.paircodes import Array

BATCH, STRIDE, PAD = 16, 128, 64  # few: guesses coded at once; entries from one's codes to the next's; before the first
PHASE = 4096  # codes computed before they are counted: a loop that alternates would stall on its own stores
TABLE = 1 << 22  # widest code range that gets a table entry per code; beyond, codes are hashed
UNROLL = 16  # codes counted per turn of the loop
WIDE = 2  # words of 64 targets coded at once: they share the reading of features and weights
TILE = 8  # words of 64 targets that lie side by side for one feature: a cache line
FREE = np.iinfo(np.int64).min


class Program(NamedTuple):
    """The arrays of `PairCodes` that kernels read, and its three sizes."""

    starts: Array
    features: Array
    weights: Array
    radix: Array
    ranges: Array
    slots: Array
    slot_features: Array
    slot_weights: Array
    alphabet: int
    copies: int
    total: int


class Worth(NamedTuple):
    """An objective for sets up to some size: see `gpulingo.tensors.rank.Objective`."""

    table: Array  # [n + 1] int64
    steps: Array  # [n] int64, table[c + 1] - table[c]
    bonus: int
    largest: bool
    counts: bool
    complete: bool  # the partition into single words is the best there is, so that a search may stop there


@njit(cache=True, nogil=True)
def fill_bits(letters, members, program, bits):  # type: ignore[no-untyped-def]
    """Write the features of the members, 64 to a word; lanes after the last member repeat it."""
    n, length = members.shape[0], letters.shape[1]
    count = np.zeros(256, np.int64)
    bits[:] = 0
    for t in range((n + LANES - 1) // LANES * LANES):
        word = letters[members[min(t, n - 1)]]
        base = (t // (LANES * TILE)) * program.total * TILE + (t // LANES) % TILE
        bit = np.uint64(1) << np.uint64(t % LANES)
        for i in range(length):
            x = np.int64(word[i])
            bits[base + (i * program.alphabet + x) * TILE] |= bit
            if count[x] < program.copies:
                bits[base + ((length + count[x]) * program.alphabet + x) * TILE] |= bit
            count[x] += 1
        for i in range(length):
            count[word[i]] = 0


@njit(cache=True, nogil=True)
def bits_size(n, total):  # type: ignore[no-untyped-def]
    """Words of feature bits for a set of n."""
    return (n + LANES * TILE - 1) // (LANES * TILE) * total * TILE


@njit(nogil=True, inline="always")  # a call would pass some sixty words on the stack
def _code(codes, at, bits, first, last, program, guess):  # type: ignore[no-untyped-def]
    """Codes of one guess against the targets of words first:last."""
    p, end = program.starts[guess], program.starts[guess + 1]
    features, weights, radix = program.features, program.weights, program.radix
    word = first
    while word < last:
        base = word // TILE * program.total * TILE + word % TILE
        here = at + (word - first) * LANES
        if word % WIDE == 0 and word + WIDE <= last:
            feature_codes(codes, here, bits, base, features, weights, radix, p, True, WIDE)
            for q in range(p + 1, end):
                feature_codes(codes, here, bits, base, features, weights, radix, q, False, WIDE)
            word += WIDE
        else:
            feature_codes(codes, here, bits, base, features, weights, radix, p, True, 1)
            for q in range(p + 1, end):
                feature_codes(codes, here, bits, base, features, weights, radix, q, False, 1)
            word += 1


@njit(nogil=True, inline="always")  # a call would pass some sixty words on the stack
def _code_row(codes, at, rows, program, guess):  # type: ignore[no-untyped-def]
    """Codes of one guess against the 32 targets of a slot table."""
    p = program.starts[guess]
    slot_codes(codes, at, rows, program.slots, program.radix, p, True)
    for q in range(p + 1, program.starts[guess + 1]):
        slot_codes(codes, at, rows, program.slots, program.radix, q, False)


@njit(cache=True, nogil=True)
def _key(value, bonus, inside):  # type: ignore[no-untyped-def]
    """Rank of a guess with, in the lowest bit, whether it is a candidate: candidates come first."""
    return (value + bonus) * 2 + 1 if inside else value * 2


@njit(cache=True, nogil=True)
def _offer(keys, best, key, guess):  # type: ignore[no-untyped-def]
    """Insert a guess behind those with the same key or a better one; return the best key."""
    at = keys.shape[0]
    while at > 0 and keys[at - 1] < key:
        at -= 1
    if at == keys.shape[0]:
        return keys[0]
    for k in range(keys.shape[0] - 1, at, -1):
        keys[k], best[k] = keys[k - 1], best[k - 1]
    keys[at], best[at] = key, guess
    return keys[0]


@njit(cache=True, nogil=True)
def _tabled_worth_of_few(codes, at, n, worth, seen):  # type: ignore[no-untyped-def]
    """Worth of the partition that n <= 32 codes make, by class sizes."""
    earlier_equals(seen, codes, at, n)
    value = np.int64(0)
    if not worth.largest:
        for t in range(n):
            value += worth.steps[seen[t]]
        return value
    # A lane's class is complete at its last member; smaller counts of the same class are no classes.
    value = FREE
    for t in range(n):
        last = True
        for u in range(t + 1, n):
            if codes[at + u] == codes[at + t]:
                last = False
                break
        if last:
            value = max(value, worth.table[seen[t] + 1])
    return value


@njit(cache=True, nogil=True)
def _next_batch(guesses, lo, hi, state, skip, need, batch, most):  # type: ignore[no-untyped-def]
    """Gather up to `most` allowed guesses from guesses[lo:hi]; return where to go on and their number."""
    held = 0
    while lo < hi and held < most:
        batch[held] = guesses[lo]
        held += (state[guesses[lo]] & skip) == need
        lo += 1
    return lo, held


@njit(cache=True, nogil=True)
def scan_few(guesses, lo, hi, state, skip, need, n, program, bits, rows, worth, codes, keys, best, stop, inside):  # type: ignore[no-untyped-def]
    """Offer every allowed guess of guesses[lo:hi] for a set of up to 32; return how many were coded.

    A guess is allowed when state[guess] & skip == need. With `rows` the codes come from a slot table.
    """
    batch, values = np.empty(BATCH + 1, np.int32), np.empty(BATCH, np.int64)
    seen = np.empty(ROW, np.uint8)
    coded = 0
    while lo < hi:
        # Short loops of one kind: coding, counting and offering guess by guess takes twice as long.
        lo, held = _next_batch(guesses, lo, hi, state, skip, need, batch, BATCH)
        if rows.shape[0]:
            for k in range(held):
                _code_row(codes, PAD + k * STRIDE, rows, program, batch[k])
        else:
            for k in range(held):
                _code(codes, PAD + k * STRIDE, bits, 0, 1, program, batch[k])
        if worth.counts:
            for k in range(held):
                values[k] = distinct(codes, PAD + k * STRIDE, n)
        else:
            for k in range(held):
                values[k] = _tabled_worth_of_few(codes, PAD + k * STRIDE, n, worth, seen)
        coded += held
        for k in range(held):
            if _offer(keys, best, _key(values[k], worth.bonus, inside), batch[k]) >= stop:
                return coded
    return coded


@njit(cache=True, nogil=True)
def _mark(codes, k, n, marks):  # type: ignore[no-untyped-def]
    """Mark the first n codes of row k, n rounded up to 16: lanes there repeat the last target."""
    for t in range(0, n, UNROLL):
        for u in range(UNROLL):
            marks[codes[k, t + u]] = 1


@njit(cache=True, nogil=True)
def _new_stamps(codes, k, at, n, stamps, turn):  # type: ignore[no-untyped-def]
    """How many codes of row k from `at` on occur for the first time in this turn; n rounded up as in `_mark`.

    Here and below, unsigned indices: one that might be negative costs two instructions more, and a slice
    counts a reference, which waits until every store before it is done.
    """
    new = 0
    t = np.uint64(at)
    for _ in range((n + UNROLL - 1) // UNROLL):
        for u in range(UNROLL):
            code = codes[np.uint64(k), t + np.uint64(u)]
            new += stamps[code] != turn
            stamps[code] = turn
        t += np.uint64(UNROLL)
    return new


@njit(cache=True, nogil=True)
def _add_counts(codes, k, at, n, counts, steps):  # type: ignore[no-untyped-def]
    """Count codes; return the sum of the steps taken."""
    value = np.int64(0)
    for t in range(np.uint64(at), np.uint64(at + n)):
        c = counts[codes[np.uint64(k), t]]
        value += steps[np.uint64(c)]
        counts[codes[np.uint64(k), t]] = c + 1
    return value


@njit(cache=True, nogil=True)
def _take_counts(codes, k, at, n, span, counts, worth):  # type: ignore[no-untyped-def]
    """Greatest worth of a class by their counts, which become zero again."""
    value = FREE
    if span <= 4 * n:
        for c in range(span if worth.largest else 0):
            if counts[c]:
                value = max(value, worth.table[counts[c]])
        counts[:span] = 0
        return value
    for t in range(np.uint64(at), np.uint64(at + n)):
        if counts[codes[np.uint64(k), t]]:
            value = max(value, worth.table[counts[codes[np.uint64(k), t]]])
            counts[codes[np.uint64(k), t]] = 0
    return value


@njit(cache=True, nogil=True)
def _worth_by_hash(codes, k, at, n, worth, places, counts):  # type: ignore[no-untyped-def]
    """Worth of the classes of codes of any range; `places` and `counts` are a power of two above 2 n long."""
    bound = np.uint64(places.shape[0] - 1)
    counts[:] = 0
    for t in range(np.uint64(at), np.uint64(at + n)):
        code = np.uint64(codes[np.uint64(k), t])
        h = (code * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(20) & bound
        while counts[h] and places[h] != code:
            h = (h + np.uint64(1)) & bound
        places[h] = code
        counts[h] += 1
    value = FREE if worth.largest else np.int64(0)
    for h in range(counts.shape[0]):
        if counts[h]:
            entry = worth.table[counts[h]]
            value = max(value, entry) if worth.largest else value + entry
    return value


@njit(cache=True, nogil=True)
def scan_many(guesses, lo, hi, state, skip, need, n, program, bits, worth, codes, marks, stamps, counts, places,
              keys, best, stop, inside):  # type: ignore[no-untyped-def]  # fmt: skip
    """Offer every allowed guess of guesses[lo:hi] for a set of more than 32; as `scan_few` otherwise."""
    lanes = (n + LANES - 1) // LANES * LANES
    most = max(1, min(BATCH, PHASE // 2 // lanes))
    batch = np.empty(BATCH + 1, np.int32)
    coded = 0
    turn = 0
    while lo < hi:
        lo, held = _next_batch(guesses, lo, hi, state, skip, need, batch, most)
        coded += held
        # One guess and many phases, or many guesses and one phase.
        for k in range(held if lanes <= PHASE else 0):
            _code(codes, k * codes.shape[1], bits, 0, lanes // LANES, program, batch[k])
        for k in range(held):
            span = np.int64(min(program.ranges[batch[k]], np.uint64(TABLE + 1)))
            turn = turn % 255 + 1
            if turn == 1:
                stamps[:] = 0
            value = np.int64(0)
            # Counts that a second pass over the codes takes back need all codes of the guess at once.
            keep = span > TABLE or not (worth.counts or span <= 4 * n)
            for phase in range(0, lanes, PHASE):
                width = min(PHASE, n - phase)
                at = phase if keep else 0
                if lanes > PHASE:
                    _code(codes, at, bits, phase // LANES, (phase + width + LANES - 1) // LANES, program, batch[k])
                if span > TABLE:
                    continue
                if not worth.counts:
                    value += _add_counts(codes, k, at, width, counts, worth.steps)
                elif span <= 16 * n:
                    _mark(codes, k, width, marks)
                else:
                    value += _new_stamps(codes, k, at, width, stamps, np.uint8(turn))
            if span > TABLE:
                value = _worth_by_hash(codes, k, 0, n, worth, places, counts)
            elif not worth.counts:
                taken = _take_counts(codes, k, 0, n, span, counts, worth)
                value = taken if worth.largest else value
            elif span <= 16 * n:
                for c in range(0, span, LANES):
                    value += take_marks(marks, c)
            if _offer(keys, best, _key(value, worth.bonus, inside), batch[k]) >= stop:
                return coded
    return coded


@njit(cache=True, nogil=True)
def limits(n, worth, width):  # type: ignore[no-untyped-def]
    """Keys that nothing can beat: for candidates, and for the guesses that are none."""
    if not worth.complete or width > 1:
        most = np.iinfo(np.int64).max
        return most, most
    best = worth.table[1] if worth.largest else n * worth.table[1]
    return (best + worth.bonus) * 2 + 1, best * 2


@njit(cache=True, nogil=True)
def scratch(n, program, worth, codes):  # type: ignore[no-untyped-def]
    """Working memory for sets up to n: codes of few, codes of many, marks, stamps, counts, places."""
    widest = np.uint64(0)
    for g in range(program.ranges.shape[0]):
        widest = max(widest, program.ranges[g])
    hashed = 2
    while hashed <= 2 * n:
        hashed *= 2
    table = np.int64(min(widest, np.uint64(TABLE))) + LANES
    lanes = (n + LANES - 1) // LANES * LANES
    few = np.full(PAD + BATCH * STRIDE, np.iinfo(codes.dtype).max, codes.dtype)  # a value that is no code
    many = n > ROW
    room = np.empty((BATCH, lanes if many else 0), codes.dtype)
    marks = np.zeros(table if many and worth.counts else 0, np.uint8)
    stamps = np.zeros(table if many and worth.counts else 0, np.uint8)
    counts = np.zeros(max(hashed if widest > TABLE else 0, 0 if worth.counts else table) if many else 0, np.int32)
    places = np.zeros(hashed if many and widest > TABLE else 0, np.uint64)
    return few, room, marks, stamps, counts, places


@njit(cache=True, nogil=True)
def rank_sets(letters, members, offsets, first, last, pool, in_pool, program, worth, codes, keys, best):  # type: ignore[no-untyped-def]
    """Rank the pool for the sets first:last; return pairs evaluated. `codes` only gives the type of a code."""
    most = np.int64(0)
    for s in range(first, last):
        most = max(most, offsets[s + 1] - offsets[s])
    few, room, marks, stamps, counts, places = scratch(most, program, worth, codes)
    bits = np.empty(bits_size(most, program.total), np.uint64)
    none = np.empty(0, np.uint8)
    rows = np.empty(program.slot_features.shape[0] * ROW, np.uint8)
    state = in_pool.copy()  # bit 0: in the pool; bit 1: candidate of the set at hand
    pairs = np.int64(0)
    for s in range(first, last):
        mine = members[offsets[s] : offsets[s + 1]]
        n = mine.shape[0]
        top, rest = limits(n, worth, keys.shape[1])
        used = bits[: bits_size(n, program.total)]
        fill_bits(letters, mine, program, used)
        if n <= ROW:
            pairs += n * scan_few(mine, 0, n, state, 1, 1, n, program, used, none, worth, few, keys[s], best[s],
                                  top, True)  # fmt: skip
        else:
            pairs += n * scan_many(mine, 0, n, state, 1, 1, n, program, used, worth, room, marks, stamps, counts,
                                   places, keys[s], best[s], top, True)  # fmt: skip
        if keys[s, 0] >= rest or pool.shape[0] == 0:
            continue
        for t in range(n):
            state[mine[t]] |= 2
        if n <= ROW:
            for q in range(program.slot_features.shape[0]):
                slot_row(rows, q, used, program.slot_features, program.slot_weights)
            pairs += n * scan_few(pool, 0, pool.shape[0], state, 2, 0, n, program, used, rows, worth, few, keys[s],
                                  best[s], rest, False)  # fmt: skip
        else:
            pairs += n * scan_many(pool, 0, pool.shape[0], state, 2, 0, n, program, used, worth, room, marks, stamps,
                                   counts, places, keys[s], best[s], rest, False)  # fmt: skip
        for t in range(n):
            state[mine[t]] &= 1
    return pairs


@njit(cache=True, nogil=True)
def rank_block(guesses, lo, hi, state, skip, need, n, program, bits, worth, codes, keys, best, inside):  # type: ignore[no-untyped-def]
    """Rank guesses[lo:hi] for one large set whose bits are filled; return pairs evaluated."""
    few, room, marks, stamps, counts, places = scratch(n, program, worth, codes)
    if n <= ROW:
        none = np.empty(0, np.uint8)
        return n * scan_few(guesses, lo, hi, state, skip, need, n, program, bits, none, worth, few, keys, best,
                            np.iinfo(np.int64).max, inside)  # fmt: skip
    return n * scan_many(guesses, lo, hi, state, skip, need, n, program, bits, worth, room, marks, stamps, counts,
                         places, keys, best, np.iinfo(np.int64).max, inside)  # fmt: skip


@njit(cache=True, nogil=True)
def paired(letters, guesses, targets, out):  # type: ignore[no-untyped-def]
    """Pattern of every guess against the target at the same place."""
    length = letters.shape[1]
    spare = np.zeros(256, np.int64)
    for m in range(guesses.shape[0]):
        guess, target = letters[guesses[m]], letters[targets[m]]
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
        out[m] = code

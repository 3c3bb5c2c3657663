"""Numba kernels that rank guesses by the weights of their classes, for tables with weights.

As in `scan`, a batch of guesses is coded at a time. The weights of a class are summed, or the greatest is
taken, in a table of the code range; for wide ranges in a hash table.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gpulingo.tensors.arrays import Array
from gpulingo.tensors.cpu.class_sizes import MOST, key_of, offer
from gpulingo.tensors.cpu.codes import Program, bits_size, code_rows, code_targets, fill_bits, room
from gpulingo.tensors.cpu.compile import compiled, inner
from gpulingo.tensors.cpu.lanes import LANES, ROW, slot_row
from gpulingo.tensors.cpu.scan import BATCH, TABLE, mark_legal, next_batch, together, words_of
from gpulingo.tensors.objective import Objective

EMPTY = np.iinfo(np.uint64).max  # an empty place of the hash table; not a code


class WeightWorth(NamedTuple):
    """An objective of weights, for sets up to some size; like `SizeWorth`, with one row or all rows."""

    table: Array  # [n + 1] int64; of all rows [K, n + 1]
    weights: Array  # [W] int32
    bonus: Any  # int; of all rows [K] int64
    largest: bool
    heaviest: bool
    complete: bool  # whether no partition outranks the one into single words, so that a search may stop there


def weight_worth(objective: Objective, weights: Array) -> WeightWorth:
    """Return an objective with [W] int32 weights of words, as arrays for the kernels."""
    table = objective.tables
    steps = np.diff(table)
    if objective.heaviest:
        complete = bool((steps >= 0).all())  # merging classes never helps: one of them has the heaviest word
    elif objective.largest:
        complete = bool((steps <= 0).all())
    else:
        complete = bool((steps[:, 1:] <= steps[:, :-1]).all())  # then merging classes never adds value
    bonuses = np.array(objective.bonuses, np.int64)
    return WeightWorth(table, weights, bonuses, objective.largest, objective.heaviest, complete)


class WeightWorkspace(NamedTuple):
    """Working memory of one thread."""

    codes: Array  # [BATCH, lanes]
    sums: Array  # int32, weight of the class of each code, or of each place of the hash table
    places: Array  # the code at each place of the hash table
    weighed: Array  # int32, weights of the candidates of the set
    rows: Array  # what each slot adds to the codes of up to 32 targets
    batch: Array  # guesses coded at once
    letters: Array  # copies of each letter in a word


def weight_workspace(n: int, program: Program, codes: Array) -> WeightWorkspace:
    """Return working memory for sets up to n; `codes` only gives the type of a code."""
    lanes = (n + LANES - 1) // LANES * LANES
    hashed = 2 << n.bit_length() if program.widest > TABLE else 0  # a power of two above 2 n
    return WeightWorkspace(
        room(BATCH * lanes, codes.dtype).reshape(BATCH, lanes),
        sums=np.zeros(max(hashed, min(program.widest, TABLE)), np.int32),
        places=np.full(hashed, EMPTY),
        weighed=np.empty(n, np.int32),
        rows=room(program.slot_features.shape[0] * ROW, np.uint8),
        batch=np.empty(BATCH, np.int32),
        letters=np.zeros(256, np.int64),
    )


@inner
def added(sums, place, weight, heaviest):
    """Add a weight to that of its class."""
    sums[place] = max(sums[place], weight) if heaviest else sums[place] + weight


@inner
def taken(sums, place, value, worth):
    """Return the value with the class at a place added, and empty the place; weight 0 is not a class."""
    weight = sums[place]
    if weight == 0:
        return value
    sums[place] = 0
    return min(value, worth.table[weight]) if worth.largest else value + worth.table[weight]


@inner
def limits(n, worth, weighed, width):
    """Return keys that no guess can exceed: for candidates, and for other guesses."""
    if not worth.complete or width > 1:
        return MOST, MOST
    value, heaviest = MOST if worth.largest else np.int64(0), np.int64(0)
    for t in range(n):
        heaviest = max(heaviest, np.int64(weighed[t]))
        if weighed[t] > 0:
            entry = worth.table[weighed[t]]
            value = min(value, entry) if worth.largest else value + entry
    value = 0 if value == MOST else value
    return (value + worth.bonus * heaviest) * 2 + 1, value * 2


@inner
def by_code(codes, k, n, worth, work):
    """Return the value of the classes that n codes of row k make, with a table entry per code."""
    sums, weighed = work.sums, work.weighed
    for t in range(n):
        added(sums, np.uint64(codes[k, t]), weighed[t], worth.heaviest)
    value = MOST if worth.largest else np.int64(0)
    for t in range(n):
        value = taken(sums, np.uint64(codes[k, t]), value, worth)
    return value


@inner
def by_hash(codes, k, n, worth, work):
    """As `by_code`, for codes of any range."""
    sums, places, weighed = work.sums, work.places, work.weighed
    bound = np.uint64(places.shape[0] - 1)
    for t in range(n):
        code = np.uint64(codes[k, t])
        h = (code * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(20) & bound
        while places[h] != EMPTY and places[h] != code:
            h = (h + np.uint64(1)) & bound
        places[h] = code
        added(sums, h, weighed[t], worth.heaviest)
    value = MOST if worth.largest else np.int64(0)
    for h in range(places.shape[0]):
        value = taken(sums, h, value, worth)
        places[h] = EMPTY
    return value


@inner
def weigh(guesses, lo, hi, stage, state, n, program, bits, worth, work, keys, best, stop):
    """Offer those of guesses[lo:hi] that belong to the stage, as in `rank_sets`; return how many."""
    codes, batch = work.codes, work.batch
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
                value = by_hash(codes, k, n, worth, work)
            else:
                value = by_code(codes, k, n, worth, work)
            value = 0 if value == MOST else value
            bonus = worth.bonus * worth.weights[batch[k]] if stage == 0 else 0
            if offer(keys, best, key_of(value, bonus, stage == 0), batch[k]) >= stop:
                return coded + count
        coded += count
    return coded


@compiled
def weigh_sets(
    letters, members, offsets, first, last, rows, span, pool, pool_ends, state, bits, filled, program, worths,
    work, keys, best,
):  # fmt: skip
    """As `rank_sets`, by weights."""
    pairs = np.int64(0)
    for s in range(first, last):
        candidates = members[offsets[s] : offsets[s + 1]]
        n, table, bonus = candidates.shape[0], worths.table[rows[s]], worths.bonus[rows[s]]
        worth = WeightWorth(table, worths.weights, bonus, worths.largest, worths.heaviest, worths.complete)
        if not filled:
            fill_bits(letters, candidates, program, bits[: bits_size(n, program.total)], work.letters)
        legal = pool
        if pool_ends.shape[0] > 0:
            legal = pool[pool_ends[s] : pool_ends[s + 1]]
            mark_legal(candidates, legal, state)
        for t in range(n):
            state[candidates[t]] |= 2
            work.weighed[t] = worth.weights[candidates[t]]
        ends = limits(n, worth, work.weighed, keys.shape[1])
        for stage in range(2):
            guesses = candidates if stage == 0 else legal
            lo, hi = span[2 * stage], min(span[2 * stage + 1], guesses.shape[0])
            if keys[s, 0] >= ends[1]:
                continue
            offered = (guesses, lo, hi, stage, state)
            pairs += n * weigh(*offered, n, program, bits, worth, work, keys[s], best[s], ends[stage])
        for t in range(n):
            state[candidates[t]] &= 1 if pool_ends.shape[0] == 0 else 0
    return pairs

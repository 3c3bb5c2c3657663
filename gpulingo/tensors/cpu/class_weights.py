"""Numba kernels that rank guesses by the weights of their classes, for tables with weights.

As in `scan`, a batch of guesses is coded at a time. The weights of a class are summed, or the greatest is
taken, in a table of the code range; for wide ranges in a hash table.
"""

import numpy as np

from gpulingo.tensors.cpu.class_sizes import MOST, add, key_of, offer, take, worth_by_hash
from gpulingo.tensors.cpu.codes import code_rows, code_targets
from gpulingo.tensors.cpu.compile import inner
from gpulingo.tensors.cpu.lanes import ROW, slot_row
from gpulingo.tensors.cpu.scan import TABLE, next_batch, ranking, together, words_of


@inner
def limits(candidates, worth, work, width):
    """As that of `class_sizes`; write the weights of the candidates."""
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
    """Offer those of guesses[lo:hi] that belong to the stage, as in `rank_sets`; return how many."""
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


weigh_sets = ranking(limits, weigh)

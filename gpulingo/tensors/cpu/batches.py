"""Working memory of a thread, and the batches of guesses that are coded in it at once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gpulingo.tensors.cpu.class_sizes import DENSE, Worth
from gpulingo.tensors.cpu.codes import Program, code_targets, room
from gpulingo.tensors.cpu.compile import inner
from gpulingo.tensors.cpu.lanes import LANES, ROW
from gpulingo.tensors.features import Array

# Few: guesses coded at once; entries from one's codes to the next's; before the first.
BATCH, STRIDE, PAD = 16, 128, 64
PHASE = 4096  # codes computed before they are counted: a loop that alternates would stall on its own stores
TABLE = 1 << 22  # widest code range that gets a table entry per code; beyond, codes are hashed


class Scratch(NamedTuple):
    """Working memory of one thread."""

    few: Array  # codes of a batch of guesses for up to 32 targets, each behind a stretch that is no code
    many: Array  # [BATCH, lanes], codes for more
    marks: Array  # one byte a code
    stamps: Array  # one byte a code
    stamp: Array  # the last one used
    counts: Array  # one number a code, or a place of the hash table
    bytes: Array  # the same for sets below 256: what is narrow stays in the cache
    shorts: Array  # for sets below 65,536
    places: Array  # the code in each place of the hash table
    rows: Array  # what each slot adds to the codes of up to 32 targets
    batch: Array  # guesses coded at once
    values: Array  # what each of them is worth
    seen: Array  # of up to 32 targets for each of them, how many before each have its code
    outside: Array  # 32 for the lanes after those targets
    steps: Array  # of the worth of the set at hand, for up to 32 targets, and 0 for those lanes
    letters: Array  # how many of each letter a word has


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
    """Codes of `count` guesses against the targets of words first:last, each in its row from `start` on."""
    for k in range(count):
        code_targets(codes, k * codes.shape[1] + start, bits, first, last, program, batch[k])


def scratch(n: int, program: Program, worth: Worth, codes: Array) -> Scratch:
    """Working memory for sets up to n; `codes` only gives the type of a code.

    Made outside of the kernels: each kind of array that one allocates would have to be compiled into it.
    """
    many, widest = n > ROW, program.widest
    lanes = (n + LANES - 1) // LANES * LANES if many else 0
    hashed = 2 << n.bit_length() if many and widest > TABLE else 0  # a power of two above 2 n
    table = min(widest, TABLE) + LANES if many else 0
    few = room(PAD + BATCH * STRIDE, codes.dtype)
    few[:] = np.iinfo(codes.dtype).max  # a value that is no code
    classes, sizes = table * worth.counts, table * (not worth.counts)
    return Scratch(
        few,
        many=room(BATCH * lanes, codes.dtype).reshape(BATCH, lanes),
        marks=room(classes, np.uint8, np.zeros),
        stamps=room(classes, np.uint8, np.zeros),
        stamp=np.zeros(1, np.int64),
        counts=room(max(hashed, n // DENSE, sizes if n >= 1 << 16 else 0), np.int32, np.zeros),
        bytes=room(sizes, np.uint8, np.zeros),
        shorts=room(sizes if n >= 1 << 8 else 0, np.uint16, np.zeros),
        places=np.zeros(hashed, np.uint64),
        rows=room(program.slot_features.shape[0] * ROW, np.uint8),
        batch=np.empty(BATCH + 1, np.int32),
        values=np.empty(BATCH, np.int64),
        seen=room(BATCH * ROW, np.uint8),
        outside=room(ROW, np.uint8),
        steps=room(2 * ROW, np.int64, np.zeros),
        letters=np.zeros(256, np.int64),
    )

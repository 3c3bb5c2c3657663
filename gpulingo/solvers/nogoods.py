"""Cores: words that cannot all be found in so many turns, whichever of the pool is guessed.

Each is kept with the guesses that leave its words in one class: none of these helps a set that holds it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gpulingo.solvers.decision import FRAME, OWN
from gpulingo.solvers.rows import fill
from gpulingo.tensors.cpu.compile import inner
from gpulingo.tensors.features import Array

MOST_CORES = 1 << 14
FEWEST_CORES = 4
SCORED = OWN  # of a frame: whether guesses have scores


class Cores(NamedTuple):
    """Sets of words that cannot all be found. C cores, T targets, P words of the pool."""

    size: Array  # [2] int64: how many there are, and which was written or used last
    turns: Array  # [C] int64: with so many turns left
    first: Array  # [C] int64: the word of bits that holds the first target
    words: Array  # [C, T / 64] uint64: bits of targets
    covers: Array  # [C, P / 64] uint64: bits of the guesses that leave the core in one class


class Desk(NamedTuple):
    """Working memory, by depth of the search."""

    members: Array  # [depths, T] int32: targets of a set; in the row below its classes
    starts: Array  # [depths, T + 1] int32: where classes begin in the row below
    queue: Array  # [depths, T] int32: the classes that have to be searched
    sets: Array  # [depths + 1, T / 64] uint64: targets of a set as bits; a row more for what is tried
    alive: Array  # [depths + 1, P / 64] uint64: guesses that no core rules out
    scores: Array  # [depths, P] int32: classes of those guesses
    frames: Array  # [depths, FRAME] int64
    mask: Array  # [P] uint8: guesses that part a set of two turns into single words, so far as is known
    places: Array  # [classes + 1] int32, 0
    core: Array  # [3, T] int32: words of a core that is made
    inside: Array  # [C] int64: numbers of the cores that a set holds
    own: Array  # [T] int64: the place of each target in the pool
    numbers: Array  # [T, 2] uint64: of each target; sums of them are the hash of a set


def new_cores(targets: int, pool: int, memory: int) -> Cores:
    """Room for cores, of at most so many bytes, and for at least 4; then the new replace the old."""
    words, guesses = (targets + 63) // 64, (pool + 63) // 64
    count = max(FEWEST_CORES, min(MOST_CORES, memory // (8 * (words + guesses + 2))))
    return Cores(
        np.zeros(2, np.int64),
        np.zeros(count, np.int64),
        np.zeros(count, np.int64),
        np.zeros((count, words), np.uint64),
        np.zeros((count, guesses), np.uint64),
    )


def new_desk(own: Array, pool: int, depths: int, cores: int) -> Desk:
    """Room to search sets of any of the targets."""
    targets = len(own)
    words, guesses = (targets + 63) // 64, (pool + 63) // 64
    return Desk(
        members=np.empty((depths + 1, targets), np.int32),
        starts=np.empty((depths, targets + 1), np.int32),
        queue=np.empty((depths, targets), np.int32),
        sets=np.empty((depths + 1, words), np.uint64),
        alive=np.empty((depths + 1, guesses), np.uint64),
        scores=np.empty((depths, pool), np.int32),
        frames=np.zeros((depths, FRAME), np.int64),
        mask=np.empty(pool, np.uint8),
        places=np.zeros(targets + 1, np.int32),
        core=np.empty((3, targets), np.int32),
        inside=np.empty(cores, np.int64),
        own=own,
        numbers=np.random.default_rng(2).integers(1, 1 << 64, (targets, 2), dtype=np.uint64),
    )


@inner
def keep(cores, mask, columns, core, left):
    """Note a core as the last, with the guesses that leave it in one class."""
    capacity = cores.turns.shape[0]
    number = cores.size[0] % capacity
    cores.size[0] += 1
    cores.size[1], cores.turns[number] = number, left
    as_bits(core, cores.words[number])
    covers, least = cores.covers[number], core[0]
    fill(mask, 1)
    for t in core[1:]:
        least = min(least, t)
        one, other = columns[core[0]], columns[t]
        for g in range(mask.shape[0]):
            mask[g] &= one[g] == other[g]
    cores.first[number] = least >> 6
    fill(covers, 0)
    for g in range(mask.shape[0]):
        covers[g >> 6] |= np.uint64(mask[g]) << np.uint64(g & 63)


@inner
def _is_within(cores, number, bits):
    """Whether a set of targets holds a core."""
    words = cores.words[number]
    for w in range(cores.first[number], bits.shape[0]):
        if words[w] & ~bits[w] != 0:
            return False
    return True


@inner
def core_within(cores, bits, left):
    """The number of a core of so many turns or more that a set holds, or -1."""
    for number in range(min(cores.size[0], cores.turns.shape[0])):
        if cores.turns[number] >= left and _is_within(cores, number, bits):
            return number
    return -1


@inner
def cores_within(cores, bits, left, numbers):
    """List the cores of so many turns or more that a set holds; return how many."""
    inside = 0
    for number in range(min(cores.size[0], cores.turns.shape[0])):
        if cores.turns[number] >= left and _is_within(cores, number, bits):
            numbers[inside] = number
            inside += 1
    return inside


@inner
def rule_out(alive, covers):
    """Take guesses out; whether one of them was still in."""
    seen = np.uint64(0)
    for w in range(alive.shape[0]):
        seen |= alive[w] & covers[w]
        alive[w] &= ~covers[w]
    return seen != 0


@inner
def is_empty(bits):
    seen = np.uint64(0)
    for w in range(bits.shape[0]):
        seen |= bits[w]
    return seen == 0


@inner
def set_bits(bits, count):
    """Set so many bits."""
    fill(bits, ~np.uint64(0))
    if count & 63:
        bits[-1] = (np.uint64(1) << np.uint64(count & 63)) - np.uint64(1)


@inner
def as_bits(words, bits):
    fill(bits, 0)
    for t in words:
        bits[t >> 6] |= np.uint64(1) << np.uint64(t & 63)

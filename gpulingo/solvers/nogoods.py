"""Nogoods: words that cannot all be found within N turns, whichever of the pool is guessed.

Each is kept with the guesses that leave its words in one class: none of these helps a set that holds it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gpulingo.solvers.decision import FRAME, OWN
from gpulingo.solvers.rows import fill
from gpulingo.tensors.cpu.compile import inner
from gpulingo.tensors.features import Array

MOST_NOGOODS = 1 << 14
FEWEST_NOGOODS = 4
SCORED = OWN  # of a frame: whether guesses have scores


class Nogoods(NamedTuple):
    """Sets of words that cannot all be found. C nogoods, T targets, P words of the pool."""

    size: Array  # [2] int64: how many there are, and which was written or used last
    turns: Array  # [C] int64: with so many turns left
    first: Array  # [C] int64: the word of bits that holds the first target
    words: Array  # [C, T / 64] uint64: bits of targets
    covers: Array  # [C, P / 64] uint64: bits of the guesses that leave the nogood in one class


class AllFoundWorkspace(NamedTuple):
    """Working memory, by depth of the search."""

    members: Array  # [depths, T] int32: targets of a set; in the row below its classes
    starts: Array  # [depths, T + 1] int32: where classes begin in the row below
    queue: Array  # [depths, T] int32: the classes that have to be searched
    sets: Array  # [depths + 1, T / 64] uint64: targets of a set as bits; a row more for what is tried
    alive: Array  # [depths + 1, P / 64] uint64: guesses that no nogood rules out
    scores: Array  # [depths, P] int32: classes of those guesses
    frames: Array  # [depths, FRAME] int64
    mask: Array  # [P] uint8: guesses that part a set of two turns into single words, so far as is known
    places: Array  # [classes + 1] int32, 0
    nogood: Array  # [3, T] int32: words of a nogood that is made
    inside: Array  # [C] int64: numbers of the nogoods that a set holds
    own: Array  # [T] int64: the place of each target in the pool
    twins: Array  # [T] int64: the first target that each is a twin of; empty if there are no twins
    numbers: Array  # [T, 2] uint64: of each target; sums of them are the hash of a set


def new_nogoods(targets: int, pool: int, memory: int) -> Nogoods:
    """Memory for nogoods, at most `memory` bytes and at least 4 of them; then the new replace the old."""
    words, guesses = (targets + 63) // 64, (pool + 63) // 64
    count = max(FEWEST_NOGOODS, min(MOST_NOGOODS, memory // (8 * (words + guesses + 2))))
    return Nogoods(
        np.zeros(2, np.int64),
        np.zeros(count, np.int64),
        np.zeros(count, np.int64),
        np.zeros((count, words), np.uint64),
        np.zeros((count, guesses), np.uint64),
    )


def new_workspace(own: Array, twins: Array, pool: int, depths: int, nogoods: int) -> AllFoundWorkspace:
    """Room to search sets of any of the targets."""
    targets = len(own)
    words, guesses = (targets + 63) // 64, (pool + 63) // 64
    return AllFoundWorkspace(
        members=np.empty((depths + 1, targets), np.int32),
        starts=np.empty((depths, targets + 1), np.int32),
        queue=np.empty((depths, targets), np.int32),
        sets=np.empty((depths + 1, words), np.uint64),
        alive=np.empty((depths + 1, guesses), np.uint64),
        scores=np.empty((depths, pool), np.int32),
        frames=np.zeros((depths, FRAME), np.int64),
        mask=np.empty(pool, np.uint8),
        places=np.zeros(targets + 1, np.int32),
        nogood=np.empty((3, targets), np.int32),
        inside=np.empty(nogoods, np.int64),
        own=own,
        twins=twins,
        numbers=np.random.default_rng(2).integers(1, 1 << 64, (targets, 2), dtype=np.uint64),
    )


@inner
def keep(nogoods, mask, columns, nogood, left):
    """Note a nogood as the last, with the guesses that leave it in one class."""
    capacity = nogoods.turns.shape[0]
    number = nogoods.size[0] % capacity
    nogoods.size[0] += 1
    nogoods.size[1], nogoods.turns[number] = number, left
    as_bits(nogood, nogoods.words[number])
    covers, least = nogoods.covers[number], nogood[0]
    fill(mask, 1)
    for t in nogood[1:]:
        least = min(least, t)
        one, other = columns[nogood[0]], columns[t]
        for g in range(mask.shape[0]):
            mask[g] &= one[g] == other[g]
    nogoods.first[number] = least >> 6
    fill(covers, 0)
    for g in range(mask.shape[0]):
        covers[g >> 6] |= np.uint64(mask[g]) << np.uint64(g & 63)


@inner
def _is_within(nogoods, number, bits):
    """Return True if a set of targets holds a nogood."""
    words = nogoods.words[number]
    for w in range(nogoods.first[number], bits.shape[0]):
        if words[w] & ~bits[w] != 0:
            return False
    return True


@inner
def nogood_within(nogoods, bits, left):
    """Return the number of a nogood of `left` turns or more within a set, or -1."""
    for number in range(min(nogoods.size[0], nogoods.turns.shape[0])):
        if nogoods.turns[number] >= left and _is_within(nogoods, number, bits):
            return number
    return -1


@inner
def nogoods_within(nogoods, bits, left, numbers):
    """List the nogoods of `left` turns or more within a set; return their number."""
    inside = 0
    for number in range(min(nogoods.size[0], nogoods.turns.shape[0])):
        if nogoods.turns[number] >= left and _is_within(nogoods, number, bits):
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
    """Set the first `count` bits."""
    fill(bits, ~np.uint64(0))
    if count & 63:
        bits[-1] = (np.uint64(1) << np.uint64(count & 63)) - np.uint64(1)


@inner
def as_bits(words, bits):
    fill(bits, 0)
    for t in words:
        bits[t >> 6] |= np.uint64(1) << np.uint64(t & 63)

"""Guesses for a set whose classes were counted, and what they say of the classes of another.

The classes of one guess part those of another. No guess makes more classes of a class than of its parts
together, nor more of a part than of the class that it was cut from. docs/bounds.md says why.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gpulingo.solvers.rows import copy, fill
from gpulingo.solvers.workspace import Workspace, ones
from gpulingo.tensors.cpu.compile import inner
from gpulingo.tensors.features import Array

# Any guess bounds any other; these say how well. By `python benchmarks/three_turns.py 5 --gap 12`, the pit's
# list: 2.94 CPU seconds an opening with 4 asked, 2.34 with 10, 2.35 with 30; at 4 letters 1.53, 1.32, 1.31.
KEPT = 1024
ASKED = 16  # that are nearest to a guess
PLACED = 8  # a letter in common counts so many times at the same place
PLACES = KEPT  # of which one is added to each likeness, a power of two
ALIKE = PLACED * PLACES
EIGHT = 8  # letters that are compared at once


class Counted(NamedTuple):
    """The last K of all D guesses for a set that were counted, at most; letters are packed in P eights."""

    letters: Array  # [P, D] uint64, of all guesses
    masks: Array  # [D] uint64: a bit for each letter of a guess
    kept: Array  # [K] int64: the guesses
    kept_letters: Array  # [P, K] uint64
    kept_masks: Array  # [K] uint64
    most: Array  # [K, labels] int32: for each label, classes that any guess makes of its words at most
    ends: Array  # [2] int64: how many are kept, and where the next is put
    likeness: Array  # [K] int32: of each to a guess, the greater the nearer; below 0 after it was asked
    caps: Array  # [labels] int32: classes that any guess makes of each class of the guess that was asked for
    shared: Array  # [labels, labels] uint16, zeros: words that classes of two guesses have in common

    @property
    def nbytes(self) -> int:
        """Of memory that they take."""
        return int(self.letters.nbytes + self.most.nbytes + self.shared.nbytes)


def none_counted(letters: Array, whole: Workspace) -> Counted:
    """No guesses as yet for a set; letters are [W, N] uint8, of the whole table."""
    of_guesses, labels = letters[whole.guesses], 64 * whole.wide
    masks = np.bitwise_or.reduce(np.uint64(1) << (of_guesses & 63).astype(np.uint64), axis=1)
    guesses, length = of_guesses.shape
    eights = np.zeros((guesses, -(-length // EIGHT) * EIGHT), np.uint8)
    eights[:, :length] = of_guesses
    packed, kept = np.ascontiguousarray(eights.view(np.uint64).T), min(KEPT, whole.distinct)
    return Counted(
        letters=packed,
        masks=masks,
        kept=np.zeros(kept, np.int64),
        kept_letters=np.zeros((len(packed), kept), np.uint64),
        kept_masks=np.zeros(kept, np.uint64),
        most=np.zeros((kept, labels), np.int32),
        ends=np.zeros(2, np.int64),
        likeness=np.zeros(kept, np.int32),
        caps=np.zeros(labels, np.int32),
        shared=np.zeros((labels, labels), np.uint16),
    )


@inner
def ask_nearest(guess, classes, floor, by_guess, counted):
    """Bound the value of a guess with `classes` classes by the nearest counted guesses; sets `caps`.

    It ends where that is not above the floor.
    """
    n, table, caps = by_guess.shape[1], counted.shared, counted.caps
    fill(caps[:classes], n)
    # With two turns left a class is worth at most its cap and one; the guess itself is found a turn before.
    alone = classes + np.int64(guess < n)
    total = np.int64(alone + n)
    _compare(guess, counted)
    for _ in range(min(ASKED, counted.ends[0])):
        place = _next_nearest(counted)
        theirs, limits = by_guess[counted.kept[place]], counted.most[place]
        for t in range(n):
            table[by_guess[guess, t], theirs[t]] += 1
        total = np.int64(alone)
        for c in range(classes):
            row, cap = table[c], np.int32(0)
            for x in range(row.shape[0]):
                cap = np.int32(cap + min(np.int32(row[x]), limits[x]))
                row[x] = 0
            caps[c] = min(caps[c], cap)
            total += caps[c]
        if total <= floor:
            break
    return total


@inner
def _compare(guess, counted):
    """Set `likeness` to a guess, by letters in common; no two are alike, the earlier place is the nearer."""
    mask, likeness, count = counted.masks[guess], counted.likeness, counted.ends[0]
    for place in range(count):
        like = ones(mask & counted.kept_masks[place])
        likeness[place] = (like + 1) * PLACES - 1 - place
    for part in range(counted.letters.shape[0]):
        mine, theirs = counted.letters[part, guess], counted.kept_letters[part]
        for place in range(count):
            likeness[place] += ALIKE * (EIGHT - ones(_nonzero(mine ^ theirs[place])))


@inner
def _nonzero(eight):
    """Return the highest bit of each byte that is not zero."""
    low = np.uint64(0x7F7F7F7F7F7F7F7F)
    return (((eight & low) + low) | eight) & ~low


@inner
def _next_nearest(counted):
    """Return the place of the nearest that was not asked as yet; there is one."""
    most = np.int32(0)
    for place in range(counted.ends[0]):
        most = max(most, counted.likeness[place])
    nearest = PLACES - 1 - (most & (PLACES - 1))
    counted.likeness[nearest] = -1
    return nearest


@inner
def keep(row, labels, guesses, counted):
    """Keep what is known of the guess in a row, which has these [n] labels."""
    place = counted.ends[1]
    counted.ends[1] = (place + 1) % counted.kept.shape[0]
    counted.ends[0] = max(counted.ends[0], place + 1)
    guess = guesses.ids[row]
    counted.kept[place], counted.kept_masks[place] = guess, counted.masks[guess]
    copy(counted.letters[:, guess], counted.kept_letters[:, place])
    starts, c = guesses.starts[row], 0
    while starts[c] < labels.shape[0]:
        counted.most[place, labels[guesses.members[row, starts[c]]]] = guesses.most[row, c]
        c += 1

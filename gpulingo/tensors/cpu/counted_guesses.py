"""Guesses for a set whose classes were counted, and what they say of the classes of another.

The classes of one guess part those of another. No guess makes more classes of a class than of its parts
together, nor more of a part than of the class that it was cut from. docs/bounds.md says why.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gpulingo.tensors.cpu.compile import inner
from gpulingo.tensors.cpu.labels import WholeSet, ones
from gpulingo.tensors.features import Array

# Any guess bounds any other; these say how well. By `python benchmarks/three_turns.py 5 --gap 12`, the pit's
# list: 2.94 CPU seconds an opening with 4 asked, 2.34 with 10, 2.35 with 30; at 4 letters 1.53, 1.32, 1.31.
KEPT = 1024
ASKED = 16  # that are nearest to a guess
PLACED = 8  # a letter in common counts so many times at the same place


class Counted(NamedTuple):
    """Up to K guesses, by place of all D guesses for a set; the last ones that were counted."""

    letters: Array  # [D, N] uint8, of all guesses
    masks: Array  # [D] uint64: a bit for each letter of a guess
    kept: Array  # [K] int64: the guesses
    most: Array  # [K, labels] int32: for each label, classes that any guess makes of its words at most
    ends: Array  # [2] int64: how many are kept, and where the next is put
    nearest: Array  # [ASKED] int64: those that are nearest to a guess, the nearest first, or -1
    likeness: Array  # [ASKED] int64
    sizes: Array  # [labels] int32: zeros

    @property
    def nbytes(self) -> int:
        """Of memory that they take."""
        return int(self.letters.nbytes + self.most.nbytes)


def none_counted(letters: Array, whole: WholeSet) -> Counted:
    """No guesses as yet for a set; letters are [W, N] uint8, of the whole table."""
    of_guesses, labels = letters[whole.guesses], 64 * whole.wide
    masks = np.bitwise_or.reduce(np.uint64(1) << (of_guesses & 63).astype(np.uint64), axis=1)
    kept = min(KEPT, whole.distinct)
    return Counted(
        letters=of_guesses,
        masks=masks,
        kept=np.zeros(kept, np.int64),
        most=np.zeros((kept, labels), np.int32),
        ends=np.zeros(2, np.int64),
        nearest=np.zeros(ASKED, np.int64),
        likeness=np.zeros(ASKED, np.int64),
        sizes=np.zeros(labels, np.int32),
    )


@inner
def ask_nearest(row, floor, by_guess, guesses, counted):
    """Bound the classes of the guess in a row by those of the nearest that were counted.

    It ends where the guess is not above the floor.
    """
    starts, members, most = guesses.starts[row], guesses.members[row], guesses.most[row]
    _find_nearest(guesses.ids[row], counted)
    for place in counted.nearest:
        if place < 0:
            return
        labels, caps, sizes = by_guess[counted.kept[place]], counted.most[place], counted.sizes
        for k in range(guesses.counts[row, 0]):
            c = guesses.order[row, k]
            for t in range(starts[c], starts[c + 1]):
                sizes[labels[members[t]]] += 1
            total = np.int64(0)
            for x in range(sizes.shape[0]):
                total += min(sizes[x], caps[x])
                sizes[x] = 0
            if total < most[c]:
                guesses.totals[row] -= most[c] - total
                most[c] = total
                if guesses.totals[row] <= floor:
                    return


@inner
def _find_nearest(guess, counted):
    """Set `nearest`, by letters in common."""
    mine, mask, last = counted.letters[guess], counted.masks[guess], ASKED - 1
    nearest, likeness = counted.nearest, counted.likeness
    nearest[:], likeness[:] = -1, -1
    for place in range(counted.ends[0]):
        other = counted.kept[place]
        theirs, like = counted.letters[other], np.int64(ones(mask & counted.masks[other]))
        for i in range(mine.shape[0]):
            like += PLACED * (mine[i] == theirs[i])
        if like > likeness[last]:
            k = last
            while k > 0 and likeness[k - 1] < like:
                nearest[k], likeness[k] = nearest[k - 1], likeness[k - 1]
                k -= 1
            nearest[k], likeness[k] = place, like


@inner
def keep(row, labels, guesses, counted):
    """Keep what is known of the guess in a row, which has these [n] labels."""
    place = counted.ends[1]
    counted.ends[1] = (place + 1) % counted.kept.shape[0]
    counted.ends[0] = max(counted.ends[0], place + 1)
    counted.kept[place] = guesses.ids[row]
    starts, c = guesses.starts[row], 0
    while starts[c] < labels.shape[0]:
        counted.most[place, labels[guesses.members[row, starts[c]]]] = guesses.most[row, c]
        c += 1

"""Upper bounds on the value of a set, from its size and from how finely one guess can part it.

Values are in turns: a word found with k turns left, the guess included, counts k. docs/bounds.md says why the
bounds are sound.
"""

from __future__ import annotations

import torch
from torch import Tensor

PARTS = 1 << 20  # a set has fewer parts


def most(sizes: Tensor, left: int) -> Tensor:
    """Value of sets that a candidate of theirs parts into single words: no set of that size is worth more.

    Args:
        sizes: [S] int64, at least 1.
        left: turns left, at least 1.
    Returns:
        [S] int64: one word found now, the others on the next turn, if there is one.
    """
    return left + (sizes - 1) * (left - 1)


def capped(sizes: Tensor, first: Tensor, classes: Tensor, left: int) -> Tensor:
    """Bound on what guesses yield, by counting the words that can be found within each number of turns.

    A value is the sum over k of the words found within k turns. Two turns find at most the classes of the
    guess, and the guess itself if it is a candidate; each further turn at most `classes` times as many,
    because no guess parts a subset more finely than the set; and never more than there are.

    Args:
        sizes: [S] int64, candidates.
        first: [S] int64, classes of the guess, one more when it is a candidate; or the greatest such number.
        classes: [S] int64, most classes that any guess makes of the set.
        left: turns left, at least 2.
    Returns:
        [S] int64.
    """
    value, within = first.clone(), first
    for _ in range(left - 2):
        within = (within * classes).minimum(sizes)
        value += within
    return value


def of_part(sizes: Tensor, found: Tensor, three: Tensor | None, left: int) -> Tensor:
    """What a part adds at most to the value of a set, to be summed; `of_parts` reads the sum.

    Words found within two turns or more are at most those that can be found of every part. The first guess
    finds one word of one part; where that is not counted yet, the lowest bits say so.

    Args:
        sizes: [S] int64, candidates.
        found: [S] int64: two turns find at most so much of a set that holds the part.
        three: [S] int64, the same of three turns, where that is known and left is at least 3; else None.
        left: turns left, at least 2.
    Returns:
        [S] int64.
    """
    classes = found.minimum(sizes)
    worth, first = capped(sizes, classes, classes, left), sizes < found
    if three is not None:
        least = three + (left - 3) * sizes
        worth, first = worth.minimum(least), first & (worth < least)
    return worth * PARTS + first


def of_parts(total: Tensor) -> Tensor:
    """[S] int64: bounds of the value of sets, from the sum of `of_part` over their parts."""
    return total // PARTS + (total % PARTS > 0)


def by_size(sizes: Tensor, classes: int, left: int) -> Tensor:
    """Bound on the value of sets of which only the size is known.

    Args:
        sizes: [S] int64, at least 1.
        classes: most classes that any guess makes of the whole list.
        left: turns left, at least 2.
    Returns:
        [S] int64.
    """
    parted = sizes.clamp(max=classes)
    return torch.minimum(capped(sizes, parted + 1, parted, left), most(sizes, left))

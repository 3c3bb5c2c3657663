"""Upper bounds on the value of a set, from its size and from how finely one guess can part it.

Values are in turns: a word found with k turns left, the guess included, counts k. docs/bounds.md says why the
bounds are sound.
"""

from __future__ import annotations

import torch
from torch import Tensor


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


def of_part(sizes: Tensor, found: Tensor, left: int) -> Tensor:
    """What a part adds at most to the value of a set, besides the word that the first guess may find.

    That word counts once for the whole set. Words found within two turns or more are at most those that
    can be found of every part.

    Args:
        sizes: [S] int64, candidates.
        found: [S] int64: two turns find at most so much of a set that holds the part.
        left: turns left, at least 2.
    Returns:
        [S] int64.
    """
    classes = found.minimum(sizes)
    return capped(sizes, classes, classes, left)


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

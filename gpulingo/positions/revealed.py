"""Upper bound on what a guesser of letters finds: its value if some letters were shown without a guess.

A strategy for a set is one for each part of it, so the values of parts add up to no less than that of the
set. Here a set that is too large to be searched is split by the letter that most words hold.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from gpulingo.solvers.letters import LetterSearch
from gpulingo.tensors.wordtable import WordTable


def revealed_bound(
    search: LetterSearch,
    table: WordTable,
    lives: int,
    limit: int,
    *,
    often: Callable[[], None] = lambda: None,
) -> int:
    """Return an upper bound for any guesser, in credits summed over the targets.

    Args:
        search: of the table.
        limit: words of sets that are opened for a part before it is split further.
        often: called after every part; may raise to end it.
    """
    letters, alphabet = table.letters.cpu(), len(table.alphabet)

    def bound(members: Tensor) -> int:
        often()
        value = search.value(members, lives, alphabet, limit=limit)
        if value is not None:
            return value
        rows = letters[members.long()]  # [n, N]
        spots = torch.stack([rows == letter for letter in range(alphabet)])  # [A, n, N]
        uniform = (spots == spots[:, :1]).all(dim=2).all(dim=1)
        counts = spots.any(2).sum(1).masked_fill(uniform, -1)
        classes = torch.unique(spots[int(counts.argmax())], dim=0, return_inverse=True)[1]
        return sum(bound(members[classes == number]) for number in range(int(classes.max()) + 1))

    return bound(table.targets.cpu())

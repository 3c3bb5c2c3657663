"""A host who always keeps the largest class, and the shortest lines of guesses against him: the plain rule.

The host shows the marks of the class that holds most candidates; of equal classes that of fewest placed
letters, then of fewest misplaced ones, then of the smaller pattern. So what is kept depends on the guess
alone, and a line of guesses ends when a guess is the one candidate that is left: a found word is a class of
one word with most letters placed, which is kept only where it is the only class.
"""

from __future__ import annotations

import torch
from torch import Tensor

from gpulingo.tensors.feedback import MISPLACED, PLACED, feedback_of
from gpulingo.tensors.outcomes import Kept, Lines
from gpulingo.tensors.wordtable import WordTable


def kept_members(table: WordTable, members: Tensor, guess: int) -> Tensor:
    """The class of a set that the host keeps.

    Args:
        members: [n] int32, ascending. guess: its index.
    Returns:
        [m] int32, ascending; all members where the guess tells nothing.
    """
    codes = feedback_of(table).paired(table, members.new_full(members.shape, guess), members)
    patterns, sizes = codes.unique(return_counts=True)  # ascending
    largest = patterns[sizes == sizes.max()]
    digits = [largest // 3**place % 3 for place in range(table.length)]
    marks = torch.stack(digits)  # [N, C]
    shown = (marks == PLACED).sum(0) * (table.length + 1) + (marks == MISPLACED).sum(0)
    return members[codes == largest[shown.argmin()]]  # the first of equal ones, which has the smaller pattern


class PlainLines:
    """A search by going through every guess; for small lists."""

    def __init__(self, table: WordTable) -> None:
        self.table = table

    def kept(self, members: Tensor) -> Kept:
        """As `LineSearch.kept`."""
        classes = [kept_members(self.table, members, guess) for guess in self.table.pool.tolist()]
        keys = [tuple(kept.tolist()) for kept in classes]
        first = {key: place for place, key in reversed(list(enumerate(keys)))}
        return Kept(torch.tensor([len(key) for key in keys]), torch.tensor([first[key] for key in keys]))

    def after(self, members: Tensor, guess: int) -> Tensor:
        """As `LineSearch.after`."""
        return kept_members(self.table, members, guess)

    def shortest(self, members: Tensor, limit: int) -> Lines:
        """As `LineSearch.shortest`."""
        if members.shape[0] == 1:
            return Lines(1, 1)
        best = Lines()
        for guess in self.table.pool.tolist() if limit > 1 else []:
            kept = kept_members(self.table, members, guess)
            if kept.shape[0] < members.shape[0]:
                best = best.joined(self.shortest(kept, limit - 1).after())
        return best


def line_search(table: WordTable, memory: int) -> PlainLines:
    """As `lines.line_search`."""
    return PlainLines(table)

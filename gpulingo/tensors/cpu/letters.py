"""`letter_search` on the CPU."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from gpulingo.tensors.cpu.letter_playout import playout
from gpulingo.tensors.cpu.letter_search import LIMIT, NODES, known_bracket, seek_letters
from gpulingo.tensors.cpu.letter_sets import letter_sets
from gpulingo.tensors.cpu.letter_table import letter_table
from gpulingo.tensors.cpu.letter_tree import grow_letters
from gpulingo.tensors.features import letter_places
from gpulingo.tensors.outcomes import ValuedTree
from gpulingo.tensors.wordtable import WordTable


class LetterSearch:
    """As `letters.letter_search`; not for several threads at once, but for `stop`."""

    def __init__(self, table: WordTable, payoff: list[int], memory: int) -> None:
        paid = np.array(payoff, np.int64)
        self._masks = letter_places(table).cpu().numpy()
        self._sets, self._of_letter = letter_sets(table, self._masks, paid)
        self._known = letter_table(memory)
        self._count, self._places = np.zeros(2, np.int64), table.length

    @property
    def opened(self) -> int:
        """Words of all the sets that the last search has opened."""
        return int(self._count[NODES])

    def stop(self) -> None:
        """End, from another thread, what is searched now."""
        self._count[LIMIT] = -1

    def value(
        self, members: Tensor, lives: int, width: int, floor: int = -1, limit: int = 1 << 62
    ) -> int | None:
        """As `letters.LetterSearch.value`."""
        n = self._put(members)
        self._count[:] = 0, limit
        arguments = self._sets, self._known, self._count, 0, 0, 0, n, n, lives, self._places, floor, width
        value = int(seek_letters(*arguments))
        return value if self._count[NODES] <= self._count[LIMIT] else None

    def bracket(self, members: Tensor, lives: int) -> tuple[int, int]:
        """As `letters.LetterSearch.bracket`."""
        lower, upper = known_bracket(self._sets, self._known, self._put(members), lives, self._places)
        return int(lower), int(upper)

    def playout(self, members: Tensor, lives: int, levels: int, width: int) -> int:
        """As `letters.LetterSearch.playout`."""
        n = self._put(members)
        return int(playout(self._sets, self._known, 0, 0, n, n, lives, levels, width, 0))

    def tree(self, members: Tensor, lives: int, levels: int, width: int) -> ValuedTree:
        """As `letters.LetterSearch.tree`."""
        n = self._put(members)
        playout(self._sets, self._known, 0, 0, n, n, lives, levels, width, 1)
        masks = np.zeros(self._sets.digits.shape, np.int64)
        for letter, known in enumerate(self._of_letter):
            masks[letter, : len(known)] = known
        size, kind = 2 * n + 1, self._masks.dtype
        arrays = (
            np.zeros(size, np.int32),
            np.zeros(size, kind),
            np.zeros(size, np.int32),
            np.zeros(size, np.uint8),
        )
        nodes, value = grow_letters(self._sets, self._known, masks, n, lives, arrays)
        guess, pattern, first, hit = arrays
        rows = guess[:nodes], pattern[:nodes], first[: nodes + 1], hit[:nodes]
        kept = [torch.from_numpy(row.copy()) for row in rows]
        return ValuedTree(kept[0], kept[1], kept[2], kept[3], int(value))

    def _put(self, members: Tensor) -> int:
        """Make the members the set that is searched, and return how many there are."""
        self._sets.members[: members.shape[0]] = members.numpy()
        return members.shape[0]


def letter_search(table: WordTable, payoff: list[int], memory: int) -> LetterSearch:
    """As `letters.letter_search`."""
    return LetterSearch(table, payoff, memory)

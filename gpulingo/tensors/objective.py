"""Objective of `rank`: integer tables; no work is done here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from gpulingo.tensors.checks import check_kind, check_tensor
from gpulingo.tensors.wordtable import WordTable

Progress = Callable[[int], None]  # told how many more pairs of guess and candidate have been evaluated


@dataclass(frozen=True, eq=False)
class Objective:
    """Integer table from class sizes to the rank of a guess, so that no order of adding changes a sum.

    Where targets have weights, the size of a class is the sum of those of its words.

    Attributes:
        table: [n + 1] int64, value of a class of each size; table[0] is 0.
        bonus: added when the guess is itself a candidate of the set, as often as it counts; not negative.
        largest: combine the classes by the least table entry, that of the worst class, instead of the sum.
        heaviest: a class counts as its heaviest word, instead of all its words together.
    Raises:
        TypeError, ValueError: one of them is something else.

    >>> import torch
    >>> Objective(torch.tensor([0, -1, -4])).table[2]  # the smallest mean class, of up to two words
    tensor(-4)
    """

    table: Tensor
    bonus: int = 0
    largest: bool = False
    heaviest: bool = False

    def __post_init__(self) -> None:
        check_tensor("objective table", self.table, (torch.int64,), ("n + 1",))
        check_kind("bonus", self.bonus, int)
        check_kind("largest", self.largest, bool)
        check_kind("heaviest", self.heaviest, bool)
        if self.table.shape[0] < 1:
            raise ValueError("objective table is torch.int64 [0], expected [n + 1] int64")
        if self.table[0] != 0 or self.bonus < 0:
            raise ValueError(
                f"table[0] is {int(self.table[0])}, bonus {self.bonus}: expected 0 and at least 0"
            )

    @property
    def counts_classes(self) -> bool:
        """Return True if the rank is the number of classes, for which kernels need no class sizes."""
        return not self.largest and not self.heaviest and bool((self.table[1:] == 1).all())

    def weights(self, table: WordTable) -> Tensor | None:
        """[W] int32, what the words of a table count in ranks; None: each 1, as where classes are counted."""
        return None if table.weights is None or self.counts_classes else table.weights

    def without_weights(self, largest: int) -> Objective:
        """Return the same ranks for sets of up to `largest` words that count 1 each."""
        if not self.heaviest:
            return self
        return Objective(classes(largest, 0).table * self.table[1], self.bonus, self.largest)

    def most_a_word(self, largest: int) -> int:
        """Return the most that a word of a set of up to `largest` adds to a sum, above or below 0.

        A class of n gives each of its words table[n] / n, so a sum over classes is never beyond this for each
        word of the set.
        """
        sizes = torch.arange(1, largest + 1, device=self.table.device)
        # Rounded down, and no abs, which the least int64 has none of.
        shares = self.table[1 : largest + 1] // sizes
        return max(int(shares.max()) + 1, -int(shares.min())) if largest else 0

    @property
    def complete_is_best(self) -> bool:
        """Return True if no partition of a set can outrank the one into single words."""
        sizes = torch.arange(self.table.shape[0], dtype=torch.int64)
        single = self.table[1] if self.table.shape[0] > 1 else self.table[0]
        limit = single.expand(sizes.shape[0])[1:] if self.largest else (sizes * single)[1:]
        return bool((self.table[1:] <= limit).all())


def classes(largest: int, bonus: int) -> Objective:
    """Number of classes of sets up to a size, more for a candidate."""
    worth = torch.ones(largest + 1, dtype=torch.int64)
    worth[0] = 0
    return Objective(worth, bonus)

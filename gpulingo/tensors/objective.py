"""Objective of `rank`: an integer table, or one for each set; data only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gpulingo.tensors.arrays import Array, Tensor, array_of, contiguous
from gpulingo.tensors.checks import check_tensor
from gpulingo.tensors.wordtable import WordTable
from gpulingo.words.shown import brief

RISING = range(256)  # payoff by turns left, for any game that rises by one credit per turn
Progress = Callable[[int], None]  # called with the pairs of guess and candidate evaluated since the last call


@dataclass(frozen=True, eq=False)
class Objective:
    """Integer table from class sizes to the rank of a guess; sums of integers do not depend on their order.

    Tables are arrays of numpy, on every device; a tensor is taken too.

    If targets have weights, the size of a class is the sum of its weights. Several objectives can be rows
    of one table (`stacked`); a single one has one row.

    Attributes:
        table: [n + 1] int64, value of a class of each size; table[0] is 0. With `rows` [K, n + 1].
        bonus: added when the guess is itself a candidate of the set, times its weight; not negative. With
            `rows` K of them.
        largest: combine the classes by the least table entry, that of the worst class, instead of the sum.
        heaviest: the size of a class is its greatest weight, instead of the sum.
        rows: [S] int64, the row of the table and the bonus for each set of the frontier.
    Raises:
        ValueError: a field is not of this form.

    >>> Objective(np.array([0, -1, -4])).table.tolist()  # the smallest mean class, of up to two words
    [0, -1, -4]
    """

    table: Tensor
    bonus: int | Sequence[int] = 0
    largest: bool = False
    heaviest: bool = False
    rows: Tensor | None = None

    def __post_init__(self) -> None:
        shape = ("n + 1",) if self.rows is None else ("K", "n + 1")
        check_tensor("objective table", self.table, ("int64",), shape)
        object.__setattr__(self, "table", contiguous(array_of(self.table)))
        if not self.table.size:
            seen = f"objective table is int64 {list(self.table.shape)}"
            raise ValueError(f"{seen}, expected [{', '.join(shape)}] int64")
        if len(self.bonuses) != len(self.tables):
            raise ValueError(f"{len(self.bonuses)} bonuses, expected one for each of {len(self.tables)} rows")
        for first, bonus in zip(self.tables[:, 0].tolist(), self.bonuses, strict=True):
            if first != 0 or bonus < 0:
                raise ValueError(f"table[0] is {first}, bonus {bonus}: expected 0 and at least 0")

    def __repr__(self) -> str:
        parts = [f"sizes 0 to {self.table.shape[-1] - 1:,}"]
        parts += [f"{len(self.tables):,} rows"] if self.rows is not None else []
        parts += [name for name in ("largest", "heaviest") if getattr(self, name)]
        bonuses = sorted(set(self.bonuses))
        bonus = f"bonus {bonuses[0]}" + (f" to {bonuses[-1]}" if len(bonuses) > 1 else "")
        return brief("Objective", ", ".join([*parts, bonus]))

    @property
    def tables(self) -> Array:
        """[K, n + 1] int64, the table of each row."""
        return self.table.reshape(-1, self.table.shape[-1])

    @property
    def bonuses(self) -> list[int]:
        """The bonus of each row."""
        return [self.bonus] * len(self.tables) if isinstance(self.bonus, int) else list(self.bonus)

    def rows_of(self, sets: int) -> Array:
        """[S] int64, the row of each set."""
        return np.zeros(sets, np.int64) if self.rows is None else array_of(self.rows)

    def of_set(self, number: int) -> Objective:
        """Return the objective of one set."""
        if self.rows is None:
            return self
        row = int(self.rows[number])
        return replace(self, table=self.tables[row], bonus=self.bonuses[row], rows=None)

    def cut(self, largest: int) -> Objective:
        """Return the objective for sets of up to `largest` words, always with rows."""
        tables, rows = self.tables[:, : largest + 1], self.rows_of(0)
        return Objective(tables, self.bonuses, self.largest, self.heaviest, rows)

    @property
    def counts_classes(self) -> bool:
        """Return True if the rank is the number of classes, for which kernels need no class sizes."""
        return not self.largest and not self.heaviest and bool((self.table[..., 1:] == 1).all())

    def weights(self, table: WordTable) -> Tensor | None:
        """[W] int32, weights of the words in ranks; None: each 1, as where classes are counted."""
        return None if table.weights is None or self.counts_classes else table.weights

    def without_weights(self, largest: int) -> Objective:
        """Return an objective with the same ranks for sets of up to `largest` words of weight 1."""
        if not self.heaviest:
            return self
        return replace(self, table=classes(largest, 0).table * self.table[..., 1:2], heaviest=False)

    def most_a_word(self, largest: int) -> int:
        """Return the most that a word of a set of up to `largest` adds to a sum, above or below 0.

        A class of n gives each of its words table[n] / n, so a sum over classes is at most this times the
        words of the set.
        """
        sizes = np.arange(1, largest + 1)
        # Rounded down, without abs, which the least int64 does not have.
        shares = self.table[..., 1 : largest + 1] // sizes
        return max(int(shares.max()) + 1, -int(shares.min())) if largest else 0

    @property
    def complete_is_best(self) -> bool:
        """Return True if no partition of a set can outrank the one into single words."""
        tables = self.tables[:, 1:]
        sizes = np.arange(1, tables.shape[1] + 1)
        return bool((tables <= tables[:, :1] * (1 if self.largest else sizes)).all())


def stacked(objectives: Sequence[Objective], rows: Tensor) -> Objective:
    """Return several objectives as the rows of one; their tables have one length and combine classes alike.

    `rows` are [S] int64, the objective of each set.

    >>> ways = Objective(np.array([0, 1, 1])), Objective(np.array([0, -1, -4]), bonus=2)
    >>> stacked(ways, np.array([1, 1, 0])).table.tolist()
    [[0, 1, 1], [0, -1, -4]]
    """
    tables, bonuses = zip(*((each.table, each.bonus) for each in objectives), strict=True)
    return Objective(np.stack(tables), bonuses, objectives[0].largest, objectives[0].heaviest, rows)


def classes(largest: int, bonus: int) -> Objective:
    """Return the objective that counts classes of sets up to a size, with a bonus for a candidate."""
    worth = np.ones(largest + 1, np.int64)
    worth[0] = 0
    return Objective(worth, bonus)


def perfect_split(sizes: Any, turns_left: int, payoff: Sequence[int] = RISING) -> Any:
    """Credits of sets that one of their candidates splits into single words: the most for sets of that size.

    One word is found now, the others on the next turn, if there is one.
    """
    return payoff[turns_left] + (sizes - 1) * payoff[turns_left - 1]

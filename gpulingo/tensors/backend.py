"""Interface of backends: the operations on arguments that have been checked.

Modules are backends: `reference`, `cpu.backend` and `cuda.backend`. Arguments and answers are those of
`gpulingo.tensors.operations`; every backend answers the same, bit for bit.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from torch import Tensor

from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Objective, Progress
from gpulingo.tensors.outcomes import (
    CappedClasses,
    Ranked,
    Refined,
    Split,
)
from gpulingo.tensors.wordtable import WordTable


@runtime_checkable
class Backend(Protocol):
    """The operations of one kind of device.

    Attributes:
        uses_ceilings: whether `most_classes` is faster with them.

    >>> from gpulingo.tensors import reference
    >>> isinstance(reference, Backend)
    True
    """

    uses_ceilings: bool

    def patterns(self, guesses: Tensor, targets: Tensor) -> Tensor:
        """[G, T] patterns of marks of [G, N] uint8 guesses against [T, N] targets."""

    def paired_patterns(self, table: WordTable, guesses: Tensor, targets: Tensor) -> Tensor:
        """Patterns of [M] guesses against [M] targets, all indices into the table."""

    def rank(
        self,
        table: WordTable,
        frontier: Frontier,
        pool: Tensor | Frontier | None,
        objective: Objective,
        width: int,
        progress: Progress | None = None,
    ) -> Ranked:
        """The best guesses of every set, of at least one."""

    def split(self, table: WordTable, frontier: Frontier, guesses: Tensor) -> Split:
        """Split each set by one guess."""

    def using_hints(
        self, table: WordTable, legal: Frontier, guesses: Tensor, parents: Tensor, patterns: Tensor
    ) -> Frontier:
        """Return the legal guesses that use every hint of each class, maybe none; see `legal.narrowed`."""

    def refined(
        self,
        table: WordTable,
        guesses: Tensor,
        sets: Frontier,
        steps: Tensor,
        progress: Progress | None = None,
    ) -> Refined:
        """Return the classes of guesses, and the values of the parts of known sets that they hold."""

    def class_counts(self, table: WordTable, members: Tensor, progress: Progress | None = None) -> Tensor:
        """Return the number of classes that every word makes of one set."""

    def most_classes(
        self,
        table: WordTable,
        sets: Frontier,
        ceilings: Tensor,
        rows: list[Tensor],
        progress: Progress | None = None,
    ) -> tuple[Tensor, Tensor]:
        """The most classes that a guess makes of each set, and the pairs evaluated for it."""

    def greatest_capped(
        self, capped: CappedClasses, front: Frontier, most: Tensor, progress: Progress | None = None
    ) -> Tensor:
        """The greatest sum of capped classes of each set."""

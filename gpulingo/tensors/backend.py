"""What a backend is: the operations on arguments that have been checked.

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
    Kept,
    LetterTree,
    Lines,
    Opened,
    Ranked,
    Refined,
    Split,
    Valued,
)
from gpulingo.tensors.racks import RackNumbers
from gpulingo.tensors.wordtable import WordTable


class ValueSearch(Protocol):
    """A search for the values of sets, with a table of what it has seen; for one thread at a time."""

    def value(
        self, members: Tensor, left: int, floor: int = -1, limit: int = ..., legal: Tensor | None = None
    ) -> Valued:
        """The value of one set, over every legal guess.

        Args:
            members: [n] int32, ascending, not empty, all of them targets.
            left: turns left, the guess included, at least 1.
            floor: credits that a value has to be above, or it is not worth knowing; not negative, or -1.
            limit: pairs of guess and candidate that it may evaluate.
            legal: [L] int32, ascending, the members among them: the legal guesses; None: the whole pool.
        """

    def bracket(self, members: Tensor, left: int) -> tuple[int, int]:
        """What the value of one set is at least and at most: soon known where the value takes long.

        Both are -1 where the set is too large to be searched. What helps to find the value of the same set
        may be kept until that is asked for.

        Args:
            members: [n] int32, ascending, not empty, all of them targets.
            left: turns left, the guess included, at least 1.
        """

    def forget(self) -> None:
        """Keep nothing more for sets that `bracket` was asked about."""

    def after(
        self,
        opening: int,
        left: int,
        floor: int = -1,
        limit: int = ...,
        upper: Tensor | None = None,
    ) -> Opened:
        """What a word of the pool leads to as first guess, all targets being candidates and all words legal.

        Its classes are searched one by one, the smallest first, until no more than the floor is left.

        Args:
            opening: index of the guess.
            left: turns left, the opening included, at least 1.
            floor: credits that its value has to be above, or it is not worth knowing; not negative, or -1.
            limit: pairs of guess and candidate that it may evaluate.
            upper: [C] int64, a bound of each class that `split` tells, the solved one left out; if known.
        """

    def stop(self) -> None:
        """End, from another thread, what is searched now, as if its limit were reached."""


class LineSearch(Protocol):
    """A search for lines of guesses against a host who keeps the largest class; several threads may ask."""

    def kept(self, members: Tensor) -> Kept:
        """What is kept of one set after every guess of the pool.

        Args:
            members: [n] int32, ascending, not empty, all of them targets.
        """

    def after(self, members: Tensor, guess: int) -> Tensor:
        """[m] int32: the members that are kept after a guess of the pool, its index into the table."""

    def shortest(self, members: Tensor, limit: int) -> Lines:
        """The shortest lines that end a round, if they have at most so many guesses, 1 to 3."""


@runtime_checkable
class Backend(Protocol):
    """The operations of one kind of device.

    Attributes:
        uses_ceilings: whether `most_classes` is faster with them.
    """

    uses_ceilings: bool

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
        """What one guess does to each set."""

    def using_hints(
        self, table: WordTable, legal: Frontier, guesses: Tensor, parents: Tensor, patterns: Tensor
    ) -> Frontier:
        """The legal guesses that use every hint of each class, as `legal.narrowed`; of a class maybe none."""

    def refined(
        self,
        table: WordTable,
        guesses: Tensor,
        sets: Frontier,
        steps: Tensor,
        progress: Progress | None = None,
    ) -> Refined:
        """The classes of guesses, and what the parts that they hold of known sets are worth."""

    def class_counts(self, table: WordTable, members: Tensor, progress: Progress | None = None) -> Tensor:
        """How many classes every word makes of one set."""

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

    def value_search(
        self, table: WordTable, memory: int, legal: str, bonus: int, pace: int = 1
    ) -> ValueSearch:
        """A search for values of sets of a table."""

    def line_search(self, table: WordTable, memory: int) -> LineSearch:
        """A search for lines of guesses against a host who keeps the largest class."""

    def most_held_tree(
        self, table: WordTable, members: Tensor, lives: int, counts: Tensor, before: Tensor
    ) -> LetterTree:
        """The tree of guessing the letter that is counted most."""

    def best_of_racks(self, racks: RackNumbers, tiles: int, smaller: Tensor, own: Tensor) -> Tensor:
        """The greatest rank of a word on each rack, as `rack_ranks.best_of_racks`."""

    def draws_by_rank(self, racks: RackNumbers, tiles: int, ranks: Tensor, count: int) -> Tensor:
        """How many draws give a rack of each rank, as `rack_ranks.draws_by_rank`."""

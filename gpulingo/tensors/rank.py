"""`rank`: the best guesses of every candidate set, by an integer objective; the backends do the work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType

import torch
from torch import Tensor

from gpulingo.tensors.frontier import Frontier
from gpulingo.words.encode import WordTable

Progress = Callable[[int], None]  # told how many more pairs of guess and candidate have been evaluated


@dataclass(frozen=True, eq=False)
class Objective:
    """How class sizes become the rank of a guess: an integer table, so that no order of adding changes a sum.

    Attributes:
        table: [n + 1] int64, what a class of each size is worth; table[0] is 0.
        bonus: added when the guess is itself a candidate of the set; not negative.
        largest: combine the classes by the least table entry, that of the worst class, instead of the sum.
    """

    table: Tensor
    bonus: int = 0
    largest: bool = False

    def __post_init__(self) -> None:
        if self.table.dtype != torch.int64 or self.table.ndim != 1 or self.table.shape[0] < 1:
            raise ValueError(
                f"objective table is {self.table.dtype} {list(self.table.shape)}, expected [n + 1] int64"
            )
        if self.table[0] != 0 or self.bonus < 0:
            raise ValueError(
                f"table[0] is {int(self.table[0])}, bonus {self.bonus}: expected 0 and at least 0"
            )

    @property
    def counts_classes(self) -> bool:
        """Whether the rank is the number of classes, for which kernels need no class sizes."""
        return not self.largest and bool((self.table[1:] == 1).all())

    @property
    def complete_is_best(self) -> bool:
        """Whether no partition of a set can outrank the one into single words."""
        sizes = torch.arange(self.table.shape[0], dtype=torch.int64)
        one = self.table[1] if self.table.shape[0] > 1 else self.table[0]
        limit = one.expand(sizes.shape[0])[1:] if self.largest else (sizes * one)[1:]
        return bool((self.table[1:] <= limit).all())


@dataclass(frozen=True, eq=False)
class Ranked:
    """The best K guesses of each of S sets, best first; a place without a guess has guess -1.

    Attributes:
        guesses: [S, K] int32 indices into the word table.
        ranks: [S, K] int64.
        pairs: pairs of guess and candidate evaluated.
    """

    guesses: Tensor
    ranks: Tensor
    pairs: int


def backend_of(table: WordTable) -> ModuleType:
    """The module that ranks tables on this device: `cpu` on the CPU, `reference` elsewhere."""
    if table.device.type == "cpu":
        from gpulingo.tensors import cpu

        return cpu
    from gpulingo.tensors import reference

    return reference


def rank(
    table: WordTable,
    frontier: Frontier,
    pool: Tensor | None,
    objective: Objective,
    width: int = 1,
    *,
    backend: ModuleType | None = None,
    progress: Progress | None = None,
) -> Ranked:
    """Rank guesses for every candidate set and keep the best.

    The rank of guess g for set S is the sum over classes c of objective.table[|c|], plus the bonus when
    g is in S. Equal ranks: candidates come first, then list order.

    Args:
        table: the words all indices point into.
        frontier: the S candidate sets, on the table's device.
        pool: [P] int32, ascending: the words that may be guessed; None: only the candidates of each set.
        objective: its table reaches at least to the size of the largest set.
        width: guesses to keep per set, at least 1.
        backend: module `cpu` or `reference`; chosen by device when None.
        progress: called from this thread with pairs evaluated since the last call.
    Returns:
        The same guesses and ranks on every backend, bit for bit; `pairs` may differ, as a backend may
        stop early where nothing can outrank what it has.
    Raises:
        ValueError: width below 1, or a set larger than the objective's table.
    """
    if width < 1:
        raise ValueError(f"width is {width}, expected at least 1")
    if frontier.sets == 0:
        shape = (0, width)
        device = table.device
        empty = torch.empty(shape, dtype=torch.int64, device=device)
        return Ranked(empty.to(torch.int32), empty, 0)
    largest = int(frontier.sizes.max())
    if largest >= objective.table.shape[0]:
        raise ValueError(
            f"a set of {largest} words, the objective's table ends at {objective.table.shape[0] - 1}"
        )
    chosen = backend or backend_of(table)
    return chosen.rank(table, frontier, pool, objective, width, progress)

"""`rank`: the best guesses of every candidate set, by an integer objective; the backends do the work."""

from __future__ import annotations

from importlib.util import find_spec
from types import ModuleType

import torch
from torch import Tensor

from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Objective, Progress, Ranked
from gpulingo.words.encode import WordTable


def backend_of(table: WordTable) -> ModuleType:
    """The module that ranks tables on this device: `cpu`, `cuda`, or `reference` where neither can.

    `cuda` needs Triton, which comes with torch on Linux; each is imported only when it is needed.
    """
    if table.device.type == "cpu":
        from gpulingo.tensors import cpu

        return cpu
    if table.device.type == "cuda" and find_spec("triton") is not None:
        from gpulingo.tensors import cuda

        return cuda
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
        backend: module `cpu`, `cuda` or `reference`; chosen by device when None.
        progress: called from this thread with pairs evaluated since the last call.
    Returns:
        The same guesses and ranks on every backend, bit for bit; `pairs` may differ, as a backend may
        stop early where nothing can outrank what it has.
    Raises:
        ValueError: width below 1, a set larger than the objective's table, a table whose sums could pass 62
            bits, a pool that is not int32 and ascending, or words of more than 39 letters.
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
    _check(pool, objective, largest)
    chosen = backend or backend_of(table)
    return chosen.rank(table, frontier, pool, objective, width, progress)


def _check(pool: Tensor | None, objective: Objective, largest: int) -> None:
    """Raise what backends would answer differently."""
    share = objective.most_a_word(largest)
    if share * largest + objective.bonus >= 1 << 62:
        raise ValueError(
            f"table entries up to {share} a word, sets of {largest}: sums pass 62 bits, use a smaller scale"
        )
    if pool is not None and (pool.dtype != torch.int32 or bool((pool[1:] <= pool[:-1]).any())):
        raise ValueError(f"pool is {pool.dtype}, expected ascending int32: sort it and take each word once")

"""`rank`: the best guesses of every candidate set, by an integer objective; the backends do the work."""

from __future__ import annotations

from importlib.util import find_spec
from types import ModuleType

import torch
from torch import Tensor

from gpulingo.tensors.checks import check_ascending, check_called, check_kind, check_row
from gpulingo.tensors.frontier import Frontier, check_sets
from gpulingo.tensors.objective import Objective, Progress, Ranked
from gpulingo.tensors.wordtable import WordTable

MOST_RANKED = 1 << 30  # guesses that one call may be asked for, 12 bytes each
SPARE = 1024  # guesses that may be asked for however few words there are


def backend_of(table: WordTable) -> ModuleType:
    """The module that ranks tables on this device: `cpu`, `cuda`, or `reference` where neither can.

    `cuda` needs Triton, which comes with torch on Linux; each is imported only when it is needed.
    """
    if table.device.type == "cpu":
        from gpulingo.tensors.cpu import rank as cpu

        return cpu
    if table.device.type == "cuda" and find_spec("triton") is not None:
        from gpulingo.tensors.cuda import rank as cuda

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
        ValueError: sets or a pool of words beyond the table, or on another device; a pool that is not int32
            and ascending; a width below 1 or beyond the words; a set larger than the
            objective's table, or a table whose sums could pass 62 bits; words of more than 39 letters.
        TypeError: an argument is of another kind.
    """
    check_sets(table, frontier)
    check_kind("objective", objective, Objective)
    check_kind("width", width, int)
    check_called(backend, progress)
    if width < 1:
        raise ValueError(f"width is {width}, expected at least 1")
    if width > max(table.words, SPARE) or width * frontier.sets > MOST_RANKED:
        seen = f"width is {width} for {frontier.sets} sets of {table.words} words"
        raise ValueError(f"{seen}, expected no more than words, and {MOST_RANKED} guesses in all")
    if pool is not None:
        pool = check_row("pool", pool, torch.int32, table.device, "P")
    if frontier.sets == 0:
        shape = (0, width)
        device = table.device
        empty = torch.empty(shape, dtype=torch.int64, device=device)
        return Ranked(empty.to(torch.int32), empty, 0)
    _check(table, frontier, pool, objective)
    chosen = backend or backend_of(table)
    return chosen.rank(table, frontier, pool, objective, width, progress)


def _check(table: WordTable, frontier: Frontier, pool: Tensor | None, objective: Objective) -> None:
    """Check what has to be looked for in tensors, in one transfer.

    Raises:
        ValueError: see `rank`.
    """
    size = frontier.sizes.max()
    largest = int(size) if pool is None else check_ascending("pool", pool, table.words, size)[0]
    if largest >= objective.table.shape[0]:
        raise ValueError(
            f"a set of {largest} words, the objective's table ends at {objective.table.shape[0] - 1}"
        )
    share = objective.most_a_word(largest)
    if share * largest + objective.bonus >= 1 << 62:
        raise ValueError(
            f"table entries up to {share} a word, sets of {largest}: sums pass 62 bits, use a smaller scale"
        )

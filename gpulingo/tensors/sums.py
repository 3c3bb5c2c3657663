"""Upper bounds on sums over the classes of a set, in words or weights, and a check that an objective fits."""

from __future__ import annotations

import torch
from torch import Tensor

from gpulingo.tensors.checks import check_ascending
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Objective
from gpulingo.tensors.wordtable import WordTable


def largest_set(sets: Frontier, weights: Tensor | None = None) -> Tensor:
    """[] int64, the words of the largest set, on the CPU; or of [W] int32 weights the sum of the heaviest.

    Raises:
        RuntimeError: there is no set.
    """
    if weights is None:
        return sets.sizes_here.max()
    sums = torch.zeros(sets.sets, dtype=torch.int64, device=weights.device)
    return sums.index_add_(0, sets.owners, weights[sets.members].long()).max()


def check_sums(table: WordTable, frontier: Frontier, pool: Tensor | None, objective: Objective) -> None:
    """Check what has to be looked for in tensors; the pool of the table is known to be right.

    Raises:
        ValueError: see `operations.rank`.
    """
    weights, unit = objective.weights(table), "words"
    largest = int(largest_set(frontier, weights))
    if pool is not None and pool is not table.pool:
        check_ascending("pool", pool, table.guesses)
    heaviest = 1
    if weights is not None:
        heaviest, unit = int(weights[frontier.members].max()), "weight"
    entry = heaviest if objective.heaviest else largest
    if entry >= objective.table.shape[-1]:
        last = objective.table.shape[-1] - 1
        raise ValueError(f"a set of {entry} {unit}, the objective's table ends at {last}")
    share = objective.most_a_word(entry)
    if share * largest + max(objective.bonuses) * heaviest >= 1 << 62:
        seen = f"table entries up to {share} a word, sets of {largest}"
        raise ValueError(f"{seen}: sums pass 62 bits, use a smaller scale")

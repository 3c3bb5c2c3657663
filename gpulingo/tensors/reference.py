"""The two operations in plain torch on any device: what every other backend must equal, without shortcuts."""

from __future__ import annotations

import torch
from torch import Tensor

from gpulingo.tensors import feedback as rule
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Objective, Progress, Ranked
from gpulingo.tensors.wordtable import WordTable

BLOCK = 1 << 20  # pairs coded at once; about 150 bytes each at 13 letters
LOWEST, HIGHEST = torch.iinfo(torch.int64).min, torch.iinfo(torch.int64).max


def paired_patterns(table: WordTable, guesses: Tensor, targets: Tensor) -> Tensor:
    """Patterns of [M] guesses against [M] targets, all indices into the table."""
    blocks = zip(guesses.split(BLOCK), targets.split(BLOCK), strict=True)
    coded = [rule.paired_patterns(table.letters[g], table.letters[t]) for g, t in blocks]
    return (
        torch.cat(coded)
        if coded
        else torch.empty(0, dtype=rule.code_dtype(table.length), device=table.device)
    )


def class_sizes(codes: Tensor) -> Tensor:
    """Sizes of the classes that each row of codes makes of its columns.

    Args:
        codes: [G, T] integers.
    Returns:
        [G, T] int64: the sizes of the row's classes by ascending code, then zeros; a row sums to T.
    """
    ordered = codes.sort(dim=1).values
    new = torch.ones_like(ordered, dtype=torch.int64)
    new[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    places = new.cumsum(1) - 1  # [G, T]
    return torch.zeros_like(places).scatter_add_(1, places, torch.ones_like(places))


def values(table: WordTable, guesses: Tensor, members: Tensor, objective: Objective) -> Tensor:
    """[G] int64, what the partition of `members` by each guess is worth, without the bonus."""
    worth = objective.table.to(table.device)
    out = []
    for block in guesses.split(max(1, BLOCK // members.shape[0])):
        sizes = class_sizes(rule.patterns(table.letters[block], table.letters[members]))
        if objective.largest:
            out.append(worth[sizes].masked_fill(sizes == 0, HIGHEST).amin(1))
        else:
            out.append(worth[sizes].sum(1))
    return torch.cat(out)


def rank(
    table: WordTable,
    frontier: Frontier,
    pool: Tensor | None,
    objective: Objective,
    width: int,
    progress: Progress | None = None,
) -> Ranked:
    """Rank every guess of the pool for every set; arguments as in `gpulingo.tensors.rank.rank`."""
    best = torch.full((frontier.sets, width), -1, dtype=torch.int32, device=table.device)
    ranks = torch.full((frontier.sets, width), LOWEST, dtype=torch.int64, device=table.device)
    pairs = 0
    for s in range(frontier.sets):
        members = frontier.candidates(s)
        guesses = members if pool is None else pool
        if guesses.shape[0] == 0:
            continue
        inside = torch.isin(guesses, members).to(torch.int64)
        rank_of = values(table, guesses, members, objective) + objective.bonus * inside
        # Stable, so that equal keys stay in list order; the low bit puts candidates first.
        order = (rank_of * 2 + inside).sort(descending=True, stable=True).indices[:width]
        best[s, : order.shape[0]] = guesses[order]
        ranks[s, : order.shape[0]] = rank_of[order]
        pairs += guesses.shape[0] * members.shape[0]
        if progress:
            progress(guesses.shape[0] * members.shape[0])
    return Ranked(best, ranks, pairs)

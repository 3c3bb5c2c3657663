"""`rank` on CUDA: sets by size, in blocks that fit the memory; the best guesses of each block.

Kernels write what every guess of a block is worth; everything else here is torch, and runs on any device, so
that Triton's interpreter takes the same path on the CPU.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from gpulingo.tensors import reference
from gpulingo.tensors.cuda.launch import Sets, Worth, values, words_for
from gpulingo.tensors.cuda.layout import Layout, layout_of
from gpulingo.tensors.cuda.memory import MOST_ENTRIES, MOST_PAIRS, SHARE, Out, memory_of, on
from gpulingo.tensors.frontier import Frontier, places_in
from gpulingo.tensors.objective import Objective, Progress
from gpulingo.tensors.outcomes import Ranked
from gpulingo.tensors.wordtable import WordTable

LOWEST = torch.iinfo(torch.int64).min
EARLY = 1024  # largest set whose candidates are ranked before the pool
FEW = 8  # guesses that are picked one after another; more are sorted


def rank(
    table: WordTable,
    frontier: Frontier,
    pool: Tensor | Frontier | None,
    objective: Objective,
    width: int,
    progress: Progress | None = None,
) -> Ranked:
    """Rank the pool for every set; arguments as in `operations.rank`.

    Classes of words with weights are ranked in plain torch: no kernel counts them yet.
    """
    if objective.weights(table) is not None:
        return reference.rank(table, frontier, pool, objective, width, progress)
    with on(table.device):
        job = _Job(table, frontier, pool, objective, width, progress)
        everything = torch.arange(frontier.sets, device=table.device)
        if pool is None:
            job.rank_own(everything)
        elif job.legal is not None or job.pool.shape[0]:
            job.rank_pool(job.unfinished(everything))
        guesses = job.best
        ranks = (job.keys >> 1).masked_fill(guesses < 0, LOWEST)
        return Ranked(guesses, ranks, job.pairs)


@dataclass(frozen=True, eq=False)
class _Block:
    """Sets of a frontier, [S] their numbers, and the pairs of guess and candidate in them."""

    chosen: Tensor
    sets: Sets
    pairs: int


class _Job:
    """One call of `rank`: what was asked, and the best keys and guesses so far."""

    def __init__(
        self,
        table: WordTable,
        front: Frontier,
        pool: Tensor | Frontier | None,
        objective: Objective,
        width: int,
        progress: Progress | None,
    ):
        self.front, self.width, self.progress = front, width, progress
        device = table.device
        self.sizes = front.sizes
        largest = int(self.sizes.max())
        cut = Objective(objective.table[: largest + 1].cpu(), objective.bonus, objective.largest)
        on_device = cut.table.to(device)
        self.worth = Worth(on_device, on_device.diff(), not cut.counts_classes, cut.largest)
        self.objective = cut
        self.layout: Layout = layout_of(table)
        self.memory = memory_of(device)
        self.keys = torch.full((front.sets, width), LOWEST, dtype=torch.int64, device=device)
        self.best = torch.full((front.sets, width), -1, dtype=torch.int32, device=device)
        self.pairs = 0
        self.given = pool is not None
        self.legal = pool if isinstance(pool, Frontier) else None
        if isinstance(pool, Frontier):
            self.pool = pool.members
            places = places_in(pool, front)  # [M]
            self.places = torch.where(places < 0, places, places - pool.offsets[front.owners])
        else:
            self.pool = torch.empty(0, dtype=torch.int32, device=device) if pool is None else pool
            self.places = torch.full((table.guesses,), -1, dtype=torch.int64, device=device)
            self.places[self.pool.long()] = torch.arange(self.pool.shape[0], device=device)

    def unfinished(self, chosen: Tensor) -> Tensor:
        """The sets that still need the pool, after a look at the candidates of the small ones.

        When one guess is wanted and no partition outranks the one into single words, the first candidate that
        makes it is the best guess.
        """
        if self.width > 1 or not self.objective.complete_is_best:
            return chosen
        small = chosen[self.sizes <= EARLY]
        self.rank_own(small)
        single = int(self.objective.table[1])
        whole = torch.full_like(self.sizes, single) if self.objective.largest else self.sizes * single
        done = self.keys[:, 0] == (whole + self.objective.bonus) * 2 + 1
        # What falls short is met again in the pool.
        self.keys[~done], self.best[~done] = LOWEST, -1
        return (~done).nonzero().squeeze(1)

    def rank_own(self, chosen: Tensor) -> None:
        """Rank the candidates of each set, those in the pool if there is one."""
        for group in self._ordered(chosen):
            self._halving(group, own=True)

    def rank_pool(self, chosen: Tensor) -> None:
        """Rank the whole pool of each set."""
        for group in self._ordered(chosen):
            self._halving(group, own=False)

    def _ordered(self, chosen: Tensor) -> Iterator[Tensor]:
        """The sets by size, those together that take the same number of words up to a power of two."""
        sizes, order = self.sizes[chosen].sort(stable=True)
        chosen = chosen[order]
        words = ((sizes + 31) // 32).to(torch.float64)
        kinds = words.log2().ceil().to(torch.int64)
        if self.legal is not None:  # as many guesses too, so that rows of a block are about as long
            kinds = 64 * kinds + self.legal.sizes[chosen].to(torch.float64).log2().ceil().to(torch.int64)
            kinds, order = kinds.sort(stable=True)
            chosen = chosen[order]
        _, counts = kinds.unique_consecutive(return_counts=True)
        yield from chosen.split(counts.tolist())

    def _halving(self, chosen: Tensor, *, own: bool) -> None:
        """Rank the sets in blocks of what fits, half as much whenever it did not."""
        share, done = SHARE, 0
        while done < chosen.shape[0]:
            block = self._block(chosen[done:], share, own=own)
            try:
                self._rank(block, share, own=own)
            except Out:
                if block.chosen.shape[0] == 1 and share < SHARE / 1024:
                    raise
                share /= 2
                continue
            done += block.chosen.shape[0]
            self.pairs += block.pairs
            if self.progress:
                self.progress(block.pairs)

    def _block(self, chosen: Tensor, share: float, *, own: bool) -> _Block:
        """As many of the sets, smallest first, as a share of the memory holds."""
        sizes = self.sizes[chosen]
        most = int(sizes[-1])
        counts = sizes if own else self._pool_sizes(chosen)
        columns = int(counts.max())
        sorts = 1 if self.width <= FEW else 4
        each = 4 * self.layout.features * words_for(self.layout, most) + 8 * columns * sorts
        fits = int(self.memory.free * share) // each
        count = max(1, min(fits, MOST_PAIRS // (most * columns), MOST_ENTRIES // columns))
        chosen, sizes = chosen[:count], sizes[:count].to(torch.int32)
        counts, starts = counts[:count].to(torch.int32), self.front.offsets[chosen]
        if own:
            guesses, firsts = self.front.members, starts
        else:
            guesses = self.pool
            firsts = torch.zeros_like(starts) if self.legal is None else self.legal.offsets[chosen]
        most, columns = int(sizes[-1]), int(counts.max())
        sets = Sets(self.front.members, starts, sizes, int(sizes[0]), most, guesses, firsts, counts, columns)
        return _Block(chosen, sets, int((sizes.long() * counts).sum()))

    def _pool_sizes(self, chosen: Tensor) -> Tensor:
        """[S] int64, guesses in the pool of each set."""
        if self.legal is not None:
            return self.legal.sizes[chosen]
        return torch.full_like(chosen, self.pool.shape[0])

    def _rank(self, block: _Block, share: float, *, own: bool) -> None:
        """Keys of all guesses of a block, then the best of them."""
        sets = block.sets
        keys = values(self.layout, sets, self.worth, self.memory, share)
        inside = 2 * self.objective.bonus + 1
        rows = torch.arange(sets.sizes.shape[0], device=keys.device)
        owners = rows.repeat_interleave(sets.sizes)
        starts = sets.starts - sets.sizes.cumsum(0) + sets.sizes
        numbers = torch.arange(owners.shape[0], device=keys.device) + starts[owners]
        members = sets.members[numbers]
        places = self.places[members.long() if self.legal is None else numbers]
        if own:
            columns = numbers - sets.starts[owners]
            keys[owners, columns] += inside
            if self.given:
                keys[owners[places < 0], columns[places < 0]] = LOWEST
        else:
            keys[owners[places >= 0], places[places >= 0]] += inside
        best_keys, best_columns = best_of(keys, self.width)
        numbers = sets.firsts[:, None] + best_columns  # beyond the last where a shorter row is filled up
        guesses = sets.guesses[numbers.clamp(max=sets.guesses.shape[0] - 1)]
        kept = best_keys.shape[1]
        self.keys[block.chosen, :kept] = best_keys
        self.best[block.chosen, :kept] = torch.where(best_keys == LOWEST, -1, guesses)


def best_of(keys: Tensor, width: int) -> tuple[Tensor, Tensor]:
    """The largest keys of every row, equal ones in their order, and their columns; `keys` may be overwritten.

    Args:
        keys: [S, P] int64.
        width: how many to keep, at most P.
    Returns:
        [S, K] int64 and [S, K] int64.
    """
    width = min(width, keys.shape[1])
    if width > FEW:
        ordered, order = keys.sort(dim=1, descending=True, stable=True)
        return ordered[:, :width], order[:, :width]
    picked = []
    for _ in range(width):
        largest, column = keys.max(dim=1, keepdim=True)  # the first of equal ones
        picked.append((largest, column))
        keys.scatter_(1, column, LOWEST)
    return torch.cat([largest for largest, _ in picked], 1), torch.cat([column for _, column in picked], 1)

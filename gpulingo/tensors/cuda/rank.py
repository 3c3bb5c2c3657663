"""`rank` on CUDA: sets grouped by size, in blocks that fit the memory; the best guesses of each block.

Kernels write the value of every guess of a block; everything else here is torch, and runs on any device, so
that Triton's interpreter takes the same path on the CPU.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import torch
from torch import Tensor

from gpulingo.tensors import reference
from gpulingo.tensors.arrays import like
from gpulingo.tensors.cuda.launch import (
    MOST_ENTRIES,
    MOST_PAIRS,
    SHARE,
    Layout,
    Sets,
    Worth,
    in_blocks,
    is_served,
    layout_of,
    memory_of,
    on,
    values,
    words_for,
)
from gpulingo.tensors.frontier import Frontier, places_in
from gpulingo.tensors.objective import Objective, Progress
from gpulingo.tensors.outcomes import Ranked
from gpulingo.tensors.wordtable import WordTable

LOWEST = torch.iinfo(torch.int64).min
EARLY = 1024  # largest set whose candidates are ranked before the pool
FEW = 8  # most guesses that are picked one after another; more are sorted


def rank(
    table: WordTable,
    frontier: Frontier,
    pool: Tensor | Frontier | None,
    objective: Objective,
    width: int,
    progress: Progress | None = None,
) -> Ranked:
    """Rank the pool for every set; arguments as in `operations.rank`.

    Objectives with weights are ranked on the CPU: no GPU kernel adds weights yet.
    """
    if objective.weights(table) is not None:
        from gpulingo.tensors.cpu import rank as cpu

        ranked = cpu.rank(table.here, frontier, pool, objective, width, progress)
        guesses, ranks = (like(rows, table.letters) for rows in (ranked.guesses, ranked.ranks))
        return Ranked(guesses, ranks, ranked.pairs)
    with on(table.device):
        job = _Ranking(table, frontier, pool, objective, width, progress)
        if not is_served(job.layout, int(job.sizes.max()), sizes=job.worth.sizes):
            return reference.rank(table, frontier, pool, objective, width, progress)
        everything = torch.arange(frontier.sets)
        if pool is None:
            job.rank_sets(everything, candidates=True)
        elif job.legal is not None or job.pool.shape[0]:
            job.rank_sets(job.unfinished(everything), candidates=False)
        return Ranked(job.best, torch.where(job.best < 0, LOWEST, job.keys >> 1), job.pairs)


@dataclass(frozen=True, eq=False)
class _Block:
    """Sets of a frontier that are ranked together."""

    chosen: Tensor  # [S] int64, their numbers, on the device
    candidates: bool  # whether each set's candidates are its guesses, not its pool
    sets: Sets
    words: int  # in total
    pairs: int  # of guess and candidate


class _Ranking:
    """One call of `rank`: its arguments, and the best so far. Work is planned on the CPU by known sizes."""

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
        self.device = device = table.device
        self.sizes, self.sizes_there = front.sizes_here, front.sizes
        largest = int(self.sizes.max())
        cut = objective.cut(largest)
        worth = torch.from_numpy(cut.table)
        steps = worth.diff(dim=1, append=worth[:, -1:])  # rows as long as those of the table
        tables, steps = torch.stack([worth, steps]).to(device, non_blocking=True)
        self.worth = Worth(tables.view(-1), steps.view(-1), not cut.counts_classes, cut.largest)
        self.objective = cut
        rows = torch.from_numpy(objective.rows_of(front.sets))
        # For each set where its table begins, the value of a class of one word, and the bonus.
        single, bonus = worth[:, min(1, largest)], torch.tensor(cut.bonuses)
        of_sets = torch.stack([rows * (largest + 1), single[rows], bonus[rows]])
        self.worth_at, self.single, self.bonus = of_sets.to(device, non_blocking=True)
        self.layout: Layout = layout_of(table)
        self.memory = memory_of(device)
        self.room = int(self.memory.free * SHARE)  # bytes for the results of a block
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
        """Return the sets that need the pool; a candidate that leaves single words is best without it."""
        if self.width > 1 or not self.objective.complete_is_best:
            return chosen
        self.rank_sets(chosen[self.sizes <= EARLY], candidates=True)
        whole = self.single if self.objective.largest else self.single * self.sizes_there
        short = self.keys[:, 0] != (whole + self.bonus) * 2 + 1
        # Candidates that fall short are ranked again with the pool.
        self.keys.masked_fill_(short[:, None], LOWEST)
        self.best.masked_fill_(short[:, None], -1)
        return chosen[short.cpu()]

    def rank_sets(self, chosen: Tensor, *, candidates: bool) -> None:
        """Rank the pool of each of [S] sets, or its candidates in the pool; sets are grouped by size."""
        sizes, order = self.sizes[chosen].sort(stable=True)
        chosen = chosen[order]
        kinds = ((sizes + 31) // 32).to(torch.float64).log2().ceil().to(torch.int64)
        if self.legal is not None:  # group by numbers of guesses too, so that rows of a block are similar
            guesses = self.legal.sizes_here[chosen].to(torch.float64).log2().ceil().to(torch.int64)
            kinds, order = (64 * kinds + guesses).sort(stable=True)
            chosen = chosen[order]
        counts = kinds.unique_consecutive(return_counts=True)[1].tolist()
        there = chosen.to(self.device, non_blocking=True)
        for group, group_there in zip(chosen.split(counts), there.split(counts), strict=True):
            self._rank_group(group, group_there, candidates=candidates)

    def _rank_group(self, chosen: Tensor, there: Tensor, *, candidates: bool) -> None:
        """Rank [S] sets, the largest last, in blocks that fit the memory; `there` is on the device."""
        sizes = counts = self.sizes[chosen]
        if not candidates:
            of_pool = torch.full_like(chosen, self.pool.shape[0])
            counts = of_pool if self.legal is None else self.legal.sizes_here[chosen]
        most, columns = int(sizes[-1]), int(counts.max())
        words = words_for(self.layout, most, sizes=self.worth.sizes)
        fits = self.room // (4 * self.layout.features * words + self._bytes(columns))

        def block(first: int, last: int) -> None:
            some = slice(first, last)
            self._rank_block(self._block(there[some], sizes[some], counts[some], candidates=candidates))

        in_blocks(chosen.shape[0], min(fits, MOST_PAIRS // (most * columns), MOST_ENTRIES // columns), block)

    def _block(self, there: Tensor, sizes: Tensor, counts: Tensor, *, candidates: bool) -> _Block:
        most, columns = int(sizes[-1]), int(counts.max())
        starts, sizes_there = self.front.offsets[there], self.sizes_there[there].to(torch.int32)
        guesses, firsts = self.pool, torch.zeros_like(starts)
        if candidates:
            guesses, firsts, counts_there = self.front.members, starts, sizes_there
        elif self.legal is not None:
            firsts, counts_there = self.legal.offsets[there], self.legal.sizes[there].to(torch.int32)
        else:
            counts_there = torch.full_like(sizes_there, columns)
        sets = Sets(self.front.members, starts, sizes_there, most, guesses, firsts,
                    counts_there, columns, self.worth_at[there])  # fmt: skip
        return _Block(there, candidates, sets, int(sizes.sum()), int((sizes * counts).sum()))

    def _bytes(self, columns: int) -> int:
        """Return the bytes of the keys of a set, and of sorting them."""
        return 8 * columns * (1 if self.width <= FEW else 4)

    def _rank_block(self, block: _Block) -> None:
        """Rank a block; the guesses of a single set are cut to what fits."""
        if block.chosen.shape[0] > 1:
            self._rank(block, 0, block.sets.columns)
        else:
            fits = min(self.room // self._bytes(1), MOST_PAIRS // block.sets.most, MOST_ENTRIES)
            in_blocks(block.sets.columns, fits, partial(self._rank, block))

    def _rank(self, block: _Block, first: int, last: int) -> None:
        """Rank the guesses first:last of each set of a block, and store the best so far."""
        sets = part = block.sets
        if last - first < sets.columns:
            counts = (sets.counts - first).clamp(0, last - first)
            part = replace(sets, firsts=sets.firsts + first, counts=counts, columns=last - first)
        keys = values(self.layout, part, self.worth, self.memory)
        self._add_candidates(keys, block, first)
        best_keys, places = best_of(keys, self.width)
        numbers = part.firsts[:, None] + places  # past the end if a shorter row is padded
        guesses = part.guesses[numbers.clamp(max=part.guesses.shape[0] - 1)]
        guesses = torch.where(best_keys == LOWEST, -1, guesses)
        if first:
            earlier = self.keys[block.chosen], self.best[block.chosen]
            best_keys, places = best_of(torch.cat([earlier[0], best_keys], 1), self.width)
            guesses = torch.cat([earlier[1], guesses], 1).gather(1, places)
        self.keys[block.chosen, : best_keys.shape[1]] = best_keys
        self.best[block.chosen, : best_keys.shape[1]] = guesses
        pairs = block.pairs if part is sets else sets.most * (last - first)
        self.pairs += pairs
        if self.progress:
            self.progress(pairs)

    def _add_candidates(self, keys: Tensor, block: _Block, first: int) -> None:
        """Raise the [S, K] keys of candidates in the pool, for guesses from number `first` on."""
        sets, columns = block.sets, keys.shape[1]
        rows = torch.arange(sets.sizes.shape[0], device=self.device)
        owners = rows.repeat_interleave(sets.sizes, output_size=block.words)
        shift = (sets.starts - sets.sizes.cumsum(0) + sets.sizes)[owners]
        numbers = torch.arange(block.words, device=self.device) + shift
        inside = (2 * self.bonus + 1)[block.chosen]
        if block.candidates and block.chosen.shape[0] == 1:
            numbers, owners = numbers[first : first + columns], owners[first : first + columns]
        places = self.places[sets.members[numbers].long() if self.legal is None else numbers]
        flat = keys.view(-1)
        if block.candidates:
            at = owners * columns + numbers - sets.starts[owners] - first
            raised = flat[at] + inside[owners]
            flat[at] = torch.where(places < 0, LOWEST, raised) if self.given else raised
        else:
            places = places - first
            known = (places >= 0) & (places < columns)
            flat.index_add_(0, owners * columns + torch.where(known, places, 0), known * inside[owners])


def best_of(keys: Tensor, width: int) -> tuple[Tensor, Tensor]:
    """Return the K largest of [S, P] keys by row, on ties in their order, and their columns, as [S, K] int64.

    `keys` may be overwritten.
    """
    width = min(width, keys.shape[1])
    if width > FEW:
        ordered, order = keys.sort(dim=1, descending=True, stable=True)
        return ordered[:, :width], order[:, :width]
    picked = []
    for _ in range(width):
        largest, column = keys.max(dim=1, keepdim=True)  # on ties the first
        picked.append((largest, column))
        if len(picked) < width:
            keys.scatter_(1, column, LOWEST)
    return torch.cat([largest for largest, _ in picked], 1), torch.cat([column for _, column in picked], 1)

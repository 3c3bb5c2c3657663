"""`class_counts` and `most_classes` on CUDA, by the kernels that rank."""

from __future__ import annotations

import torch
from torch import Tensor

from gpulingo.tensors import reference
from gpulingo.tensors.cuda.kernels import limits_kernel
from gpulingo.tensors.cuda.launch import (
    MOST_ENTRIES,
    MOST_PAIRS,
    SHARE,
    Launch,
    Memory,
    Sets,
    Worth,
    blocks_of,
    in_blocks,
    memory_of,
    on,
    values,
)
from gpulingo.tensors.cuda.layout import layout_of
from gpulingo.tensors.cuda.rank import rank
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Progress, classes
from gpulingo.tensors.outcomes import count_dtype
from gpulingo.tensors.wordtable import WordTable

LANES = 256  # of a program that looks at ceilings
EACH = 32  # bytes of a set and word of the pool whose ceiling is looked at


def class_counts(table: WordTable, members: Tensor, progress: Progress | None = None) -> Tensor:
    """As `operations.class_counts`: what ranking counts, without an order."""
    n, device, pool = members.shape[0], table.device, table.pool
    counts = torch.zeros(table.guesses, dtype=torch.int64, device=device)
    ones = classes(n, bonus=0).table.to(device)
    zero, size = counts.new_zeros(1), torch.full((1,), n, dtype=torch.int32, device=device)

    def block(first: int, last: int) -> None:
        guesses = pool[first:last]
        sets = Sets(
            members, zero, size, n, n, guesses, zero, torch.full_like(size, last - first), last - first, zero
        )
        worth = Worth(ones, ones.diff(), sizes=False, largest=False)
        counts[guesses.long()] = values(layout_of(table), sets, worth, memory, SHARE)[0] >> 1
        if progress:
            progress(n * (last - first))

    with on(device):
        memory = memory_of(device)
        fits = min(int(memory.free * SHARE) // 8, MOST_ENTRIES, MOST_PAIRS // n)
        in_blocks(pool.shape[0], fits, block)
    return counts.to(count_dtype(table.words))


def most_classes(
    table: WordTable, sets: Frontier, ceilings: Tensor, rows: list[Tensor], progress: Progress | None = None
) -> tuple[Tensor, Tensor]:
    """As `operations.most_classes`; sets without ceilings are ranked."""
    if not any(len(row) for row in rows):
        return reference.most_classes(table, sets, progress=progress, rank=rank)
    most, pairs = torch.zeros_like(sets.sizes), torch.zeros_like(sets.sizes)
    many = torch.tensor([len(row) for row in rows], dtype=torch.int64, device=table.device)
    named = (many > 0) & (sets.sizes > 2)
    rest = (~named).nonzero().squeeze(1)
    most[rest], pairs[rest] = reference.most_classes(table, sets.take(rest), progress=progress, rank=rank)
    order = named.nonzero().squeeze(1)
    if order.shape[0] == 0:
        return most, pairs
    of_each = [rows[s] for s in order.tolist()]

    def block(first: int, last: int) -> None:
        chosen = order[first:last]
        limits = _limits(table, sets.take(chosen), ceilings, of_each[first:last], memory)
        most[chosen], pairs[chosen] = _under(table, sets.take(chosen), limits, progress)

    with on(table.device):
        memory = memory_of(table.device)
        fits = min(int(memory.free * SHARE) // EACH, MOST_ENTRIES) // table.pool.shape[0]
        in_blocks(order.shape[0], fits, block)
    return most, pairs


def _limits(table: WordTable, sets: Frontier, ceilings: Tensor, rows: list[Tensor], memory: Memory) -> Tensor:
    """[S, P] int32: no word of the pool makes more classes of a set, one more for a candidate."""
    device, pool = table.device, table.pool
    named, places = torch.cat(rows).to(ceilings.device).unique(return_inverse=True)
    # Not every operation of torch takes unsigned numbers of more than 8 bits.
    signed, mask = (torch.int16, 0xFFFF) if ceilings.dtype == torch.uint16 else (torch.int32, -1)
    used = ceilings.view(signed)[named].to(device).to(torch.int32) & mask
    offsets = torch.tensor([0, *(len(row) for row in rows)], device=device).cumsum(0)
    limits = memory.taken((sets.sets, pool.shape[0]), torch.int32)
    limits_launch(used, (places.to(device), offsets), sets.sizes.to(torch.int32), pool, limits).run()
    columns = torch.full((table.guesses,), -1, dtype=torch.int64, device=device)
    columns[pool.long()] = torch.arange(pool.shape[0], device=device)
    column = columns[sets.members.long()]
    limits[sets.owners[column >= 0], column[column >= 0]] += 1
    return limits


def limits_launch(
    ceilings: Tensor, rows: tuple[Tensor, Tensor], sizes: Tensor, pool: Tensor, limits: Tensor
) -> Launch:
    """The kernel that writes [S, P] limits from [R, G] ceilings; `rows` of each set, and their offsets."""
    blocks = blocks_of(pool.shape[0], LANES)
    arguments = (ceilings, ceilings.shape[1], *rows, sizes, pool, pool.shape[0], limits, blocks)
    return Launch(limits_kernel, (sizes.shape[0] * blocks,), arguments, {"LANES": LANES}, LANES // 32)


def _under(
    table: WordTable, sets: Frontier, limits: Tensor, progress: Progress | None
) -> tuple[Tensor, Tensor]:
    """The most classes of each set, and pairs evaluated; `limits` is overwritten.

    Round by round: first the words of the highest limit, then those of the upper half between the highest
    that is left and the best so far, of all sets at once; until no limit is above the best.
    """
    best, pairs = torch.zeros_like(sets.sizes), torch.zeros_like(sets.sizes)
    objective = classes(int(sets.sizes_here.max()), bonus=1)
    live, tried = torch.arange(sets.sets, device=table.device), False
    while live.shape[0]:
        highest = limits.amax(1)
        floor = (highest - 1 + best[live]) // 2 if tried else highest - 1
        chosen = limits > floor[:, None]
        counts = chosen.sum(1)
        ends = torch.cat([counts.new_zeros(1), counts.cumsum(0)])
        asked = Frontier.unchecked(table.pool[chosen.nonzero()[:, 1]], ends, table.guesses)
        # Width 2, because with one guess asked for the candidates of the set would be ranked in every round.
        made = rank(table, sets.take(live), asked, objective, 2, progress).ranks[:, 0]
        best[live] = best[live].maximum(made)
        pairs[live] += counts * sets.sizes[live]
        limits.masked_fill_(chosen, 0)
        open_ = limits.amax(1) > best[live]
        live, limits, tried = live[open_], limits[open_], True
    return best, pairs

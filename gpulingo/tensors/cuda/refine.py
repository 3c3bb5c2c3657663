"""`refined` on CUDA: labels of classes, their parts in known sets, the classes by pattern; in blocks."""

from __future__ import annotations

import torch
from torch import Tensor

from gpulingo.tensors.cuda.kernels import labels_kernel, parts_kernel
from gpulingo.tensors.cuda.launch import (
    MOST_ENTRIES,
    MOST_PAIRS,
    SHARE,
    Launch,
    Memory,
    Sets,
    constants_of,
    in_blocks,
    memory_of,
    on,
    places_of,
    programs_of,
    shape_of,
    transposition,
)
from gpulingo.tensors.cuda.layout import Layout, layout_of
from gpulingo.tensors.cuda.patterns import paired_patterns
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.outcomes import Refined
from gpulingo.tensors.wordtable import WordTable

LANES = 32  # of a guess whose parts are counted: a warp, so that small sets leave few idle
EACH = 80  # bytes of a guess and target: label, size, worth; where each is a class, patterns in order


def refined(
    table: WordTable, guesses: Tensor, sets: Frontier, steps: Tensor, progress: Progress | None = None
) -> Refined:
    """As `operations.refined`."""
    counts, n = torch.zeros_like(guesses, dtype=torch.int64), sets.members.shape[0]
    none = steps.new_zeros(0)
    found = [(none, none)]

    def block(first: int, last: int) -> None:
        counts[first:last], *classes = _refined(table, guesses[first:last], sets, steps, memory)
        found.append((classes[0], classes[1]))
        if progress:
            progress(n * (last - first))

    with on(table.device):
        memory = memory_of(table.device)
        if n:
            fits = min(int(memory.free * SHARE) // EACH, MOST_ENTRIES, MOST_PAIRS) // (n + 31)
            in_blocks(guesses.shape[0], fits, block)
    sizes, worth = (torch.cat(column) for column in zip(*found, strict=True))
    return Refined(counts, sizes, worth)


def _refined(
    table: WordTable, guesses: Tensor, sets: Frontier, steps: Tensor, memory: Memory
) -> tuple[Tensor, Tensor, Tensor]:
    """Counts, and the columns of `Refined`, of one block of guesses."""
    columns, kernels = launches(layout_of(table), guesses, sets, steps, memory)
    for launch in kernels:
        launch.run()
    sizes, worth = columns
    rows, labels = sizes.nonzero().unbind(1)
    patterns = paired_patterns(table, guesses[rows], sets.members[labels])
    order = patterns.sort(stable=True).indices
    order = order[rows[order].to(torch.int32).sort(stable=True).indices]  # half the passes of int64
    rows, labels = rows[order], labels[order]
    counts = rows.bincount(minlength=guesses.shape[0])
    return counts, sizes[rows, labels].long(), worth[rows, labels]


def launches(
    layout: Layout, guesses: Tensor, sets: Frontier, steps: Tensor, memory: Memory
) -> tuple[tuple[Tensor, Tensor], list[Launch]]:
    """[G, L] int32 and int64, sizes and values of classes by label, and the kernels that write them."""
    count, n, members = guesses.shape[0], sets.members.shape[0], sets.members.contiguous()
    words = (n + 31) // 32
    zero = sets.offsets[:1]
    of = torch.tensor([n, count], dtype=torch.int32, device=guesses.device)
    every = Sets(members, zero, of[:1], n, n, guesses, zero, of[1:], count, zero)
    bits, transposed = transposition(layout, every, words, memory, across=True)
    first, places = places_of(layout, n, words)
    slots = (places + 15) // 16 * 16
    shape = shape_of(every, words, 4 * slots, memory, SHARE)
    votes = memory.taken((shape.programs, shape.lanes // shape.breadth, slots), torch.int32)
    labels = memory.taken((count, 32 * words), torch.int32)
    sizes, worth = (memory.taken(labels.shape, kind, zero=True) for kind in (torch.int32, torch.int64))
    lines = min(count, programs_of(memory, LANES))
    before = memory.taken((lines, 32 * words), torch.int32, zero=True)
    labelled = Launch(
        labels_kernel, (shape.programs,),
        (layout.plan, layout.radix, layout.plan.shape[1], bits, words, n, guesses, count, labels, votes,
         slots),
        constants_of(layout, shape) | {"FIRST": first}, shape.lanes // 32,
    )  # fmt: skip
    parted = Launch(
        parts_kernel, (lines,),
        (labels, 32 * words, guesses, count, members, sets.offsets, sets.sets, steps, sizes, worth, before),
        {"LANES": LANES}, 1,
    )  # fmt: skip
    return (sizes, worth), [transposed, labelled, parted]

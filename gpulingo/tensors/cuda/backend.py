"""The CUDA backend: kernels rank, refine and mark; everything else is the reference's torch.

`rank` does the ranking; this file has the other operations, in blocks that fit memory.
"""

from __future__ import annotations

from functools import partial

import torch
from torch import Tensor

from gpulingo.tensors import reference
from gpulingo.tensors.checks import code_type
from gpulingo.tensors.cuda import kernels
from gpulingo.tensors.cuda.launch import (
    LANES,
    MOST_ENTRIES,
    MOST_PAIRS,
    SHARE,
    Launch,
    Layout,
    Memory,
    blocks_of,
    in_blocks,
    layout_of,
    memory_of,
    on,
    places_of,
    power,
    programs_of,
    transposition,
)
from gpulingo.tensors.cuda.rank import rank
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.outcomes import CappedClasses, Refined
from gpulingo.tensors.round_arrays import RoundArrays
from gpulingo.tensors.wordtable import WordTable

MARK_LANES = 128  # pairs per program of the marks kernel
MOST_LETTERS = 24  # most letters in registers of a lane; longer words use the reference
WARP = 32  # lanes per guess if parts or capped classes are counted, so that small sets leave few idle
REFINED_BYTES = 80  # per guess and target: label, size, value; and patterns to sort, if each is a class
MOST_BINS = 512  # classes that are counted as a histogram; a lane of a warp has 1/32 of them
using_hints = reference.using_hints


def patterns(guesses: Tensor, targets: Tensor) -> Tensor:
    """As `operations.patterns`, in blocks of guesses."""
    (count, length), columns = guesses.shape, targets.shape[0]
    if length > MOST_LETTERS:
        return reference.patterns(guesses, targets)
    out = torch.empty(count, columns, dtype=getattr(torch, code_type(length)), device=guesses.device)
    letters, step = (guesses.contiguous(), targets.contiguous()), max(1, MOST_ENTRIES // max(1, columns))
    with on(guesses.device):
        for first in range(0, count if columns else 0, step):
            marks_launch((letters[0][first:], letters[1]), None, out[first : first + step]).run()
    return out


def paired_patterns(table: WordTable, guesses: Tensor, targets: Tensor) -> Tensor:
    """Patterns of [M] guesses against [M] targets, all indices into the table."""
    if not table.shows_marks or table.length > MOST_LETTERS:
        return reference.paired_patterns(table, guesses, targets)
    out = torch.empty(guesses.shape[0], dtype=getattr(torch, code_type(table.length)), device=table.device)
    if out.shape[0]:
        with on(table.device):
            pairs = guesses.contiguous(), targets.contiguous()
            marks_launch((table.letters, table.letters), pairs, out).run()
    return out


split = partial(reference.split, paired=paired_patterns)
ranks = partial(reference.ranks, rank=rank)
most_classes = partial(reference.most_classes, rank=rank)


def play(table: WordTable, rounds: RoundArrays, guesses: Tensor) -> Tensor:
    """As `operations.play`; marks in one launch."""
    if not table.shows_marks or rounds.counts_misses or table.length > MOST_LETTERS:
        return reference.play(table, rounds, guesses, paired=paired_patterns)
    count, turns, length = rounds.marks.shape
    out = torch.empty(count, length, dtype=torch.uint8, device=table.device)
    flags = rounds.done.view(torch.uint8), rounds.invalid.view(torch.uint8)
    arguments = (
        table.letters, table.words, count, rounds.targets, guesses, rounds.guesses, rounds.marks, rounds.turn,
        rounds.turns_left, flags[0], rounds.credits, flags[1], rounds.payoff, out,
    )  # fmt: skip
    constants: dict[str, int | bool] = {"TURNS": turns, "LENGTH": length, "LANES": MARK_LANES}
    grid = (blocks_of(count, MARK_LANES),)
    with on(table.device):
        Launch(kernels.play_kernel, grid, arguments, constants, MARK_LANES // 32).run()
    return out


def marks_launch(letters: tuple[Tensor, Tensor], pairs: tuple[Tensor, Tensor] | None, out: Tensor) -> Launch:
    """Return the launch that writes the marks of some pairs of guess and target, or of all pairs."""
    count, every = out.numel(), pairs is None
    arguments = (*letters, *(letters if pairs is None else pairs), out.shape[-1], count, out)
    constants: dict[str, int | bool] = {"EVERY": every, "LENGTH": letters[0].shape[1], "LANES": MARK_LANES}
    grid = (blocks_of(count, MARK_LANES),)
    return Launch(kernels.marks_kernel, grid, arguments, constants, MARK_LANES // 32)


def refined(
    table: WordTable, guesses: Tensor, sets: Frontier, steps: Tensor, progress: Progress | None = None
) -> Refined:
    """As `operations.refined`."""
    counts, n = torch.zeros_like(guesses, dtype=torch.int64), sets.members.shape[0]
    none = steps.new_zeros(0)
    columns = [(none, none)]

    def block(first: int, last: int) -> None:
        of_block = guesses[first:last]
        (sizes, worth), launches = refining(layout_of(table), of_block, sets, steps, memory)
        for launch in launches:
            launch.run()
        rows, labels = sizes.nonzero().unbind(1)
        patterns = paired_patterns(table, of_block[rows], sets.members[labels])
        order = patterns.sort(stable=True).indices
        order = order[rows[order].to(torch.int32).sort(stable=True).indices]  # half the passes of int64
        rows, labels = rows[order], labels[order]
        counts[first:last] = rows.bincount(minlength=last - first)
        columns.append((sizes[rows, labels].long(), worth[rows, labels]))
        if progress:
            progress(n * (last - first))

    with on(table.device):
        memory = memory_of(table.device)
        if n:
            fits = min(int(memory.free * SHARE) // REFINED_BYTES, MOST_ENTRIES, MOST_PAIRS) // (n + 31)
            in_blocks(guesses.shape[0], fits, block)
    sizes, worth = (torch.cat(column) for column in zip(*columns, strict=True))
    return Refined(counts, sizes, worth)


def refining(
    layout: Layout, guesses: Tensor, sets: Frontier, steps: Tensor, memory: Memory
) -> tuple[tuple[Tensor, Tensor], list[Launch]]:
    """[G, L] int32 sizes and [G, L] int64 values of classes by label, and the launches that write them."""
    count, n, members = guesses.shape[0], sets.members.shape[0], sets.members.contiguous()
    words = (n + 31) // 32
    together = members, sets.offsets[:1], torch.tensor([n], dtype=torch.int32, device=guesses.device)
    bits, transposed = transposition(layout, together, words, memory, across=True)
    first, places = places_of(layout, n, words)
    slots = (places + 15) // 16 * 16
    # `breadth` lanes per guess, `lanes` per program; as many programs at once as have room for their votes.
    lanes = min(LANES, max(128, power(words)))
    breadth = min(lanes, power(words))
    fits = max(1, int(memory.free * SHARE) // (4 * slots * (lanes // breadth)))
    programs = min(fits, blocks_of(count, lanes // breadth), programs_of(memory, lanes))
    votes = memory.taken((programs, lanes // breadth, slots), torch.int32)
    labels = memory.taken((count, 32 * words), torch.int32)
    sizes, worth = (memory.taken(labels.shape, kind, zero=True) for kind in (torch.int32, torch.int64))
    lines = min(count, programs_of(memory, WARP))
    before = memory.taken((lines, 32 * words), torch.int32, zero=True)
    constants = {"LANES": lanes, "BREADTH": breadth, "GROUPS": layout.groups, "WIDTH": layout.width}
    constants |= {"LAST": layout.last, "PERIOD": layout.period, "FIRST": first}
    labelled = Launch(
        kernels.labels_kernel, (programs,),
        (layout.plan, layout.radix, layout.plan.shape[1], bits, words, n, guesses, count, labels, votes,
         slots), constants, lanes // 32,
    )  # fmt: skip
    parted = Launch(
        kernels.parts_kernel, (lines,),
        (labels, 32 * words, guesses, count, members, sets.offsets, sets.sets, steps, sizes, worth, before),
        {"LANES": WARP}, 1,
    )  # fmt: skip
    return (sizes, worth), [transposed, labelled, parted]


def greatest_capped(
    capped: CappedClasses, front: Frontier, most: Tensor, progress: Progress | None = None
) -> Tensor:
    """As `operations.greatest_capped`."""
    best, n = torch.zeros_like(most), front.members.shape[0]
    capped = CappedClasses(capped.classes.contiguous(), capped.caps.contiguous())

    def block(first: int, last: int) -> None:
        capping(capped, front, most.contiguous(), best, (first, last), memory).run()
        if progress:
            progress(n * (last - first))

    with on(most.device):
        memory = memory_of(most.device)
        if n:
            in_blocks(capped.caps.shape[0], MOST_PAIRS // n, block)
    return best


def capping(
    capped: CappedClasses, front: Frontier, most: Tensor, best: Tensor, span: tuple[int, int], memory: Memory
) -> Launch:
    """Return the launch that raises the best sum of each set to those of a span of guesses."""
    (words, wide), (first, last) = capped.caps.shape, span
    arguments: tuple[Tensor | int, ...] = (
        capped.classes, capped.caps, words, wide, front.members.contiguous(), front.offsets, front.sets, most,
        best, first,
    )  # fmt: skip
    if wide <= MOST_BINS:
        constants = {"BINS": max(WARP, power(wide)), "LANES": WARP}
        return Launch(kernels.bins_kernel, (last - first,), arguments, constants, 1)
    fits = max(1, int(memory.free * SHARE) // (4 * wide))
    programs = min(last - first, fits, programs_of(memory, WARP))
    tables = memory.taken((programs, wide), torch.int32, zero=True)
    arguments = (*arguments, last - first, tables)
    return Launch(kernels.counters_kernel, (programs,), arguments, {"LANES": WARP}, 1)

"""The CUDA backend: kernels rank, refine and mark; everything else is the reference's torch.

`rank` does the ranking; this file has the other operations, in blocks that fit memory.
"""

from __future__ import annotations

from functools import partial

import torch
from torch import Tensor
from triton import cdiv

from gpulingo.tensors import reference
from gpulingo.tensors.checks import code_type
from gpulingo.tensors.cuda import kernels
from gpulingo.tensors.cuda.launch import (
    MOST_ENTRIES,
    MOST_PAIRS,
    SHARE,
    Launch,
    Memory,
    in_blocks,
    memory_of,
    on,
    programs_of,
)
from gpulingo.tensors.cuda.rank import rank
from gpulingo.tensors.feedback import feedback_of
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.outcomes import CappedClasses, Refined, RoundArrays
from gpulingo.tensors.wordtable import WordTable

MARK_LANES = 128  # pairs per program of the marks kernel
MOST_LETTERS = 24  # most letters in registers of a lane; longer words use the reference
WARP = 32  # lanes per guess if parts or capped classes are counted, so that small sets leave few idle
REFINED_BYTES = 80  # per guess and target: pattern, label, size, value; and patterns to sort
SPREAD = 8  # patterns per target up to which each has a place of its own; more are numbered by sorting
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
    grid = (cdiv(count, MARK_LANES),)
    with on(table.device):
        Launch(kernels.play_kernel, grid, arguments, constants, MARK_LANES // 32).run()
    return out


def marks_launch(letters: tuple[Tensor, Tensor], pairs: tuple[Tensor, Tensor] | None, out: Tensor) -> Launch:
    """Return the launch that writes the marks of some pairs of guess and target, or of all pairs."""
    count, every = out.numel(), pairs is None
    arguments = (*letters, *(letters if pairs is None else pairs), out.shape[-1], count, out)
    constants: dict[str, int | bool] = {"EVERY": every, "LENGTH": letters[0].shape[1], "LANES": MARK_LANES}
    grid = (cdiv(count, MARK_LANES),)
    return Launch(kernels.marks_kernel, grid, arguments, constants, MARK_LANES // 32)


def refined(
    table: WordTable, guesses: Tensor, sets: Frontier, steps: Tensor, progress: Progress | None = None
) -> Refined:
    """As `operations.refined`: classes are counted at places of their patterns, in a row for each guess."""
    counts, n = torch.zeros_like(guesses, dtype=torch.int64), sets.members.shape[0]
    kinds = feedback_of(table).solved(table.length) + 1
    width = kinds if kinds <= SPREAD * n else n
    none = steps.new_zeros(0)
    columns = [(none, none)]

    def block(first: int, last: int) -> None:
        codes = patterns_by(table, guesses[first:last], sets.members)
        labels = (codes if width == kinds else reference.numbered(codes)).to(torch.int32)
        (sizes, worth), launch = parting(labels, width, guesses[first:last], sets, steps, memory)
        launch.run()
        counts[first:last] = (sizes > 0).sum(1)
        places = sizes.view(-1).nonzero()[:, 0]
        columns.append((sizes.view(-1)[places].long(), worth.view(-1)[places]))
        if progress:
            progress(n * (last - first))

    with on(table.device):
        memory = memory_of(table.device)
        if n:
            fits = min(int(memory.free * SHARE) // REFINED_BYTES, MOST_ENTRIES, MOST_PAIRS) // max(n, width)
            in_blocks(guesses.shape[0], fits, block)
    sizes, worth = (torch.cat(column) for column in zip(*columns, strict=True))
    return Refined(counts, sizes, worth)


def patterns_by(table: WordTable, guesses: Tensor, targets: Tensor) -> Tensor:
    """Return [G, T] patterns of [G] guesses against [T] targets, all indices into the table."""
    if table.shows_marks:
        return patterns(table.letters[guesses.long()], table.letters[targets.long()])
    count, columns = guesses.shape[0], targets.shape[0]
    pairs = guesses.repeat_interleave(columns), targets.repeat(count)
    return paired_patterns(table, *pairs).view(count, columns)


def parting(
    labels: Tensor, width: int, guesses: Tensor, sets: Frontier, steps: Tensor, memory: Memory
) -> tuple[tuple[Tensor, Tensor], Launch]:
    """[G, width] int32 sizes and [G, width] int64 values of classes by label, and the launch for them."""
    count, n = labels.shape
    sizes, worth = (memory.taken((count, width), kind, zero=True) for kind in (torch.int32, torch.int64))
    lines = min(count, programs_of(memory))
    before = memory.taken((lines, width), torch.int32, zero=True)
    arguments = (
        labels, n, width, guesses, count, sets.members.contiguous(), sets.offsets, sets.sets, steps, sizes,
        worth, before,
    )  # fmt: skip
    return (sizes, worth), Launch(kernels.parts_kernel, (lines,), arguments, {"LANES": WARP}, 1)


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
    fits = max(1, int(memory.free * SHARE) // (4 * wide))
    programs = min(last - first, fits, programs_of(memory))
    tables = memory.taken((programs, wide), torch.int32, zero=True)
    arguments: tuple[Tensor | int, ...] = (
        capped.classes, capped.caps, words, wide, front.members.contiguous(), front.offsets, front.sets, most,
        best, first, last - first, tables,
    )  # fmt: skip
    return Launch(kernels.counters_kernel, (programs,), arguments, {"LANES": WARP}, 1)

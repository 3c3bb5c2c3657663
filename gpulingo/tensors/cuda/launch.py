"""Choice of the kernel that ranks a block of candidate sets, and of its memory on the device.

Also the word table as kernels read it: features as bits, coefficients by guess; see `paircodes`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor
from triton import cdiv, next_power_of_2
from triton.errors import TritonError

from gpulingo.storage.faults import REPORT_GPU, Fault
from gpulingo.tensors.arrays import Array, free_memory, moved
from gpulingo.tensors.cuda import nvrtc
from gpulingo.tensors.cuda.kernels import bits_kernel, planes_kernel
from gpulingo.tensors.feedback import feedback_of
from gpulingo.tensors.paircodes import PairCodes
from gpulingo.tensors.wordtable import WordTable, cached_by_table, target_features

MOST_PAIRS = 1 << 36  # per block, so that progress is reported and an interrupt noticed
MOST_ENTRIES = 1 << 30  # per tensor of a block, so that torch's 32-bit indices suffice
CPU_MEMORY = 1 << 26  # bytes of working memory under the interpreter
SHARE = 0.25  # of the free memory: for the results of a block, and again for working memory
Out = torch.cuda.OutOfMemoryError
MOST_PLANES = 256  # largest set whose feedback is compared as bit planes
MOST_PLANES_OF_SIZES = 384  # the same if class sizes are needed, which other ways count more slowly
PLANE_NUMBERS = 208  # most 32-bit numbers of its planes, which are registers of a lane
PROGRAMS = 64  # of one warp, per multiprocessor, for the kernels with working memory
MARK_RATIO = 64  # most bytes per candidate of a table that marks codes; beyond, they are hashed
COUNT_RATIO = 32  # the same of a table that counts them
MARK_BYTES = 4096  # of shared memory, up to which a class is marked by a byte, not by a bit
WIDE_BYTES = 98304  # up to which a class is counted in 32 bits, not in 16
WIDE_RATIO = 16  # the same, per candidate
RESIDENT = 1024  # threads of a multiprocessor that registers suffice for
LEAST_SHARED = 64  # least threads that share a table
SLOTS_RATIO = 150  # slots of a hash table per 100 candidates
MOST_SLOTS = 32768
SPARE = 128  # bytes that no code has
BLOCK = 4096  # words whose features are unpacked at once
STATIC = 2048  # bytes of shared memory that a block takes beside its table
PER_GROUP = 10  # features of a group in `PairCodes`
classes_kernel = nvrtc.Kernel("classes.cu", "classes_kernel")


@dataclass(frozen=True, eq=False)
class Layout:
    """The words of a table as targets and as guesses."""

    features: int  # F of them, numbered as in `PairCodes`
    rows: Tensor  # [W, ceil(F / 32)] int32, the features of every word as a target, 32 to a number
    planes: Tensor | None  # [K, G] int32, features whose bits make up the feedback; None: it is not bits
    terms: Tensor  # [GROUPS * PER_GROUP, G, 2] int32, by group: see `_terms`
    used: Tensor  # [GROUPS, G] int32, the number of terms of each group; the others are 0
    radix: Tensor  # [GROUPS, G] int32, the factor of a group's sum; 0 if it would exceed 31 bits
    ranges: Tensor  # [G] int32, one more than the largest code of each guess, or 2^31 - 1
    widest: int  # the greatest range
    period: int  # as in `PairCodes`

    @property
    def groups(self) -> int:
        """Most groups of any guess."""
        return self.radix.shape[0]


@cached_by_table
def layout_of(table: WordTable) -> Layout:
    """The layout of a table, on its device."""
    feedback = feedback_of(table)
    codes, planes = feedback.codes(table), feedback.planes(table)
    terms, used, radix = _padded(codes, *_terms(codes, table.length * codes.alphabet))
    ranges = np.minimum(codes.ranges, np.uint64(2**31 - 1)).astype(np.int32)
    there = partial(moved, device=table.device)
    return Layout(
        codes.total, _feature_rows(table, codes), None if planes is None else planes.contiguous(),
        there(terms), there(used), there(radix), there(ranges), codes.widest, codes.period,
    )  # fmt: skip


def _terms(codes: PairCodes, places: int) -> tuple[Array, Array]:
    """[P, PER_GROUP, 2] int32, the terms of each group, and 0 after them; [P] int32, their number.

    A term is feature x + 65536 * feature y, and a coefficient: of y twice, otherwise of x once. "Has x" and
    "x at place i", one of the first `places` features, are one term: the second implies the first, and both
    coefficients are equal.
    """
    feature, factor = codes.features.astype(np.int32), codes.coefficients.astype(np.int32)
    following, has, none = np.roll(feature, -1, 1), feature - places, codes.total - 1
    both = (has >= 0) & (has < codes.alphabet) & (following < places) & (has == following % codes.alphabet)
    both &= (factor > 0) & (factor == np.roll(factor, -1, 1))
    both[:, -1] = False
    used = (factor > 0) & ~np.roll(both, 1, 1)
    terms = np.stack([feature | np.where(both, following, none) << 16, factor], 2)
    terms[~used] = none * 65537, 0
    order = np.argsort(~used, axis=1, kind="stable")
    return np.take_along_axis(terms, order[..., None], axis=1), used.sum(1, dtype=np.int32)


def _padded(codes: PairCodes, terms: Array, used: Array) -> tuple[Array, Array, Array]:
    """Pad the groups of all guesses to a rectangle: terms, their numbers, and radix, as in `Layout`."""
    counts = np.diff(codes.starts)
    words, groups = counts.shape[0], int(counts.max())
    owner = np.repeat(np.arange(words), counts)  # [P], as all groups
    group = np.arange(len(owner)) - codes.starts[owner]
    of_all = np.empty((groups, PER_GROUP, words, 2), np.int32)
    of_all[:] = (codes.total - 1) * 65537, 0
    of_all[group, :, owner] = terms
    numbers, radix = np.zeros((2, groups, words), np.int32)
    numbers[group, owner], radix[group, owner] = used, np.where(codes.radix < 1 << 31, codes.radix, 0)
    return of_all.reshape(-1, words, 2), numbers, radix


def _feature_rows(table: WordTable, codes: PairCodes) -> Tensor:
    """[W, ceil(F / 32)] int32: the bits of `target_features`, made in blocks on the device of the table."""
    bit = 1 << torch.arange(32, dtype=torch.int64, device=table.device)
    rows = []
    for letters in table.letters.split(BLOCK):
        flat = target_features(letters, codes.alphabet, codes.copies)
        flat = torch.nn.functional.pad(flat, (0, -flat.shape[1] % 32))
        numbers = (flat.reshape(letters.shape[0], -1, 32) * bit).sum(2)
        rows.append(numbers.to(torch.int32))
    return torch.cat(rows)


@dataclass(frozen=True)
class Memory:
    """Memory of a device that this call of an operation may use."""

    device: torch.device
    free: int

    def taken(self, shape: tuple[int, ...], dtype: torch.dtype, *, zero: bool = False) -> Tensor:
        return (torch.zeros if zero else torch.empty)(shape, dtype=dtype, device=self.device)


def memory_of(device: torch.device) -> Memory:
    """Return the free memory of a device."""
    return Memory(device, free_memory(device) if device.type == "cuda" else CPU_MEMORY)


def on(device: torch.device) -> AbstractContextManager[object]:
    return torch.cuda.device(device) if device.type == "cuda" else nullcontext()


def in_blocks(count: int, most: int, work: Callable[[int, int], None]) -> None:
    """Work in blocks first:last of at most `most` items, half as many whenever memory runs out."""
    done, most = 0, max(1, most)
    while done < count:
        last = min(count, done + most)
        try:
            work(done, last)
        except Out:
            if last - done == 1:
                raise
            most = (last - done) // 2
            continue
        done = last


@dataclass(frozen=True, eq=False)
class Sets:
    """A block of S candidate sets and the guesses of each."""

    members: Tensor  # [M] int32
    starts: Tensor  # [S] int64, where each set begins in the members
    sizes: Tensor  # [S] int32
    most: int  # size
    guesses: Tensor  # [G] int32
    firsts: Tensor  # [S] int64, where the guesses of each set begin
    counts: Tensor  # [S] int32, guesses of each set
    columns: int  # most guesses of a set
    worth_at: Tensor  # [S] int64, where the table of each set's objective begins among all tables


@dataclass(frozen=True, eq=False)
class Worth:
    """An objective on the device: K rows of n + 1, one after the other, and differences to the next entry."""

    table: Tensor
    differences: Tensor
    sizes: bool
    largest: bool


@dataclass(frozen=True, eq=False)
class Launch:
    """One launch of a kernel with its memory allocated, to be run or only compiled."""

    kernel: Any
    grid: tuple[int, ...]
    arguments: tuple[Tensor | int, ...]
    constants: dict[str, int | bool]
    warps: int

    def run(self) -> None:
        """Launch on the current device; returns before the kernel has ended."""
        try:
            self.kernel[self.grid](*self.arguments, **self.constants, num_warps=self.warps)
        except (TritonError, nvrtc.CompileError) as error:
            why = str(error).strip().splitlines()[-1:] or [type(error).__name__]
            seen = f"kernel {self.kernel.__name__} does not compile for this GPU ({why[0].strip()})"
            raise Fault(seen, REPORT_GPU) from error


def has_planes(layout: Layout, most: int, *, sizes: bool) -> bool:
    """Return True if sets of this size are compared as bit planes, for class sizes or numbers of classes."""
    if layout.planes is None:
        return False
    numbers = layout.planes.shape[0] * next_power_of_2((most + 31) // 32)
    limit = MOST_PLANES_OF_SIZES if sizes else MOST_PLANES
    return most <= 32 or (most <= limit and numbers <= PLANE_NUMBERS)


def words_for(layout: Layout, most: int, *, sizes: bool) -> int:
    """Return the number of 32-bit words per feature of a set."""
    words = (most + 31) // 32
    return next_power_of_2(words) if has_planes(layout, most, sizes=sizes) else words


def values(layout: Layout, sets: Sets, worth: Worth, memory: Memory) -> Tensor:
    """[S, columns] int64, twice the value of each guess; lowest int64 if a set has no such guess."""
    out, kernels = launches(layout, sets, worth, memory)
    out.fill_(torch.iinfo(torch.int64).min)
    for launch in kernels:
        launch.run()
    return out


def is_served(layout: Layout, most: int, *, sizes: bool) -> bool:
    """Return True if sets of this size are ranked by kernels: large ones need NVRTC, and codes of 31 bits."""
    is_counted = layout.widest < 1 << 31 and nvrtc.shared_memory(layout.radix.device)[0] > 0
    return is_counted or has_planes(layout, most, sizes=sizes)


def launches(layout: Layout, sets: Sets, worth: Worth, memory: Memory) -> tuple[Tensor, list[Launch]]:
    """Return the launches that rank a block of sets, and their output; the first transposes the features."""
    planes = has_planes(layout, sets.most, sizes=worth.sizes)
    words, count = words_for(layout, sets.most, sizes=worth.sizes), sets.sizes.shape[0]
    bits = memory.taken((count, layout.features, words), torch.int32)
    out = memory.taken((count, sets.columns), torch.int64)
    rows, candidates = layout.rows, (sets.members, sets.starts, sets.sizes)
    arguments = (rows, rows.shape[1], layout.features, *candidates, bits, words)
    grid, constants = (count * words, cdiv(layout.features, 128)), {"LANES": 128, "ACROSS": not planes}
    counting = (_planes if planes else _shared)(layout, sets, bits, words, out, worth)
    return out, [Launch(bits_kernel, grid, arguments, constants, 4), counting]


def _planes(layout: Layout, sets: Sets, bits: Tensor, words: int, out: Tensor, worth: Worth) -> Launch:
    assert layout.planes is not None
    lanes = 128 if sets.columns > 64 else 32
    blocks = cdiv(sets.columns, lanes)
    arguments = (
        layout.planes, layout.planes.shape[1], layout.features, bits, sets.sizes, sets.guesses,
        sets.firsts, sets.counts, out, sets.columns, blocks, worth.table, worth.differences, sets.worth_at,
    )  # fmt: skip
    constants = {"PLANES": layout.planes.shape[0], "WORDS": words, "LANES": lanes}
    constants |= {"SIZES": worth.sizes, "LARGEST": worth.largest}
    return Launch(planes_kernel, (sets.sizes.shape[0] * blocks,), arguments, constants, lanes // 32)


def _shared(layout: Layout, sets: Sets, bits: Tensor, words: int, out: Tensor, worth: Worth) -> Launch:
    """Return the launch that counts classes in shared memory."""
    most, whole = nvrtc.shared_memory(bits.device)
    codes, n = layout.widest, sets.most
    most -= STATIC + SPARE
    if worth.sizes:
        limit = min(most, COUNT_RATIO * n)
        wide = min(limit, WIDE_RATIO * n, WIDE_BYTES)
        kinds = [(32, 4 * codes <= wide), (16, n < 1 << 16 and 2 * codes <= limit)]
    else:
        limit = min(most, MARK_RATIO * n)
        kinds = [(8, codes <= min(limit, MARK_BYTES)), (1, codes // 8 <= limit)]
    entry = next((entry for entry, fits in kinds if fits), 0)
    slots, space = 0, cdiv(codes * entry, 128) * 16
    if not entry:
        entry = 1 if not worth.sizes else 16 if n < 1 << 16 else 32
        fitting = 8 * most // (32 + entry)  # fewer than a set's classes cost passes, not an answer
        slots = max(7, min(next_power_of_2(n * SLOTS_RATIO // 100), MOST_SLOTS, fitting).bit_length() - 1)
        space = (32 + entry << slots) // 8
    space += SPARE
    blocks = whole // (space + STATIC)
    threads = min(1024, max(RESIDENT // blocks, LEAST_SHARED) // 32 * 32)
    rounds = cdiv(words, threads)
    across = 32 * cdiv(words, 32 * rounds)
    parts = max(1, min(4, next_power_of_2(threads // across + 1) // 2))
    arguments = (
        layout.terms, layout.used, layout.radix, layout.ranges, layout.radix.shape[1], layout.features, bits,
        words, sets.sizes, sets.guesses, sets.firsts, sets.counts, out, sets.columns,
        sets.columns * sets.sizes.shape[0], worth.table, sets.worth_at, space,
    )  # fmt: skip
    constants = {"GROUPS": layout.groups, "PERIOD": layout.period, "LARGEST": worth.largest}
    constants |= {"ENTRY": entry, "SLOT_BITS": slots, "ACROSS": across, "PARTS": parts}
    constants["BLOCKS"] = max(1, min(blocks, RESIDENT // (across * parts), 32))
    return Launch(classes_kernel, arguments[14:15], arguments, constants, across * parts // 32)


def programs_of(memory: Memory) -> int:
    if memory.device.type != "cuda":
        return 2
    return torch.cuda.get_device_properties(memory.device).multi_processor_count * PROGRAMS

"""What the CUDA kernels do, said plainly: one function for each, by its name, with its arguments.

For small sets on the CPU: `fake.py` runs these in place of kernels. They read what kernels read, so they tell
as well whether it is right.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from gpulingo.tensors import feedback, reference

LARGE = torch.iinfo(torch.int64).max
PER_GROUP = 10


def bits_kernel(rows: Tensor, row_words: int, features: int, members: Tensor, starts: Tensor, sizes: Tensor,
                bits: Tensor, words: int, *, LANES: int, ACROSS: bool) -> None:  # fmt: skip
    """The features of sets as bits, 32 targets to a number."""
    for s, (start, n) in enumerate(zip(starts.tolist(), sizes.tolist(), strict=True)):
        has = torch.zeros(32 * words, features, dtype=torch.int64)
        of_words = rows[members[start : start + n].long()]
        has[:n] = (of_words[:, :, None] >> torch.arange(32) & 1).flatten(1)[:, :features]
        by_bit = has.view(32, words, features) if ACROSS else has.view(words, 32, features).transpose(0, 1)
        bits[s] = (by_bit << torch.arange(32)[:, None, None]).sum(0).T.to(torch.int32)


def targets_of(bits: Tensor, n: int, *, across: bool) -> Tensor:
    """[n, F] int64, 0 or 1: what `bits_kernel` has packed of one set."""
    by_bit = bits[:, :, None] >> torch.arange(32) & 1  # [F, words, 32]
    order = by_bit.transpose(1, 2) if across else by_bit
    return order.flatten(1).T[:n].long()


def coded(plan: Tensor, radix: Tensor, features: Tensor, guesses: Tensor) -> Tensor:
    """[G, n] int64, the pair codes of guesses against targets, the last groups in higher bytes where they are wide."""
    codes = torch.zeros(guesses.shape[0], features.shape[0], dtype=torch.int64)
    for group in range(radix.shape[0]):
        entries = plan[group * PER_GROUP : (group + 1) * PER_GROUP, guesses.long()].long()  # [10, G]
        sums = (features.T[entries & 0xFFFF] * (entries >> 16)[:, :, None]).sum(0)  # [G, n]
        codes = codes * 256 + sums
    return codes


def worth_of(codes: Tensor, table: Tensor, *, SIZES: bool, LARGEST: bool) -> Tensor:
    """[G] int64, twice what the partition of each guess is worth."""
    sizes = reference.class_sizes(codes)
    if not SIZES:
        return 2 * (sizes > 0).sum(1)
    values = torch.where(sizes > 0, table[sizes], LARGE if LARGEST else 0)
    return 2 * (values.amin(1) if LARGEST else values.sum(1))


def ranked(bits: Tensor, sets: tuple[Tensor, ...], out: Tensor, columns: int, across: bool, code: Any, worth: Any) -> None:
    """What every guess of every set is worth, by a function that codes and one that values codes."""
    sizes, guesses, firsts, counts = sets
    for s, (n, first, count) in enumerate(zip(sizes.tolist(), firsts.tolist(), counts.tolist(), strict=True)):
        if count:
            asked = guesses[first : first + count]
            out.view(-1, columns)[s, :count] = worth(code(targets_of(bits[s], n, across=across), asked))


def planes_kernel(planes: Tensor, table_words: int, features: int, bits: Tensor, sizes: Tensor, guesses: Tensor,
                  firsts: Tensor, counts: Tensor, out: Tensor, columns: int, blocks: int, worth: Tensor,
                  steps: Tensor, *, PLANES: int, WORDS: int, LANES: int, **kind: bool) -> None:  # fmt: skip
    """Rank by planes of bits."""

    def code(has: Tensor, asked: Tensor) -> Tensor:
        rows = has.T[planes[:, asked.long()].long()]  # [K, G, n]
        codes = torch.zeros(rows.shape[1:], dtype=torch.int64)
        for k, plane in enumerate(rows):
            codes = 2 * codes + plane
            if k % 32 == 31:  # numbered anew, so that any number of planes will do
                codes = codes.flatten().unique(return_inverse=True)[1].view(codes.shape)
        return codes

    ranked(bits, (sizes, guesses, firsts, counts), out, columns, False, code, lambda codes: worth_of(codes, worth, **kind))


def by_plan(plan: Tensor, radix: Tensor, bits: Tensor, sets: tuple[Tensor, ...], out: Tensor, columns: int,
            worth: Tensor, **kind: bool) -> None:  # fmt: skip
    """Rank by pair codes."""
    ranked(bits, sets, out, columns, True, lambda has, asked: coded(plan, radix, has, asked),
           lambda codes: worth_of(codes, worth, **kind))  # fmt: skip


def tables_kernel(plan: Tensor, radix: Tensor, ranges: Tensor, table_words: int, features: int, bits: Tensor,
                  words: int, sizes: Tensor, guesses: Tensor, firsts: Tensor, counts: Tensor, out: Tensor,
                  columns: int, blocks: int, rows: int, worth: Tensor, tables: Tensor, slots: int,
                  *, SIZES: bool, LARGEST: bool, **shape: int) -> None:  # fmt: skip
    """Rank by tables of codes, which are 0 before and after."""
    assert not tables.any()
    by_plan(plan, radix, bits, (sizes, guesses, firsts, counts), out, columns, worth, SIZES=SIZES, LARGEST=LARGEST)


def histogram_kernel(plan: Tensor, radix: Tensor, ranges: Tensor, table_words: int, features: int, bits: Tensor,
                     words: int, sizes: Tensor, guesses: Tensor, firsts: Tensor, counts: Tensor, out: Tensor,
                     columns: int, worth: Tensor, *, LARGEST: bool, **shape: int) -> None:  # fmt: skip
    """Rank by histograms of codes."""
    by_plan(plan, radix, bits, (sizes, guesses, firsts, counts), out, columns, worth, SIZES=True, LARGEST=LARGEST)


def elections_kernel(plan: Tensor, radix: Tensor, table_words: int, features: int, bits: Tensor, words: int,
                     sizes: Tensor, guesses: Tensor, firsts: Tensor, counts: Tensor, out: Tensor, columns: int,
                     blocks: int, rows: int, worth: Tensor, votes: Tensor, slots: int,
                     *, SIZES: bool, LARGEST: bool, **shape: int) -> None:  # fmt: skip
    """Rank by elections."""
    by_plan(plan, radix, bits, (sizes, guesses, firsts, counts), out, columns, worth, SIZES=SIZES, LARGEST=LARGEST)


def labels_kernel(plan: Tensor, radix: Tensor, table_words: int, bits: Tensor, words: int, n: int, guesses: Tensor,
                  count: int, labels: Tensor, votes: Tensor, slots: int, **shape: int) -> None:  # fmt: skip
    """Label the class of each target with the number of one in it."""
    for row, codes in enumerate(coded(plan, radix, targets_of(bits[0], n, across=True), guesses)):
        classes = codes.unique(return_inverse=True)[1]
        labels[row, :n] = torch.zeros(n, dtype=torch.int32).scatter_(0, classes, torch.arange(n, dtype=torch.int32))[classes]


def parts_kernel(labels: Tensor, columns: int, guesses: Tensor, count: int, members: Tensor, offsets: Tensor,
                 sets: int, steps: Tensor, sizes: Tensor, worth: Tensor, before: Tensor,
                 *, LANES: int) -> None:  # fmt: skip
    """Add up sizes and worth of classes over sets."""
    ends = offsets.tolist()
    for row, guess in enumerate(guesses.tolist()):
        for start, end in zip(ends[:sets], ends[1:], strict=True):
            part: dict[int, int] = {}
            for place in range(start, end):
                if int(members[place]) != guess:
                    label = int(labels[row, place])
                    worth[row, label] += steps[start + part.get(label, 0)]
                    part[label] = part.get(label, 0) + 1
            for label, size in part.items():
                sizes[row, label] += size


def bins_kernel(classes: Tensor, caps: Tensor, words: int, wide: int, members: Tensor, offsets: Tensor, sets: int,
                most: Tensor, best: Tensor, first: int, *, guesses: int | None = None, **shape: int) -> None:  # fmt: skip
    """Raise the best of each set to the sums of capped classes of some guesses."""
    for guess in range(first, classes.shape[0] if guesses is None else first + guesses):
        for s, (start, end) in enumerate(zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)):
            inside = members[start:end].long()
            sizes = classes[guess, inside].long().bincount(minlength=wide)
            capped = torch.minimum(sizes + 1, caps[guess].long()).clamp(max=int(most[s]))
            total = capped[sizes > 0].sum() + (inside == guess).sum()
            best[s] = best[s].maximum(total)


def counters_kernel(classes: Tensor, caps: Tensor, words: int, wide: int, members: Tensor, offsets: Tensor,
                    sets: int, most: Tensor, best: Tensor, first: int, guesses: int, tables: Tensor,
                    *, LANES: int) -> None:  # fmt: skip
    """As `bins_kernel`, of some guesses."""
    bins_kernel(classes, caps, words, wide, members, offsets, sets, most, best, first, guesses=guesses)


def limits_kernel(ceilings: Tensor, words: int, rows: Tensor, offsets: Tensor, sizes: Tensor, pool: Tensor,
                  pool_words: int, out: Tensor, blocks: int, *, LANES: int) -> None:  # fmt: skip
    """The least ceiling of each set and word."""
    ends = offsets.tolist()
    for s, (start, end) in enumerate(zip(ends, ends[1:], strict=False)):
        asked = ceilings[rows[start:end]][:, pool.long()]
        out[s] = torch.cat([sizes[s].expand(1, pool_words), asked]).amin(0)


def marks_kernel(guess_letters: Tensor, target_letters: Tensor, guesses: Tensor, targets: Tensor, columns: int,
                 count: int, out: Tensor, *, EVERY: bool, LENGTH: int, LANES: int) -> None:  # fmt: skip
    """Patterns of pairs."""
    if EVERY:
        out.view(-1, columns)[:] = reference.patterns(guess_letters[: count // columns], target_letters)
        return
    out[:] = feedback.paired_patterns(guess_letters[guesses.long()], target_letters[targets.long()])

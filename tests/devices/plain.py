"""The CUDA kernels in plain torch: one function for each, with its name and arguments.

For small sets on the CPU: `fake.py` runs these instead of kernels. They read the kernels' inputs, and thus
also test these.
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

from gpulingo.tensors import feedback, reference
from gpulingo.tensors.wordtable import WordTable

LARGE = torch.iinfo(torch.int64).max
PER_GROUP = 10


def bits_kernel(
    rows: Tensor,
    features: int,
    members: Tensor,
    starts: Tensor,
    sizes: Tensor,
    bits: Tensor,
    words: int,
    ACROSS: bool,
    **rest: Any,
) -> None:
    """The features of sets as bits, 32 targets to a number."""
    for s, (start, n) in enumerate(zip(starts.tolist(), sizes.tolist(), strict=True)):
        has = torch.zeros(32 * words, features, dtype=torch.int64)
        of_words = rows[members[start : start + n].long()]
        has[:n] = (of_words[:, :, None] >> torch.arange(32) & 1).flatten(1)[:, :features]
        by_bit = has.view(32, words, features) if ACROSS else has.view(words, 32, features).transpose(0, 1)
        bits[s] = (by_bit << torch.arange(32)[:, None, None]).sum(0).T.to(torch.int32)


def targets_of(bits: Tensor, n: int, *, across: bool) -> Tensor:
    """[n, F] int64, 0 or 1: unpack what `bits_kernel` packed for one set."""
    by_bit = bits[:, :, None] >> torch.arange(32) & 1  # [F, words, 32]
    order = by_bit.transpose(1, 2) if across else by_bit
    return order.flatten(1).T[:n].long()


def coded(plan: Tensor, radix: Tensor, features: Tensor, guesses: Tensor) -> Tensor:
    """[G, n] int64, codes of guesses against targets: a byte for each group."""
    codes = torch.zeros(guesses.shape[0], features.shape[0], dtype=torch.int64)
    for group in range(radix.shape[0]):
        entries = plan[group * PER_GROUP : (group + 1) * PER_GROUP, guesses.long()].long()  # [10, G, ..]
        names, factors = entries.unbind(2)  # two features with one coefficient
        sums = ((features.T[names & 0xFFFF] + features.T[names >> 16]) * factors[:, :, None]).sum(0)  # [G, n]
        codes = codes * 256 + sums
    return codes


def worth_of(codes: Tensor, at: int, table: Tensor, *, SIZES: bool, LARGEST: bool) -> Tensor:
    """[G] int64, twice the value of the partition of each guess, by the table that begins at a place."""
    sizes = reference.class_sizes(codes)
    if not SIZES:
        return 2 * (sizes > 0).sum(1)
    values = torch.where(sizes > 0, table[at + sizes], LARGE if LARGEST else 0)
    return 2 * (values.amin(1) if LARGEST else values.sum(1))


def ranked(
    bits: Tensor,
    across: bool,
    code: Any,
    worth: Any,
    *,
    sizes: Tensor,
    guesses: Tensor,
    firsts: Tensor,
    counts: Tensor,
    out: Tensor,
    columns: int,
    worth_at: Tensor,
    **rest: Any,
) -> None:
    """Write the value of every guess of every set, by a function that codes and one that values codes."""
    rows = zip(sizes.tolist(), firsts.tolist(), counts.tolist(), worth_at.tolist(), strict=True)
    for s, (n, first, count, at) in enumerate(rows):
        if count:
            asked = guesses[first : first + count]
            out.view(-1, columns)[s, :count] = worth(code(targets_of(bits[s], n, across=across), asked), at)


def planes_kernel(
    planes_of: Tensor, bits: Tensor, worth: Tensor, SIZES: bool, LARGEST: bool, **rest: Any
) -> None:
    """Rank by bit planes."""

    def code(has: Tensor, asked: Tensor) -> Tensor:
        rows = has.T[planes_of[:, asked.long()].long()]  # [K, G, n]
        codes = torch.zeros(rows.shape[1:], dtype=torch.int64)
        for k, plane in enumerate(rows):
            codes = 2 * codes + plane
            if k % 32 == 31:  # renumbered, so that any number of planes works
                codes = codes.flatten().unique(return_inverse=True)[1].view(codes.shape)
        return codes

    ranked(bits, False, code, partial(worth_of, table=worth, SIZES=SIZES, LARGEST=LARGEST), **rest)


def classes_kernel(
    plan_at: Tensor, radix_at: Tensor, bits: Tensor, worth: Tensor, LARGEST: bool, ENTRY: int, **rest: Any
) -> None:
    """Rank by pair codes, whichever way classes are counted."""
    code, is_sized = partial(coded, plan_at, radix_at), ENTRY >= 16
    ranked(bits, True, code, partial(worth_of, table=worth, SIZES=is_sized, LARGEST=LARGEST), **rest)


def parts_kernel(
    labels: Tensor,
    guesses: Tensor,
    members: Tensor,
    offsets: Tensor,
    steps: Tensor,
    sizes: Tensor,
    worth: Tensor,
    **rest: Any,
) -> None:
    """Sum sizes and values of classes over sets."""
    for row, guess in enumerate(guesses.tolist()):
        for start, end in pairwise(offsets.tolist()):
            part: dict[int, int] = {}
            for place in range(start, end):
                if int(members[place]) != guess:
                    label = int(labels[row, place])
                    worth[row, label] += steps[start + part.get(label, 0)]
                    part[label] = part.get(label, 0) + 1
            for label, size in part.items():
                sizes[row, label] += size


def counters_kernel(
    classes: Tensor,
    caps: Tensor,
    wide: int,
    members: Tensor,
    offsets: Tensor,
    most: Tensor,
    best: Tensor,
    first: int,
    guesses: int,
    **rest: Any,
) -> None:
    """Raise the best value of each set to the sums of some guesses."""
    for guess in range(first, first + guesses):
        for s, (start, end) in enumerate(pairwise(offsets.tolist())):
            inside = members[start:end].long()
            sizes = classes[guess, inside].long().bincount(minlength=wide)
            capped = torch.minimum(sizes + 1, caps[guess].long()).clamp(max=int(most[s]))
            best[s] = best[s].maximum(capped[sizes > 0].sum() + (inside == guess).sum())


def play_kernel(
    letters: Tensor, words: int, targets: Tensor, guesses: Tensor, past: Tensor, shown: Tensor, turn: Tensor,
    turns_left: Tensor, done: Tensor, paid: Tensor, invalid: Tensor, payoff: Tensor, out: Tensor, **rest: Any,
) -> None:  # fmt: skip
    """The next guess of every round."""
    table = WordTable(letters[:words], "".join(map(chr, range(97, 97 + int(letters.max()) + 1))))
    flags = done.view(torch.bool), invalid.view(torch.bool)
    rounds = SimpleNamespace(
        targets=targets, guesses=past, marks=shown, turn=turn, turns_left=turns_left, done=flags[0],
        credits=paid, invalid=flags[1], payoff=payoff, counts_misses=False,
    )  # fmt: skip
    out[:] = reference.play(table, rounds, guesses)


def marks_kernel(
    guess_letters: Tensor,
    target_letters: Tensor,
    guesses: Tensor,
    targets: Tensor,
    out: Tensor,
    EVERY: bool,
    **rest: Any,
) -> None:
    """Patterns of pairs, or of every guess and target."""
    if EVERY:
        out[:] = reference.patterns(guess_letters[: len(out)], target_letters)
    else:
        out[:] = feedback.paired_patterns(guess_letters[guesses.long()], target_letters[targets.long()])

"""Hard mode in plain torch on any device: the legal guesses that hold every hint of a class.

Both what a guess has and what a class shows are bits, one for each place of the guess of the set.
"""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor

from gpulingo.tensors.features import letter_copies
from gpulingo.tensors.feedback import MISPLACED, PLACED
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.wordtable import WordTable

BLOCK = 1 << 22  # pairs of class and guess that are looked at together, 40 bytes each: a limit of memory


def using_hints(
    table: WordTable, legal: Frontier, guesses: Tensor, parents: Tensor, patterns: Tensor
) -> Frontier:
    """Return the legal guesses that use the hints of each class, maybe none; see `legal.narrowed`."""
    has, needs = guess_bits(table, legal, guesses), hint_bits(table, guesses, parents, patterns)
    counts, members = [], [legal.members[:0]]
    for first, last in _blocks(legal.sizes[parents]):
        sizes = legal.sizes[parents[first:last]]
        starts = legal.offsets[parents[first:last]] - sizes.cumsum(0) + sizes
        total = int(sizes.sum())
        owners = torch.arange(last - first, device=table.device).repeat_interleave(sizes, output_size=total)
        numbers = torch.arange(total, device=table.device) + starts[owners]
        lacks = (needs[0][first + owners] & ~has[0][numbers]) | (needs[1][first + owners] & ~has[1][numbers])
        kept = (lacks == 0).nonzero()[:, 0]
        counts.append(torch.bincount(owners[kept], minlength=last - first))
        members.append(legal.members[numbers[kept]])
    sizes = torch.cat([parents[:0], *counts])
    return Frontier.unchecked(
        torch.cat(members), torch.cat([sizes.new_zeros(1), sizes.cumsum(0)]), legal.below
    )


def guess_bits(table: WordTable, legal: Frontier, guesses: Tensor) -> tuple[Tensor, Tensor]:
    """Return [M] int64 twice, of every legal guess: bit i for the letter at place i of the guess of its set.

    First whether it has the letter at that place; then whether it has as many copies of it as the guess has
    up to there.
    """
    copies, owners, ids = letter_copies(table), legal.owners, legal.members.long()
    guessed = table.letters[guesses.long()]  # [S, N]
    earlier = _same(guessed).tril(-1).sum(-1)  # [S, N]
    placed, copied = torch.zeros_like(ids), torch.zeros_like(ids)
    for i in range(table.length):
        letters = guessed[:, i][owners]
        placed |= (table.letters[ids, i] == letters).long() << i
        copied |= (copies[ids, letters.long()] > earlier[:, i][owners]).long() << i
    return placed, copied


def hint_bits(table: WordTable, guesses: Tensor, parents: Tensor, patterns: Tensor) -> tuple[Tensor, Tensor]:
    """Return [C] int64 twice, the bits of `guess_bits` that hints ask for."""
    same = _same(table.letters[guesses.long()])  # [S, N, N]
    earlier = same.tril(-1).sum(-1)
    powers = torch.tensor([3**i for i in reversed(range(table.length))], device=table.device)
    marks = patterns[:, None] // powers % 3  # [C, N]
    marked = (marks >= MISPLACED).long()
    bits = 1 << torch.arange(table.length, device=table.device)
    counts = torch.zeros_like(marked)  # of marked copies of the letter at each place
    for i in range(table.length):
        counts[:, i] = (same[:, i][parents] * marked).sum(1)
    return ((marks == PLACED) * bits).sum(1), ((earlier[parents] < counts) * bits).sum(1)


def _same(letters: Tensor) -> Tensor:
    """Return [S, N, N] int64, whether the letters at two places of a word are the same."""
    return (letters[:, :, None] == letters[:, None, :]).long()


def _blocks(sizes: Tensor) -> Iterator[tuple[int, int]]:
    """First and last of rows that are taken together, of up to BLOCK pairs or of a single row."""
    ends, first = sizes.cumsum(0), 0
    while first < sizes.shape[0]:
        before = ends[first] - sizes[first]
        last = max(first + 1, int(torch.searchsorted(ends, before + BLOCK, right=True)))
        yield first, last
        first = last

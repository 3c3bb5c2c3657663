"""The hints of guesses in hard mode, as bits: a word is legal if it has all that the hints require."""

from __future__ import annotations

from gpulingo.tensors.arrays import Tensor, namespace, wide
from gpulingo.tensors.feedback import MISPLACED, PLACED, feedback_of
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.wordtable import WordTable, letter_copies


def guess_bits(table: WordTable, legal: Frontier, guesses: Tensor) -> tuple[Tensor, Tensor]:
    """Return [M] int64 twice, for every legal guess: bit i for the letter at place i of its set's guess.

    First whether it has the letter at that place; then whether it has as many copies of it as the guess has
    up to that place.
    """
    xp, copies, owners, ids = namespace(guesses), letter_copies(table), legal.owners, wide(legal.members)
    guessed = table.letters[wide(guesses)]  # [S, N]
    earlier = xp.tril(_same(guessed), k=-1).sum(-1)  # [S, N]
    placed, copied = xp.zeros_like(ids), xp.zeros_like(ids)
    for i in range(table.length):
        letters = guessed[:, i][owners]
        placed |= wide(table.letters[ids, i] == letters) << i
        copied |= wide(copies[ids, wide(letters)] > earlier[:, i][owners]) << i
    return placed, copied


def hint_bits(table: WordTable, guesses: Tensor, parents: Tensor, patterns: Tensor) -> tuple[Tensor, Tensor]:
    """Return [C] int64 twice: the bits of `guess_bits` that the hints of each class require."""
    xp, same = namespace(guesses), _same(table.letters[wide(guesses)])  # [S, N, N]
    earlier = xp.tril(same, k=-1).sum(-1)
    marks = feedback_of(table).marks(patterns, table.length)  # [C, N]
    marked = wide(marks >= MISPLACED)
    bits = 1 << xp.arange(table.length, dtype=xp.int64, device=table.device)
    counts = xp.zeros_like(marked)  # of marked copies of the letter at each place
    for i in range(table.length):
        counts[:, i] = (same[:, i][parents] * marked).sum(1)
    return ((marks == PLACED) * bits).sum(1), ((earlier[parents] < counts) * bits).sum(1)


def _same(letters: Tensor) -> Tensor:
    """Return [S, N, N] int64, whether the letters at two places of a word are the same."""
    return wide(letters[:, :, None] == letters[:, None, :])

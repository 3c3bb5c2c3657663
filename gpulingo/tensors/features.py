"""Letters of words and their places: one tensor operation on many words, on the device of their letters."""

from __future__ import annotations

from typing import Any

import torch
from numpy.typing import NDArray
from torch import Tensor

from gpulingo.tensors.integers import code_dtype
from gpulingo.tensors.wordtable import WordTable

Array = NDArray[Any]


def one_hot(letters: Tensor, alphabet: int) -> Tensor:
    """Return [W, N, A] bool: whether each of A letters is at each place of [W, N] uint8 letters."""
    numbers = torch.arange(alphabet, dtype=torch.uint8, device=letters.device)
    return letters[:, :, None] == numbers


def letter_copies(table: WordTable) -> Tensor:
    """Return [W, A] int64, the copies of each letter in each word."""
    copies = torch.zeros(table.words, len(table.alphabet), dtype=torch.int64, device=table.device)
    return copies.scatter_add_(1, table.letters.long(), torch.ones_like(table.letters, dtype=torch.int64))


def most_copies(letters: Tensor) -> int:
    """Most copies of one letter in any of [W, N] uint8 letters."""
    copies = [(letters == column[:, None]).sum(1).max() for column in letters.unbind(1)]
    return int(torch.stack(copies).max())


def target_features(letters: Tensor, alphabet: int, copies: int) -> Tensor:
    """[W, F] bool: the features of [W, N] uint8 letters, numbered as in `PairCodes`; the last is False."""
    placed = one_hot(letters, alphabet)
    counts = torch.arange(copies, device=letters.device)[:, None]
    contained = placed.sum(1)[:, None, :] > counts  # [W, J, A]
    none = torch.zeros(letters.shape[0], 1, dtype=torch.bool, device=letters.device)
    return torch.cat([placed.flatten(1), contained.flatten(1), none], 1)


def letter_places(table: WordTable) -> Tensor:
    """Return [W, A] int32 (int64 from 20 letters on): where each word has each letter, a bit a place.

    The first place is the highest bit. That is the pattern that a guessed letter shows.
    """
    dtype = code_dtype(table.length)
    places = torch.zeros(table.words, len(table.alphabet), dtype=dtype, device=table.device)
    for place, column in enumerate(table.letters.long().unbind(1)):
        bit = torch.full_like(column, 1 << table.length - 1 - place, dtype=dtype)
        places.scatter_add_(1, column[:, None], bit[:, None])
    return places

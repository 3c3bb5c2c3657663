"""Words of one length as a matrix of letter numbers; what a letter looks like stays behind in `lists`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from gpulingo.words.lists import WordListError

MOST_LETTERS = 255  # 255 itself stays free, so that a kernel may use it for "no letter"


@dataclass(frozen=True, eq=False)
class WordTable:
    """The words every index set (targets, pool, members of a frontier) points into.

    Attributes:
        letters: [W, N] uint8, numbers into `alphabet`.
        alphabet: the letters that occur, in code point order.
    """

    letters: Tensor
    alphabet: str

    @property
    def words(self) -> int:
        """Number of words."""
        return self.letters.shape[0]

    @property
    def length(self) -> int:
        """Letters of each word."""
        return self.letters.shape[1]

    @property
    def device(self) -> torch.device:
        """Where the letters lie, and so where everything computed from them runs."""
        return self.letters.device

    @property
    def everything(self) -> Tensor:
        """[W] int32, the indices of all words, ascending: the pool of whoever may guess any."""
        return torch.arange(self.words, dtype=torch.int32, device=self.device)

    def get(self, word: str) -> int | None:
        """The index of a word, or None."""
        if len(word) != self.length or not set(word) <= set(self.alphabet):
            return None
        letters = torch.tensor([self.alphabet.index(letter) for letter in word], device=self.device)
        found = (self.letters == letters).all(1).nonzero()
        return int(found[0]) if found.shape[0] else None

    def to(self, device: str | torch.device) -> WordTable:
        """The same table on another device."""
        return WordTable(self.letters.to(device), self.alphabet)


def encode(words: Sequence[str]) -> WordTable:
    """Number the letters of words of one length.

    Args:
        words: at least one word; all have the same number of characters.
    Returns:
        Table on the CPU, rows in the order of `words`.
    Raises:
        WordListError: no words, different lengths, or more than 255 different letters.
    """
    lengths = {len(word) for word in words}
    if len(lengths) != 1:
        seen = "no words" if not lengths else f"words of {min(lengths)} to {max(lengths)} letters"
        raise WordListError(f"{seen}, expected words of one length: pick one with Listing.of_length")
    points = np.frombuffer("".join(words).encode("utf-32-le"), dtype=np.uint32)
    alphabet, numbers = np.unique(points, return_inverse=True)
    if len(alphabet) > MOST_LETTERS:
        raise WordListError(
            f"{len(alphabet)} different letters, expected at most {MOST_LETTERS}: split the list"
        )
    letters = numbers.astype(np.uint8).reshape(len(words), lengths.pop())
    return WordTable(torch.from_numpy(letters), "".join(map(chr, alphabet)))

"""Words of one length as a matrix of letter numbers; what a letter looks like stays behind in `lists`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from gpulingo.words.listing import WordListError

MOST_LETTERS = 255  # 255 itself stays free, so that a kernel may use it for "no letter"


@dataclass(frozen=True, eq=False)
class WordTable:
    """The words every index set (targets, pool, members of a frontier) points into.

    Attributes:
        letters: [W, N] uint8, numbers into `alphabet`; at least one word, of at least one letter, none twice.
        alphabet: the letters that occur, in code point order.
    Raises:
        TypeError, ValueError: they are something else.
    """

    letters: Tensor
    alphabet: str

    def __post_init__(self) -> None:
        letters, alphabet = self.letters, self.alphabet
        if not isinstance(letters, Tensor) or not isinstance(alphabet, str):
            kinds = f"{type(letters).__name__} and {type(alphabet).__name__}"
            raise TypeError(f"letters and alphabet are of type {kinds}, expected a tensor and text")
        plain = letters.dtype == torch.uint8 and letters.layout == torch.strided and not letters.is_meta
        if not plain or letters.ndim != 2 or 0 in letters.shape:
            raise ValueError(f"letters are {letters.dtype} {list(letters.shape)}, expected [W, N] uint8")
        if len(alphabet) > MOST_LETTERS or list(alphabet) != sorted(set(alphabet)):
            raise ValueError(f"alphabet is {alphabet[:40]!r}, expected up to {MOST_LETTERS} rising letters")
        object.__setattr__(self, "letters", letters.contiguous())
        rows = self.letters.cpu().numpy()
        if rows.max() >= len(alphabet):
            raise ValueError(f"letters hold {rows.max()}, the alphabet ends at {len(alphabet) - 1}")
        text, length = rows.tobytes(), rows.shape[1]
        if len({text[at : at + length] for at in range(0, len(text), length)}) < len(rows):
            raise ValueError("letters hold a word twice, expected distinct words: drop it")

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
        return _unchecked(self.letters.to(device), self.alphabet)


def _unchecked(letters: Tensor, alphabet: str) -> WordTable:
    """A table of what is right by the way it was made."""
    made = object.__new__(WordTable)
    object.__setattr__(made, "letters", letters)
    object.__setattr__(made, "alphabet", alphabet)
    return made


def encode(words: Sequence[str]) -> WordTable:
    """Number the letters of words of one length.

    Args:
        words: at least one word, none twice; all have the same number of characters, at least one.
    Returns:
        Table on the CPU, rows in the order of `words`.
    Raises:
        TypeError: they are no texts.
        WordListError: no words, one twice, different lengths, or more than 255 different letters.
    """
    if isinstance(words, str) or not all(isinstance(word, str) for word in words):
        raise TypeError("words are no list of texts: give one, as in encode(['dents', 'dozes'])")
    lengths = {len(word) for word in words}
    if len(set(words)) < len(words):
        raise WordListError(f"{len(words)} words, {len(set(words))} different ones: drop what is there twice")
    if len(lengths) != 1 or lengths == {0}:
        seen = "no words" if not lengths else f"words of {min(lengths)} to {max(lengths)} letters"
        raise WordListError(f"{seen}, expected words of one length: pick one with Listing.of_length")
    points = np.frombuffer("".join(words).encode("utf-32-le"), dtype=np.uint32)
    alphabet, numbers = np.unique(points, return_inverse=True)
    if len(alphabet) > MOST_LETTERS:
        raise WordListError(
            f"{len(alphabet)} different letters, expected at most {MOST_LETTERS}: split the list"
        )
    letters = numbers.astype(np.uint8).reshape(len(words), lengths.pop())
    return _unchecked(torch.from_numpy(letters), "".join(map(chr, alphabet)))

"""The places of every letter in every word, from the words alone: what proofs are checked by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gpulingo.bounds.arrays import CertificateError
from gpulingo.games.marks import LONGEST

Array = np.ndarray[Any, Any]


def letters_of(words: Sequence[str]) -> str:
    """Return the letters that occur in words, in code point order.

    >>> letters_of(["bat", "cat"])
    'abct'
    """
    return "".join(sorted(set("".join(words))))


def letter_masks(words: Sequence[str]) -> Array:
    """Return [W, A] int64: binary digits, first place most significant, that are 1 where a word has a letter.

    The letters are those of `letters_of`.

    Raises:
        CertificateError: words of more than 39 letters.

    >>> letter_masks(["bat", "tat"]).tolist()
    [[2, 4, 1], [2, 0, 5]]
    """
    rows = np.array([list(word) for word in words])  # [W, N]
    if rows.shape[1] > LONGEST:
        raise CertificateError(f"words of {rows.shape[1]} letters, expected at most {LONGEST}: use others")
    places = 1 << np.arange(rows.shape[1] - 1, -1, -1, dtype=np.int64)
    return np.stack([(rows == letter) @ places for letter in letters_of(words)], axis=1)

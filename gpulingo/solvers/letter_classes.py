"""The class that each letter puts each word of a table in, and the letters of each word."""

from __future__ import annotations

import numpy as np

from gpulingo.tensors.features import Array, letter_places
from gpulingo.tensors.wordtable import WordTable

MISS = 0  # the class of the words without the letter, whether or not there are any
NO_LETTER = 255  # after the last of the different letters of a word


def letter_classes(table: WordTable) -> tuple[Array, Array]:
    """Number the classes of each letter by pattern, from `MISS` on.

    Returns:
        [W, A] int16, of each word by each letter; [A, K] int32 or int64, the pattern of each class, -1 where
        a letter has no more.
    Raises:
        ValueError: words of more letters, or a letter of more different places, than these types hold.
    """
    places = letter_places(table).cpu().numpy()
    known = [np.union1d(column, [MISS]) for column in places.T]
    most = max(map(len, known))
    if most > np.iinfo(np.int16).max:
        raise ValueError(f"letters have up to {most} different places in words, expected at most 32,767")
    patterns = np.full((len(known), most), -1, places.dtype)
    for letter, values in enumerate(known):
        patterns[letter, : len(values)] = values
    columns = [np.searchsorted(values, column) for values, column in zip(known, places.T, strict=True)]
    return np.ascontiguousarray(np.stack(columns, 1), np.int16), patterns


def different_letters(classes: Array, length: int) -> Array:
    """Return [W, length + 1] uint8: the letters of each word once each, ascending, then `NO_LETTER`."""
    letters = np.full((len(classes), length + 1), NO_LETTER, np.uint8)
    held = np.argsort(classes == MISS, axis=1, kind="stable")[:, :length]
    letters[:, : held.shape[1]] = np.where(np.take_along_axis(classes, held, axis=1) != MISS, held, NO_LETTER)
    return letters


def shown_places(patterns: Array) -> Array:
    """Return [A, K] int64: how many places each class of a letter shows."""
    return np.bitwise_count(np.maximum(patterns, 0)).astype(np.int64)

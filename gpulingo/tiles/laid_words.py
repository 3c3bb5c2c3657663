"""`laid_words`: which words can be laid with each of some racks, all racks against all words at once."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

BLOCK = 1 << 24  # counts of tiles that are compared at once, of a byte each


class Laid(NamedTuple):
    """Words that can be laid, L of them: by rack, those of a rack by word.

    Attributes:
        racks: [L] int64, numbers of racks. words: [L] int64, numbers of words.
        points: [L] int64: the most that the tiles of a rack which spell the word can be worth.
    """

    racks: Tensor
    words: Tensor
    points: Tensor


def laid_words(racks: Tensor, words: Tensor, values: Tensor, blank: int | None = None) -> Laid:
    """Return the words that can be laid with each rack, and their points.

    A blank takes the place of any letter. It pays the points of a blank; where these exceed those of a letter
    that is there, the blank is laid instead.

    Args:
        racks: [B, K] uint8: tiles of each kind.
        words: [W, K + 1] uint8: letters that each kind of tile spells, and last those that no kind does. None
            is spelled by blanks.
        values: [K] int64: points of a tile of each kind.
        blank: the kind that is blank; None without blanks.

    >>> racks = torch.tensor([[1, 1], [2, 0]]).byte()
    >>> words = torch.tensor([[1, 0, 0], [1, 1, 0]]).byte()
    >>> laid_words(racks, words, torch.tensor([3, 4]))
    Laid(racks=tensor([0, 0, 1]), words=tensor([0, 1, 0]), points=tensor([3, 7, 3]))
    """
    none = torch.zeros(len(racks), 1, dtype=torch.uint8, device=racks.device)
    held = torch.cat([racks, none], 1)
    blanks = none[:, 0]
    if blank is not None:
        blanks, held[:, blank] = racks[:, blank], 0
    parts, size = [], max(1, BLOCK // max(1, words.numel()))
    for start in range(0, len(racks), size):
        ids = _pairs(held[start : start + size], words, blanks[start : start + size])
        ids[:, 0] += start
        parts.append(ids)
    owners, laid = torch.cat([values.new_empty(0, 2), *parts]).unbind(1)
    return Laid(owners, laid, _points(held[owners], words[laid], values, blank, blanks[owners]))


def _pairs(held: Tensor, words: Tensor, blanks: Tensor) -> Tensor:
    """Return [L, 2] int64: the racks and words of which the blanks make up for the letters that lack."""
    if not blanks.any():
        return (words <= held[:, None, :]).all(2).nonzero()
    lacking = words - torch.minimum(words, held[:, None, :])  # [B, W, K + 1]
    return (lacking.sum(2) <= blanks[:, None]).nonzero()


def _points(held: Tensor, words: Tensor, values: Tensor, blank: int | None, blanks: Tensor) -> Tensor:
    """Return [L] int64: the most points of [L, K + 1] words laid with the same number of racks."""
    laid = torch.minimum(words, held)[:, :-1].long()
    points = (laid * values).sum(1)
    if blank is None:
        return points
    lacking = words.long().sum(1) - laid.sum(1)
    points += lacking * values[blank]
    spare, gains = blanks - lacking, values[blank] - values
    for kind in gains.argsort(descending=True, stable=True).tolist():
        if gains[kind] <= 0:
            break
        swapped = torch.minimum(laid[:, kind], spare)
        points += swapped * gains[kind]
        spare = spare - swapped
    return points

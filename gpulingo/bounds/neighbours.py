"""Which openings tell nearly the same: how many bits the letters of one add to those of another.

A guess, not a bound: letters are taken one by one, as if they were independent.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from gpulingo.tensors.wordtable import WordTable

TRIED = 64  # words that are compared by how near others are to them
OTHERS = 4096  # others that they are compared by
NEAREST = 512  # the nearest one in so many counts


class Nearness:
    """Bits that the letters of one word add to those of another.

    Args:
        table: the words.
    """

    def __init__(self, table: WordTable) -> None:
        self._letters = table.letters.cpu().long()
        self._places = torch.arange(table.length)
        alphabet = int(self._letters.max()) + 1
        placed = torch.stack([column.bincount(minlength=alphabet) for column in self._letters.T])
        held = torch.zeros(table.words, alphabet).scatter_(1, self._letters, 1).mean(0)
        # A letter at a place tells whether a word has it, and if so, whether it is there.
        self._where = held * _bits(placed / table.words / held.clamp(min=1e-9))
        self._both = _bits(held) + self._where

    def nearest(self, word: int, others: Tensor) -> Tensor:
        """[M] int64 other words on the CPU, those first that add least to this one."""
        return others[self.added(word, others).sort(stable=True).indices]

    def crowded(self, words: Tensor, draw: torch.Generator) -> int:
        """One of [M] int64 words on the CPU that many of them are near to, of some drawn at random."""
        if words.shape[0] <= NEAREST:
            return int(words[0])
        drawn = words[torch.randperm(words.shape[0], generator=draw)]
        others = drawn[:OTHERS]
        count = max(1, others.shape[0] // NEAREST)
        reach = [
            float(self.added(word, others).kthvalue(count + 1).values) for word in drawn[:TRIED].tolist()
        ]
        return int(drawn[reach.index(min(reach))])

    def added(self, word: int, others: Tensor) -> Tensor:
        """[M] float32: bits that [M] int64 other words on the CPU add to this one."""
        letters = self._letters[word]
        added = self._both.clone()
        added[:, letters] = self._where[:, letters]
        added[self._places, letters] = 0
        return added[self._places, self._letters[others]].sum(1)


def _bits(chance: Tensor) -> Tensor:
    """Bits that yes or no tells on average, where yes has this chance."""
    chance = chance.clamp(0, 1)
    return -(torch.xlogy(chance, chance) + torch.xlogy(1 - chance, 1 - chance)) / math.log(2)

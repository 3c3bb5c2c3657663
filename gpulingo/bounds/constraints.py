"""What words have in common: letters that they hold, lack, or have in a place; and the sets that this gives.

A set given by facts is all words of which they are true. Where they are what a class of an opening has in
common, the set holds the class, and classes of many other openings.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

import numpy as np
import torch
from torch import Tensor

from gpulingo.tensors.bitsets import common_bits
from gpulingo.tensors.features import Array
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.wordtable import WordTable

Key = tuple[int, ...]  # some facts, ascending: the set of which they are true


class Facts:
    """The F facts of a list of words of N letters with an alphabet of A.

    Fact x says that a word holds letter x, A + x that it lacks it, (2 + i) A + x that it has it at place i,
    from 0. What is computed here lies on the CPU.

    Args:
        table: the words.
    Attributes:
        sizes: [F] int64, words of which each fact is true.
        says: [F] int64, another fact that it says as well, or -1.
    """

    def __init__(self, table: WordTable) -> None:
        self.words = table.words
        letters = table.letters.cpu().numpy()
        alphabet = len(table.alphabet)
        placed = np.stack([letters == x for x in range(alphabet)])  # [A, W, N]
        held = placed.any(2)
        true = np.concatenate([held, ~held, placed.transpose(2, 0, 1).reshape(-1, table.words)])  # [F, W]
        self.sizes = true.sum(1)
        # A letter in its place says that it is held.
        self.says = np.concatenate([np.full(2 * alphabet, -1), np.tile(np.arange(alphabet), table.length)])
        self._words, self._facts = np.packbits(true, axis=1), _packed(true.T)
        self._counts: dict[Key, int] = {}

    @property
    def count(self) -> int:
        """F."""
        return len(self.sizes)

    def common(self, sets: Frontier) -> Array:
        """[S, F / 64, rounded up] uint64: a bit for each fact, 1 where it is true of all words of a set."""
        found: Array = common_bits(self._facts, sets.members.cpu().numpy(), sets.offsets.cpu().numpy())
        return found

    def listed(self, bits: Array) -> list[int]:
        """The facts of one row of bits."""
        return np.flatnonzero(np.unpackbits(bits.view(np.uint8))[: self.count]).tolist()

    def bits(self, keys: Iterable[Key]) -> Array:
        """[P, F / 64, rounded up] uint64: a bit for each fact of P keys."""
        some = list(keys)
        true = np.zeros((len(some), self.count), dtype=np.bool_)
        true[np.repeat(np.arange(len(some)), [len(key) for key in some]), list(chain(*some))] = True
        return _packed(true)

    def size(self, key: Key) -> int:
        """Words of the set that facts give."""
        if key not in self._counts:
            self._counts[key] = int(np.bitwise_count(self._of(key)).sum())
        return self._counts[key]

    def members(self, key: Key) -> Tensor:
        """[n] int32: the words of the set that facts give, ascending."""
        return torch.from_numpy(np.flatnonzero(np.unpackbits(self._of(key))[: self.words]).astype(np.int32))

    def _of(self, key: Key) -> Array:
        """The words of a set, a bit each."""
        return np.bitwise_and.reduce(self._words[list(key)], axis=0)


def _packed(rows: Array) -> Array:
    """Rows of bool as rows of 64 bits."""
    bits = np.packbits(rows, axis=1)
    return np.ascontiguousarray(np.pad(bits, ((0, 0), (0, -bits.shape[1] % 8)))).view(np.uint64)

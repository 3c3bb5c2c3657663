"""Candidate sets that were searched, found again by hash: equal sets recur under different histories."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray

from gpulingo.tensors.frontier import Frontier

Entry = tuple[int, int]  # value, guess
ENTRY_BYTES = 300  # that one takes, about: tuples and dict of CPython
COLLISION = "two candidate sets have one hash: search again with another --seed"


class SetHash:
    """Two sums of random 64-bit numbers, one number for each member: the hash of a set, and its check.

    Args:
        words: of the table.
        seed: of the random numbers.
    Source: Zobrist (1970), with sums in place of exclusive or.
    """

    def __init__(self, words: int, seed: int = 0) -> None:
        generator = torch.Generator().manual_seed(seed)
        full = torch.iinfo(torch.int64)
        self._numbers = torch.randint(full.min, full.max, (words, 2), generator=generator)

    def of(self, front: Frontier) -> NDArray[np.int64]:
        """Return [S, 2] int64: hash and check of every set of a frontier."""
        sums = torch.zeros(front.sets, 2, dtype=torch.int64)
        sums.index_add_(0, front.owners.cpu(), self._numbers[front.members.cpu().long()])
        return sums.numpy()


class TranspositionTable:
    """Entries of sets by hash.

    Raises, wherever it is asked: RuntimeError, two different sets have one hash (one in 10^10 for
    a hundred thousand sets, by the birthday bound; another seed mends it).
    """

    def __init__(self) -> None:
        self._entries: dict[int, tuple[int, Entry]] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: int, check: int) -> Entry | None:
        """Return the entry of a set, or None."""
        stored = self._entries.get(key)
        if stored is None:
            return None
        if stored[0] != check:
            raise RuntimeError(COLLISION)
        return stored[1]

    def put(self, key: int, check: int, entry: Entry) -> None:
        """Keep the entry of a set."""
        self._entries[key] = check, entry

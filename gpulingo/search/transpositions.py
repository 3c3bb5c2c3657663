"""What is known about candidate sets, found again by identity: equal sets recur under different histories."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray

from gpulingo.tensors.frontier import Frontier

Entry = tuple[int, int, int]  # lower value, upper bound, guess


class Identities:
    """Two sums of random 64-bit numbers, one number for each member: the identity of a set, and its check.

    Args:
        words: of the list.
        seed: of the random numbers.
    """

    def __init__(self, words: int, seed: int = 0) -> None:
        generator = torch.Generator().manual_seed(seed)
        full = torch.iinfo(torch.int64)
        self._numbers = torch.randint(full.min, full.max, (words, 2), generator=generator)

    def of(self, front: Frontier) -> NDArray[np.int64]:
        """[S, 2] int64: identity and check of every set of a frontier."""
        sums = torch.zeros(front.sets, 2, dtype=torch.int64)
        sums.index_add_(0, front.owners.cpu(), self._numbers[front.members.cpu().long()])
        return sums.numpy()


class Known:
    """Entries of sets by identity.

    Raises, wherever it is asked: RuntimeError, two different sets have one identity (one in 10^10 for
    a hundred thousand sets, by the birthday bound; another seed mends it).
    """

    def __init__(self) -> None:
        self._entries: dict[int, tuple[int, Entry]] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, identity: int, check: int) -> Entry | None:
        """The entry of a set, or None."""
        held = self._entries.get(identity)
        if held is None:
            return None
        if held[0] != check:
            raise RuntimeError("two candidate sets have one identity: search again with another --seed")
        return held[1]

    def put(self, identity: int, check: int, entry: Entry) -> None:
        """Keep the entry of a set."""
        self._entries[identity] = check, entry

    def entries(self) -> NDArray[np.int64]:
        """[E, 3] int64: all entries."""
        return np.array([entry for _, entry in self._entries.values()], dtype=np.int64).reshape(-1, 3)

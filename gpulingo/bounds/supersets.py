"""What two turns find of sets given by facts: no less than of any set that lies in one of them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch
from torch import Tensor

from gpulingo.bounds.constraints import Facts, Key
from gpulingo.tensors.bitsets import first_within
from gpulingo.tensors.features import Array
from gpulingo.tensors.frontier import Frontier

AGAIN = 20  # what was added is taken up when it is a twentieth of what was known


class LargerSets:
    """Sets given by facts, and the most that two turns find of each.

    Args:
        facts: of a list.
        found: key -> the most classes of a guess, one more for a candidate; may be empty.
    Attributes:
        found: the same, and what was added.
    """

    def __init__(self, facts: Facts, found: Mapping[Key, int]) -> None:
        self.facts, self.found = facts, dict(found)
        # The least found first: [P] int64 found, and [P, F / 64] uint64 facts. Replaced at once, for threads.
        self._sorted = np.empty(0, dtype=np.int64), np.empty((0, 0), dtype=np.uint64)

    def add(self, key: Key, found: int) -> None:
        """Know one more."""
        self.found[key] = found

    def bounds(self, sets: Frontier) -> Tensor:
        """The most that two turns find of sets, as far as larger ones say it.

        Args:
            sets: S sets.
        Returns:
            [S] int64: the least that is found of a set that holds each; where none is known, one more than
            its words.
        """
        most = sets.sizes + 1
        if not self.found:
            return most
        least, keys = self._taken_up()
        # Only what is found less of than a set has words says anything about it.
        large = (sets.sizes > int(least[0])).nonzero().squeeze(1)
        if large.shape[0]:
            common = self.facts.common(sets.take(large))
            found = first_within(common, most[large].cpu().numpy(), keys, least)
            most[large] = torch.from_numpy(found).to(most.device)
        return most

    def _taken_up(self) -> tuple[Array, Array]:
        least, keys = self._sorted
        if len(self.found) * AGAIN > len(least) * (AGAIN + 1):
            order = sorted(self.found.copy(), key=lambda key: (self.found[key], key))
            least = np.array([self.found[key] for key in order], dtype=np.int64)
            keys = self.facts.bits(order)
            self._sorted = least, keys
        return least, keys

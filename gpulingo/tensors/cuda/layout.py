"""What the CUDA kernels read of a word table, laid out on its device: features as bits, weights by guess.

How the weights come about is the business of `paircodes`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import torch
from torch import Tensor

from gpulingo.tensors.paircodes import Array, PairCodes, pair_codes
from gpulingo.tensors.wordtable import WordTable

BLOCK = 4096  # words whose features are unpacked at once
PER_GROUP = 10  # features of a group in `PairCodes`


@dataclass(frozen=True, eq=False)
class Weights:
    """The words of a table as targets and as guesses.

    Attributes:
        features: number of features F, numbered as in `PairCodes`.
        rows: [W, ceil(F / 32)] int32, the features of every word as a target, 32 to a number.
        planes: [2N, W] int32, the features whose bits make up the feedback of every word as a guess.
        plan: [GROUPS * PER_GROUP, W] int32, by group: feature + 65536 * weight, those without weight last.
        radix: [GROUPS, W] int32, what a group's sum is multiplied by; 0 where it would pass 31 bits.
        ranges: [W] int32, one more than the largest code of each guess, or 2^31 - 1.
        joint: for each f, the largest range of the first f + 1 groups of any guess.
        width, last: most features with weight in any group but the last, and in the last.
    """

    features: int
    rows: Tensor
    planes: Tensor
    plan: Tensor
    radix: Tensor
    ranges: Tensor
    joint: tuple[int, ...]
    width: int
    last: int

    @property
    def groups(self) -> int:
        """Most groups of any guess."""
        return len(self.joint)


@lru_cache(maxsize=2)
def weights_of(table: WordTable) -> Weights:
    """The weights of a table, on its device."""
    found = pair_codes(table)
    plan, radix, joint = _padded(found)
    used = [int((plan[p] >> 16 != 0).sum(0).max()) for p in range(len(joint))]
    width = max(used[:-1], default=0)
    # The kernels take `width` features of each group and `last` of the last one, from a stride of PER_GROUP.
    ranges = np.minimum(found.ranges, np.uint64(2**31 - 1)).astype(np.int32)
    device = table.device
    return Weights(
        found.total,
        _feature_rows(table, found),
        _planes(table),
        torch.from_numpy(plan.reshape(-1, plan.shape[2])).to(device),
        torch.from_numpy(radix).to(device),
        torch.from_numpy(ranges).to(device),
        joint,
        width,
        used[-1],
    )


def _padded(found: PairCodes) -> tuple[Array, Array, tuple[int, ...]]:
    """Groups of every word in a rectangle: [GROUPS, 10, W] plan, [GROUPS, W] radix, joint ranges."""
    counts = np.diff(found.starts)
    words, groups = counts.shape[0], int(counts.max())
    plan = np.full((groups, PER_GROUP, words), found.total - 1, np.int32)
    radix = np.zeros((groups, words), np.int32)
    joint = []
    light = np.argsort(found.weights == 0, axis=1, kind="stable")
    packed = found.features.astype(np.int32) | found.weights.astype(np.int32) << 16
    packed = np.take_along_axis(packed, light, axis=1)
    for p in range(groups):
        has = np.flatnonzero(counts > p)
        at = found.starts[has] + p
        plan[p][:, has] = packed[at].T
        radix[p, has] = np.where(found.radix[at] < 1 << 31, found.radix[at], 0).astype(np.int32)
        beyond = np.where(counts[has] > p + 1, found.radix[np.minimum(at + 1, len(found.radix) - 1)], 0)
        joint.append(int(max(beyond.max(), found.ranges[counts <= p + 1].max(initial=0))))
    return plan, radix, tuple(joint)


def _planes(table: WordTable) -> Tensor:
    """[2N, W] int32: letter i at its place, then as many copies of it as the word holds up to place i."""
    letters = table.letters.to(torch.int32).T  # [N, W]
    length, alphabet = table.length, len(table.alphabet)
    places = torch.arange(length, dtype=torch.int32, device=table.device)[:, None] * alphabet + letters
    copies = torch.stack([(letters[:i] == letters[i]).sum(0, dtype=torch.int32) for i in range(length)])
    return torch.cat([places, (length + copies) * alphabet + letters]).contiguous()


def _feature_rows(table: WordTable, found: PairCodes) -> Tensor:
    """[W, ceil(F / 32)] int32: the bits of `target_features`, made in blocks on the device of the table."""
    device = table.device
    numbers = torch.arange(found.alphabet, dtype=torch.uint8, device=device)
    copies = torch.arange(found.copies, device=device)[:, None]
    bit = (1 << torch.arange(32, dtype=torch.int64, device=device)).to(torch.int64)
    out = []
    for letters in table.letters.split(BLOCK):
        one_hot = letters[:, :, None] == numbers  # [B, N, A]
        held = one_hot.sum(1)[:, None, :] > copies  # [B, J, A]
        flat = torch.cat([one_hot.flatten(1), held.flatten(1)], dim=1)
        flat = torch.nn.functional.pad(flat, (0, -flat.shape[1] % 32 or 32))  # so that the last has a place
        numbers64 = (flat.reshape(letters.shape[0], -1, 32) * bit).sum(2)
        out.append(numbers64.to(torch.int32))
    return torch.cat(out)

"""A word table as the CUDA kernels read it: features as bits, coefficients by guess, on its device.

How the coefficients come about is the business of `paircodes`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from gpulingo.tensors.feedback import feedback_of
from gpulingo.tensors.paircodes import PairCodes
from gpulingo.tensors.wordtable import Array, WordTable, cached_by_table, target_features

BLOCK = 4096  # words whose features are unpacked at once
PER_GROUP = 10  # features of a group in `PairCodes`


@dataclass(frozen=True, eq=False)
class Layout:
    """The words of a table as targets and as guesses."""

    features: int  # F of them, numbered as in `PairCodes`
    rows: Tensor  # [W, ceil(F / 32)] int32, the features of every word as a target, 32 to a number
    planes: Tensor | None  # [K, G] int32, the features whose bits make up the feedback, if any do
    plan: Tensor  # [GROUPS * PER_GROUP, G] int32, by group: feature + 65536 * coefficient, those without last
    radix: Tensor  # [GROUPS, G] int32, what a group's sum is multiplied by; 0 where it would pass 31 bits
    ranges: Tensor  # [G] int32, one more than the largest code of each guess, or 2^31 - 1
    joint: tuple[int, ...]  # for each f, the largest range of the first f + 1 groups of any guess
    width: int  # most features with a coefficient in any group but the last
    last: int  # and in the last
    period: int  # as in `PairCodes`

    @property
    def groups(self) -> int:
        """Most groups of any guess."""
        return len(self.joint)


@cached_by_table
def layout_of(table: WordTable) -> Layout:
    """The layout of a table, on its device."""
    feedback = feedback_of(table)
    codes, planes = feedback.codes(table), feedback.planes(table)
    plan, radix, joint = _padded(codes)
    used = [int((plan[p] >> 16 != 0).sum(0).max()) for p in range(len(joint))]
    width = max(used[:-1], default=0)
    # The kernels take `width` features of each group and `last` of the last one, from a stride of PER_GROUP.
    ranges = np.minimum(codes.ranges, np.uint64(2**31 - 1)).astype(np.int32)
    device = table.device
    return Layout(
        codes.total,
        _feature_rows(table, codes),
        None if planes is None else planes.contiguous(),
        torch.from_numpy(plan.reshape(-1, plan.shape[2])).to(device),
        torch.from_numpy(radix).to(device),
        torch.from_numpy(ranges).to(device),
        joint,
        width,
        used[-1],
        codes.period,
    )


def _padded(codes: PairCodes) -> tuple[Array, Array, tuple[int, ...]]:
    """Groups of every guess in a rectangle: [GROUPS, 10, G] plan, [GROUPS, G] radix, joint ranges."""
    counts = np.diff(codes.starts)
    words, groups = counts.shape[0], int(counts.max())
    plan = np.full((groups, PER_GROUP, words), codes.total - 1, np.int32)
    radix = np.zeros((groups, words), np.int32)
    joint = []
    light = np.argsort(codes.coefficients == 0, axis=1, kind="stable")
    packed = codes.features.astype(np.int32) | codes.coefficients.astype(np.int32) << 16
    packed = np.take_along_axis(packed, light, axis=1)
    for p in range(groups):
        has = np.flatnonzero(counts > p)
        place = codes.starts[has] + p
        plan[p][:, has] = packed[place].T
        radix[p, has] = np.where(codes.radix[place] < 1 << 31, codes.radix[place], 0).astype(np.int32)
        beyond = np.where(counts[has] > p + 1, codes.radix[np.minimum(place + 1, len(codes.radix) - 1)], 0)
        joint.append(int(max(beyond.max(), codes.ranges[counts <= p + 1].max(initial=0))))
    return plan, radix, tuple(joint)


def _feature_rows(table: WordTable, codes: PairCodes) -> Tensor:
    """[W, ceil(F / 32)] int32: the bits of `target_features`, made in blocks on the device of the table."""
    bit = (1 << torch.arange(32, dtype=torch.int64, device=table.device)).to(torch.int64)
    rows = []
    for letters in table.letters.split(BLOCK):
        flat = target_features(letters, codes.alphabet, codes.copies)
        flat = torch.nn.functional.pad(flat, (0, -flat.shape[1] % 32))
        numbers = (flat.reshape(letters.shape[0], -1, 32) * bit).sum(2)
        rows.append(numbers.to(torch.int32))
    return torch.cat(rows)

"""Objectives: what kernels may leave out, and what is none."""

import pytest
import torch

from gpulingo.tensors.objective import Objective


@pytest.mark.parametrize(
    ("table", "largest", "counts", "complete"),
    [
        ([0, 1, 1, 1], False, True, True),
        ([0, 1, 1, 1], True, False, True),
        ([0, 2, 2, 2], False, False, True),
        ([0, 1, 2, 3], False, False, True),
        ([0, 1, 2, 4], False, False, False),
        ([0, 1, 3, 3], False, False, False),
        ([0, 0, 0, 0], False, False, True),
        ([0, -1, -1, -4], False, False, False),
        ([0, -1, -2, -4], False, False, True),
        ([0, -1, -1, -1], True, False, True),
        ([0, -2, -1, -3], True, False, False),
        ([0, 1], False, True, True),
        ([0, -1], False, False, True),
        ([0], False, True, True),
    ],
)
def test_an_objective_knows_what_kernels_may_leave_out(table, largest, counts, complete):
    way = Objective(torch.tensor(table), largest=largest)
    assert (way.counts_classes, way.complete_is_best) == (counts, complete)


@pytest.mark.parametrize(
    ("table", "bonus", "said"),
    [
        (torch.zeros(3), 0, r"objective table is torch.float32 \[3\], expected \[n \+ 1\] int64"),
        (torch.zeros(3, dtype=torch.int32), 0, r"objective table is torch.int32 \[3\]"),
        (torch.zeros(2, 2, dtype=torch.int64), 0, r"objective table is torch.int64 \[2, 2\]"),
        (torch.zeros(0, dtype=torch.int64), 0, r"objective table is torch.int64 \[0\]"),
        (torch.tensor([1, 1]), 0, r"table\[0\] is 1, bonus 0: expected 0 and at least 0"),
        (torch.tensor([0, 1]), -1, r"table\[0\] is 0, bonus -1: expected 0 and at least 0"),
    ],
)
def test_what_is_no_objective_is_told(table, bonus, said):
    with pytest.raises(ValueError, match=f"^{said}"):
        Objective(table, bonus)

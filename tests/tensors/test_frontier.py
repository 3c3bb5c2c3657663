"""Candidate sets joined and taken apart again."""

import pytest
import torch

from gpulingo.tensors.frontier import frontier


def test_sets_are_joined_in_order():
    front = frontier([torch.tensor([4, 7, 9]), torch.tensor([0]), torch.tensor([1, 2])])
    assert front.members.tolist() == [4, 7, 9, 0, 1, 2]
    assert front.offsets.tolist() == [0, 3, 4, 6]
    assert (front.sets, front.sizes.tolist()) == (3, [3, 1, 2])
    assert front.owners.tolist() == [0, 0, 0, 1, 2, 2]
    assert front.firsts.tolist() == [4, 0, 1]
    assert [front.candidates(s).tolist() for s in range(3)] == [[4, 7, 9], [0], [1, 2]]
    assert (front.members.dtype, front.firsts.dtype) == (torch.int32, torch.int32)
    assert (front.offsets.dtype, front.sizes.dtype, front.owners.dtype) == (torch.int64,) * 3


def test_an_empty_set_is_refused():
    with pytest.raises(ValueError, match="an empty candidate set, expected at least one word in each"):
        frontier([torch.tensor([1]), torch.tensor([], dtype=torch.int32)])

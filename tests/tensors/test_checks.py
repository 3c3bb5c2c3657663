"""Tensors on two devices are told, and sets are joined in order; other errors are rows of calls.tsv."""

import pytest
import torch

from gpulingo.tensors.frontier import Frontier, frontier
from gpulingo.tensors.objective import Objective
from gpulingo.tensors.operations import rank, split
from gpulingo.tensors.wordtable import encode

TABLE = encode(["able", "bale", "cafe", "dare", "earl"])


def ints(*numbers):
    return torch.tensor(numbers, dtype=torch.int32)


SETS = frontier([ints(0, 1, 2), ints(3, 4)])
PARTS = Objective(torch.tensor([0, 1, 1, 1, 1, 1]), bonus=1)


def told(kind, call):
    """The one-line message of a call's error, which must be of exactly this kind."""
    with pytest.raises(kind) as caught:
        call()
    assert type(caught.value) is kind and "\n" not in str(caught.value)
    return str(caught.value)


class Elsewhere(torch.Tensor):
    """A tensor that claims to be on a GPU."""

    device = torch.device("cuda:0")


def test_tensors_on_two_devices_are_told():
    far = ints(0, 1).as_subclass(Elsewhere)
    said = "lies on cuda:0, expected cpu: move it there with .to"
    assert told(ValueError, lambda: rank(TABLE, SETS, far, PARTS)) == f"pool {said}"
    assert told(ValueError, lambda: split(TABLE, SETS, far)) == f"guesses {said}"
    front = Frontier.unchecked(far, torch.tensor([0, 2]), 2)
    assert told(ValueError, lambda: rank(TABLE, front, None, PARTS)) == f"frontier {said}"


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

"""`greatest_capped` against loops over guesses and classes."""

from collections import Counter

import pytest
import torch

from gpulingo.tensors import reference
from gpulingo.tensors.cpu import backend as cpu
from gpulingo.tensors.frontier import frontier
from gpulingo.tensors.operations import greatest_capped
from gpulingo.tensors.outcomes import CappedClasses


def by_loops(classes, caps, sets, most):
    """For each set the greatest sum over guesses."""
    rows, limits = classes.tolist(), caps.tolist()
    found = []
    for members, cap in zip(sets, most, strict=True):
        sums = []
        for g, row in enumerate(rows):
            sizes = Counter(row[word] for word in members)
            sums.append(sum(min(n + 1, limits[g][c], cap) for c, n in sizes.items()) + (g in members))
        found.append(max(sums))
    return found


@pytest.mark.parametrize("backend", [reference, cpu], ids=["reference", "cpu"])
@pytest.mark.parametrize(
    ("words", "wide", "dtype"), [(7, 3, torch.uint8), (60, 9, torch.uint8), (90, 300, torch.int16)]
)
def test_the_greatest_sum_is_that_of_loops(backend, words, wide, dtype):
    draw = torch.Generator().manual_seed(words)
    classes = torch.randint(0, wide, (words, words), generator=draw).to(dtype)
    caps = torch.randint(0, 8, (words, wide), generator=draw).to(torch.int32)
    sizes = [1, 2, 5, words // 2, words]
    sets = [torch.randperm(words, generator=draw)[:n].sort().values for n in sizes]
    most = torch.tensor([1, 3, 4, 6, 100])
    told = []
    found = greatest_capped(CappedClasses(classes, caps), frontier(sets), most, told.append, backend=backend)
    assert found.tolist() == by_loops(classes, caps, [set(one.tolist()) for one in sets], most.tolist())
    assert sum(told) > 0


def test_a_guess_of_the_set_is_tried_though_another_is_as_good():
    classes = (torch.arange(40) % 3).to(torch.uint8).repeat(40, 1)
    caps = torch.full((40, 3), 4, dtype=torch.int32)
    found = greatest_capped(CappedClasses(classes, caps), frontier([torch.arange(20, 40)]), torch.tensor([9]))
    assert found.tolist() == [13]


def test_a_set_without_a_limit_is_as_one_with_room_for_all():
    classes, caps = torch.zeros(5, 5, dtype=torch.uint8), torch.full((5, 1), 4, dtype=torch.int32)
    for most in (4, 1 << 40):
        found = greatest_capped(
            CappedClasses(classes, caps), frontier([torch.arange(5)]), torch.tensor([most])
        )
        assert found.tolist() == [5]


def test_the_reference_is_the_same_in_blocks(monkeypatch):
    draw = torch.Generator().manual_seed(1)
    classes = torch.randint(0, 5, (50, 50), generator=draw).to(torch.uint8)
    caps = torch.randint(0, 8, (50, 5), generator=draw).to(torch.int32)
    sets, most = frontier([torch.arange(20), torch.arange(10, 50)]), torch.tensor([5, 5])
    capped = CappedClasses(classes, caps)
    whole = reference.greatest_capped(capped, sets, most)
    monkeypatch.setattr(reference, "CAPPED_BLOCK", 64)
    assert torch.equal(reference.greatest_capped(capped, sets, most), whole)

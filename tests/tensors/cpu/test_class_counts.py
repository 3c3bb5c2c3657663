"""`class_counts` and `most_classes` against sets of marks."""

from collections import Counter

import pytest
import torch

from gpulingo.games.marks import feedback
from gpulingo.tensors import reference
from gpulingo.tensors.cpu import backend as cpu
from gpulingo.tensors.frontier import frontier
from gpulingo.tensors.operations import class_counts, greatest_capped, most_classes
from gpulingo.tensors.outcomes import CappedClasses
from gpulingo.tensors.wordtable import encode


def classes_of(words, guess, members):
    return len({feedback(words[guess], words[word]) for word in members})


def drawn(count, size, draw):
    return torch.randperm(count, generator=draw)[:size].sort().values.to(torch.int32)


def ceilings_of(table, sets, draw, spare):
    """For each set ceilings by sets that hold it and others: so many rows for set 0, 1, 2, 0, .."""
    rows, named = [], []
    for at, members in enumerate(sets):
        named.append(torch.arange(len(rows), len(rows) + at % 3))
        for _ in range(at % 3):
            more = torch.cat([members, drawn(table.words, spare, draw)]).unique()
            rows.append(class_counts(table, more))
    return torch.stack(rows), named


@pytest.mark.parametrize(("length", "spare"), [(5, 0), (5, 60), (2, 3), (19, 0)])
def test_ceilings_change_nothing_but_the_work(random_words, length, spare):
    words = random_words(length, 150, length)
    table = encode(words)
    draw = torch.Generator().manual_seed(length)
    sets = [drawn(150, size, draw) for size in (1, 2, 3, 20, 32, 33, 34, 40, 64, 65, 90, 130, 149, 150)]
    ceilings, named = ceilings_of(table, sets, draw, spare)
    front, told = frontier(sets), []
    most, pairs = most_classes(table, front, ceilings, named, told.append)
    for members, found in zip(sets, most.tolist(), strict=True):
        inside = members.tolist()
        assert found == max(classes_of(words, g, inside) + (g in inside) for g in range(150))
    plain, full = reference.most_classes(table, front)
    assert torch.equal(most, plain)
    assert bool((pairs <= full).all()) and sum(told) > 0
    ceiled = torch.tensor([len(rows) > 0 for rows in named]) & (front.sizes > 32)
    if spare == 0 and length > 2:  # tight ceilings leave little to try
        assert int(pairs[ceiled].sum()) * 4 < int(full[ceiled].sum())


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

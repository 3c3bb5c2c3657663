"""`class_counts` and `most_classes` against sets of marks."""

import pytest
import torch
from sampled import quick

from gpulingo.games.marks import feedback
from gpulingo.tensors import reference
from gpulingo.tensors.cpu import backend as cpu
from gpulingo.tensors.frontier import frontier
from gpulingo.tensors.operations import class_counts, most_classes
from gpulingo.tensors.wordtable import encode


def classes_of(words, guess, members):
    return len({feedback(words[guess], words[word]) for word in members})


def drawn(count, size, draw):
    return torch.randperm(count, generator=draw)[:size].sort().values.to(torch.int32)


@pytest.mark.parametrize("length", quick([1, 5, 9, 19, 27], [1, 5, 19]))
@pytest.mark.parametrize("backend", [reference, cpu], ids=["reference", "cpu"])
def test_every_word_makes_so_many_classes(random_words, backend, length):
    words = random_words(length, 39 if length == 1 else 150, length)
    table = encode(words)
    draw = torch.Generator().manual_seed(length)
    for size in (1, 2, 20, 33, len(words)):
        members = drawn(len(words), size, draw)
        told = []
        counts = class_counts(table, members, told.append, backend=backend)
        assert counts.tolist() == [classes_of(words, g, members.tolist()) for g in range(len(words))]
        assert counts.dtype == torch.uint16 and sum(told) > 0


def ceilings_of(table, sets, draw, spare):
    """For each set ceilings by sets that hold it and others: so many rows for set 0, 1, 2, 0, .."""
    rows, named = [], []
    for at, members in enumerate(sets):
        named.append(torch.arange(len(rows), len(rows) + at % 3))
        for _ in range(at % 3):
            more = torch.cat([members, drawn(table.words, spare, draw)]).unique()
            rows.append(class_counts(table, more))
    return torch.stack(rows), named


@pytest.mark.parametrize(
    ("length", "spare"), quick([(5, 0), (5, 3), (5, 60), (2, 3), (9, 60), (19, 0)], [(5, 0), (5, 3), (5, 60)])
)
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

"""The formulas of bounds, compared with each other, and the games that they apply to."""

import numpy as np
import pytest
import torch

from gpulingo.bounds.formulas import (
    opening_size_bounds,
    size_bound,
)
from gpulingo.games.catalogue import lingo
from gpulingo.tensors.frontier import whole
from gpulingo.tensors.objective import classes
from gpulingo.tensors.operations import class_counts, rank
from gpulingo.tensors.wordtable import encode


@pytest.mark.parametrize("targets", [None, [1, 2, 4]])
def test_an_opening_is_bounded_by_the_sizes_of_its_classes_and_counts_if_it_is_a_target(targets):
    words = ["aab", "aac", "aad", "aae", "bcd"]
    table = encode(words)
    if targets is not None:
        table = table.with_sets(targets=torch.tensor(targets, dtype=torch.int32))
    count = table.targets.shape[0]
    most = int(rank(table, whole(table), table.pool, classes(count, 0)).ranks[0, 0])
    bounds = opening_size_bounds(table, lingo(4), class_counts(table, table.targets).long()).tolist()
    from gpulingo.bounds.partitions import opening_classes

    for opening in range(len(words)):
        sizes = opening_classes(table, opening).sizes
        own = 4 if targets is None or opening in targets else 0
        assert bounds[opening] == own + int(size_bound(sizes, most, 3).sum())


def test_a_word_that_may_not_be_guessed_has_the_bound_0():
    table = encode(["aab", "aac", "aad", "aae"])
    table = table.with_sets(*(torch.tensor(ids, dtype=torch.int32) for ids in ([1, 2], [0, 1, 2])))
    bounds = opening_size_bounds(table, lingo(3), torch.tensor([2, 1]))
    assert bounds[3] == 0 and bool((bounds[:3] > 0).all())


def test_a_found_word_and_a_turn_left_are_bounded_by_what_each_is_worth():
    table = encode(["aab", "aac", "aad", "aae", "bcd"])
    counts = class_counts(table, table.targets).long()
    plain = opening_size_bounds(table, lingo(4), counts)
    lost = lingo(4).seeking("lost")
    assert np.array_equal(opening_size_bounds(table, lost, counts), 5 * lost.bonus + plain)
    assert opening_size_bounds(table, lingo(4).seeking("found"), counts).tolist() == [5] * 5
    assert np.array_equal(opening_size_bounds(table, lingo(4).under("hard"), counts), plain)


def test_a_class_of_weighted_words_finds_its_heaviest_first():
    table = encode(["aab", "aac", "aad", "bbb"])
    table = table.with_sets(weights=torch.tensor([1, 5, 2, 3], dtype=torch.int32))
    bounds = opening_size_bounds(table, lingo(4), class_counts(table, table.targets).long())
    values = [  # the opening with 4 turns, the heaviest of its two other classes with 3, the rest with 2
        4 * 1 + 3 * (5 + 3) + 2 * 2,
        4 * 5 + 3 * (2 + 3) + 2 * 1,
        4 * 2 + 3 * (5 + 3) + 2 * 1,
        4 * 3 + 3 * (1 + 5) + 2 * 2,
    ]
    assert bounds.tolist() == [32, 40, 34, 36]
    assert all(bound >= value for bound, value in zip(bounds.tolist(), values, strict=True))

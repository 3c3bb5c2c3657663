"""The bound of an opening by class sizes, class by class; more formulas are rows of calls.tsv."""

import pytest
import torch

from gpulingo.bounds.formulas import opening_size_bounds, size_bound
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

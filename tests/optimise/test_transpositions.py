"""Sets by hash: equal sets have one, whatever comes before them; two sets of one hash are an error."""

import pytest
import torch

from gpulingo.optimise.transpositions import COLLISION, SetHash, TranspositionTable
from gpulingo.tensors.frontier import frontier


def test_equal_sets_have_one_hash_and_others_do_not():
    sets = [[1, 4, 7], [2], [1, 4, 7], [1, 4], [4, 7]]
    front = frontier([torch.tensor(members, dtype=torch.int32) for members in sets])
    sums = [tuple(row) for row in SetHash(9).of(front).tolist()]
    assert sums[0] == sums[2] and len(set(sums)) == 4
    assert sums != [tuple(row) for row in SetHash(9, seed=1).of(front).tolist()]
    assert sums == [tuple(row) for row in SetHash(9).of(front).tolist()]


def test_entries_are_found_by_hash_and_checked():
    table = TranspositionTable()
    table.put(5, 6, (1, 2))
    assert table.get(5, 6) == (1, 2) and table.get(7, 6) is None and len(table) == 1
    with pytest.raises(RuntimeError, match=COLLISION):
        table.get(5, 7)

"""The reference backend: class sizes, and blocks that change nothing."""

from collections import Counter

import pytest
import torch

from gpulingo.tensors import reference
from gpulingo.tensors.operations import rank
from gpulingo.tensors.patterns import patterns
from gpulingo.tensors.wordtable import encode


@pytest.mark.parametrize("length", [1, 2, 5, 9, 13, 20])
@pytest.mark.parametrize("targets", [1, 2, 30])
def test_class_sizes_are_counted_by_ascending_code(random_words, length, targets):
    letters = encode(random_words(length, 30, length)).letters
    codes = patterns(letters, letters[:targets])
    sizes = reference.class_sizes(codes)
    assert (sizes.dtype, sizes.shape) == (torch.int64, codes.shape)
    for row, of_row in zip(codes.tolist(), sizes.tolist(), strict=True):
        counted = [size for _, size in sorted(Counter(row).items())]
        assert of_row == counted + [0] * (targets - len(counted))
        assert sum(of_row) == targets


def test_no_guesses_make_no_classes():
    assert reference.class_sizes(torch.empty(0, 7, dtype=torch.int32)).shape == (0, 7)


@pytest.mark.parametrize("block", [1, 7, 1000])
def test_blocks_change_nothing(monkeypatch, random_words, random_sets, objective, block):
    table = encode(random_words(3, 80, 6))
    front = random_sets(3, 80, (1, 2, 33, 70))
    pool = torch.arange(0, 80, 3, dtype=torch.int32)
    ways = [objective(name, 80) for name in ("parts", "random", "random largest")]
    whole = [rank(table, front, pool, way, 4, backend=reference) for way in ways]
    places = torch.arange(80, dtype=torch.int32)
    pairs = reference.paired_patterns(table, places, places.flip(0))
    monkeypatch.setattr(reference, "BLOCK", block)
    for way, expected in zip(ways, whole, strict=True):
        ranked = rank(table, front, pool, way, 4, backend=reference)
        assert torch.equal(ranked.guesses, expected.guesses)
        assert torch.equal(ranked.ranks, expected.ranks)
    assert torch.equal(reference.paired_patterns(table, places, places.flip(0)), pairs)

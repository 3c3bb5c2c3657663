"""The best of all racks and their draws: kernels and torch against single tiles, and each other."""

import random
from collections import Counter
from itertools import combinations

import pytest
import torch
from sampled import quick

from gpulingo.tiles.racks import best_of_racks, draws_by_rank, rack_numbers

BACKENDS = pytest.mark.parametrize("plain", [False, True], ids=["kernels", "torch"])
DTYPES = pytest.mark.parametrize("dtype", [torch.int16, torch.int32], ids=["int16", "int32"])
# Few kinds and many, few tiles of each and many, more of one than a rack has.
LIMITS = [[1], [4], [1, 1], [3, 1], [1, 3], [2, 2, 2], [9, 1, 1], [1, 1, 9], [1, 4, 2, 1, 3], [1] * 7]


def drawn_limits(seed):
    """How many tiles there are of each of 1 to 8 kinds."""
    draw = random.Random(seed)
    return [draw.choice([1, 1, 2, 3, 5]) for _ in range(draw.randint(1, 8))]


def drawn_ranks(seed, racks, dtype, most=50):
    """A rank for each of so many racks, half of them 0."""
    draw = random.Random(seed)
    return torch.tensor([draw.choice([0, draw.randrange(most)]) for _ in range(racks)], dtype=dtype)


def every_rack(limits, tiles):
    """The racks that single tiles give, in the order of their numbers."""
    singles = [kind for kind, limit in enumerate(limits) for _ in range(limit)]
    return sorted(set(combinations(singles, tiles)), key=lambda rack: rack[::-1])


@BACKENDS
@DTYPES
@pytest.mark.parametrize("limits", LIMITS)
def test_the_best_of_a_rack_is_its_own_or_that_without_one_tile(limits, dtype, plain):
    numbers = rack_numbers(limits, sum(limits))
    for tiles in range(1, sum(limits) + 1):
        racks, parts = every_rack(limits, tiles), every_rack(limits, tiles - 1)
        own, smaller = drawn_ranks(1, len(racks), dtype), drawn_ranks(2, len(parts), dtype)
        rank_of = dict(zip(parts, smaller.tolist(), strict=True))
        expected = [
            max(rank, *(rank_of[rack[:place] + rack[place + 1 :]] for place in range(tiles)))
            for rack, rank in zip(racks, own.tolist(), strict=True)
        ]
        before = own.clone()
        best = best_of_racks(numbers, tiles, smaller, own, plain=plain)
        assert (best.tolist(), best.dtype) == (expected, dtype)
        assert torch.equal(own, before)


@BACKENDS
@DTYPES
@pytest.mark.parametrize("limits", LIMITS)
def test_draws_are_sets_of_single_tiles(limits, dtype, plain):
    numbers = rack_numbers(limits, sum(limits))
    singles = [kind for kind, limit in enumerate(limits) for _ in range(limit)]
    for tiles in range(sum(limits) + 1):
        racks = every_rack(limits, tiles)
        ranks = drawn_ranks(tiles, len(racks), dtype, most=6)
        rank_of = dict(zip(racks, ranks.tolist(), strict=True))
        draws = Counter()
        for drawn in combinations(singles, tiles):
            draws.update((kind, rank_of[drawn]) for kind in {*drawn, len(limits)})
        counted = draws_by_rank(numbers, tiles, ranks, 7, plain=plain)
        assert counted.dtype == torch.int64
        assert counted.tolist() == [
            [draws[kind, rank] for rank in range(7)] for kind in range(len(limits) + 1)
        ]


@DTYPES
@pytest.mark.parametrize("seed", quick(range(25), range(10)))
def test_the_kernels_answer_as_the_reference_does(seed, dtype):
    limits = drawn_limits(seed)
    numbers = rack_numbers(limits, sum(limits) + 1)
    for tiles in range(1, sum(limits) + 2):  # the last of them with no racks at all
        own = drawn_ranks(seed, numbers.count(tiles), dtype)
        smaller = drawn_ranks(seed + 1, numbers.count(tiles - 1), dtype)
        done = [best_of_racks(numbers, tiles, smaller, own, plain=plain) for plain in (False, True)]
        assert torch.equal(*done) and done[0].dtype == dtype
        counted = [draws_by_rank(numbers, tiles, own, 50, plain=plain) for plain in (False, True)]
        assert torch.equal(*counted)


def test_the_reference_answers_alike_in_blocks_of_any_size(monkeypatch):
    numbers = rack_numbers([2, 3, 1, 4], 5)
    own, smaller = (drawn_ranks(1, numbers.count(tiles), torch.int32) for tiles in (5, 4))

    def answers():
        best = best_of_racks(numbers, 5, smaller, own, plain=True)
        return best.tolist(), draws_by_rank(numbers, 5, own, 50, plain=True).tolist()

    whole = answers()
    monkeypatch.setattr("gpulingo.tiles.racks.BLOCK", 7)
    assert answers() == whole


@BACKENDS
def test_more_tiles_than_there_are_give_no_racks(plain):
    numbers = rack_numbers([2, 1], 5)
    none = torch.empty(0, dtype=torch.int32)
    assert best_of_racks(numbers, 4, torch.tensor([3]).int(), none, plain=plain).shape == (0,)
    assert best_of_racks(numbers, 5, none, none, plain=plain).shape == (0,)
    assert draws_by_rank(numbers, 4, none, 3, plain=plain).tolist() == [[0] * 3] * 3
    assert draws_by_rank(numbers, 5, none, 0, plain=plain).shape == (3, 0)


@BACKENDS
def test_draws_are_refused_where_fewer_tiles_could_be_drawn_in_more_ways_than_an_integer_holds(plain):
    with pytest.raises(ValueError, match=r"^9.1e\+58 draws of 100 tiles on the way to 199, expected"):
        draws_by_rank(rack_numbers([100, 100], 199), 199, torch.tensor([0, 1]).int(), 2, plain=plain)


@BACKENDS
def test_rows_with_gaps_are_read_as_rows_without(plain):
    numbers = rack_numbers([2, 2, 1], 3)
    own, smaller = (drawn_ranks(4, 2 * numbers.count(tiles), torch.int32)[::2] for tiles in (3, 2))
    kept = [own.contiguous(), smaller.contiguous()]
    best = best_of_racks(numbers, 3, smaller, own, plain=plain)
    assert torch.equal(best, best_of_racks(numbers, 3, kept[1], kept[0], plain=plain))
    draws = draws_by_rank(numbers, 3, own, 50, plain=plain)
    assert torch.equal(draws, draws_by_rank(numbers, 3, kept[0], 50, plain=plain))


def row(*ranks, dtype=torch.int32):
    return torch.tensor(ranks, dtype=dtype)


@BACKENDS
@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"tiles": -1}, "tiles is -1, expected 0 to 2"),
        ({"tiles": 3}, "tiles is 3, expected 0 to 2"),
        ({"ranks": row(1)}, r"ranks is torch.int32 \[1\], expected \[2\] int16 or int32"),
        ({"ranks": row(1, 2, dtype=torch.uint8)}, r"ranks is torch.uint8 \[2\]"),
        ({"ranks": row(0, 4)}, "ranks holds 4, expected 0 to 3"),
        ({"ranks": row(-1, 3)}, "ranks holds -1, expected 0 to 3"),
        ({"racks": rack_numbers([70], 35), "tiles": 35, "ranks": row(0)}, r"1.1e\+20 draws of 35 tiles"),
    ],
)
def test_draws_of_other_arguments_are_refused(plain, changed, said):
    arguments = {"racks": rack_numbers([2, 1], 2), "tiles": 2, "ranks": row(0, 3), "count": 4}
    draws_by_rank(**arguments, plain=plain)
    with pytest.raises(ValueError, match=f"^{said}"):
        draws_by_rank(**arguments | changed, plain=plain)

"""Racks as numbers: every rack of single tiles has one, in colexicographic order, without gaps."""

import random
from collections import Counter
from itertools import combinations, combinations_with_replacement
from math import comb

import numpy as np
import pytest

from gpulingo.tiles.racks import MOST, best_of_racks, draws_by_rank, rack_numbers

# Few kinds and many, few tiles of each and many, more of one kind than fit on a rack.
LIMITS = [[1], [5], [2, 1], [2, 2, 2], [1, 1, 9], [3, 1, 2, 2], [1] * 7]


def every_rack(limits, tiles):
    """The racks made of single tiles, tiles ascending: ordered by their greatest tile, then by the next."""
    singles = [kind for kind, limit in enumerate(limits) for _ in range(limit)]
    return sorted(set(combinations(singles, tiles)), key=lambda rack: rack[::-1])


@pytest.mark.parametrize("limits", LIMITS)
def test_racks_are_numbered_by_their_greatest_tile_then_by_the_next(limits):
    numbers = rack_numbers(limits, sum(limits) + 2)
    for tiles in range(sum(limits) + 3):
        expected = every_rack(limits, tiles)
        assert numbers.count(tiles) == len(expected)
        places = np.arange(len(expected))
        racks = numbers.racks(places, tiles)
        assert (racks.dtype, racks.shape) == (np.uint8, (len(expected), tiles))
        assert [tuple(row) for row in racks.tolist()] == expected
        assert np.array_equal(numbers.numbers(racks), places)


@pytest.mark.parametrize("limits", LIMITS)
def test_a_rack_is_allowed_if_single_tiles_give_it(limits):
    numbers = rack_numbers(limits, 4)
    for tiles in range(1, 5):
        racks = list(combinations_with_replacement(range(len(limits)), tiles))
        allowed = numbers.allowed(np.array(racks, np.uint8))
        assert allowed.dtype == bool
        assert [rack for rack, fits in zip(racks, allowed.tolist(), strict=True) if fits] == sorted(
            every_rack(limits, tiles)
        )


def test_no_racks_have_no_numbers():
    numbers = rack_numbers([2, 1], 3)
    none = np.empty((0, 3), np.uint8)
    assert numbers.numbers(none).shape == numbers.allowed(none).shape == (0,)
    assert numbers.racks(np.empty(0, np.int64), 3).shape == (0, 3)


def test_racks_of_many_kinds_and_of_many_tiles_come_back():
    draw = random.Random(3)
    for limits, tiles in (([1] * 255, 9), ([200, 300], 255), ([3] * 61, 12)):
        numbers = rack_numbers(limits, tiles)
        places = np.array([0, numbers.count(tiles) - 1, *(draw.randrange(numbers.count(tiles)),) * 50])
        racks = numbers.racks(places, tiles)
        assert np.array_equal(numbers.numbers(racks), places) and bool(numbers.allowed(racks).all())
        assert bool((racks[:, 1:] >= racks[:, :-1]).all())


def test_as_many_racks_as_an_integer_holds_are_numbered():
    numbers = rack_numbers([1] * 66, 33)
    last = comb(66, 33) - 1
    assert numbers.count(33) == last + 1 < MOST
    racks = numbers.racks(np.array([0, last]), 33)
    assert racks.tolist() == [[*range(33)], [*range(33, 66)]]
    assert numbers.numbers(racks).tolist() == [0, last]


DTYPES = pytest.mark.parametrize("dtype", [np.int16, np.int32], ids=["int16", "int32"])


def drawn_ranks(seed, racks, dtype, most=50):
    """A rank for each of some racks, half of them 0."""
    draw = random.Random(seed)
    return np.array([draw.choice([0, draw.randrange(most)]) for _ in range(racks)], dtype)


@DTYPES
@pytest.mark.parametrize("limits", LIMITS)
def test_the_best_of_a_rack_is_its_own_or_that_without_one_tile(limits, dtype):
    numbers = rack_numbers(limits, sum(limits))
    for tiles in range(1, sum(limits) + 1):
        racks, parts = every_rack(limits, tiles), every_rack(limits, tiles - 1)
        own = drawn_ranks(1, len(racks), dtype)
        smaller = drawn_ranks(2, len(parts), dtype)
        rank_of = dict(zip(parts, smaller.tolist(), strict=True))
        expected = [
            max(rank, *(rank_of[rack[:place] + rack[place + 1 :]] for place in range(tiles)))
            for rack, rank in zip(racks, own.tolist(), strict=True)
        ]
        before = own.tolist()
        best = best_of_racks(numbers, tiles, smaller, own)
        assert (best.tolist(), best.dtype) == (expected, own.dtype)
        assert own.tolist() == before


@DTYPES
@pytest.mark.parametrize("limits", LIMITS)
def test_draws_are_sets_of_single_tiles(limits, dtype):
    numbers = rack_numbers(limits, sum(limits))
    singles = [kind for kind, limit in enumerate(limits) for _ in range(limit)]
    for tiles in range(sum(limits) + 1):
        racks = every_rack(limits, tiles)
        ranks = drawn_ranks(tiles, len(racks), dtype, most=6)
        rank_of = dict(zip(racks, ranks.tolist(), strict=True))
        draws = Counter()
        for drawn in combinations(singles, tiles):
            draws.update((kind, rank_of[drawn]) for kind in {*drawn, len(limits)})
        counted = draws_by_rank(numbers, tiles, ranks, 7)
        assert counted.dtype == np.int64
        assert counted.tolist() == [
            [draws[kind, rank] for rank in range(7)] for kind in range(len(limits) + 1)
        ]


def test_more_tiles_than_there_are_give_no_racks():
    numbers = rack_numbers([2, 1], 5)
    none, single = (np.array(ranks, np.int32) for ranks in ([], [3]))
    assert best_of_racks(numbers, 4, single, none).shape == (0,)
    assert best_of_racks(numbers, 5, none, none).shape == (0,)
    assert draws_by_rank(numbers, 4, none, 3).tolist() == [[0] * 3] * 3
    assert draws_by_rank(numbers, 5, none, 0).shape == (3, 0)

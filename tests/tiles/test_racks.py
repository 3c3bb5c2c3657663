"""Racks as numbers: every one that single tiles can give has one, in colexicographic order, without gaps."""

import random
from itertools import combinations, combinations_with_replacement
from math import comb

import pytest
import torch

from gpulingo.tiles.racks import MOST, check_draws, rack_numbers

LIMITS = [[1], [5], [1, 1, 1], [2, 1], [1, 3], [3, 1, 2, 2], [1, 9, 1, 1, 4]]


def every_rack(limits, tiles):
    """The racks that single tiles give, tiles ascending: by their greatest tile, then by the next."""
    singles = [kind for kind, limit in enumerate(limits) for _ in range(limit)]
    return sorted(set(combinations(singles, tiles)), key=lambda rack: rack[::-1])


@pytest.mark.parametrize("limits", LIMITS)
def test_racks_are_numbered_by_their_greatest_tile_then_by_the_next(limits):
    numbers = rack_numbers(limits, sum(limits) + 2)
    for tiles in range(sum(limits) + 3):
        expected = every_rack(limits, tiles)
        assert numbers.count(tiles) == len(expected)
        places = torch.arange(len(expected))
        racks = numbers.racks(places, tiles)
        assert (racks.dtype, racks.shape) == (torch.uint8, (len(expected), tiles))
        assert [tuple(row) for row in racks.tolist()] == expected
        assert torch.equal(numbers.numbers(racks), places)


@pytest.mark.parametrize("limits", LIMITS)
def test_a_rack_is_allowed_if_single_tiles_give_it(limits):
    numbers = rack_numbers(limits, 4)
    for tiles in range(1, 5):
        racks = list(combinations_with_replacement(range(len(limits)), tiles))
        allowed = numbers.allowed(torch.tensor(racks).byte())
        assert allowed.dtype == torch.bool
        assert [rack for rack, fits in zip(racks, allowed.tolist(), strict=True) if fits] == sorted(
            every_rack(limits, tiles)
        )


def test_no_racks_have_no_numbers():
    numbers = rack_numbers([2, 1], 3)
    none = torch.empty(0, 3, dtype=torch.uint8)
    assert numbers.numbers(none).shape == numbers.allowed(none).shape == (0,)
    assert numbers.racks(torch.empty(0, dtype=torch.int64), 3).shape == (0, 3)


def test_racks_of_many_kinds_and_of_many_tiles_come_back():
    draw = random.Random(3)
    for limits, tiles in (([1] * 255, 9), ([200, 300], 255), ([3] * 61, 12)):
        numbers = rack_numbers(limits, tiles)
        places = torch.tensor([0, numbers.count(tiles) - 1, *(draw.randrange(numbers.count(tiles)),) * 50])
        racks = numbers.racks(places, tiles)
        assert torch.equal(numbers.numbers(racks), places) and bool(numbers.allowed(racks).all())
        assert bool((racks[:, 1:] >= racks[:, :-1]).all())


def test_shapes_and_types_are_those_of_the_description():
    numbers = rack_numbers([2, 1, 4], 5)
    assert (numbers.kinds, numbers.most) == (3, 5)
    assert (numbers.limits.dtype, numbers.limits.tolist()) == (torch.int64, [2, 1, 4])
    assert (numbers.below.dtype, numbers.below.shape) == (torch.int64, (4, 6))


@pytest.mark.parametrize(
    ("limits", "most", "said"),
    [
        ([], 3, "0 kinds of tiles, .* expected 1 to 255 kinds with at least one each"),
        ([1] * 256, 3, "256 kinds of tiles"),
        ([2, 0], 3, r"2 kinds of tiles, \[2, 0\] of them"),
        ([2, -1], 3, "at least one each"),
        ([2, 1], -1, "at least one each"),
        ([1] * 67, 33, r"1.4e\+19 racks of up to 33 tiles, expected at most 9.2e\+18"),
    ],
)
def test_bags_that_cannot_be_are_refused(limits, most, said):
    with pytest.raises(ValueError, match=said):
        rack_numbers(limits, most)


def test_as_many_racks_as_an_integer_holds_are_numbered():
    numbers = rack_numbers([1] * 66, 33)
    last = comb(66, 33) - 1
    assert numbers.count(33) == last + 1 < MOST
    racks = numbers.racks(torch.tensor([0, last]), 33)
    assert racks.tolist() == [[*range(33)], [*range(33, 66)]]
    assert numbers.numbers(racks).tolist() == [0, last]


def test_draws_are_counted_as_long_as_an_integer_holds_all_on_the_way_to_them():
    assert check_draws([30, 30], 30) == comb(60, 30)  # times 30 tiles below 2**63
    assert check_draws([2, 1], 0) == 1 and check_draws([2, 1], 4) == 0
    with pytest.raises(
        ValueError, match=r"^2.3e\+17 draws of 30 tiles on the way to 40, expected at most 2.3e\+17$"
    ):
        check_draws([31, 30], 40)
    with pytest.raises(ValueError, match=r"^4.7e\+17 draws of 31 tiles, expected at most 3.0e\+17$"):
        check_draws([32, 30], 31)
    with pytest.raises(ValueError, match=r"^2.0e\+1386 draws of 255 tiles"):  # more than a float holds
        check_draws([1_000_000] * 26, 255)

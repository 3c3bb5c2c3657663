"""The racks that words take whole, by number, and the ranks of what they are worth."""

import pytest
import torch

from gpulingo.tiles.bag import made_bag
from gpulingo.tiles.racks import rack_numbers
from gpulingo.tiles.spelling import every_points, rank_dtype, spelled, taken_racks

BAG = made_bag("small", {"a": (2, 1), "b": (1, -3), "?": (1, 4)})  # kinds ? b a


def taken(words, tiles):
    """The pairs of racks of the bag and words, and the points of each rack."""
    numbers = rack_numbers(BAG.counts, tiles)
    spelling = spelled(words, BAG, tiles)
    own = taken_racks(spelling, numbers, tiles)
    assert own.places.dtype == own.words.dtype == own.points.dtype == torch.int64
    racks = numbers.racks(own.places, tiles).tolist()
    named = ["".join(BAG.letters[kind] for kind in rack) for rack in racks]
    rows = zip(named, own.words.tolist(), own.points.tolist(), strict=True)
    return sorted({(rack, spelling.words[word], points) for rack, word, points in rows})


def test_only_racks_that_the_bag_has_are_taken():
    assert taken(["bb", "ab", "ba", "zb", "aa", "zz"], 2) == [
        ("?a", "aa", 5),
        ("?a", "ab", 5),
        ("?a", "ba", 5),
        ("?b", "ab", 1),
        ("?b", "ba", 1),
        ("?b", "bb", 1),
        ("?b", "zb", 1),
        ("aa", "aa", 2),
        ("ba", "ab", -2),
        ("ba", "ba", -2),
    ]
    assert taken(["bbb", "zzz", "baz"], 3) == [("?ba", "baz", 2)]


def test_without_words_nothing_is_taken():
    assert taken([], 2) == [] and every_points(
        [taken_racks(spelled([], BAG, 2), rack_numbers([1], 2), 2)]
    ).shape == (0,)


def test_ranks_are_the_places_of_points_in_ascending_order_from_one_on():
    numbers, spelling = rack_numbers(BAG.counts, 2), spelled(["b", "ba", "aa"], BAG, 2)
    own = [taken_racks(spelling, numbers, tiles) for tiles in (1, 2)]
    points = every_points(own)
    assert (points.dtype, points.tolist()) == (torch.int64, [-3, -2, 1, 2, 4, 5])
    ones, twos = (part.exact(points, numbers.count(tiles)) for tiles, part in enumerate(own, 1))
    assert ones.dtype == twos.dtype == torch.int16
    assert ones.tolist() == [5, 1, 0]  # ? b a
    assert twos.tolist() == [3, 6, 2, 4]  # ?b ?a ba aa


@pytest.mark.parametrize(("points", "dtype"), [(0, "int16"), (32767, "int16"), (32768, "int32")])
def test_ranks_are_of_the_smallest_type_that_holds_them(points, dtype):
    assert rank_dtype(torch.arange(points)) == getattr(torch, dtype)

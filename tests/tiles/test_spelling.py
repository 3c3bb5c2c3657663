"""Words as the tiles that spell them, against their letters counted one by one."""

import random
from itertools import combinations

import pytest
import torch
from sampled import quick

from gpulingo.tiles.bag import made_bag
from gpulingo.tiles.racks import rack_numbers
from gpulingo.tiles.spelling import (
    counts_of,
    every_points,
    laid_words,
    on_device,
    rank_dtype,
    spelled,
    taken_racks,
)

BAG = made_bag("small", {"a": (2, 1), "b": (1, -3), "ж": (2, 5), "?": (2, 4)})
CPU = torch.device("cpu")


def test_each_word_has_its_letters_by_kind_and_last_those_that_no_tile_spells():
    spelling = spelled(["abba", "жaz", "zz?"], BAG, most=9)
    assert BAG.letters == ("?", "ж", "b", "a")
    assert (spelling.letters.dtype, spelling.letters.tolist()) == (
        torch.uint8,
        [[0, 0, 2, 2, 0], [0, 1, 0, 1, 1], [0, 0, 0, 0, 3]],  # a blank in a word is no letter
    )
    assert (spelling.values.dtype, spelling.values.tolist()) == (torch.int64, [4, 5, -3, 1])
    assert spelling.points.tolist() == [-4, 6, 0]
    assert spelling.lengths.tolist() == [4, 3, 3]
    assert (spelling.bag, spelling.words) == (BAG, ("abba", "жaz", "zz?"))


def test_words_of_other_lengths_are_left_out_and_each_is_kept_once():
    words = ["b", "ab", "abb", "ab", "abba", "", "ba"]
    assert spelled(words, BAG, most=3).words == ("b", "ab", "abb", "ba")
    none = spelled(["", "abbaa"], BAG, most=4)
    assert (none.words, none.letters.shape, none.points.shape) == ((), (0, 5), (0,))


def test_as_many_copies_as_a_byte_holds_are_counted():
    spelling = spelled(["a" * 255, "a" * 256], BAG, most=1000)
    assert spelling.letters.tolist() == [[0, 0, 0, 255, 0]]


@pytest.mark.parametrize("seed", range(10))
def test_words_take_racks_whole_with_blanks_at_each_of_their_places(seed):
    draw = random.Random(seed)
    words = ["".join(draw.choices("abжz", k=draw.randint(1, 5))) for _ in range(20)]
    spelling = spelled(words, BAG, most=5)
    for tiles in range(1, 6):
        expected = set()
        for word in spelling.words:
            for blanks in range(3) if len(word) == tiles else ():
                for places in combinations(range(tiles), min(blanks, tiles)):
                    rack = ["?" if place in places else letter for place, letter in enumerate(word)]
                    if set(rack) <= {*BAG.letters}:
                        expected.add((tuple(sorted(map(BAG.kinds.get, rack))), word))
        taken = set()
        for racks, owners in spelling.taking(tiles):
            assert (racks.dtype, racks.shape, owners.dtype) == (
                torch.uint8,
                (len(owners), tiles),
                torch.int64,
            )
            pairs = zip(racks.tolist(), owners.tolist(), strict=True)
            taken |= {(tuple(rack), spelling.words[owner]) for rack, owner in pairs}
        assert taken == expected


def test_racks_are_counted_by_kind():
    counts = counts_of(["aж", "", "??ba"], BAG, CPU)
    assert (counts.dtype, counts.tolist()) == (torch.uint8, [[0, 1, 0, 1], [0, 0, 0, 0], [2, 0, 1, 1]])
    assert counts_of([], BAG, CPU).shape == (0, 4)


def test_more_tiles_of_a_kind_than_a_byte_holds_count_as_many_as_it_holds():
    assert counts_of(["a" * 256, "?" * 1000], BAG, CPU).tolist() == [[0, 0, 0, 255], [255, 0, 0, 0]]


def test_on_another_device_only_the_letters_are_elsewhere():
    spelling = spelled(["ab"], BAG, most=2)
    there = on_device(spelling, torch.device("meta"))
    assert (there.bag, there.words, there.letters.device.type) == (BAG, ("ab",), "meta")
    assert spelling.letters.device == CPU


FEW = made_bag("small", {"a": (2, 1), "b": (1, -3), "?": (1, 4)})  # kinds ? b a


def taken(words, tiles):
    """The pairs of racks of the bag and words, and the points of each rack."""
    numbers = rack_numbers(FEW.counts, tiles)
    spelling = spelled(words, FEW, tiles)
    own = taken_racks(spelling, numbers, tiles)
    assert own.places.dtype == own.words.dtype == own.points.dtype == torch.int64
    racks = numbers.racks(own.places, tiles).tolist()
    named = ["".join(FEW.letters[kind] for kind in rack) for rack in racks]
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
        [taken_racks(spelled([], FEW, 2), rack_numbers([1], 2), 2)]
    ).shape == (0,)


def test_ranks_are_the_places_of_points_in_ascending_order_from_one_on():
    numbers, spelling = rack_numbers(FEW.counts, 2), spelled(["b", "ba", "aa"], FEW, 2)
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


def worth(word, rack, values, blank):
    """The most points of a word's letters laid with a rack of single tiles; None: it cannot be."""
    if not word:
        return 0
    letter, *rest = word
    results = []
    for tile in {letter, blank} - {None}:
        if tile in rack:
            left = rack.copy()
            left.remove(tile)
            points = worth(rest, left, values, blank)
            results += [] if points is None else [values[tile] + points]
    return max(results, default=None)


def counts(rows, kinds):
    """[n, kinds] uint8: how often each kind comes in each row."""
    table = [[row.count(kind) for kind in range(kinds)] for row in rows]
    return torch.tensor(table, dtype=torch.uint8).reshape(len(rows), kinds)


def drawn(seed, *, blank):
    """Racks, words with letters that no tile spells, values of both signs, the blank, and what is laid."""
    draw = random.Random(seed)
    kinds = draw.randint(2, 5)
    blank = draw.randrange(kinds) if blank else None
    letters = [kind for kind in range(kinds) if kind != blank]
    values = [draw.randint(-4, 6) for _ in range(kinds)]
    racks = [draw.choices(range(kinds), k=draw.randint(0, 6)) for _ in range(12)]
    words = [draw.choices([*letters, *letters, kinds], k=draw.randint(1, 5)) for _ in range(25)]
    expected = [
        (place, number, points)
        for place, rack in enumerate(racks)
        for number, word in enumerate(words)
        if (points := worth(word, rack, values, blank)) is not None
    ]
    return counts(racks, kinds), counts(words, kinds + 1), torch.tensor(values), blank, expected


@pytest.mark.parametrize("blank", [False, True], ids=["letters", "blanks"])
@pytest.mark.parametrize("seed", quick(range(30), range(8)))
def test_words_are_laid_as_their_letters_one_by_one(seed, blank, monkeypatch):
    racks, words, values, kind, expected = drawn(seed, blank=blank)
    laid = laid_words(racks, words, values, kind)
    assert [row.dtype for row in laid] == [torch.int64] * 3
    assert list(zip(*(row.tolist() for row in laid), strict=True)) == expected
    monkeypatch.setattr("gpulingo.tiles.spelling.BLOCK", 2 * words.numel())  # two racks at once
    again = laid_words(racks, words, values, kind)
    assert all(torch.equal(*rows) for rows in zip(laid, again, strict=True))


def test_seeded_cases_have_blanks_of_most_and_of_negative_points_and_letters_that_no_tile_spells():
    cases = [drawn(seed, blank=True) for seed in range(30)]
    assert any(values[blank] == values.max() > 0 for _, _, values, blank, _ in cases)
    assert any(values[blank] < 0 for _, _, values, blank, _ in cases)
    assert any(words[word, -1] for _, words, _, _, expected in cases for _, word, _ in expected)


@pytest.mark.parametrize(
    ("rack", "word", "points"),
    [
        ([1, 1, 0], [1, 0, 0], 5),  # a blank of 5 is laid for the letter of -2 that is there
        ([1, 0, 2], [1, 0, 0], 5),
        ([1, 0, 2], [0, 2, 0], 18),  # but not for one of 9
        ([2, 1, 1], [1, 1, 1], 5 + 5 + 9),  # one for what no tile spells, one for the letter of -2
        ([1, 1, 1], [1, 1, 1], -2 + 5 + 9),
    ],
)
def test_a_blank_that_is_left_is_laid_for_a_letter_that_is_worth_less(rack, word, points):
    racks, words = torch.tensor([rack]).byte(), torch.tensor([[0, *word]]).byte()
    assert laid_words(racks, words, torch.tensor([5, -2, 9]), 0).points.tolist() == [points]


@pytest.mark.parametrize("blank", [None, 1])
@pytest.mark.parametrize(("racks", "words"), [(0, 0), (0, 3), (3, 0)])
def test_without_racks_or_words_nothing_is_laid(racks, words, blank):
    laid = laid_words(
        torch.ones(racks, 2, dtype=torch.uint8),
        torch.zeros(words, 3, dtype=torch.uint8),
        torch.tensor([1, 2]),
        blank,
    )
    assert [(row.dtype, row.shape) for row in laid] == [(torch.int64, (0,))] * 3


def test_as_many_of_a_kind_as_a_byte_holds_are_counted():
    racks = torch.tensor([[255, 255], [254, 0], [0, 255]]).byte()
    words = torch.tensor([[0, 255, 0], [0, 200, 55], [0, 255, 255]]).byte()
    laid = laid_words(racks, words, torch.tensor([0, 1]), 0)
    # 254 blanks are too few for 255 letters, and for 510, which are as many in a byte.
    pairs = list(zip(*(row.tolist() for row in laid), strict=True))
    assert pairs == [(0, 0, 255), (0, 1, 200), (0, 2, 255), (2, 0, 255)]

"""Words as the tiles that spell them, against their letters counted one by one."""

import random
from itertools import combinations

import pytest
import torch

from gpulingo.tiles.bag import made_bag
from gpulingo.tiles.spelling import counts_of, on_device, spelled

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
    assert spelled(words, BAG, most=3, least=2).words == ("ab", "abb", "ba")
    none = spelled(words, BAG, most=9, least=5)
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

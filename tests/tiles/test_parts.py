"""Racks that are looked up by their parts: the same best words as by comparing each with every word."""

import pytest
from sampled import quick

from gpulingo.tiles.bag import made_bag
from gpulingo.tiles.best_words import BestWords, best_of_many, compared
from gpulingo.tiles.spelling import spelled


@pytest.mark.parametrize("blanks", [False, True], ids=["letters", "blanks"])
@pytest.mark.parametrize("seed", quick(range(20), range(6)))
def test_parts_give_what_comparing_with_every_word_does(seed, blanks, random_game, monkeypatch):
    bag, words = random_game(seed, blanks=blanks)
    for tiles in range(1, bag.tiles + 1):
        racks = list(dict.fromkeys(bag.drawn(tiles, 30, seed)))
        spelling = spelled(words, bag, tiles)
        expected = compared(racks, spelling)
        assert best_of_many(racks, spelling) == expected
        monkeypatch.setattr("gpulingo.tiles.best_words.PARTED", 4)
        assert best_of_many(racks, spelling) == expected


def test_a_word_that_takes_several_parts_is_named_once_in_list_order():
    bag = made_bag("small", {"a": (3, 0), "b": (1, 0), "?": (2, 0)})
    spelling = spelled(["ba", "aa", "ab", "zz", "zzz"], bag, 4)
    assert best_of_many(["aa??", "b?aa", "?aaa"], spelling) == [
        BestWords("aa??", 0, ("ba", "aa", "ab", "zz")),
        BestWords("b?aa", 0, ("ba", "aa", "ab")),
        BestWords("?aaa", 0, ("ba", "aa", "ab")),
    ]


def test_words_of_negative_points_are_words():
    bag = made_bag("small", {"a": (2, -3), "b": (1, 1)})
    spelling = spelled(["aa", "aab"], bag, 3)
    assert best_of_many(["aab"], spelling) == [BestWords("aab", -5, ("aab",))]
    assert best_of_many(["aa"], spelling) == [BestWords("aa", -6, ("aa",))]
    assert best_of_many(["ab"], spelling) == [BestWords("ab", 0, ())]

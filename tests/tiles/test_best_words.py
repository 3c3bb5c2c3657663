"""The tiles that spell words, and the best words of racks: spelled letter by letter, and by a scan."""

import random

import numpy as np
import pytest
import torch

import gpulingo
from gpulingo.tiles.bag import SCRABBLE, made_bag
from gpulingo.tiles.best_words import BestWords, best_words, laid, spelled

SMALL = made_bag("small", {"a": (2, 1), "b": (1, 3), "c": (1, -1), "?": (1, 0)})
BAG = made_bag("small", {"a": (2, 1), "b": (1, -3), "ж": (2, 5), "?": (2, 4)})


def test_each_word_has_its_letters_by_kind_and_last_those_that_no_tile_spells():
    spelling = spelled(["abba", "жaz", "zz?"], BAG, most=9)
    assert BAG.letters == ("?", "ж", "b", "a")
    assert (spelling.letters.dtype, spelling.letters.tolist()) == (
        np.uint8,
        [[0, 0, 2, 2, 0], [0, 1, 0, 1, 1], [0, 0, 0, 0, 3]],  # a blank in a word is not a letter
    )
    assert spelling.lengths.tolist() == [4, 3, 3]
    assert (spelling.bag, spelling.words) == (BAG, ("abba", "жaz", "zz?"))


def test_words_of_other_lengths_are_left_out_and_each_is_kept_once():
    words = ["b", "ab", "abb", "ab", "abba", "", "ba"]
    assert spelled(words, BAG, most=3).words == ("b", "ab", "abb", "ba")
    none = spelled(["", "abbaa"], BAG, most=4)
    assert (none.words, none.letters.shape) == ((), (0, 5))


def test_as_many_copies_as_a_byte_holds_are_counted():
    spelling = spelled(["a" * 255, "a" * 256], BAG, most=1000)
    assert spelling.letters.tolist() == [[0, 0, 0, 255, 0]]
    blanks = "?" * 254
    assert laid(blanks, spelling) == [] and laid(f"{blanks}?", spelling) == [("a" * 255, 255 * 4)]


def racks_of(bag, seed):
    """Racks of the bag and others, with all numbers of tiles, some twice."""
    draw = random.Random(seed)
    racks = ["".join(draw.choices(bag.letters, k=draw.randint(1, 7))) for _ in range(40)]
    return (
        racks + racks[:5] + [rack for tiles in range(1, bag.tiles + 1) for rack in bag.drawn(tiles, 3, seed)]
    )


@pytest.mark.parametrize("blanks", [False, True], ids=["letters", "blanks"])
@pytest.mark.parametrize("seed", range(6))
def test_each_rack_has_its_best_words_in_list_order_and_all_that_can_be_laid(
    seed, blanks, random_game, best_on
):
    bag, words = random_game(seed, blanks=blanks)
    racks, spelling = racks_of(bag, seed), spelled(words, bag, 7)
    found = best_words(racks, words, bag, device="cpu")
    assert [best.rack for best in found] == racks
    for best in found:
        points, own = best_on(best.rack, words, bag)
        assert (best.points, best.words) == (points or 0, own)
        every = {word: best_on(best.rack, [word], bag).points for word in words}
        assert dict(laid(best.rack, spelling)) == {
            w: worth for w, worth in every.items() if worth is not None
        }


def test_without_racks_or_words_there_are_no_best_words():
    assert best_words([], ["ab"], SMALL) == best_words([], [], SMALL) == []
    assert best_words(["ab", "?"], [], SMALL) == [BestWords("ab", 0, ()), BestWords("?", 0, ())]
    assert best_words(["ab"], ["abc", "zz", ""], SMALL) == [BestWords("ab", 0, ())]


def test_all_words_on_a_rack_come_by_points_then_in_list_order(best_on):
    words = ["c", "cab", "ba", "ab", "bba", "a", "zz", "ca", "zc"]
    spelling = spelled(words, SMALL, 4)
    assert laid("ab?c", spelling) == [
        ("cab", 4), ("ba", 4), ("ab", 4), ("bba", 4), ("a", 1), ("ca", 1), ("c", 0), ("zc", -1),
    ]  # fmt: skip
    for word, points in laid("ab?c", spelling):
        assert best_on("ab?c", [word], SMALL).points == points
    assert laid("cc", spelled(["c", "cc"], SMALL, 2)) == [("c", -1), ("cc", -2)]


def test_a_rack_may_have_any_number_of_tiles_and_more_than_the_bag():
    racks = ["a" * 256, "?" * 300 + "b", "a" * 255]
    found = best_words(racks, ["aaaa", "zzb", "a" * 256], SMALL, device="cpu")
    assert [(best.points, best.words) for best in found] == [(4, ("aaaa",)), (3, ("zzb",)), (4, ("aaaa",))]


def test_racks_are_read_as_the_bag_reads_them():
    assert best_words(["B A"], ["ab"], SMALL) == [BestWords("ba", 4, ("ab",))]
    assert best_words(["QUIZ"], ["quiz"]) == best_words(["quiz"], ["quiz"], "challenge")


def test_it_is_public_beside_the_table_and_its_summary():
    table = gpulingo.rack_table(["ab", "cab"], SMALL, 2, device=torch.device("cpu"))
    (best,) = gpulingo.best_words(table.best(1), ["ab", "cab"], SMALL)
    assert (best.rack, best.points) == ("ab", 4) == ("ab", max(gpulingo.draw_summary(table).draws.by_points))
    assert gpulingo.find_bag("scrabble") is SCRABBLE and isinstance(SMALL, gpulingo.Bag)


@pytest.mark.parametrize(
    ("rack", "word", "points"),
    [
        ("?a", "a", 5),  # a blank of value 5 replaces the letter of -2 on the rack
        ("?bb", "bb", 18),  # but not for one of 9
        ("??ab", "abz", 5 + 5 + 9),  # one for the missing letter, one for the letter of -2
        ("?ab", "abz", -2 + 5 + 9),
    ],
)
def test_a_blank_that_is_left_is_laid_for_a_letter_that_is_worth_less(rack, word, points):
    bag = made_bag("values", {"?": (2, 5), "a": (2, -2), "b": (2, 9)})
    assert best_words([rack], [word], bag) == [BestWords(rack, points, (word,))]


def test_words_of_negative_points_are_words():
    bag = made_bag("small", {"a": (2, -3), "b": (1, 1)})
    assert best_words(["aab", "aa", "ab"], ["aa", "aab"], bag) == [
        BestWords("aab", -5, ("aab",)), BestWords("aa", -6, ("aa",)), BestWords("ab", 0, ()),
    ]  # fmt: skip

"""The best words of racks, few or many: words laid letter by letter, and a scan of the whole list."""

import random

import pytest
import torch
from sampled import quick

import gpulingo
from gpulingo.tiles.bag import CHALLENGE, SCRABBLE, BagError, made_bag
from gpulingo.tiles.best_words import BestWords, best_of, best_of_many, best_words, compared, laid
from gpulingo.tiles.spelling import spelled

SMALL = made_bag("small", {"a": (2, 1), "b": (1, 3), "c": (1, -1), "?": (1, 0)})


def racks_of(bag, seed):
    """Racks of the bag and beyond it, of all numbers of tiles, some twice."""
    draw = random.Random(seed)
    racks = ["".join(draw.choices(bag.letters, k=draw.randint(1, 7))) for _ in range(40)]
    return (
        racks + racks[:5] + [rack for tiles in range(1, bag.tiles + 1) for rack in bag.drawn(tiles, 3, seed)]
    )


@pytest.mark.parametrize("many", [False, True], ids=["compared", "by parts"])
@pytest.mark.parametrize("blanks", [False, True], ids=["letters", "blanks"])
@pytest.mark.parametrize("seed", quick(range(20), range(8)))
def test_each_rack_has_its_best_words_in_list_order(seed, blanks, many, random_game, best_on, monkeypatch):
    bag, words = random_game(seed, blanks=blanks)
    monkeypatch.setattr("gpulingo.tiles.best_words.MANY", 1 if many else 1 << 60)
    racks = racks_of(bag, seed)
    found = best_words(racks, words, bag, device="cpu")
    assert [best.rack for best in found] == racks
    for best in found:
        points, own = best_on(best.rack, words, bag)
        assert (best.points, best.words) == (points or 0, own)


@pytest.mark.slow
def test_thousands_of_racks_of_seven_tiles_have_the_words_that_a_scan_of_the_list_finds(
    bag, embedded_words, scan
):
    racks = bag.drawn(7, 4_000, 41)
    assert ("?" in "".join(racks)) == (bag is SCRABBLE)
    for best in best_words(racks, embedded_words, bag, device="cpu"):
        points, words = scan(best.rack)
        assert (best.points, best.words) == (points or 0, words)


def test_few_racks_over_the_whole_list_have_the_words_that_a_scan_finds(bag, embedded_words, scan):
    racks = bag.drawn(7, 12, 5)
    for best in compared(racks, spelled(embedded_words, bag, 7)):
        assert (best.points, best.words) == scan(best.rack)


def test_only_many_racks_of_few_tiles_are_looked_up_by_their_parts(monkeypatch):
    asked = []

    def noted(racks, spelling):
        asked.extend(racks)
        return best_of_many(racks, spelling)

    monkeypatch.setattr("gpulingo.tiles.best_words.best_of_many", noted)
    monkeypatch.setattr("gpulingo.tiles.best_words.MANY", 6)
    spelling = spelled(["ab", "ba"], CHALLENGE, 12)
    best_of(["ab", "ac", "ba", "ab", "xyz", "qqq", "aab"], spelling)
    assert asked == ["ab", "ac", "ba"]  # of three tiles the bag has only two: three times two words are many
    asked.clear()
    long = made_bag("long", dict.fromkeys("abcdefghijkl", (1, 1)))
    for tiles in (10, 11):
        best_of(list(dict.fromkeys(long.drawn(tiles, 40, 1))), spelled(["ab", "ba"], long, 12))
        assert {len(rack) for rack in asked} == {10}
    asked.clear()
    monkeypatch.setattr("gpulingo.tiles.best_words.MOST_RACKS", 100)
    best_of(["ab", "ac", "ba"], spelling)
    assert asked == []


@pytest.mark.parametrize("many", [1, 1 << 60])
def test_without_racks_or_words_there_are_no_best_words(many, monkeypatch):
    monkeypatch.setattr("gpulingo.tiles.best_words.MANY", many)
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
    with pytest.raises(BagError, match="rack 'abx' has 'x', which the bag small lacks"):
        best_words(["ab", "abx"], ["ab"], SMALL)
    with pytest.raises(BagError, match="has a blank, and the bag challenge has none"):
        best_words(["ab?"], ["ab"])
    with pytest.raises(BagError, match=r"no bag at none\.tsv"):
        best_words(["ab"], ["ab"], "none.tsv")


def test_it_is_public_beside_the_table_and_its_summary():
    table = gpulingo.rack_table(["ab", "cab"], SMALL, 2, device=torch.device("cpu"))
    (best,) = gpulingo.best_words(table.best(1), ["ab", "cab"], SMALL)
    assert (best.rack, best.points) == ("ab", 4) == ("ab", max(gpulingo.draw_summary(table).draws.by_points))
    assert gpulingo.find_bag("scrabble") is SCRABBLE and isinstance(SMALL, gpulingo.Bag)


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

"""The points of every rack of a bag, against words laid letter by letter and a scan of the whole list."""

from itertools import combinations
from math import comb

import pytest
import torch
from sampled import quick

from gpulingo.tiles.bag import SCRABBLE, BagError, find_bag, made_bag
from gpulingo.tiles.rack_table import RackTableError, rack_table, rack_tables, racks_memory
from gpulingo.tiles.racks import rack_numbers
from gpulingo.tiles.spelling import spelled

SMALL = made_bag("small", {"a": (2, 1), "b": (1, 3), "c": (1, -1)})


def every_rack(bag, tiles):
    """The racks that single tiles give."""
    singles = [letter for letter, count in zip(bag.letters, bag.counts, strict=True) for _ in range(count)]
    return sorted({"".join(rack) for rack in combinations(singles, tiles)})


@pytest.mark.parametrize("blanks", [False, True], ids=["letters", "blanks"])
@pytest.mark.parametrize("seed", quick(range(30), range(10)))
def test_each_rack_has_the_points_of_its_best_word(seed, blanks, random_game, best_on):
    bag, words = random_game(seed, blanks=blanks)
    tables = list(rack_tables(spelled(words, bag, bag.tiles), range(1, bag.tiles + 1)))
    assert [table.tiles for table in tables] == [*range(1, bag.tiles + 1)]
    for table in tables:
        racks = every_rack(bag, table.tiles)
        assert len(table.ranks) == len(racks)
        expected = [best_on(rack, words, bag).points for rack in racks]
        assert table.points_of(racks) == expected
        alone = rack_table(words, bag, table.tiles, device="cpu")
        assert alone.points_of([rack[::-1] for rack in racks]) == expected
        order = sorted(
            (rack for rack, points in zip(racks, expected, strict=True) if points is not None),
            key=lambda rack: (-expected[racks.index(rack)], sorted(map(alphabetical, rack))),
        )
        named = ["".join(sorted(rack, key=alphabetical)) for rack in order]
        for count in (0, 1, 3, 1000):
            assert table.best(count) == named[:count]


def alphabetical(letter):
    """Blanks come after all letters."""
    return letter == "?", letter


@pytest.mark.slow
def test_thousands_of_racks_of_seven_tiles_have_the_points_that_a_scan_of_the_list_finds(
    bag, whole_table, scan
):
    racks = bag.drawn(7, 4_000, 19)
    assert ("?" in "".join(racks)) == (bag is SCRABBLE)
    assert whole_table.points_of(racks) == [scan(rack).points for rack in racks]


def test_so_many_racks_of_seven_tiles_can_be_drawn(bag, whole_table):
    racks, draws = {
        "challenge": (3_263_963, 29_796_772_356),
        "scrabble": (3_199_724, 16_007_560_800),
    }[bag.name]
    assert (whole_table.ranks.shape, bag.draws(7)) == ((racks,), draws)
    assert (whole_table.tiles, whole_table.bag) == (7, bag)
    assert rack_numbers(bag.counts, 7).count(7) == racks


def test_shapes_and_types_are_those_of_the_description():
    table = rack_table(["ab", "c", "zz"], SMALL, 2, device="cpu")
    assert (table.points.dtype, table.points.tolist()) == (torch.int64, [-1, 4])
    assert (table.ranks.dtype, table.ranks.shape) == (torch.int16, (4,))
    assert table.points_of([]) == [] and table.points_of(["ca", "aa", "cb"]) == [-1, None, -1]


def test_ranks_of_more_points_than_two_bytes_hold_are_of_four():
    values = {chr(ord("a") + place): (1, 1 << place) for place in range(17)}
    words = ["".join(chosen) for size in range(1, 18) for chosen in combinations(values, size)]
    table = rack_table(words, made_bag("powers", values), 17, device="cpu")
    assert (table.ranks.dtype, len(table.points)) == (torch.int32, (1 << 17) - 1)
    assert table.points_of(["abcdefghijklmnopq"]) == [(1 << 17) - 1]


def test_words_beyond_the_tiles_drawn_or_the_bag_are_never_laid():
    table = rack_table(["baaa", "bb", "zab", "a"], SMALL, 3, device="cpu")
    assert table.points_of(["aab", "abc"]) == [1, 1]


@pytest.mark.parametrize("rack", ["a", "aab", "bb", "cc", ""])
def test_a_rack_of_other_tiles_is_not_looked_up(rack):
    table = rack_table(["ab"], SMALL, 2, device="cpu")
    said = f"^rack '{rack}' is not 2 tiles of the bag small, and only these are in the table: look it up in"
    with pytest.raises(RackTableError, match=said):
        table.points_of(["ab", rack])


def test_more_tiles_than_there_are_or_can_be_counted_are_refused():
    with pytest.raises(BagError, match="draw of 5 tiles, the bag small has 4"):
        rack_table(["ab"], SMALL, 5)
    with pytest.raises(BagError, match="draw of 0 tiles"):
        rack_table(["ab"], SMALL, 0)
    with pytest.raises(RackTableError, match=r"^1.4e\+19 draws of 33 tiles, .*: draw fewer tiles$"):
        rack_table(["ab"], made_bag("large", {"a": (67, 1)}), 33)
    with pytest.raises(RackTableError, match=r"^2.0e\+1386 draws of 255 tiles, .*: draw fewer tiles$"):
        racks_memory(
            spelled([], made_bag("larger", {chr(97 + n): (1_000_000, 1) for n in range(26)}), 9), 255
        )


def test_a_bag_is_given_by_its_name_or_the_path_of_its_file(tmp_path):
    path = tmp_path / "mine.tsv"
    path.write_text("a\t1\t2\n")
    assert rack_table(["a"], str(path), 1, device="cpu").points_of(["a"]) == [2]
    assert rack_table(["ax"], "scrabble", 2, device="cpu").points_of(["?x"]) == [8]


@pytest.mark.parametrize("name", ["challenge", "scrabble"])
def test_memory_grows_with_racks_and_with_the_racks_that_words_take(name):
    bag, words = find_bag(name), ["quiz", "queue", "a" * 8]
    needed, racks = racks_memory(spelled(words, bag, 7), 7)
    smaller = rack_numbers(bag.counts, 7).count(6)
    taken = 2 if name == "challenge" else sum(comb(size, blanks) for size in (4, 5) for blanks in range(3))
    assert racks == rack_numbers(bag.counts, 7).count(7)
    assert needed == 2 * (2 * racks + smaller) + 80 * taken

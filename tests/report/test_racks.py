"""What a page says of racks: the figures of all draws, as counted by hand."""

from gpulingo.report.racks import rack_section
from gpulingo.tiles.bag import made_bag
from gpulingo.tiles.rack_table import rack_table

SMALL = made_bag("small", {"a": (2, 1), "b": (1, 3)})  # drawn two at a time: aa once, ab twice


def section(words=("ab",), bag=SMALL, tiles=2):
    """What the page says of these draws."""
    return rack_section(rack_table(words, bag, tiles), "two words")


def test_the_histogram_has_a_bar_for_each_points_and_one_for_none():
    shown = section().histogram
    assert shown.figures.rows == [["none", "1", "33.333333"], ["4", "2", "66.666667"]]
    assert "<title>none: 1 draws</title>" in shown.svg and "<title>4: 2 draws</title>" in shown.svg
    assert shown.sentence == "4 points are likeliest; the best draw has 4."


def test_the_head_tells_bag_list_and_expectation():
    about = dict(section().about)
    assert about["bag"] == "small, 3 tiles of 2 kinds"
    assert about["list"] == "two words"
    assert about["drawn"] == "2 tiles: 2 racks, 3 draws"
    assert about["expected"] == "2.666667 points, standard deviation 1.885618"
    assert about["without a word"] == "33.333333 % of draws"


def test_each_tile_is_told_what_it_is_worth_to_hold():
    # Every draw has an A, so nothing is known of draws without; with B there are 4 points, without none.
    assert section().held.rows == [
        ["B", "1", "3", "4.000", "0.000", "4.000"],
        ["A", "2", "1", "2.667", "-", "-"],
    ]


def test_where_no_word_can_be_laid_there_is_one_bar():
    shown = section(words=("zzz",)).histogram
    assert shown.figures.rows == [["none", "3", "100.000000"]]


def test_many_different_points_are_told_in_ranges():
    letters = "abcdefghijklmnop"
    bag = made_bag("wide", {letter: (1, 2**place) for place, letter in enumerate(letters)})
    words = [first + second for first in letters for second in letters if first < second]
    rows = section(words, bag).histogram.figures.rows
    assert 2 < len(rows) <= 61
    assert sum(int(draws) for _, draws, _ in rows) == 120
    assert rows[1][0] == "3 to 822"  # 3 to 49,152 in 60 ranges of 820

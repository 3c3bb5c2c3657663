"""Earlier errors of tiles, each with the smallest input that showed it."""

import re
from fractions import Fraction
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gpulingo.cli.app import app
from gpulingo.tiles.bag import find_bag, made_bag
from gpulingo.tiles.best_words import best_words, spelled
from gpulingo.tiles.rack_table import rack_table, racks_memory, read_rack_table, write_rack_table
from gpulingo.tiles.summary import draw_summary


def failed(*arguments: str) -> tuple[int, str]:
    """The exit code of `gpulingo tiles` and its line on stderr."""
    result = CliRunner().invoke(app, ["tiles", *arguments])
    return result.exit_code, result.stderr


def test_a_bag_of_nearly_all_its_tiles_is_counted_rightly():
    few = made_bag("few", {"a": (20, 1), "b": (20, 2)})
    summary = draw_summary(rack_table(["ab", "aab"], few, 38))
    assert (summary.draws.total, summary.draws.expected) == (780, Fraction(4))


@pytest.mark.parametrize("letter", ["a", "?"])
def test_a_rack_of_over_255_tiles_of_a_kind_is_not_taken_for_one_of_few(letter: str):
    bag = made_bag("long", {letter: (400, 1)})
    assert best_words([letter * 256], ["aa", "a" * 200, "b"], bag)[0][1:] == (200, ("a" * 200,))


def test_a_capital_sigma_at_the_end_of_a_rack_is_the_tile_of_the_bag():
    bag = made_bag("greek", {"σ": (2, 1), "α": (2, 1)})
    assert best_words(["ΑΣ"], ["ασ"], bag)[0].words == ("ασ",)


def test_a_bag_of_blanks_is_not_walked_through_where_no_word_is_as_long():
    blanks = made_bag("blanks", {"?": (60, 0)})
    assert rack_table(["ab"], blanks, 60).points_of(["?" * 60]) == [0]


def test_the_memory_of_nearly_all_tiles_counts_the_racks_of_half_of_them():
    bag = made_bag("wide", {chr(97 + kind): (1, 1) for kind in range(20)})
    needed, racks = racks_memory(spelled(["ab"], bag, 19), 19)
    assert racks == 184_756  # C(20, 10); there are 20 of 19
    assert needed >= 2 * 2 * racks


@pytest.mark.slow
def test_a_device_that_is_not_there_is_not_the_fault_of_the_draw():
    assert failed("--all", "--device", "tpu") == failed("--rack", "ABC", "--device", "tpu")


@pytest.mark.parametrize("text", ["", "0", "256", "x"])
def test_a_number_of_tiles_that_cannot_be_is_told_in_plain_words(text: str):
    code, line = failed("--draw", text)
    assert code == 2 and re.search(r"write numbers as 5, 4-13 or 4,6-8$", line.strip())


def test_a_table_of_a_bag_with_an_odd_file_name_can_be_read_back(tmp_path):
    path = tmp_path / "racks.npz"
    write_rack_table(path, rack_table(["ab"], made_bag("x\udcff.tsv", {"a": (3, 1)}), 2), "my\nlist")
    table, source = read_rack_table(path)
    assert (table.bag.name, source) == ("x?.tsv", "my?list")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no endless file")
def test_a_bag_without_end_is_not_read_to_its_end():
    with pytest.raises(ValueError, match=r"^/dev/zero is not a plain file: name a file of tiles"):
        find_bag("/dev/zero")


def test_several_numbers_of_tiles_do_not_go_into_one_table():
    code, line = failed("--all", "--draw", "1-3", "--out", "racks.npz")
    assert (code, line.strip().rpartition("; ")[2]) == (2, "draw one")

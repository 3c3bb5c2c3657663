"""`gpulingo tiles`: racks that are given, drawn or all, over a bag and a list of a few lines each."""

import json
from itertools import combinations
from pathlib import Path
from statistics import mean, stdev

import numpy as np
import pytest
from typer.testing import CliRunner

from gpulingo.cli.app import app
from gpulingo.storage.npz import npy, pack, unpack
from gpulingo.tiles.bag import find_bag
from gpulingo.tiles.rack_table import NAMES, read_rack_table

SMALL = "tiles --bag bag.tsv --wordlist list.txt"
POINTS = {"AAA": 0, "AAB": 5, "ABB": 4, "AA?": 4, "AB?": 6, "BB?": 5}  # of every rack of 3 tiles
DRAWS = [POINTS["".join(sorted(draw, key="AB?".index))] for draw in combinations("AAABB?", 3)]

pytestmark = pytest.mark.usefixtures("tile_files")


@pytest.fixture
def told(run):
    """A function that runs a command that succeeds in silence: what it prints."""

    def printed(line, *more):
        done = run(line, *more)
        assert (done.exit_code, done.stderr) == (0, "")
        return done.stdout

    return printed


@pytest.fixture
def entries(told):
    """A function that runs a command with --json: the objects that it prints."""

    def told_entries(line, *more):
        rows = [json.loads(row) for row in told(f"{line} --json", *more).splitlines()]
        assert all(list(row)[:3] == ["schema", "command", "version"] for row in rows)
        return [dict(list(row.items())[3:]) for row in rows]

    return told_entries


def test_the_best_words_of_racks_are_told_one_rack_a_line(told, entries):
    racks = "--rack aab --rack A?b --rack aaa --rack AAB"
    assert told(f"{SMALL} {racks}").splitlines() == [
        "AAB: 5 points: baa", "A?B: 6 points: baa", "AAA: no word", "AAB: 5 points: baa",
    ]  # fmt: skip
    assert entries(f"{SMALL} {racks}")[1:3] == [
        {"rack": "A?B", "points": 6, "words": ["baa"]},
        {"rack": "AAA", "points": 0, "words": []},
    ]
    Path("list.txt").write_text("a\nab\n")
    assert told(f"{SMALL} --rack a") == "A: 1 point: a\n"


def test_the_bag_of_the_challenge_and_the_embedded_list_are_what_is_usual(told):
    assert told("tiles --rack AGZEQUI") == "AGZEQUI: 13 points: aeq, quag, quai, quiz\n"
    assert told("tiles --rack agzequi --bag scrabble") == "AGZEQUI: 22 points: quiz\n"
    assert told("tiles --bag scrabble --wordlist list.txt --rack A?") == "A?: 1 point: ab, ba\n"


def test_so_many_of_the_best_words_are_shown(told, entries):
    table = told(f"{SMALL} --rack aab --rack aaa --top 2").splitlines()
    assert [row.split() for row in table] == [
        ["AAB:"], ["points", "word"], ["5", "baa"], ["4", "ab"], ["AAA:", "no", "word"],
    ]  # fmt: skip
    (entry,) = entries(f"{SMALL} --rack b?a --top 20")
    assert entry == {
        "rack": "B?A",
        "points": 6,
        "words": ["baa"],
        "top": [{"word": "baa", "points": 6}, {"word": "ab", "points": 5}, {"word": "ba", "points": 5}],
    }


def test_a_rack_beyond_the_bag_is_answered_with_a_note(run):
    done = run(f"{SMALL} --rack aaaab --rack ab")
    assert (done.exit_code, done.stdout) == (0, "AAAAB: 5 points: baa\nAB: 4 points: ab, ba\n")
    assert done.stderr == "gpulingo: rack AAAAB has more tiles A than the bag bag.tsv: 3\n"
    assert run(f"{SMALL} --rack", "a" * 300 + "b").stdout.endswith("AAAB: 5 points: baa\n")


def test_one_rack_is_drawn_as_the_seed_says(told, entries):
    first = told(f"{SMALL} --draw 3 --seed 4")
    (rack,) = find_bag("bag.tsv").drawn(3, 1, 4)
    assert first.startswith(f"{rack.upper()}: ") and first == told(f"{SMALL} --draw 3 --seed 4 --rounds 1")
    assert len({told(f"{SMALL} --draw 3 --seed {seed}") for seed in range(20)}) > 2
    (entry,) = entries(f"{SMALL} --draw 3 --seed 4")
    assert (entry["rack"], entry["points"]) == (rack.upper(), POINTS[rack.upper()])
    (entry,) = entries("tiles --wordlist list.txt")
    assert len(entry["rack"]) == 7


def test_the_mean_of_several_draws_comes_with_its_error(told, entries):
    line = f"{SMALL} --draw 3 --rounds 50 --seed 2"
    (entry,) = entries(line)
    racks = ["".join(rack).upper() for rack in find_bag("bag.tsv").drawn(3, 50, 2)]
    points = [POINTS[rack] for rack in racks]
    assert [(draw["rack"], draw["points"]) for draw in entry["draws"]] == list(
        zip(racks, points, strict=True)
    )
    assert (entry["rounds"], entry["mean_points"]) == (50, mean(points))
    assert entry["standard_error"] == pytest.approx(stdev(points) / 50**0.5)
    assert entry["without_word"] == points.count(0) / 50 > 0
    assert entry["best"] == {"rack": "AB?", "points": 6, "words": ["baa"]}
    *table, last, best = told(line).splitlines()
    assert (
        last == f"mean of 50 draws: {mean(points):.3f} points, standard error {entry['standard_error']:.3f}"
    )
    assert best == "best draw: AB?: 6 points: baa"
    rows = [row.split()[:3] for row in table[1:-1]]
    assert rows[0] == ["none", str(points.count(0)), f"{2 * points.count(0):.4f}"]
    assert [[int(row[0]), int(row[1])] for row in rows[1:]] == [
        [worth, points.count(worth)] for worth in (4, 5, 6)
    ]


def test_the_best_of_draws_has_a_word_even_one_of_negative_points(entries):
    Path("bag.tsv").write_text("a\t3\t-1\nb\t3\t0\n")
    (entry,) = entries(f"{SMALL} --draw 2 --rounds 30")
    assert {draw["rack"]: draw["points"] for draw in entry["draws"]} == {"AA": 0, "AB": -1, "BB": 0}
    assert entry["best"] == {"rack": "AB", "points": -1, "words": ["ab", "ba"]}


def test_what_all_draws_come_to_is_exact(told, entries):
    (entry,) = entries(f"{SMALL} --all --draw 3")
    assert entry.pop("seconds") >= 0
    held = {tile["tile"]: tile for tile in entry.pop("held")}
    assert entry == {
        "tiles": 3, "bag": "bag.tsv", "list": "list.txt", "racks": 6, "draws": 20, "expected": 4.75,
        "total_points": sum(DRAWS), "deviation": pytest.approx(np.std(DRAWS)),
        "without_word": 0.05, "draws_without_word": 1,
        "best": [
            {"rack": "AB?", "points": 6, "words": ["baa"], "draws": 6},
            {"rack": "AAB", "points": 5, "words": ["baa"], "draws": 6},
            {"rack": "BB?", "points": 5, "words": ["ab", "ba"], "draws": 1},
            {"rack": "AA?", "points": 4, "words": ["baa"], "draws": 3},
            {"rack": "ABB", "points": 4, "words": ["ab", "ba"], "draws": 3},
        ],
        "distribution": [{"points": points, "draws": DRAWS.count(points)} for points in (4, 5, 6)],
    }  # fmt: skip
    assert held["?"] == {
        "tile": "?", "share": 0.5, "given": 5.3, "less": 4.2, "gain": pytest.approx(1.1),
    }  # fmt: skip
    text = told(f"{SMALL} --all --draw 3")
    head, _, row, *_ = text.splitlines()
    assert head == "bag: bag.tsv, 6 tiles; list: list.txt"
    assert row.split() == ["3", "6", "20", "4.750000", "1.336974", "5.000000"]
    spread, best, tiles = ([line.split() for line in part.splitlines()] for part in text.split("\n\n")[1:])
    assert [line[:3] for line in spread[1:]] == [
        ["none", "1", "5.0000"], ["4", "6", "30.0000"], ["5", "7", "35.0000"], ["6", "6", "30.0000"],
    ]  # fmt: skip
    assert [line[-1] for line in spread[1:]] == ["█" * length for length in (6, 34, 40, 34)]
    assert best[1:3] == [["AB?", "6", "6", "baa"], ["AAB", "5", "6", "baa"]]
    assert tiles[1:] == [
        ["B", "2", "3", "80.00", "5.188", "3.000", "2.188"],
        ["?", "1", "2", "50.00", "5.300", "4.200", "1.100"],
        ["A", "3", "1", "95.00", "4.737", "5.000", "-0.263"],
    ]


def test_several_numbers_of_tiles_have_a_row_each(told, entries):
    lines = told(f"{SMALL} --all --draw 3,1-2").splitlines()
    assert [line.split()[:4] for line in lines[2:]] == [
        ["1", "3", "6", "0.000000"], ["2", "5", "15", "2.866667"], ["3", "6", "20", "4.750000"],
    ]  # fmt: skip
    rows = entries(f"{SMALL} --all --draw 3,1-2")
    assert [(row["tiles"], row["racks"], row["draws"]) for row in rows] == [(1, 3, 6), (2, 5, 15), (3, 6, 20)]
    (every,) = entries(f"{SMALL} --all --draw 6")
    assert every["expected"] == 6 and {tile["gain"] for tile in every["held"]} == {None}
    assert told(f"{SMALL} --all --draw 6").splitlines()[-1].split()[-3:] == ["6.000", "-", "-"]


def test_so_many_of_the_best_racks_are_shown(entries):
    (entry,) = entries(f"{SMALL} --all --draw 3 --top 2")
    assert [best["rack"] for best in entry["best"]] == ["AB?", "AAB"]


def test_all_racks_of_seven_tiles_of_the_challenge_over_the_embedded_list(entries):
    (entry,) = entries("tiles --all --top 1")
    assert (entry["racks"], entry["draws"]) == (3_263_963, 29_796_772_356)
    assert entry["total_points"] == 407_228_413_651  # the fraction of tests/tiles/test_summary.py
    assert (entry["list"], entry["bag"]) == ("embedded list", "challenge")


def test_shorter_words_are_left_out(told):
    assert told(f"{SMALL} --rack abb --min-length 3") == "ABB: no word\n"
    assert told(f"{SMALL} --rack aab --min-length 3 --top 9").count("\n") == 3


def test_a_list_and_a_bag_of_another_alphabet_with_negative_values_are_used(told, entries):
    Path("мешок.tsv").write_text("ж\t3\t1\nЁ\t2\t-3\n?\t1\t2\n", encoding="utf-8")
    Path("слова.txt").write_text("жё\nЁж\nжжж\nёё\n", encoding="utf-8")
    line = "tiles --bag мешок.tsv --wordlist слова.txt"
    assert told(f"{line} --rack Жё --rack ёЁ") == "ЖЁ: -2 points: жё, ёж\nЁЁ: -6 points: ёё\n"
    (entry,) = entries(f"{line} --all --draw 2 --out т.npz")
    assert (entry["total_points"], entry["draws"], entry["draws_without_word"]) == (-11, 15, 3)
    assert [best["rack"] for best in entry["best"]] == ["Ж?", "Ё?", "ЖЁ", "ЁЁ"]
    assert entries("tiles --table т.npz --rack ё?") == [
        {"rack": "Ё?", "points": -1, "words": ["жё", "ёж", "ёё"]}
    ]


def test_a_table_is_written_looked_up_and_summed_up_again(told, entries, tile_files):
    (made,) = entries(f"{SMALL} --all --draw 3 --out t.npz")
    table, source = read_rack_table("t.npz")
    assert (table.tiles, source) == (3, "list.txt")
    assert table.points_of(["aab", "aaa"]) == [5, None]
    Path("bag.tsv").unlink(), Path("list.txt").unlink()
    for rack, points in POINTS.items():
        assert entries(f"tiles --table t.npz --rack {rack}")[0]["points"] == points
    assert told("tiles --table t.npz --rack b?a --top 1").splitlines()[-1].split() == ["6", "baa"]
    (again,) = entries("tiles --table t.npz --all --out u.npz")
    del made["seconds"], again["seconds"]
    assert again == made
    assert Path("t.npz").read_bytes() == Path("u.npz").read_bytes()
    assert sorted(path.name for path in tile_files.iterdir()) == ["t.npz", "u.npz"]


def test_another_table_is_replaced_and_an_empty_file_filled(told):
    Path("t.npz").touch()
    for tiles in (2, 3):
        told(f"{SMALL} --all --draw {tiles} --out t.npz")
        assert read_rack_table("t.npz")[0].tiles == tiles


def test_where_the_output_takes_no_bars_signs_stand_for_them():
    done = CliRunner(charset="ascii").invoke(app, f"{SMALL} --all --draw 3".split())
    assert (done.exit_code, done.stderr) == (0, "")
    assert "#" * 40 in done.stdout and done.stdout.isascii()


def test_racks_are_arguments_too(told):
    assert told(f"{SMALL} aab --rack abb") == told(f"{SMALL} --rack aab --rack abb")


def test_a_table_that_says_something_else_than_its_words_is_told_and_not_summed_up(run, refused):
    run(f"{SMALL} --all --draw 3 --out t.npz")
    members = unpack(Path("t.npz").read_bytes(), NAMES)
    ranks = list(members["ranks"][128:])
    ranks[0] = 2  # BB?: 4 points
    Path("t.npz").write_bytes(pack([*(members | {"ranks": npy(ranks, "u1")}).items()]))
    said = "the table says 4 points for rack BB?, its words have 5: it is damaged, make it again\n"
    refused("tiles --table t.npz --rack bb?", said, code=1)
    said = f"--table: the table is wrong for 1 of {len(ranks)} racks: make it with "
    refused("tiles --table t.npz --all", said)


def test_what_was_found_is_printed_even_where_the_file_cannot_be_written(run, monkeypatch):
    def refuse(*_):
        raise OSError(28, "No space left on device", "t.npz")

    monkeypatch.setattr("gpulingo.tiles.rack_table.write_rack_table", refuse)
    done = run(f"{SMALL} --all --draw 3 --out t.npz")
    assert done.exit_code == 1 and "expected" in done.stdout
    assert done.stderr == "gpulingo: t.npz: No space left on device\n"

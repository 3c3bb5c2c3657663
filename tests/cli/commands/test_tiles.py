"""`gpulingo tiles`: racks given, drawn or all, with a small bag and list."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gpulingo.cli.app import app_for
from gpulingo.storage.npz import npy, pack, unpack
from gpulingo.tiles.rack_table import NAMES, read_rack_table

APP = app_for()

SMALL = "tiles --bag bag.tsv --wordlist list.txt"
POINTS = {"AAA": 0, "AAB": 5, "ABB": 4, "AA?": 4, "AB?": 6, "BB?": 5}  # of every rack of 3 tiles

pytestmark = pytest.mark.usefixtures("tile_files")


@pytest.fixture
def told(run):
    """A function that runs a command that must succeed without messages: its output."""

    def printed(line, *more):
        done = run(line, *more)
        assert (done.exit_code, done.stderr) == (0, "")
        return done.stdout

    return printed


@pytest.fixture
def entries(told):
    """A function that runs a command with --json: its objects."""

    def told_entries(line, *more):
        rows = [json.loads(row) for row in told(f"{line} --json", *more).splitlines()]
        assert all(list(row)[:3] == ["schema", "command", "version"] for row in rows)
        return [dict(list(row.items())[3:]) for row in rows]

    return told_entries


@pytest.mark.slow
def test_all_racks_of_seven_tiles_of_the_challenge_over_the_embedded_list(entries):
    (entry,) = entries("tiles --all --top 1")
    assert (entry["racks"], entry["draws"]) == (3_263_963, 29_796_772_356)
    assert entry["total_points"] == 407_228_413_651  # the numerator in tests/tiles/test_summary.py
    assert (entry["list"], entry["bag"]) == ("embedded list", "challenge")


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
    done = CliRunner(charset="ascii").invoke(APP, f"{SMALL} --all --draw 3".split())
    assert (done.exit_code, done.stderr) == (0, "")
    assert "#" * 40 in done.stdout and done.stdout.isascii()


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

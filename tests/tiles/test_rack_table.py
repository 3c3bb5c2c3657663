"""The points of every rack of a bag, against words spelled letter by letter and a scan of the whole list."""

import re
from itertools import combinations

import numpy as np
import pytest

from gpulingo.cli.wording import worded
from gpulingo.tiles.bag import made_bag
from gpulingo.tiles.best_words import spelled
from gpulingo.tiles.rack_table import BEGINS, rack_table, rack_tables, read_rack_table, write_rack_table
from gpulingo.trees.checkpoint import write_checkpoint


def every_rack(bag, tiles):
    """The racks made of single tiles."""
    singles = [letter for letter, count in zip(bag.letters, bag.counts, strict=True) for _ in range(count)]
    return sorted({"".join(rack) for rack in combinations(singles, tiles)})


@pytest.mark.parametrize("blanks", [False, True], ids=["letters", "blanks"])
@pytest.mark.parametrize("seed", range(6))
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
    """The key that sorts blanks after all letters."""
    return letter == "?", letter


@pytest.mark.slow
def test_racks_of_seven_tiles_have_the_points_that_a_scan_of_the_list_finds(bag, whole_table, scan):
    racks = bag.drawn(7, 100, 19)
    assert ("?" in "".join(racks)) == (bag.name == "scrabble")
    assert whole_table.points_of(racks) == [scan(rack).points for rack in racks]


ODD = made_bag("ma лé", {"a": (2, 1), "ж": (1, -3), "?": (1, 4)})
WORDS = ["aж", "жa", "aaж", "zaж", "aaaa", "ж"]


def made(words=WORDS, bag=ODD, tiles=3):
    return rack_table(words, bag, tiles, device="cpu")


@pytest.fixture
def path(tmp_path):
    """The file of a small table."""
    path = tmp_path / "t.npz"
    write_rack_table(path, made(), "list.txt")
    return path


def refusal(path):
    """The one-line error for a file that is not a table; it names the file."""
    with pytest.raises(ValueError) as caught:
        read_rack_table(path)
    text = worded(caught.value)
    assert (
        "\n" not in text and str(path) in text and text.endswith("make it with `gpulingo tiles --all --out`")
    )
    return text


@pytest.mark.parametrize("blanks", [False, True], ids=["letters", "blanks"])
@pytest.mark.parametrize("seed", range(4))
def test_a_table_comes_back_as_it_was_and_is_written_again_byte_by_byte(seed, blanks, random_game, tmp_path):
    bag, words = random_game(seed, blanks=blanks)
    first, again = tmp_path / "a.npz", tmp_path / "b.npz"
    for tiles in range(1, bag.tiles + 1):
        table = made(words, bag, tiles)
        write_rack_table(first, table, "list.txt")
        back, source = read_rack_table(first)
        assert (back.bag, back.tiles, source) == (bag, tiles, "list.txt")
        assert back.spelling.words == table.spelling.words
        assert np.array_equal(back.points, table.points) and np.array_equal(back.ranks, table.ranks)
        assert (back.points.dtype, back.ranks.dtype) == (table.points.dtype, table.ranks.dtype)
        racks = bag.drawn(tiles, 20, seed)
        assert back.points_of(racks) == table.points_of(racks) and back.best(9) == table.best(9)
        write_rack_table(again, back, source)
        assert first.read_bytes() == again.read_bytes()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.npz", "b.npz"]


def test_tables_without_words_and_of_several_numbers_of_tiles_come_back(tmp_path):
    write_rack_table(tmp_path / "t.npz", made([]), "")
    back, _ = read_rack_table(str(tmp_path / "t.npz"))
    assert (back.spelling.words, back.ranks.tolist()) == ((), [0] * len(made([]).ranks))
    for table in rack_tables(spelled(WORDS, ODD, 4), [2, 3, 4]):
        write_rack_table(tmp_path / "t.npz", table, "")
        back, _ = read_rack_table(tmp_path / "t.npz")
        assert back.spelling.words == tuple(word for word in WORDS if len(word) <= table.tiles)
        racks = ODD.drawn(table.tiles, 20, 1)
        assert back.points_of(racks) == table.points_of(racks)


@pytest.mark.slow
def test_every_byte_is_checked(path):
    data = path.read_bytes()
    for place in range(len(data)):
        path.write_bytes(data[:place] + bytes([data[place] ^ 0xFF]) + data[place + 1 :])
        refusal(path)
    for end in (*range(0, len(data), 7), len(data) - 1):
        path.write_bytes(data[:end])
        refusal(path)
    path.write_bytes(data + b"\0")
    refusal(path)


@pytest.fixture
def others(tmp_path, words22, grown):
    """Files of other kinds."""
    write_checkpoint(grown(words22), tmp_path / "tree.npz")
    np.savez_compressed(tmp_path / "numpy.npz", header=np.zeros(3), letters=np.zeros(3))
    np.savez(tmp_path / "numpy2.npz", ranks=np.zeros(3))
    np.save(tmp_path / "one.npy", np.zeros(3))
    (tmp_path / "list.txt").write_text("heron\nraven\n")
    (tmp_path / "zip.npz").write_bytes(b"PK\x03\x04" + b"\0" * 99)
    return [tmp_path / name for name in ("tree.npz", "numpy2.npz", "one.npy", "list.txt", "zip.npz")]


def test_files_of_other_kinds_are_refused_and_look_different_from_the_start(others, path):
    assert re.match(BEGINS, path.read_bytes()[:4096])
    for other in others:
        refusal(other)
        assert not re.match(BEGINS, other.read_bytes()[:4096])
    refusal(path.parent / "numpy.npz")


def test_a_table_that_is_too_large_for_a_file_is_refused_before_one_is_touched(path, monkeypatch):
    before, size = path.read_bytes(), len(made().ranks)
    monkeypatch.setattr("gpulingo.tiles.rack_table.MOST_BYTES", 127 + size)
    with pytest.raises(
        ValueError, match=f"^{size} racks take {size} bytes, a file holds .*: draw fewer tiles$"
    ):
        write_rack_table(path, made(["a"]), "other")
    assert path.read_bytes() == before
    monkeypatch.setattr("gpulingo.tiles.rack_table.MOST_BYTES", 128 + size)
    write_rack_table(path, made(["a"]), "other")
    assert path.read_bytes() != before

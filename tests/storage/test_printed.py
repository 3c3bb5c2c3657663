"""A file that grows by whole lines: what a kill leaves, what an editor leaves, and what is none of ours."""

import os

import pytest

from gpulingo.storage.printed import Form, LineFile


def number(text):
    """The number of a line `n=7`."""
    if not text.startswith("n=") or not text[2:-1].isdigit() or not text.endswith(";"):
        raise ValueError("has no number")
    return int(text[2:-1])


FORM = Form(number, "n=", "name a file of numbers")


def kept(path):
    file = LineFile(path, FORM)
    file.close()
    return file.kept


def test_lines_are_appended_to_what_is_there(tmp_path):
    path = tmp_path / "a"
    for text in ("n=1;", "n=2;"):
        file = LineFile(path, FORM)
        file.append(text)
        file.close()
    assert path.read_text() == "n=1;\nn=2;\n"
    assert kept(path) == [1, 2]


def test_no_file_is_made_before_there_is_an_entry(tmp_path):
    assert kept(tmp_path / "a") == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("last", "whole"),
    [("n", False), ("n=", False), ("n=4", False), ("n=44", False), ("n=2;", True)],
)
def test_a_last_line_cut_short_is_dropped_and_the_next_stands_alone(tmp_path, last, whole):
    path = tmp_path / "a"
    path.write_text(f"n=1;\n{last}")
    file = LineFile(path, FORM)
    assert file.kept == ([1, 2] if whole else [1])  # what lacks its newline alone counts
    file.append("n=3;")
    file.close()
    assert path.read_text() == f"n=1;\n{last + chr(10) if whole else ''}n=3;\n"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"n=1;\nmine\nn=2;\n", "line 2 of {} has no number: name a file of numbers"),
        (b"mine", "line 1 of {} has no number"),
        (b"n=1;\nmine", "line 2 of {} has no number"),
        (b"n=1;\n\n", "line 2 of {} has no number"),
        (b"\xff\n", "line 1 of {} is not UTF-8 text"),
    ],
)
def test_another_file_is_refused_and_left_as_it_is(tmp_path, data, said):
    path = tmp_path / "a"
    path.write_bytes(data)
    with pytest.raises(ValueError) as error:
        LineFile(path, FORM)
    assert str(error.value).startswith(said.format(path))
    assert path.read_bytes() == data


def test_a_full_disk_is_told_by_the_name_of_the_file(monkeypatch, tmp_path):
    (tmp_path / "a").write_text("n=1;\n")
    file = LineFile(tmp_path / "a", FORM)
    full = os.open("/dev/full", os.O_WRONLY)
    monkeypatch.setattr(file, "_descriptor", full)
    with pytest.raises(OSError, match="No space left on device") as raised:
        file.append("n=2;")
    file.close()
    assert raised.value.filename == str(tmp_path / "a")

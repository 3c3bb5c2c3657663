"""Stored files: names, sizes, and that no file is ever incomplete."""

import os
import signal
import subprocess
import sys

import pytest

from gpulingo.storage.files import append_file, file_bytes, replace_file
from gpulingo.storage.printed import Form, LineFile


def test_no_more_of_a_pipe_is_read_than_it_may_have():
    reader, writer = os.pipe()  # its reported size is 0
    os.write(writer, bytes(1001))
    with pytest.raises(ValueError, match=r"^has more than 1,000 bytes$"):
        file_bytes(f"/dev/fd/{reader}", 1000)
    os.close(writer)
    os.close(reader)


def test_a_disk_that_is_full_is_told_by_the_name_of_the_file(tmp_path):
    (tmp_path / f"a.{os.getpid()}.part").symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left on device") as raised:
        replace_file(str(tmp_path / "a"), b"new")
    assert raised.value.filename == str(tmp_path / "a")
    with pytest.raises(OSError, match="No space left on device") as raised:
        append_file("/dev/full", b"new")
    assert raised.value.filename == "/dev/full"
    assert not list(tmp_path.iterdir())


def test_a_file_is_replaced_as_a_whole_or_not_at_all(tmp_path):
    path = tmp_path / "a"
    replace_file(str(path), b"new")
    assert path.read_bytes() == b"new"
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError):
        replace_file(str(tmp_path / "folder"), b"new")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a", "folder"]


ADDING = """
import os, sys
from gpulingo.storage.files import locked, replace_file
path, name, ends = sys.argv[1:]
for number in range(60):
    with locked(path):
        before = open(path).read()
        replace_file(path, f"{before}{name}{number}\\n".encode())
        if ends and number == 20:
            os.kill(os.getpid(), 9)
"""


def test_what_several_processes_add_to_a_file_is_kept_and_a_killed_one_holds_no_lock(tmp_path):
    path = tmp_path / "rows"
    path.write_bytes(b"")
    line = [sys.executable, "-Sc", ADDING, str(path)]
    added = [subprocess.Popen([*line, name, "x" * (name == "d")]) for name in "abcd"]
    assert sorted(own.wait() for own in added) == [-signal.SIGKILL, 0, 0, 0]
    rows = path.read_text().splitlines()
    wanted = {f"{name}{number}" for name in "abc" for number in range(60)}
    assert wanted | {f"d{number}" for number in range(21)} == {*rows} and len(rows) == 201


def number(text):
    """Parse the number of a line `n=7`."""
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


@pytest.mark.parametrize(
    ("last", "whole"), [("n", False), ("n=", False), ("n=4", False), ("n=44", False), ("n=2;", True)]
)
def test_a_last_line_cut_short_is_dropped_and_the_next_stands_alone(tmp_path, last, whole):
    path = tmp_path / "a"
    path.write_text(f"n=1;\n{last}")
    file = LineFile(path, FORM)
    assert file.kept == ([1, 2] if whole else [1])  # a line that only lacks its newline counts
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

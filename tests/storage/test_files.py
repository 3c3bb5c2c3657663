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


def test_a_full_disk_is_told_by_the_name_of_the_file(tmp_path):
    (tmp_path / "a").write_text("n=1;\n")
    file = LineFile(tmp_path / "a", Form(str, "n=", "name a file of numbers"))
    (tmp_path / "a").unlink()
    (tmp_path / "a").symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left on device") as raised:
        file.append("n=2;")
    assert raised.value.filename == str(tmp_path / "a")

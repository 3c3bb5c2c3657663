"""Files that are kept: names, sizes, and that there is never half a file."""

import os

import pytest

from gpulingo.storage.files import CERTIFICATE, VALUES, append_file, file_bytes, file_name, replace_file


def test_a_name_holds_the_game_its_turns_the_length_and_the_list():
    fingerprint = "a8e966b0e73d" + "0" * 52
    assert file_name("lingo5", 9, fingerprint) == "lingo5-9-a8e966b0e73d.npz"
    assert file_name("lingo6", 13, fingerprint, CERTIFICATE) == "lingo6-13-a8e966b0e73d.bounds.npz"
    assert file_name("lingo6", 13, fingerprint, VALUES) == "lingo6-13-a8e966b0e73d.values.json"


def test_no_more_of_a_file_is_read_than_it_may_have(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"12345")
    assert file_bytes(path, 5) == b"12345"
    with pytest.raises(ValueError, match=r"^has more than 4 bytes$"):
        file_bytes(path, 4)
    with pytest.raises(ValueError, match=r"^is not a plain file$"):
        file_bytes("/dev/zero", 5)
    reader, writer = os.pipe()  # whose size is said to be 0
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

"""Folders of matches: removed by a later start when no process holds them, and only then."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from gpulingo.match import folders
from gpulingo.match.folders import MARK, TEXT, held_folder, remove_abandoned

HOLDER = """
import os, sys, time
from gpulingo.match.folders import held_folder
with held_folder() as path:
    open(path + "/list", "w").close()
    os.chdir(path)
    for _ in range(int(sys.argv[1])):  # longer and deeper than any path or stack may be
        os.mkdir("d" * 200)
        os.chdir("d" * 200)
    print(path, flush=True)
    time.sleep(1000)
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    """The folder of temporary folders."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    return tmp_path


def names(path):
    return sorted(one.name for one in Path(path).iterdir())


def test_a_new_folder_is_locked_though_another_start_looks_at_it_just_then(place, monkeypatch):
    locked, looks = folders._locked, []

    def late(path):
        looks.append(path)
        return None if len(looks) < 3 else locked(path)

    monkeypatch.setattr(folders, "_locked", late)
    with held_folder() as path:
        assert names(path) == [MARK]
        remove_abandoned()
        assert names(path) == [MARK]


def test_a_folder_that_cannot_be_locked_has_no_mark_by_which_it_would_be_removed(place, monkeypatch):
    monkeypatch.setattr(folders, "_locked", lambda path: None)
    monkeypatch.setattr(folders, "WAIT", 0.0)
    with held_folder() as path:
        assert names(path) == []


def test_a_folder_is_there_until_the_end_of_the_block(place):
    with held_folder() as path:
        assert names(place) == [Path(path).name]
        remove_abandoned()
        assert names(path) == [MARK]
    assert names(place) == []


@pytest.mark.slow
@pytest.mark.parametrize("depth", [0, 3000])
def test_the_folder_of_a_killed_match_is_removed_and_that_of_a_living_one_is_not(place, depth):
    with subprocess.Popen([sys.executable, "-c", HOLDER, str(depth)], stdout=-1, text=True) as holder:
        path = holder.stdout.readline().rstrip("\n")
        remove_abandoned()
        assert names(path) == [MARK, *["d" * 200][:depth], "list"]
        holder.send_signal(signal.SIGKILL)
    assert Path(path).exists()
    remove_abandoned()
    assert names(place) == []


def test_folders_within_folders_links_and_closed_folders_are_removed_with_the_folder(place):
    (place / "kept").mkdir()
    (place / "kept" / "file").write_text("")
    with held_folder() as path:
        for folder in ("a/b/c", "a/b/d", "a/e", "f/b"):
            Path(path, folder).mkdir(parents=True)
            Path(path, folder, MARK).write_text("")
            Path(path, folder, "link").symlink_to(place / "kept")
        os.mkfifo(Path(path, "a", "pipe"))
        for folder in ("a/b/c", "a/b", "a", "f", "."):
            Path(path, folder).chmod(0)
    assert names(place) == ["kept"] and names(place / "kept") == ["file"]


def test_a_folder_that_is_gone_is_no_failure(place):
    told = []
    with held_folder(told.append) as path:
        shutil.rmtree(path)
    assert told == []


def test_a_folder_that_cannot_be_removed_is_told_in_a_line(place):
    told = []
    with held_folder(told.append) as path:
        shutil.rmtree(path)
        Path(path).write_text("")
    assert told == [f"cannot remove the folder {path} (Not a directory): remove it by hand"]


def test_what_is_not_ours_stays(place):
    for name, mark in (("gpulingo-other", None), ("gpulingo-odd", "odd"), ("other", TEXT)):
        (place / name).mkdir()
        (place / name / "file").write_text("")
        if mark:
            (place / name / MARK).write_text(mark)
    (place / "gpulingo-new").mkdir()
    (place / "gpulingo-file").write_text("")
    (place / "gpulingo-link").symlink_to(place / "other")
    (place / "gpulingo-pipe").mkdir()
    os.mkfifo(place / "gpulingo-pipe" / MARK)
    before = names(place)
    remove_abandoned()
    assert names(place) == before
    assert (place / "other" / "file").exists()


def test_a_folder_that_was_never_marked_is_removed_when_it_is_empty_and_old(place):
    for name in ("gpulingo-empty", "gpulingo-full"):
        (place / name).mkdir()
    (place / "gpulingo-full" / "file").write_text("")
    for name in ("gpulingo-empty", "gpulingo-full"):
        os.utime(place / name, (1, 1))
    remove_abandoned()
    assert names(place) == ["gpulingo-full"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to another user")
def test_a_folder_of_another_user_stays(place):
    (place / "gpulingo-theirs").mkdir()
    (place / "gpulingo-theirs" / MARK).write_text(TEXT)
    os.chown(place / "gpulingo-theirs", 65534, 65534)
    remove_abandoned()
    assert names(place) == ["gpulingo-theirs"]


def test_no_folder_of_temporary_folders_is_no_error(place, monkeypatch):
    monkeypatch.setattr(folders.tempfile, "gettempdir", lambda: str(place / "gone"))
    remove_abandoned()

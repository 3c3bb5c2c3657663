"""Lists that a player has spoiled: restored before the next round, and told."""

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from gpulingo.games.catalogue import lingo
from gpulingo.match.lists import Lists
from gpulingo.match.sandbox import match_setup
from gpulingo.match.trial import Trial
from gpulingo.words.listing import parse

ROUNDS = [Trial("a", (4,)), Trial("b", (4,)), Trial("a", (4,)), Trial("b", (4,))]


@pytest.fixture
def setup(tmp_path, monkeypatch):
    """Two players with a folder each."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "player.rb").write_text("x")
    listing = parse("able\nbale\n", "a list")
    source = SimpleNamespace(listing=listing, wordlist=listing.of_length(4))
    with match_setup({"a": "a", "b": "b"}, [source], lingo(), cwd=None, timeout=3, logged=False) as setup:
        yield setup


def folders(setup):
    return [Path(setup.workspaces[player].folder) for player in "ab"]


def spoil_all(paths):
    for path in paths:
        path.write_text("")


def remove_folder(paths):
    for path in paths:
        path.unlink()
    for path in paths[0].parent.iterdir():
        path.unlink()
    paths[0].parent.rmdir()


def replace(paths):
    for path in paths:
        path.unlink()
    os.mkfifo(paths[0])
    paths[1].symlink_to("/etc/hostname")


@pytest.mark.parametrize("spoil", [spoil_all, remove_folder, replace])
def test_lists_are_whole_before_every_round_and_each_culprit_is_told_once(setup, spoil):
    told = []
    lists = Lists(setup, told.append, alone=True)
    for number, planned in enumerate(lists.before(ROUNDS)):
        for folder in folders(setup):
            assert (folder / "wordlist4.txt").read_text() == "able\nbale\n"
            assert (folder / "wordlist.txt").read_text() == "able\nbale\n"
            assert (folder / "player.rb").read_text() == "x"
        if planned.player == "b":
            assert number in (1, 3)
            spoil(sorted(folders(setup)[0].glob("wordlist*")))
    assert told == ["'b' has changed or removed wordlist.txt of 'a' and 1 more: restored"]


def test_with_more_rounds_at_a_time_nobody_is_blamed(setup):
    told = []
    lists = Lists(setup, told.append, alone=False)
    for _ in lists.before(ROUNDS[:1]):
        spoil_all([folders(setup)[1] / "wordlist4.txt"])
    lists.restore()
    assert told == ["a player has changed or removed wordlist4.txt of 'b': restored"]


def test_a_list_that_cannot_be_laid_out_is_told(setup):
    told = []
    lists = Lists(setup, told.append, alone=True)
    path = folders(setup)[0] / "wordlist4.txt"
    path.unlink()
    (path / "in").mkdir(parents=True)
    lists.restore()
    (line,) = told
    assert line.startswith(
        "a player has changed or removed wordlist4.txt of 'a': cannot lay the lists out in"
    )


def test_a_list_that_is_written_as_it_was_is_not_told(setup):
    told = []
    lists = Lists(setup, told.append, alone=True)
    path = folders(setup)[0] / "wordlist.txt"
    path.write_bytes(path.read_bytes())
    lists.restore()
    assert told == []


def test_the_lists_of_a_folder_of_the_users_own_are_left_alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wordlist.txt").write_text("able\n")
    told = []
    with match_setup({"a": "a"}, [], lingo(), cwd=".", timeout=3, logged=False) as setup:
        lists = Lists(setup, told.append, alone=True)
        (tmp_path / "wordlist.txt").write_text("")
        lists.restore()
    assert told == [] and (tmp_path / "wordlist.txt").read_text() == ""

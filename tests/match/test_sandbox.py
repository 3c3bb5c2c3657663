"""Commands and the folders of players; more is in calls.tsv."""

import os
import signal
from pathlib import Path

import pytest

from gpulingo.games.catalogue import lingo
from gpulingo.match import sandbox
from gpulingo.match.rounds import StartTrial
from gpulingo.match.sandbox import ListGuard, Match, lay_lists, match_setup, player_folders, split_command
from gpulingo.words.listing import parse


def test_paths_start_from_the_users_folder(tmp_path):
    (tmp_path / "b").write_text("")
    home = str(tmp_path)
    assert split_command("./edc65 x --file=./b", home) == (f"{home}/edc65", "x", "--file=./b")
    assert split_command("sh ./b ./c b", home) == ("sh", f"{home}/b", "./c", "b")
    assert split_command("/bin/sh", home) == ("/bin/sh",)


def test_a_player_finds_the_lists_and_whatever_else_is_there(tmp_path, monkeypatch):
    home, folder = tmp_path / "home", tmp_path / "place"
    (home / "checkpoints").mkdir(parents=True)
    (home / "player.rb").write_text("x")
    (home / "wordlist.txt").write_text("old\n")
    (home / "wordlist9.txt").write_text("old\n")
    monkeypatch.chdir(home)
    lay_lists(str(folder), {"wordlist.txt": b"able\n", "wordlist4.txt": b"able\n"})
    assert {one.name for one in folder.iterdir()} == {
        "wordlist.txt", "wordlist4.txt", "player.rb", "checkpoints",
    }  # fmt: skip
    assert (folder / "wordlist.txt").read_text() == "able\n"
    assert (folder / "player.rb").read_text() == "x"
    (folder / "wordlist.txt").write_text("damaged")
    assert (home / "wordlist.txt").read_text() == "old\n"


def match_of(text, *lengths, game=None):
    """Return the match of two players over words of some lengths of one list."""
    listing = parse(text, "a list")
    lists, players = [listing.of_length(n) for n in lengths], {"a": "sh a", "b": "sh b"}
    return Match(players, lists, [], game or lingo(), drawn=False, listings={"a list": listing})


def test_each_player_has_a_folder_with_the_lists_until_the_match_is_over(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    match, game = match_of("able\nheron\nbale\n", 4, 5, game=lingo(6)), lingo(6)
    with match_setup(match, cwd=None, timeout=3, logged=True, tell=print) as setup:
        folders = [Path(setup.workspaces[player].folder) for player in ("a", "b")]
        assert setup.workspaces["a"].argv == ("sh", "a") and folders[0] != folders[1]
        for folder in folders:
            assert (folder / "wordlist.txt").read_text() == "able\nheron\nbale\n"
            assert (folder / "wordlist4.txt").read_text() == "able\nbale\n"
        keys = [words.fingerprint[:12] for words in match.lists]
        assert setup.words == {keys[0]: {"able", "bale"}, keys[1]: {"heron"}}
        assert (setup.timeout, setup.logged, setup.game) == (3, True, game)
        assert Path(setup.temporary) == folders[0].parent
    assert not folders[0].exists()


@pytest.fixture
def place(tmp_path, monkeypatch):
    """The folder of temporary folders."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    return tmp_path


def names(path):
    return sorted(one.name for one in Path(path).iterdir())


def test_folders_within_folders_links_and_closed_folders_are_removed_with_the_folder(place):
    (place / "kept").mkdir()
    (place / "kept" / "file").write_text("")
    with player_folders(match_of("able\n", 4), None, print) as (path, _):
        for folder in ("a/b/c", "a/b/d", "a/e", "f/b"):
            Path(path, folder).mkdir(parents=True)
            Path(path, folder, "file").write_text("")
            Path(path, folder, "link").symlink_to(place / "kept")
        os.mkfifo(Path(path, "a", "pipe"))
        inside = os.open(path, os.O_RDONLY)
        for _ in range(300):  # longer than any path may be
            os.mkdir("d" * 200, dir_fd=inside)
            outside, inside = inside, os.open("d" * 200, os.O_RDONLY, dir_fd=inside)
            os.close(outside)
        os.close(inside)
        for folder in ("a/b/c", "a/b", "a", "f", "."):
            Path(path, folder).chmod(0)
    assert names(place) == ["kept"] and names(place / "kept") == ["file"]


ROUNDS = [StartTrial("a", (4,)), StartTrial("b", (4,)), StartTrial("a", (4,)), StartTrial("b", (4,))]


@pytest.fixture
def two_players(tmp_path, monkeypatch):
    """Two players with a folder each."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "player.rb").write_text("x")
    match = match_of("able\nbale\n", 4)
    with match_setup(match, cwd=None, timeout=3, logged=False, tell=print) as setup:
        yield setup


def folders_of(setup):
    return [Path(setup.workspaces[player].folder) for player in "ab"]


def test_a_signal_while_folders_are_removed_comes_after_that(place, monkeypatch):
    remove = sandbox.remove_folder

    def interrupted(path):
        signal.raise_signal(signal.SIGINT)
        remove(path)

    monkeypatch.setattr(sandbox, "remove_folder", interrupted)
    with pytest.raises(KeyboardInterrupt), player_folders(match_of("able\n", 4), None, print):
        assert len(names(place)) == 1
    assert names(place) == []


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


@pytest.mark.parametrize("spoil", [remove_folder, replace])
def test_lists_are_whole_before_every_round_and_each_culprit_is_told_once(two_players, spoil):
    told = []
    lists = ListGuard(two_players, told.append, alone=True)
    for number, planned in enumerate(lists.before(ROUNDS)):
        for folder in folders_of(two_players):
            assert (folder / "wordlist4.txt").read_text() == "able\nbale\n"
            assert (folder / "wordlist.txt").read_text() == "able\nbale\n"
            assert (folder / "player.rb").read_text() == "x"
        if planned.player == "b":
            assert number in (1, 3)
            spoil(sorted(folders_of(two_players)[0].glob("wordlist*")))
    assert [*map(str, told)] == ["'b' has changed or removed wordlist.txt of 'a' and 1 more: restored"]


def test_a_folder_that_is_named_is_that_of_all_players(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with match_setup(match_of("able\n", 4), cwd=".", timeout=3, logged=False, tell=print) as setup:
        assert {workspace.folder for workspace in setup.workspaces.values()} == {str(tmp_path.resolve())}
        assert setup.temporary is None
    assert tmp_path.exists()

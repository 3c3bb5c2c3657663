"""Commands and the folders that players find."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from gpulingo.games.catalogue import lingo
from gpulingo.match.sandbox import (
    MatchSetup,
    lay_lists,
    match_setup,
    parsed_players,
    player_folders,
    split_command,
)
from gpulingo.words.listing import WordListError, parse


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("edc65", ["edc65"]),
        ("ruby 'my player.rb' --name=\"a b\"", ["ruby", "my player.rb", "--name=a b"]),
        ("echo $HOME; rm *", ["echo", "$HOME;", "rm", "*"]),
        (r"a\ b", ["a b"]),
    ],
)
def test_a_command_is_split_as_a_shell_would_but_nothing_is_expanded(command, words):
    assert split_command(command) == tuple(words)


def test_paths_start_from_the_users_folder(tmp_path):
    (tmp_path / "b").write_text("")
    home = str(tmp_path)
    assert split_command("./edc65 x --file=./b", home) == (f"{home}/edc65", "x", "--file=./b")
    assert split_command("sh ./b ./c b", home) == ("sh", f"{home}/b", "./c", "b")
    assert split_command("/bin/sh", home) == ("/bin/sh",)


@pytest.mark.parametrize("command", ["", "  ", "a 'b"])
def test_a_command_that_is_none_is_told(command):
    with pytest.raises(ValueError, match="command"):
        split_command(command)


def test_the_originals_file_of_players_is_read():
    text = "ruby statistician.rb\n\n# python old.py\n  java Lingo  \r\n#\nd:\\perl.exe a.pl"
    assert parsed_players(text) == ["ruby statistician.rb", "java Lingo", "d:\\perl.exe a.pl"]


def test_a_player_finds_the_lists_and_whatever_else_is_there(tmp_path):
    home, folder = tmp_path / "home", tmp_path / "place"
    (home / "checkpoints").mkdir(parents=True)
    (home / "player.rb").write_text("x")
    (home / "wordlist.txt").write_text("old\n")
    (home / "wordlist9.txt").write_text("old\n")
    lay_lists(str(folder), {"wordlist.txt": b"able\n", "wordlist4.txt": b"able\n"}, str(home))
    assert {one.name for one in folder.iterdir()} == {
        "wordlist.txt", "wordlist4.txt", "player.rb", "checkpoints",
    }  # fmt: skip
    assert (folder / "wordlist.txt").read_text() == "able\n"
    assert (folder / "player.rb").read_text() == "x"
    (folder / "wordlist.txt").write_text("damaged")
    assert (home / "wordlist.txt").read_text() == "old\n"


def test_a_folder_that_cannot_be_filled_is_told(tmp_path):
    with pytest.raises(WordListError, match=r"cannot lay the lists out in .*--cwd"):
        lay_lists(str(tmp_path / "no" / "such"), {}, str(tmp_path))


@pytest.fixture
def sources(tmp_path, monkeypatch):
    """Words of 4 and of 5 letters of one list, in a folder of the user's own."""
    monkeypatch.chdir(tmp_path)
    listing = parse("able\nheron\nbale\n", "a list")
    return [SimpleNamespace(listing=listing, wordlist=listing.of_length(n)) for n in (4, 5)]


def test_each_player_has_a_folder_with_the_lists_until_the_match_is_over(sources):
    game = lingo(6)
    with match_setup({"a": "sh a", "b": "sh b"}, sources, game, cwd=None, timeout=3, logged=True) as setup:
        folders = [Path(setup.workspaces[player].folder) for player in ("a", "b")]
        assert setup.workspaces["a"].argv == ("sh", "a") and folders[0] != folders[1]
        for folder in folders:
            assert (folder / "wordlist.txt").read_text() == "able\nheron\nbale\n"
            assert (folder / "wordlist4.txt").read_text() == "able\nbale\n"
        keys = [source.wordlist.fingerprint[:12] for source in sources]
        assert setup.lists == {keys[0]: "able\nbale", keys[1]: "heron"}
        assert (setup.timeout, setup.logged, setup.game) == (3, True, game)
        assert Path(setup.temporary) == folders[0].parent
        assert MatchSetup.of_message(json.loads(json.dumps(setup.message()))) == setup
    assert not folders[0].exists()


def test_lists_of_different_files_are_joined(sources):
    other = parse("crane\n", "another list")
    mixed = [sources[0], SimpleNamespace(listing=other, wordlist=other.of_length(5))]
    with player_folders(mixed, 1, None) as (folder,):
        assert (Path(folder) / "wordlist.txt").read_text() == "able\nbale\ncrane\n"


def test_a_folder_that_is_named_is_that_of_all_players(sources, tmp_path):
    with match_setup({"a": "a", "b": "b"}, sources, lingo(), cwd=".", timeout=3, logged=False) as setup:
        assert {workspace.folder for workspace in setup.workspaces.values()} == {str(tmp_path.resolve())}
        assert setup.temporary is None
    assert tmp_path.exists()

"""Commands and the folders that players find."""

import pytest

from gpulingo.match.sandbox import lay_lists, parsed_players, split_command
from gpulingo.words.listing import WordListError


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

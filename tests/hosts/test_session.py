"""A round against a host as a program sees it: a process, two pipes, a folder with lists."""

import os
import re
import subprocess
import sys
from types import SimpleNamespace

import pytest

from gpulingo.cli.pipes import asked_host, converse
from gpulingo.cli.request import parsed_play
from gpulingo.hosts.host import HostOnPipes

PLAY = [sys.executable, "-m", "gpulingo", "play"]


@pytest.fixture
def folder(tmp_path):
    """A folder with a list of short words."""
    (tmp_path / "short.txt").write_text("fish dish wish iris hill moth bee".replace(" ", "\n"))
    return tmp_path


HANGMAN = "--game hangman --wordlist short.txt"


def test_an_exact_host_is_played_by_what_makes_it(tmp_path):
    (tmp_path / "list.txt").write_text("fish dish wish iris hill moth".replace(" ", "\n"))
    line = f"--game hangman --host exact --length 4 --lives 2 --tell --wordlist {tmp_path / 'list.txt'}"
    asked, answers, told, letters = [], [], [], iter("ie")

    def exact(words):
        asked.append(len(words))

        def keep(classes, history):
            asked.append((sorted(classes), history))
            return min(classes)  # the class that reveals most

        return keep

    search = SimpleNamespace(adversary_host=exact)
    host = asked_host(parsed_play(line.split()), lambda module: search)
    view = HostOnPipes(host, told.append, tell=True)
    assert converse(view, lambda: next(letters, "x"), answers.append)
    assert not host.found
    assert answers == ["_ _ _ _ 0/2 6", "i _ i _ 0/2 1", "i _ i _ 1/2 1", "i r i s 2/2 1"]
    assert (told, view.end()) == ([], "hangman: lost with 2 misses: the word is iris")
    assert asked == [6, (["O_O_", "_O__", "____"], [("i", "")])]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("--game absurdle 9", "absurdle: .* words of 9 letters: type a guess a line; Ctrl-D ends"),
        (f"{HANGMAN} --host honest 3",
         "hangman: 1 word of 3 letters, 6 lives: type a letter a line; Ctrl-D ends"),
    ],
)  # fmt: skip
def test_at_a_terminal_the_first_line_says_what_to_do(folder, line, said):
    ours, theirs = os.openpty()
    command = [*PLAY, *line.split()]
    with subprocess.Popen(command, cwd=folder, stdin=theirs, stdout=-1, stderr=-1) as process:
        told = process.stderr.readline().decode()
        os.write(ours, b"\x04")  # Ctrl-D
        assert process.wait(60) == 1
    os.close(ours), os.close(theirs)
    assert re.fullmatch(f"gpulingo: {said}\n", told)


@pytest.mark.parametrize(
    ("line", "text", "code"),
    [
        ("--game absurdle", b"crane\nsoily\n", 1),
        (f"{HANGMAN} --host honest 4", b"e\nz\n", 1),
        (HANGMAN, b"____\n" * 3, 0),  # words are guessed, of which none is lost
    ],
)
def test_who_reads_no_more_ends_the_round(folder, line, text, code):
    command = [*PLAY, *line.split()]
    with subprocess.Popen(command, cwd=folder, stdin=-1, stdout=-1, stderr=-1) as process:
        process.stdout.close()
        process.stdin.write(text)
        process.stdin.close()
        assert process.wait(60) == code
        told = process.stderr.read()
    assert b"Traceback" not in told and (code or not told)

"""A round of hangman against a host as a program sees it: a process, two pipes, a folder with a list."""

import os
import subprocess
import sys

import pytest

from gpulingo.hosts.letter_arguments import parsed_letter_arguments
from gpulingo.hosts.letter_session import host_letters

PLAY = [sys.executable, "-m", "gpulingo", "play", "--game", "hangman", "--wordlist", "list.txt"]


@pytest.fixture
def hosted(tmp_path):
    """A function that hosts a round with a list of six words: exit code, answers, complaints."""
    (tmp_path / "list.txt").write_text("fish dish wish iris hill moth bee".replace(" ", "\n"))

    def play(line, text=""):
        command = [*PLAY, *line.split()]
        done = subprocess.run(command, input=text.encode(), capture_output=True, cwd=tmp_path, timeout=60)
        assert b"Traceback" not in done.stderr
        return done.returncode, done.stdout.decode().splitlines(), done.stderr.decode().splitlines()

    return play


def test_each_letter_is_answered_by_the_word_as_far_as_it_is_shown(hosted):
    answers = [
        "_ _ _ _ 0/6 6",
        "_ i _ _ 0/6 4",
        "_ i s h 0/6 3",
        "_ i s h 0/6 3",
        "_ i s h 1/6 2",
        "_ i s h 2/6 1",
    ]
    assert hosted("--host largest --length 4 --tell", "i\ns\nh\nf\nd\nw\n") == (
        0,
        ["_ _ _ _ 0/6 6", "_ i _ _ 0/6 4", "_ i s _ 0/6 3", "_ i s h 0/6 3", "_ i s h 1/6 2", "_ i s h 2/6 1",
         "w i s h 2/6 1"],
        ["gpulingo: hangman: found with 2 misses: the word is wish"],
    )  # fmt: skip
    assert answers[0] == hosted("--host largest 4 --tell")[1][0]


def test_a_lost_word_is_shown(hosted):
    code, answers, told = hosted("--host diversity --lives 1 4", "z\ne\n")
    assert (code, answers[0]) == (1, "_ _ _ _ 0/1")
    word = answers[1].removesuffix(" 1/1").replace(" ", "")
    assert word in ("fish", "dish", "wish", "iris", "hill", "moth")
    assert told == [f"gpulingo: hangman: lost with 1 miss: the word is {word}"]


def test_what_is_no_new_letter_is_asked_again_and_costs_nothing(hosted):
    code, answers, told = hosted("--host honest --length 3 --lives 1", "5\n\nb\nB\nee?\n'e'\n")
    assert (code, answers) == (
        0,
        ["_ _ _ 0/1", "_ _ _ 0/1", "_ _ _ 0/1", "b _ _ 0/1", "b _ _ 0/1", "b _ _ 0/1", "b e e 0/1"],
    )
    assert told == [
        "gpulingo: '5': that is no letter: guess another",
        "gpulingo: '': that is no letter: guess another",
        "gpulingo: 'B': 'b' was guessed before: guess another",
        "gpulingo: 'ee?': that is no letter: guess another",
        "gpulingo: hangman: found with 0 misses: the word is bee",
    ]


def test_input_that_ends_is_told_with_a_word(hosted):
    told = "the input ended after 0 misses with 1 word left: the word was not found, it is bee"
    assert hosted("--host largest 3", "b") == (1, ["_ _ _ 0/6", "b _ _ 0/6"], [f"gpulingo: hangman: {told}"])


def test_the_seed_draws_the_word(hosted):
    words = {hosted(f"--host honest --length 4 --lives 1 --seed {seed}", "z\n")[1][-1] for seed in range(6)}
    assert len(words) > 1
    assert hosted("--host honest 4 --seed 3", "")[2] == hosted("--host honest 4 --seed 3", "")[2]


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("--host honest --lives 0", 2, "lives '0' is no whole number from 1"),
        ("--host honest --length 0", 2, "length '0' is no whole number from 1"),
        ("--host honest --seed -1", 2, "seed '-1' is no whole number from 0"),
        ("--host honest 4 --length 4", 2, "--length is there twice: give it once"),
        (
            "--host honest 7",
            1,
            "no words of 7 letters in list.txt: it holds words of 3 to 4 letters; use another list or length",
        ),
    ],
)
def test_wrong_usage_is_one_line(hosted, line, code, said):
    assert hosted(line, "e\n") == (code, [], [f"gpulingo: {said}"])


def test_at_a_terminal_the_first_line_says_what_to_do(hosted, tmp_path):
    ours, theirs = os.openpty()
    with subprocess.Popen(
        [*PLAY, "--host", "honest", "3"], cwd=tmp_path, stdin=theirs, stdout=-1, stderr=-1
    ) as process:
        told = process.stderr.readline().decode()
        os.write(ours, b"\x04")  # Ctrl-D
        assert process.wait(60) == 1
    os.close(ours), os.close(theirs)
    assert told == "gpulingo: hangman: 1 word of 3 letters, 6 lives: type a letter a line; Ctrl-D ends\n"


def test_who_reads_no_more_ends_the_round(hosted, tmp_path):
    with subprocess.Popen(
        [*PLAY, "--host", "honest", "4"], cwd=tmp_path, stdin=-1, stdout=-1, stderr=-1
    ) as process:
        process.stdout.close()
        process.stdin.write(b"e\nz\n")
        process.stdin.close()
        assert process.wait(60) == 1
        assert b"Traceback" not in process.stderr.read()


def test_an_exact_host_is_played_by_what_makes_it(tmp_path):
    (tmp_path / "list.txt").write_text("fish dish wish iris hill moth".replace(" ", "\n"))
    line = f"--game hangman --host exact --length 4 --lives 2 --tell --wordlist {tmp_path / 'list.txt'}"
    asked, answers, told, letters = [], [], [], iter("ie")

    def exact(words, lives):
        asked.append((len(words), lives))

        def keep(classes, guessed, left):
            asked.append((sorted(classes), guessed, left))
            return min(classes)  # the class that shows most

        return keep

    arguments = parsed_letter_arguments(line.split())
    code = host_letters(arguments, lambda: next(letters, "x"), answers.append, told.append, exact)
    assert (code, answers[:3]) == (1, ["_ _ _ _ 0/2 6", "i _ i _ 0/2 1", "i _ i _ 1/2 1"])
    assert answers[3:] == ["i r i s 2/2 1"]
    assert told == ["hangman: lost with 2 misses: the word is iris"]
    assert asked[:2] == [(6, 2), (["O_O_", "_O__", "____"], "i", 2)]

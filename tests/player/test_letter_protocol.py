"""Hangman as the quiz's programs play it: a process, two pipes or a terminal, a folder with lists."""

import os
import random
import subprocess
import sys

import pytest

from gpulingo.cli.pipes import asked_guesser, converse
from gpulingo.cli.request import parsed_play
from gpulingo.player.guesser import QuizRule
from gpulingo.words.shown import named_letter, shown, shown_line

PLAY = [sys.executable, "-m", "gpulingo", "play", "--game", "hangman"]
ASK, FOUND, LOST = "Show me your word, as _ _ _ _", "I guessed your word", "I'm out of guesses"
AGAIN = ": show the word again, as _ i _ _"


@pytest.fixture
def folder(tmp_path, words22):
    """A folder with a list of 22 words."""
    (tmp_path / "wordlist.txt").write_text("\n".join(words22.words))
    return tmp_path


@pytest.fixture
def played(folder):
    """A function that sends lines: exit code, stdout, stderr."""

    def play(line, text):
        command = [*PLAY, *line.split()]
        done = subprocess.run(command, input=text.encode(), capture_output=True, cwd=folder, timeout=60)
        assert b"Traceback" not in done.stderr
        return done.returncode, done.stdout.decode().splitlines(), done.stderr.decode().splitlines()

    return play


def conversation(word, words, lives=6):
    """The shown word before every guess of the quiz's rule, and the guesses."""
    guessed, missed, lines, answers = [], "", [], []
    while True:
        lines.append(shown_line(shown(word, guessed)))
        if shown(word, guessed) == word or len(missed) == lives:
            return lines, [*answers, FOUND if len(missed) < lives else LOST]
        letter = QuizRule(words).letter(shown(word, guessed), missed)
        answers.append(f"I guess the letter '{letter}'.")
        guessed.append(letter)
        missed += "" if letter in word else letter


@pytest.mark.slow
def test_words_are_guessed_by_the_quizs_rule_one_after_the_other(played, words22):
    for lives, some in ((6, words22.words), (1, words22.words[:4])):
        rows = [conversation(word, words22.words, lives) for word in some]
        lines, answers = ([line for row in rows for line in row[column]] for column in (0, 1))
        assert LOST not in answers or lives == 1
        assert played(f"--loop --lives {lives}", "\n".join(lines)) == (0, answers, [])


def test_blanks_case_and_ends_of_lines_do_not_matter(played, words22):
    lines, answers = conversation("mango", words22.words)
    text = "\r\n".join(line.replace(" ", "").upper() for line in lines)
    assert played("--wordlist wordlist.txt", text) == (0, answers, [])


def test_a_list_in_the_folder_that_cannot_be_used_is_told(folder, played):
    (folder / "wordlist5.txt").write_bytes(b"\xff\xfe")
    code, said, told = played("", "_____\n")
    assert (code, said, len(told)) == (1, [], 1)


def test_at_a_terminal_it_greets_and_asks_again_where_something_does_not_fit(folder):
    ours, theirs = os.openpty()
    with subprocess.Popen(PLAY, cwd=folder, stdin=theirs, stdout=-1, stderr=-1) as process:
        assert process.stderr.readline().startswith(b"gpulingo: think of a word and type an underscore")
        answers = []
        for line in ("_ _ _ _ _", "_ a _ _ e", "_ _ _ _ _"):
            os.write(ours, f"{line}\n".encode())
            answers.append(named_letter(process.stdout.readline().decode()))
        os.write(ours, b"\x04")  # Ctrl-D
        code, told = process.wait(60), process.stderr.read().decode()
    os.close(ours), os.close(theirs)
    assert (code, answers) == (0, ["a", "a", "e"])
    assert told == f"gpulingo: _ a _ _ e does not fit: 'e' was not guessed{AGAIN}\n"


@pytest.mark.parametrize("loop", [[], ["--loop"]])
def test_whatever_is_sent_every_line_is_answered_by_one(folder, loop):
    draw = random.Random(3)
    signs = ["_ " * 5, "", " ", "\0", "_ _ _ a _", "\ufffd", *"_ a e é 9 e_a_e mango ﬁ İ".split()]
    for _ in range(150):
        lines = ["".join(draw.choices(signs, k=draw.choice([1, 1, 1, 3]))) for _ in range(12)]
        rest, answers = iter([*lines]), []

        def read_line(rest=rest):
            line = next(rest, None)
            if line is None:
                raise EOFError
            return line

        arguments = ["--game", "hangman", "--wordlist", str(folder / "wordlist.txt"), *loop]
        guesser = asked_guesser(parsed_play(arguments), lambda line: None)
        converse(guesser, read_line, answers.append)
        over = [number for number, answer in enumerate(answers) if answer in (FOUND, LOST)]
        assert len(answers) == (len(lines) if loop or not over else over[0] + 1)
        assert all(answer.strip() and "\n" not in answer for answer in answers)

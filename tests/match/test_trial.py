"""Trials: what keeps a player from being started, told before the match."""

import sys

import pytest

from gpulingo.match.rounds import Round
from gpulingo.match.trial import Trial, refusal, trials_of

PYTHON = (sys.executable, "-S", "-c")


def test_each_player_is_tried_once_at_the_lengths_of_its_words():
    words = {"a": ["able", "bale", "heron"], "b": ["heron", "able"]}
    rounds = [Round(player, "f" * 12, word) for player in words for word in words[player]]
    assert trials_of(rounds) == [Trial("a", (4, 5)), Trial("b", (5, 4))]
    assert trials_of([]) == []


@pytest.mark.parametrize(
    "program",
    [
        "print('able')",
        "import sys; sys.exit(0)",
        "import sys; print('able') if sys.argv[1] == '5' else 1 / 0",
    ],
)
def test_a_player_that_guesses_at_one_length_or_ends_without_an_error_is_not_refused(program):
    assert refusal((*PYTHON, program), None, [4, 5]) == ""


def test_a_player_that_ends_with_an_error_is_refused_with_its_last_words(tmp_path):
    program = "import sys; print('no list', file=sys.stderr); sys.exit(3)"
    said = "ended with exit code 3 before its first guess: no list"
    assert refusal((*PYTHON, program), str(tmp_path), [4, 5]) == said


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("no-such-player", "no program 'no-such-player' is in $PATH"),
        ("./gone", "there is no file './gone'"),
        ("./folder", "'./folder' is a folder"),
        ("./data", "'./data' is not executable"),
    ],
)
def test_a_player_that_cannot_be_started_is_refused_with_the_reason(tmp_path, name, said):
    (tmp_path / "folder").mkdir()
    (tmp_path / "data").write_text("x")
    assert refusal((name,), str(tmp_path), [5]).startswith(f"cannot be started: {said}")


def test_a_folder_that_is_not_there_is_the_reason(tmp_path):
    assert "there is no folder" in refusal(("sh",), str(tmp_path / "gone"), [5])


def test_a_guesser_of_letters_is_shown_a_word_and_told_no_length():
    program = "import sys; line = input(); print(len(line.split()), sys.argv[1:]); sys.exit(line != '_ _ _')"
    assert refusal((*PYTHON, program), None, [3], letters=True) == ""
    ends = "import sys; sys.exit(len(input()))"
    said = "ended with exit code 5 before its first guess"
    assert refusal((*PYTHON, ends), None, [3], letters=True) == said

"""The plain rule against the referee's answers, its laws, and its errors."""

import random

import pytest

from gpulingo.games import positions
from gpulingo.games.catalogue import find_game, hangman
from gpulingo.games.marks import LONGEST, NARROW, fault, feedback, marks, pattern, solved

EXAMPLES = """flower rewolf ??????
flower floflo OOOXXX
elephant eeeeeeee OXOXXXXX
elephant zezeeeee X?X?XXXX
stories element ?XXXXX?
cozies tosses XOXXOO
apathetic arbitrate OXX??X???
essentially pedestaling X?XO?O????X
dents dozes OXX?O"""


@pytest.mark.parametrize("row", EXAMPLES.splitlines())
def test_the_examples_of_the_design(row):
    target, guess, expected = row.split()
    assert feedback(guess, target) == expected


def test_the_referee_of_the_pit_agrees(pit_list):
    rows = [line.split() for line in (pit_list.parent / "vectors.tsv").read_text().splitlines()]
    assert len(rows) == 3000
    assert [row for row in rows if feedback(row[1], row[0]) != row[2]] == []


def test_marks_of_a_letter_count_the_smaller_supply():
    chance = random.Random(2)
    for _ in range(500):
        length = chance.randint(1, 13)
        guess, target = ("".join(chance.choices("abcd", k=length)) for _ in range(2))
        row = feedback(guess, target)
        for letter in "abcd":
            marked = sum(g == letter and mark != "X" for g, mark in zip(guess, row, strict=True))
            assert marked == min(guess.count(letter), target.count(letter))
        assert (row == "O" * length) == (guess == target)


def test_words_of_any_alphabet():
    assert feedback("ёлка", "лёка") == "??OO"


def test_different_lengths_are_refused():
    with pytest.raises(ValueError, match="guess 'abc' has 3 letters, target 'abcd' has 4"):
        feedback("abc", "abcd")


def test_pattern_and_marks_are_twins():
    assert [pattern(text) for text in ("X", "?", "O", "OX", "XO", "OOO")] == [0, 1, 2, 6, 2, 26]
    assert [marks(pattern(text), len(text)) for text in ("OXX?O", "XXXX", "?" * 13)] == [
        "OXX?O",
        "XXXX",
        "?" * 13,
    ]
    assert [pattern(marks(code, 4)) for code in range(81)] == list(range(81))


@pytest.mark.parametrize("text", ["", "XYX", "ox?", "X O", "XX\n"])
def test_marks_of_other_characters_have_no_pattern(text):
    with pytest.raises(ValueError, match="marks"):
        pattern(text)


@pytest.mark.parametrize(("code", "length"), [(-1, 3), (27, 3), (0, 0), (0, -1)])
def test_a_pattern_out_of_range_has_no_marks(code, length):
    with pytest.raises(ValueError, match=r"pattern|length"):
        marks(code, length)


def test_a_fault_is_one_short_line():
    assert fault("XX?XO", 5) == ""
    assert (
        fault("XX", 5) == "marks 'XX' have 2 characters, the word has 5 letters: send one of X?O per letter"
    )
    assert fault("XXAXX", 5) == "marks 'XXAXX' hold 'A' at place 3: use only X?O"
    assert len(fault("\n" * 100_000, 5)) < 200


def test_the_greatest_pattern_is_that_of_all_placed():
    assert [pattern("O" * length) for length in range(1, 14)] == [solved(length) for length in range(1, 14)]
    assert solved(NARROW) < 1 << 31 <= solved(NARROW + 1)
    assert solved(LONGEST) < 1 << 63 <= solved(LONGEST + 1)


@pytest.mark.parametrize(
    ("guess", "target", "shown", "code"),
    [
        ("s", "guess", "___OO", 3),
        ("g", "guess", "O____", 16),
        ("x", "guess", "_____", 0),
        ("a", "aa", "OO", 3),
        ("guess", "guess", "!!!!!", 32),
        ("gauss", "guess", "_____", 0),
    ],
)
def test_a_guess_shows_its_places(guess, target, shown, code):
    assert positions.feedback(guess, target) == shown and positions.pattern(shown) == code
    assert positions.marks(code, len(target)) == shown and positions.fault(shown, len(target)) == ""
    assert (code == positions.solved(len(target))) == (guess == target)


@pytest.mark.parametrize("length", [2, 5, 24])
def test_every_pattern_has_its_text(length):
    for code in (0, 1, 2, (1 << length) - 1, 1 << length):
        assert positions.pattern(positions.marks(code, length)) == code


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("_O?", "positions '_O?' hold '?' at place 3: use only _O"),
        ("_!", "positions '_!' hold '!' at place 2"),
    ],
)
def test_what_is_no_position_is_told(text, said):
    assert positions.fault(text, len(text)).startswith(said)
    assert "have 1 characters, the word has 3 letters" in positions.fault("_", 3)


def test_a_guess_of_another_length_is_told():
    with pytest.raises(ValueError, match="guess 'ab' has 2 letters, target 'abc' has 3: guess one"):
        positions.feedback("ab", "abc")


def test_only_misses_cost_in_hangman():
    game = hangman(3)
    assert [game.left_after(3, code) for code in (0, 1, 5)] == [2, 3, 3]
    assert [game.credits(turn) for turn in (1, 2, 3, 0)] == [1, 1, 1, 0]
    assert game.mean_misses([1, 2, 1], words=6) == (0 + 2 + 2 + 3 * 2) / 6
    fewest = find_game("hangman-misses4")
    assert [fewest.credits(turn) for turn in (1, 4, 0)] == [4, 1, 0]
    assert find_game("lingo").left_after(3, 5) == 2

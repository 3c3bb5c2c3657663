"""The plain rule against the referee's own answers, its laws, and its errors."""

import random
import re

import pytest

from gpulingo.games.catalogue import lingo
from gpulingo.games.marks import ContradictionError, fault, feedback, marks, pattern

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


def test_points_fall_by_100_a_turn():
    assert [lingo().points(turn) for turn in range(6)] == [0, 500, 400, 300, 200, 100]
    assert lingo(6).points(1) == 600
    assert lingo().mean_points([1, 0, 0, 0, 1], 3) == 200


@pytest.mark.parametrize("counts", [[1, 0, 0, 0, 1], [0, 0, 0, 0, 0], [3, 0, 0], [1, 55, 2532, 6449, 1881]])
def test_mean_guesses_are_the_mean_turn_a_lost_word_one_more_than_there_are(counts):
    game, lost = lingo(len(counts)), 488
    words = sum(counts) + lost
    turns = sum(turn * count for turn, count in enumerate(counts, 1)) + (len(counts) + 1) * lost
    assert game.mean_guesses(game.mean_points(counts, words)) == pytest.approx(turns / words, abs=1e-12)
    for turn in (-1, 6):
        with pytest.raises(ValueError, match=re.escape(f"turn {turn} is not in a game of 5 turns")):
            lingo().points(turn)


def test_a_game_is_frozen_and_compares_by_its_turns():
    assert lingo() == lingo(5) != lingo(4)
    assert len({lingo(), lingo(5), lingo(4)}) == 2
    assert repr(lingo()) == "lingo(turns=5)"
    with pytest.raises(AttributeError, match="frozen"):
        lingo().turns = 6
    with pytest.raises(ValueError, match="at least 1"):
        lingo(0)


def test_a_contradiction_is_a_value_error():
    assert issubclass(ContradictionError, ValueError)

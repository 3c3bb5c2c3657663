"""Marks in every form that people use."""

import random

import pytest

from gpulingo.advice.notation import WRITTEN, NotationError, pairs, read_history, read_positions
from gpulingo.games import marks, positions


def test_a_letter_of_hangman_may_stand_for_itself():
    assert read_positions("_O__", "e") == read_positions(".e..", "e") == read_positions("0E00", "e") == "_O__"
    with pytest.raises(NotationError, match="place 3"):
        read_positions("_x?_", "e")


def test_a_history_is_lowered_and_of_one_length():
    assert read_history(["CRANE:X?XXO", "slate:00000"], marks) == [("crane", "X?XXO"), ("slate", "XXXXX")]
    assert read_history(["E:_e__"], positions) == [("e", "_O__")]
    assert read_history(["_ e _ _", "t"], positions) == [("e", "_O__"), ("t", "____")]
    assert read_history(["_ e _ _ t"], positions) == [("e", "_O___"), ("t", "____O")]
    with pytest.raises(NotationError, match=r"5 \(crane\) and 6 \(abcdef\)"):
        read_history(["crane:X?XXO", "abcdef:XXXXXX"], marks)


def test_what_is_no_marks_is_a_word():
    assert pairs("crane goby", marks) == ([], ["crane", "goby"])
    assert pairs("crane gooby", marks) == ([], ["crane", "gooby"])
    assert pairs("12011 10211", marks) == ([], ["12011", "10211"])


def test_no_text_leads_to_another_error():
    chance = random.Random(1)
    signs = [*WRITTEN, "a", ":", "é", "\ufe0f", "\u202e", "<", "\0", " ", "ß", "İ"]
    for _ in range(5000):
        text = "".join(chance.choices(signs, k=chance.randrange(12)))
        for rule in (marks, positions):
            try:
                history = read_history(text.split(), rule)
            except NotationError as error:
                assert "\n" not in str(error)
                continue
            assert all(not rule.fault(row, len(row)) for _, row in history)

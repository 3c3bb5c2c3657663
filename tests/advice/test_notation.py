"""Marks in every form that people use."""

import random
from contextlib import nullcontext

import pytest

from gpulingo.advice.notation import (
    WRITTEN,
    NotationError,
    check_signs,
    pairs,
    read_history,
    read_marks,
    read_positions,
)
from gpulingo.games import marks, positions
from gpulingo.games.counts import Counts


@pytest.mark.parametrize(
    "text",
    [
        "X?XXO",
        "x?xxo",
        "BYBBG",
        "byBbG",
        "01002",
        "-?--O",
        ".1..2",
        "⬛🟨⬛⬛🟩",
        "⬜🟦⬜⬜🟧",
        "⬛️🟨⬛️⬛️🟩️",
        "⚫🟡⚫⚪🟢",
        "🖤💛🤍🖤💚",
        "\u2067⬛🟦⬛⬛🟧\u2069",
    ],
)
def test_every_form_says_the_same(text):
    assert read_marks(text, "crane") == "X?XXO"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("X?XX", "are 4, it has 5 letters"),
        ("X?XXOO", "are 6, it has 5 letters"),
        ("X?X!O", "hold '!' at place 4"),
        ("⬛🟥⬛⬛🟩", "hold '🟥' at place 2"),
        ("", "are 0"),
    ],
)
def test_what_is_no_row_of_marks_is_told_in_a_line(text, told):
    with pytest.raises(NotationError) as raised:
        read_marks(text, "crane")
    assert told in str(raised.value) and "\n" not in str(raised.value)


def test_a_letter_of_hangman_may_stand_for_itself():
    assert read_positions("_O__", "e") == read_positions(".e..", "e") == read_positions("0E00", "e") == "_O__"
    with pytest.raises(NotationError, match="place 3"):
        read_positions("_x?_", "e")


def test_a_history_is_lowered_and_of_one_length():
    assert read_history(["CRANE:X?XXO", "slate:00000"], marks) == [("crane", "X?XXO"), ("slate", "XXXXX")]
    assert read_history(["E:_e__"], positions) == [("e", "_O__")]
    with pytest.raises(NotationError, match=r"5 \(crane\) and 6 \(abcdef\)"):
        read_history(["crane:X?XXO", "abcdef:XXXXXX"], marks)


ROUND = [("crane", "X?XXO"), ("slate", "XXXXX")]


@pytest.mark.parametrize(
    ("text", "rule", "read"),
    [
        ("crane:X?XXO slate:XXXXX", marks, ROUND),
        ("crane X?XXO slate bbbbb", marks, ROUND),
        ("crane=x?xxo, slate=00000", marks, ROUND),
        ("CRANE ⬛🟨⬛⬛🟩 SLATE ⬛⬛⬛⬛⬛", marks, ROUND),
        ("⬛🟨⬛⬛🟩 CRANE ⬛⬛⬛⬛⬛ SLATE", marks, ROUND),
        ("crane: B Y B B G slate B B B B B", marks, ROUND),
        (
            "crane :black_large_square::large_yellow_square::white_large_square::BLACK_CIRCLE::green_heart: "
            "slate XXXXX",
            marks,
            ROUND,
        ),
        ("oxo xxo", marks, [("oxo", "XXO")]),
        ("_ E _ _", positions, [("e", "_O__")]),
        ("_e_t", positions, [("e", "_O__"), ("t", "___O")]),
        ("e: _ e _ _ n=____ t ...O", positions, [("e", "_O__"), ("n", "____"), ("t", "___O")]),
        ("1123 2,1, 1415=2b0w", Counts(), [("1123", "2,1"), ("1415", "2,0")]),
    ],
)
def test_a_guess_and_its_marks_are_joined_or_apart(text, rule, read):
    assert read_history([text], rule) == read_history(text.split(), rule) == read


def test_what_is_no_marks_is_a_word():
    assert pairs("crane goby", marks) == ([], ["crane", "goby"])
    assert pairs("crane gooby", marks) == ([], ["crane", "gooby"])
    assert pairs("12011 10211", marks) == ([], ["12011", "10211"])


@pytest.mark.parametrize("part", ["crane", "crane:", ":XXXXX", "cr4ne:XXXXX", "", "::", "<b>:XXX"])
def test_what_is_no_guess_with_marks_is_refused(part):
    with pytest.raises(NotationError):
        read_history([part], marks)


@pytest.mark.parametrize(
    ("text", "strange"),
    [
        ("well done ❤️❤️ 🎉\n🟩🟩", ""),
        ("🟩🟥⬛", "🟥 (large red square) in '🟩🟥⬛'"),
        ("🟥🟥🟥", "🟥 (large red square)"),
        ("🟩🟩🎉", "🎉 (party popper)"),
        (":large_green_square::large_red_square:", ":large_red_square: in"),
    ],
)
def test_a_picture_in_a_row_that_is_no_mark_is_named(text, strange):
    with pytest.raises(NotationError) if strange else nullcontext() as raised:
        check_signs(text)
    assert not strange or str(raised.value).startswith(strange)


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

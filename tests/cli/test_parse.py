"""Numbers on the command line: valid and invalid texts, and formatting them again."""

import pytest

from gpulingo.cli.parse import parsed_lengths, parsed_numbers, parsed_widths, widths_text
from gpulingo.words.listing import numbers_text


@pytest.mark.parametrize(
    ("text", "lengths"),
    [
        ("5", [5]),
        ("4-6", [4, 5, 6]),
        ("4,6-8", [4, 6, 7, 8]),
        ("13,4", [13, 4]),
        ("5-5", [5]),
        ("5,4-6,5", [5, 4, 6]),
        (" 4 - 5 , 7", [4, 5, 7]),
        ("1-39", list(range(1, 40))),
    ],
)
def test_lengths_are_numbers_and_ranges(text, lengths):
    assert parsed_lengths(text) == lengths


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "'' is not a length: write lengths as 5, 4-13 or 4,6-8"),
        ("five", "'five' is not a length"),
        ("5,", "'5,' is not a length"),
        ("4-", "'4-' is not a length"),
        ("-4", "'-4' is not a length"),
        ("4-5-6", "'4-5-6' is not a length"),
        ("5.0", "'5.0' is not a length"),
        ("٥", "'٥' is not a length"),
        ("9" * 20, f"'{'9' * 20}' is not a length"),
        ("13-4", "'13-4' has a range from 13 to 4: write the smaller length first"),
        ("0", "'0' has lengths outside 1 to 39"),
        ("4-40", "'4-40' has lengths outside 1 to 39"),
    ],
)
def test_other_texts_are_refused(text, said):
    with pytest.raises(ValueError) as caught:
        parsed_lengths(text)
    assert str(caught.value).startswith(f"--length: {said}")


@pytest.mark.parametrize("text", ["5", "4-13", "4,6-8,10"])
def test_the_text_of_numbers_reads_back(text):
    assert numbers_text(parsed_numbers(text, "length", 1, 39)) == text


@pytest.mark.parametrize("text", ["5:50", "5:50,4:20,3:10"])
def test_the_text_of_widths_reads_back(text):
    assert widths_text(parsed_widths(text, 5)) == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("50", "'50': write turns left, 3 to 5, and guesses, for example 5:50,4:20,3:10"),
        ("6:50", "'6:50': write turns left, 3 to 5"),
        ("2:50", "'2:50': write turns left, 3 to 5"),
        ("3:0", "'3:0': write turns left, 3 to 5"),
        ("4:" + "9" * 5000, f"'4:{'9' * 38}': write turns left, 3 to 5"),
        ("9" * 5000 + ":4", f"'{'9' * 40}': write turns left, 3 to 5"),
        ("3:1,3:2", "'3:1,3:2' has 3 turns left twice: name each once"),
    ],
)
def test_other_widths_are_refused(text, said):
    with pytest.raises(ValueError) as caught:
        parsed_widths(text, 5)
    assert str(caught.value).startswith(said)

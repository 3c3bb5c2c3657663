"""Words shown in part, and the letters named in lines."""

import pytest

from gpulingo.words.shown import answer_of, named_letter, parsed_shown, shown, shown_line


def test_a_line_is_read_as_it_was_written():
    for word, letters, text in (("fish", "", "____"), ("fish", "ie", "_i__"), ("all", "la", "all")):
        assert shown(word, letters) == text
        assert parsed_shown(shown_line(text)) == parsed_shown(f" {text.upper()}\t") == text


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("", "the line is empty"),
        ("_ 1 _", "'_ 1 _' holds '1'"),
        ("f-i.", "'f-i.' holds '.'"),
    ],
)
def test_a_line_that_shows_no_word_is_refused(line, said):
    with pytest.raises(ValueError) as told:
        parsed_shown(line)
    assert str(told.value) == said


@pytest.mark.parametrize(
    ("line", "letter"),
    [
        ("I guess the letter 'e'.", "e"),
        ('I guess the letter "E"', "e"),
        ("I'm guessing `x`", "x"),
        ("my guess is \u2018q\u2019 of 'q'", "q"),
        ("I", "i"),
        ("letter: I", "i"),
        ("is it an é?", "é"),
        ("", ""),
        ("I wonder", ""),
        ("'a' or 'b'", ""),
        ("_ i _ _", ""),
        ("'5'", ""),
        ("guess", ""),
    ],
)
def test_the_letter_that_a_line_names(line, letter):
    assert named_letter(line) == letter


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("I guess the letter 'e'.", "e"),
        ("I'm out of guesses", "out of guesses"),
        ("I AM OUT OF GUESSES.", "out of guesses"),
        ("I guessed your word: fish", "guessed your word"),
        ("Hello", ""),
        ("", ""),
    ],
)
def test_what_a_line_says(line, answer):
    assert answer_of(line) == answer

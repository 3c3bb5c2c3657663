"""A word of hangman with a guesser that says what is written here."""

import pytest

from gpulingo.match.letter_round import MOST_CHATTER, answer_of, play_letters
from gpulingo.match.referee import PlayerError


def played(word, lives, lines):
    """The transcript, what the player heard and the log, of one that says some lines and has then gone."""
    rest, heard, told = iter(lines), [], []

    def say():
        line = next(rest, None)
        if line is None:
            raise PlayerError("it has ended")
        return line

    transcript = play_letters(word, lives, say=say, hear=heard.append, tell=told.append)
    return transcript, heard, told


def test_a_word_is_shown_letter_by_letter_until_it_is_won():
    lines = [
        "I guess the letter 'i'.",
        "I guess the letter 'e'.",
        "s",
        "Is it H?",
        "f",
        "I guessed your word",
    ]
    transcript, heard, told = played("fish", 6, [*lines[:3], "letter: h", *lines[4:]])
    assert heard == ["_ _ _ _", "_ i _ _", "_ i _ _", "_ i s _", "_ i s h", "f i s h"]
    assert (transcript.guesses, transcript.misses) == (("i", "e", "s", "h", "f"), 1)
    assert (transcript.won, transcript.ended, transcript.error) == (True, True, "")
    assert told[:3] == [
        "Starting new round, word is fish",
        "Sent:  _ _ _ _",
        "Got:   I guess the letter 'i'.",
    ]
    assert told[-1] == "Round won with 1 misses"


def test_a_guess_that_shows_nothing_new_is_a_miss_also_one_made_before():
    transcript, heard, told = played("fish", 3, ["i", "i", "e", "e", "I'm out of guesses", "x"])
    assert heard == ["_ _ _ _", *["_ i _ _"] * 4]
    assert (transcript.won, transcript.misses, transcript.repeated) == (False, 3, 2)
    assert transcript.ended and not transcript.error and told[-1] == "Round lost"


@pytest.mark.parametrize(
    ("lines", "error", "fault", "ended"),
    [
        ([], "it has ended", "crash", False),
        (["i"], "it has ended", "crash", False),
        (["i", "I'm out of guesses"], "it says that it is out of guesses after 0 misses", "", True),
        (
            ["z", "I guessed your word!"],
            "it says that it has guessed the word, of which 4 letters are not shown",
            "",
            True,
        ),
        (
            ["i", *["well"] * MOST_CHATTER],
            f"{MOST_CHATTER} lines in a row name no letter, the last is 'well'",
            "crash",
            False,
        ),
    ],
)
def test_a_player_that_does_not_go_on_has_lost(lines, error, fault, ended):
    transcript, _, _ = played("fish", 6, lines)
    assert (transcript.won, transcript.error, transcript.fault, transcript.ended) == (
        False, error, fault, ended,
    )  # fmt: skip


def test_chatter_before_a_guess_is_passed_over():
    lines = ["Welcome!", "", "_ _ _", "i", "I think...", "'t'", "I guessed the word: it"]
    transcript, _, _ = played("it", 1, lines)
    assert (transcript.won, transcript.guesses, transcript.ended) == (True, ("i", "t"), True)


def test_a_last_line_that_is_missing_or_another_costs_nothing():
    for last in ([], ["x"], ["and now?"]):
        transcript, _, _ = played("it", 1, ["i", "t", *last])
        assert (transcript.won, transcript.ended, transcript.error) == (True, False, "")


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("I guess the letter 'e'.", "e"),
        ("I'm out of guesses", "out of guesses"),
        ("I AM OUT OF GUESSES.", "out of guesses"),
        ("I guessed your word: fish", "guessed your word"),
        ("i guessed the word", "guessed your word"),
        ("Hello", ""),
        ("", ""),
    ],
)
def test_what_a_line_says(line, answer):
    assert answer_of(line) == answer

"""Which words fit, by the plain rule; and the messages if none does."""

import random

import pytest

from gpulingo.advice.notation import contradiction, fitting, readings
from gpulingo.advice.outlook import EXACT
from gpulingo.advice.round import Review, Round, SetValue, Turn
from gpulingo.advice.sentences import turn_rows
from gpulingo.games import marks, positions
from gpulingo.games.catalogue import hangman
from gpulingo.games.counts import Common, Counts

WORDS = ["crane", "crate", "trace", "slate", "eerie", "geese", "llama", "annal", "abbey"]


@pytest.mark.parametrize("seed", range(6))
def test_those_that_fit_are_those_of_the_plain_rule(seed):
    chance = random.Random(seed)
    letters = "abcde"
    words = list(dict.fromkeys("".join(chance.choices(letters, k=4)) for _ in range(200)))
    target = chance.choice(words)
    history = [(guess, marks.feedback(guess, target)) for guess in chance.sample(words, 3)]
    expected = [word for word in words if all(marks.feedback(g, word) == row for g, row in history)]
    assert fitting(words, history, marks) == expected and target in expected


def test_a_letter_that_is_absent_once_and_placed_once_is_not_ruled_out():
    # The second e of eerie is absent only because the word has fewer copies: crane has one e.
    history = [("eerie", marks.feedback("eerie", "crane"))]
    assert "crane" in fitting(WORDS, history, marks)


def test_letters_of_hangman_are_placed_at_all_their_places():
    assert fitting(["noon", "moon", "soap"], [("o", "_OO_")], positions) == ["noon", "moon"]
    assert fitting(["noon", "moon", "soap"], [("n", "____")], positions) == ["soap"]


def test_letters_that_mean_something_in_expressions_are_letters():
    assert fitting(["dé", "da"], [("da", "OX")], marks) == ["dé"]


def test_a_letter_that_is_everywhere_is_shown_by_the_rule_of_the_game():
    seen = contradiction(["ee"], [("e", "OO"), ("e", "__")], hangman())
    assert seen.startswith("no word fits: guess 2, e __, rules out the word")
    seen = contradiction(["abcd"], [("e", "OOOO")], hangman())
    assert seen.startswith("no word fits: guess 1, e OOOO, rules out every word")
    turn = Turn("e", "OOOO", SetValue(1, 1, 1, EXACT, "e"), 1, SetValue(1, 1, 1, EXACT), hangman())
    assert turn_rows(Review(Round([("e", "OOOO")]), hangman(), [turn], "found"))[0]["marks"] == "OOOO"


def test_one_other_mark_that_words_fit_is_found():
    history = [("crane", "OOXXO"), ("slate", "XXXXO")]  # without the a of crane placed
    found = readings(WORDS, history, marks)
    assert found == []  # both guesses contradict it: correcting a single mark does not suffice
    history = [("crane", "OOXXO")]
    assert [(own.turn, own.place, own.marks, own.words) for own in readings(WORDS, history, marks)] == [
        (1, 3, "OOOXO", 1)  # crate
    ]


def test_a_reading_that_ends_the_round_too_early_is_none():
    history = [("crane", "OOOXO"), ("slate", "XXOXO")]
    assert readings(["crane"], history, marks) == []  # it would have ended the round
    assert [own.marks for own in readings(["crane"], history[::-1], marks)] == ["OOOOO"]
    letters = [("o", "_OO_"), ("n", "O___"), ("z", "____")]
    assert readings(["noon"], letters, positions) == []
    assert [own.marks for own in readings(["noon"], letters[:2], positions)] == ["O__O"]


def test_counts_of_ten_and_more_are_read_again_one_by_one():
    rule, word = Counts(), "abcdefghijkl"
    (one,) = readings([word], [("abcdefghijlm", "9,1")], rule)
    assert (one.turn, one.marks, one.words) == (1, rule.feedback("abcdefghijlm", word), 1) == (1, "10,1", 1)
    assert [own.marks for own in readings(["tales"], [("steal", "4")], Common())] == ["5"]

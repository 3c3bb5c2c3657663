"""Which words fit, by the plain rule on random words; a letter that is everywhere, as reviews show it."""

import random

import pytest

from gpulingo.advice.notation import fitting
from gpulingo.advice.outlook import EXACT
from gpulingo.advice.review_text import turn_rows
from gpulingo.advice.round import Review, Round, SetValue, Turn
from gpulingo.games import marks
from gpulingo.games.catalogue import hangman


@pytest.mark.parametrize("seed", range(6))
def test_those_that_fit_are_those_of_the_plain_rule(seed):
    chance = random.Random(seed)
    letters = "abcde"
    words = list(dict.fromkeys("".join(chance.choices(letters, k=4)) for _ in range(200)))
    target = chance.choice(words)
    history = [(guess, marks.feedback(guess, target)) for guess in chance.sample(words, 3)]
    expected = [word for word in words if all(marks.feedback(g, word) == row for g, row in history)]
    assert fitting(words, history, marks) == expected and target in expected


def test_a_letter_that_is_everywhere_is_shown_by_the_rule_of_the_game():
    turn = Turn("e", "OOOO", SetValue(1, 1, 1, EXACT, "e"), 1, SetValue(1, 1, 1, EXACT), hangman())
    assert turn_rows(Review(Round([("e", "OOOO")]), hangman(), [turn], "found"))[0]["marks"] == "OOOO"

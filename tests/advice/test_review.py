"""Values of a round in the unit of its game, and the signs of loss and luck."""

from fractions import Fraction

import pytest

from gpulingo.advice.outlook import EXACT
from gpulingo.advice.round import Review, Round, SetValue, Turn, shown
from gpulingo.games.catalogue import find_game
from gpulingo.games.units import unit_of


@pytest.mark.parametrize(
    ("game", "credits", "weight", "value", "name"),
    [
        ("lingo", 7, 2, Fraction(350), "points"),
        ("wordle", 7, 2, Fraction(7, 2), "guesses"),
        ("hangman", 1, 3, Fraction(100, 3), "won, %"),
        ("hangman-misses", 7, 2, Fraction(5, 2), "misses"),
        ("wordle-found", 1, 2, Fraction(50), "won, %"),
        ("wordle-lost", (1 << 24) + 5, 2, Fraction(9, 2), "guesses"),
    ],
)
def test_credits_are_shown_in_the_unit_of_the_game(game, credits, weight, value, name):
    assert shown(find_game(game), credits, weight) == value
    assert unit_of(find_game(game)).short == name


@pytest.mark.parametrize(("game", "scale"), [("lingo", 100), ("wordle", 1)])
def test_what_is_good_is_luck_above_nothing_and_what_is_bad_a_loss_above_nothing(game, scale):
    rules = find_game(game)
    before, after = SetValue(12, 4, 4, EXACT, "dents"), SetValue(4, 1, 1, EXACT, "reads")
    turn = Turn("dozes", "?XX?O", before, 10, after, rules)
    assert turn.lost == scale * Fraction(1, 2)
    assert turn.luck == scale * Fraction(3, 2)
    reviewed = Review(Round([("dozes", "?XX?O")]), rules, [turn], "open")
    assert (reviewed.lost, reviewed.luck) == (turn.lost, turn.luck)
    assert reviewed.balanced


def test_turns_that_do_not_follow_each_other_are_not_balanced():
    before, after = SetValue(12, 4, 4, EXACT), SetValue(4, 1, 1, EXACT)
    rules = find_game("lingo")
    turns = [
        Turn("dozes", "?XX?O", before, 10, after, rules),
        Turn("reads", "OOOOO", before, 10, after, rules),
    ]
    played = Round([("dozes", "?XX?O"), ("reads", "OOOOO")])
    assert not Review(played, rules, turns, "found").balanced

"""Games as data: points and guesses, and choices that there are not."""

import copy
import pickle
import re
from dataclasses import FrozenInstanceError

import pytest

from gpulingo.games.catalogue import feedback_of, lingo
from gpulingo.games.game import CHOICES, Game


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


@pytest.mark.parametrize("words", [1, 7, 2315, 50655])
def test_credits_come_back_from_their_mean_points(words):
    assert lingo(6).total_guesses(lingo(6).points_of(7 * words - 3, words), words) == 3
    for value in (0, 1, words + 1, 3 * words + words // 2, 6 * words, 9 * lingo().seeking("lost").bonus + 30):
        assert lingo().value_of(lingo().points_of(value, words), words) == value


def test_a_game_is_frozen_and_compares_by_its_turns():
    assert lingo() == lingo(5) != lingo(4)
    assert len({lingo(), lingo(5), lingo(4)}) == 2
    assert repr(lingo()) == "<Game lingo5>"
    with pytest.raises(FrozenInstanceError):
        lingo().turns = 6
    with pytest.raises(ValueError, match="turns is 0, expected 1 to 255"):
        lingo(0)


def test_credits_fall_by_one_a_turn_and_a_value_is_points_over_all_words():
    assert [lingo().credits(turn) for turn in range(6)] == [0, 5, 4, 3, 2, 1]
    assert lingo().points_of(7, 2) == 350
    assert lingo().rises_by_one and not Game("flat", 3, (0, 1, 1, 1)).rises_by_one


def test_an_objective_is_a_payoff_and_a_name():
    lost, found = lingo(4).seeking("lost"), lingo(4).seeking("found")
    assert (lost.code, found.code) == ("lingo-lost4", "lingo-found4")
    assert found.payoff == (0, 1, 1, 1, 1) and found.terms == (1, 0)
    assert lost.terms == (lost.bonus, 1) and lost.bonus > 255 * 50_000
    assert lost.plain.payoff == found.plain.payoff == lingo(4).payoff
    assert (lingo().terms, Game("odd", 3, (0, 1, 2, 4)).terms) == ((0, 1), None)
    with pytest.raises(ValueError, match="objective is 'mean': use lost or found"):
        lingo().seeking("mean")


def test_a_feedback_that_there_is_not_is_refused_where_its_rule_is_asked_for():
    game = Game("chess", 3, range(4), feedback="checks")
    with pytest.raises(ValueError, match=r"^feedback is 'checks': use marks or positions or counts or"):
        feedback_of(game)


@pytest.mark.parametrize("field", CHOICES)
def test_a_choice_that_there_is_not_is_refused_with_those_that_there_are(field):
    for choice in CHOICES[field]:
        fields = {field: choice} | ({"given": "letter"} if choice == "start" else {})
        assert getattr(Game("odd", 3, range(4), **fields), field) == choice
    names = " or ".join(choice for choice in CHOICES[field] if choice)
    with pytest.raises(ValueError, match=f"^{field} is 'odd': use {names}$"):
        Game("odd", 3, range(4), **{field: "odd"})


def test_guesses_cannot_begin_with_a_letter_that_is_not_given():
    with pytest.raises(
        ValueError, match="legal is 'start' and no letter is given: make it of given='letter'"
    ):
        Game("odd", 3, range(4), legal="start")


def test_a_payoff_has_a_value_for_each_number_of_turns_left_and_for_a_lost_word():
    with pytest.raises(ValueError, match="payoff has 3 values, expected 4: of 0 to 3 left"):
        Game("odd", 3, range(3))


def test_a_game_can_be_copied_and_sent_elsewhere():
    game = Game("odd", 3, (0, 1, 2, 2), legal="candidates")
    for other in (copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert other == game and repr(other) == repr(game)

"""Games by name: the code of a game finds it again; for other names the error lists those that exist."""

import pickle
from dataclasses import FrozenInstanceError

import pytest

from gpulingo.games.catalogue import (
    BY_NAME,
    feedback_of,
    find_game,
    is_known,
    lingo,
)


def test_the_code_of_a_game_finds_it():
    for name in [*BY_NAME, "wordle-from3-hard", "lingo-from12-hard-lost"]:
        game = find_game(name)
        assert game.name == name and is_known(game)
        assert find_game(game.code) == find_game(name, game.turns) == game
        assert find_game(f"{name}7") == find_game(name, 7) and find_game(name, 7).turns == 7
        assert feedback_of(game).solved(3) > 0


def test_a_rule_and_an_objective_make_one_name_in_any_order():
    wanted = find_game("wordle-hard-lost4")
    assert (
        find_game("wordle-lost4").under("hard")
        == wanted
        == find_game("wordle4").under("hard").seeking("lost")
    )


def test_hard_mode_may_begin_on_a_later_turn():
    game = find_game("wordle-from3-hard-lost4")
    assert (game.legal, game.since, game.ruled_left, game.code) == ("hard", 3, 2, "wordle-from3-hard-lost4")
    assert game == find_game("wordle-lost4").under("from3-hard") == pickle.loads(pickle.dumps(game))
    assert game != find_game("wordle-hard-lost4") and game.payoff == find_game("wordle-lost4").payoff
    assert (find_game("wordle-hard").rule, game.rule) == ("hard", "from3-hard")
    assert find_game("lingo-from6-hard").ruled_left == 0  # no turn of five


@pytest.mark.parametrize("counts", [[1, 0, 0, 0, 1], [0, 0, 0, 0, 0], [3, 0, 0], [1, 55, 2532, 6449, 1881]])
def test_mean_guesses_are_the_mean_turn_a_lost_word_one_more_than_there_are(counts):
    game, lost = lingo(len(counts)), 488
    words = sum(counts) + lost
    turns = sum(turn * count for turn, count in enumerate(counts, 1)) + (len(counts) + 1) * lost
    assert game.mean_guesses(game.mean_points(counts, words)) == pytest.approx(turns / words, abs=1e-12)


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


def test_an_objective_is_a_payoff_and_a_name():
    lost, found = lingo(4).seeking("lost"), lingo(4).seeking("found")
    assert lost.terms == (lost.bonus, 1) and lost.bonus > 255 * 50_000
    assert lost.plain.payoff == found.plain.payoff == lingo(4).payoff

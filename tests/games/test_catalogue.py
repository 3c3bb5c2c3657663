"""Games by name: the code of a game finds it again; for other names the error lists those that exist."""

import pickle
import re
from dataclasses import FrozenInstanceError

import pytest

from gpulingo.games.catalogue import (
    BY_NAME,
    HOSTED,
    MOST_TURNS,
    UnknownGameError,
    feedback_of,
    find_game,
    is_known,
    legal_after,
    lingo,
    usual_targets,
    wordle,
)
from gpulingo.games.game import CHOICES, Game


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


@pytest.mark.parametrize(
    ("code", "turns", "said"),
    [
        ("lingo6", 5, "game lingo6 has 6 turns, asked for are 5: name one number"),
        ("lingo0", None, "game lingo0 of 0 turns, expected 1 to 255"),
        ("lingo" + "9" * 5000, None, "game lingo of 5000 digits, expected 1 to 255 turns"),
        ("lingo", MOST_TURNS + 1, "game lingo of 256 turns, expected 1 to 255"),
    ],
)
def test_turns_that_cannot_be_are_refused(code, turns, said):
    with pytest.raises(ValueError, match=f"^{said}$"):
        find_game(code, turns)
    assert find_game("lingo6", 6) == lingo(6)


@pytest.mark.parametrize(("name", "opponent"), [("absurdle", "largest"), ("evil-wordle", "adversary")])
def test_a_game_with_a_host_is_none_of_those_whose_words_are_drawn(name, opponent):
    game = HOSTED[name]()
    assert (game.name, game.opponent, game.turns, usual_targets(game)) == (name, opponent, 255, "answers")
    with pytest.raises(UnknownGameError, match=f"^{name} is played .* name it by opponent {opponent}$"):
        find_game(name)


@pytest.mark.parametrize(
    ("guess", "marks", "word", "hard", "consistent"),
    [
        ("sleet", "OX?XX", "story", False, False),  # the e is missing
        ("sleet", "OX?XX", "agree", False, False),  # the s has moved
        ("sleet", "OX?XX", "spree", True, False),  # two e, although one was absent
        ("sleet", "OX?XX", "sleet", True, False),  # absent and misplaced letters may be repeated
        ("sleet", "OX?XX", "shone", True, True),
        ("eerie", "??XXX", "beech", True, False),  # the second e was misplaced there
        ("eerie", "??XXX", "house", False, False),  # one e of two
        ("eerie", "XXXXX", "eerie", True, False),
    ],
)
def test_what_marks_allow_to_be_guessed(guess, marks, word, hard, consistent):
    assert legal_after(wordle(), guess, marks, word)
    assert legal_after(find_game("wordle-hard"), guess, marks, word) == hard
    assert legal_after(find_game("wordle-consistent"), guess, marks, word) == consistent


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


def test_an_objective_is_a_payoff_and_a_name():
    lost, found = lingo(4).seeking("lost"), lingo(4).seeking("found")
    assert (lost.code, found.code) == ("lingo-lost4", "lingo-found4")
    assert found.payoff == (0, 1, 1, 1, 1) and found.terms == (1, 0)
    assert lost.terms == (lost.bonus, 1) and lost.bonus > 255 * 50_000
    assert lost.plain.payoff == found.plain.payoff == lingo(4).payoff
    assert (lingo().terms, Game("odd", 3, (0, 1, 2, 4)).terms) == ((0, 1), None)
    with pytest.raises(ValueError, match="objective is 'mean': use lost or found"):
        lingo().seeking("mean")


@pytest.mark.parametrize("field", CHOICES)
def test_a_choice_that_there_is_not_is_refused_with_those_that_there_are(field):
    for choice in CHOICES[field]:
        fields = {field: choice} | ({"given": "letter"} if choice == "start" else {})
        assert getattr(Game("odd", 3, range(4), **fields), field) == choice
    names = " or ".join(choice for choice in CHOICES[field] if choice)
    with pytest.raises(ValueError, match=f"^{field} is 'odd': use {names}$"):
        Game("odd", 3, range(4), **{field: "odd"})


def test_a_payoff_has_a_value_for_each_number_of_turns_left_and_for_a_lost_word():
    with pytest.raises(ValueError, match="payoff has 3 values, expected 4: of 0 to 3 left"):
        Game("odd", 3, range(3))

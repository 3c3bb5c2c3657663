"""Games by name: the code of a game finds it again, other names are refused with those that there are."""

import pickle
import re

import pytest

from gpulingo.games.catalogue import (
    BY_NAME,
    HOSTED,
    MOST_TURNS,
    UnknownGameError,
    feedback_of,
    find_game,
    forbidding,
    is_known,
    legal_after,
    lingo,
    usual_targets,
    wordle,
)


@pytest.mark.parametrize("name", [*BY_NAME, "wordle-from3-hard", "lingo-from12-hard-lost"])
def test_the_code_of_a_game_finds_it(name):
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


def test_before_its_turn_a_rule_forbids_nothing_and_then_it_is_asked_of_all_hints():
    game, shown = find_game("wordle-from3-hard"), [("sleet", "OX?XX"), ("mouth", "XXXXX")]
    for word, allowed in (("spree", True), ("story", False)):
        assert forbidding(game, shown[:1], word) is None
        assert forbidding(game, shown, word) == (None if allowed else shown[0])
        assert forbidding(game, shown[:1], word, turn=3) == (None if allowed else shown[0])
        assert forbidding(find_game("wordle-hard"), shown[:1], word) == (None if allowed else shown[0])


@pytest.mark.parametrize(
    "code",
    [
        "boggle",
        "",
        "lingo-from2-hard",
        "lingo-from3-consistent",
        "hangman-from3-hard",
        "lingo-from3-hard-most",
        "lingo-from3-hardXlost",
        "lingo-from03-hard",
        "lingo-from256-hard",
        "5",
        "Lingo",
        "lingo5 ",
        "x" * 100,
    ],
)
def test_a_game_that_there_is_not_is_refused_with_those_that_there_are(code):
    said = "use lingo, wordle, absurdle, evil-wordle, hangman, mastermind, bulls-and-cows, black-pegs, jotto"
    seen = re.escape(f"no game {code[:40]!r}: ")
    with pytest.raises(UnknownGameError, match=f"^{seen}(did you mean .*[?] )?{re.escape(said)}$"):
        find_game(code)


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
    with pytest.raises(UnknownGameError, match=f"^{name} is played .* name it by --opponent {opponent}$"):
        find_game(name)


def test_a_rule_for_guesses_is_part_of_the_name_and_changes_nothing_else():
    hard, consistent = find_game("wordle-hard"), find_game("wordle-consistent", 4)
    assert (hard.code, hard.legal, hard.payoff, hard.shown) == (
        "wordle-hard6",
        "hard",
        wordle().payoff,
        "guesses",
    )
    assert (consistent.code, consistent.legal) == ("wordle-consistent4", "consistent")
    assert hard != wordle() and find_game("lingo-hard").legal == "hard"


@pytest.mark.parametrize(
    ("guess", "marks", "word", "hard", "consistent"),
    [
        ("sleet", "OX?XX", "story", False, False),  # the e is not held
        ("sleet", "OX?XX", "agree", False, False),  # the s has moved
        ("sleet", "OX?XX", "spree", True, False),  # two e, though one was absent
        ("sleet", "OX?XX", "sleet", True, False),  # absent and misplaced letters may be used again
        ("sleet", "OX?XX", "shone", True, True),
        ("eerie", "??XXX", "beech", True, False),  # where the second e was misplaced
        ("eerie", "??XXX", "house", False, False),  # one e of two
        ("eerie", "XXXXX", "eerie", True, False),
    ],
)
def test_what_marks_allow_to_be_guessed(guess, marks, word, hard, consistent):
    assert legal_after(wordle(), guess, marks, word)
    assert legal_after(find_game("wordle-hard"), guess, marks, word) == hard
    assert legal_after(find_game("wordle-consistent"), guess, marks, word) == consistent

"""Reviews as rows, sentences, objects and means."""

from dataclasses import replace
from fractions import Fraction

import pytest

from gpulingo.advice.outlook import EXACT, PLAYED
from gpulingo.advice.round import Review, Round, SetValue, Turn
from gpulingo.advice.sentences import (
    Mean,
    entry,
    mean_rows,
    sentences,
    summary_entry,
    turn_rows,
    unread_text,
)
from gpulingo.games.catalogue import find_game
from gpulingo.words.levels import unfit_words


def reviewed(game="lingo", chosen=10, line=0):
    """A round of two guesses."""
    start, then = SetValue(12, 4, 4, PLAYED, "dents"), SetValue(7, 2, 2, EXACT, "reads")
    turns = [
        Turn("dozes", "?XX?O", start, chosen, then, find_game(game)),
        Turn("reads", "OOOOO", then, 7, SetValue(4, 1, 1, EXACT), find_game(game)),
    ]
    played = Round([(turn.guess, turn.marks) for turn in turns])
    played.line = line
    return Review(played, find_game(game), turns, "found")


def test_an_unfit_word_is_named_as_best_only_to_who_guessed_it():
    unfit = min(unfit_words(5))
    own = reviewed()
    turn = replace(own.turns[0], before=replace(own.turns[0].before, best=unfit))
    assert turn_rows(replace(own, turns=[turn]))[0]["best"] == "(unfit word)"
    assert turn_rows(replace(own, turns=[replace(turn, guess=unfit)]))[0]["best"] == unfit


def test_a_row_has_what_was_expected_lost_and_given():
    first, second = turn_rows(reviewed())
    assert list(first.values()) == [
        "1", "dozes", "YBBYG", "4", "2", "300.000", "played out", "dents", "250.000", "cost 50.000",
        "gained 100.000",
    ]  # fmt: skip
    assert (second["choice"], second["luck"], second["left"], second["after"]) == (
        "cost 0.000", "gained 50.000", "2", "1",
    )  # fmt: skip


@pytest.mark.parametrize(("game", "text"), [("lingo", "gained 25.000"), ("wordle", "saved 0.250")])
def test_a_choice_better_than_the_best_known_gained_or_saved_and_says_so(game, text):
    own = reviewed(game, chosen=13)
    assert turn_rows(own)[0]["choice"] == text and f"Your choices {text}" in sentences(own)[0]
    assert "better than the best guess that was known" in sentences(own)[-1]
    assert not any("better than" in line for line in sentences(reviewed(game)))


@pytest.mark.parametrize(
    ("game", "words", "sum_"),
    [
        (
            "lingo",
            "300.000. Your choices cost 50.000, good luck gained 150.000: 400 points.",
            "300.000 - 50.000 + 150.000 = 400.000 (points; found on guess 2)",
        ),
        (
            "wordle",
            "4.000. Your choices cost 0.500, good luck saved 1.500: 3 guesses.",
            "4.000 + 0.500 - 1.500 = 3.000 (guesses; found on guess 2)",
        ),
    ],
)
def test_the_sum_is_told_in_words_and_written_out_with_the_signs_of_the_unit(game, words, sum_):
    lines = sentences(reviewed(game))
    assert lines[:2] == [f"Best known play averages {words}", sum_]
    assert [line.partition(":")[0] for line in lines[2:]] == ["exact", "played out"]
    assert max(map(len, lines)) <= 100


@pytest.mark.parametrize(
    ("game", "state", "credits", "told"),
    [
        ("wordle", "found", 6, "1 guess"),
        ("wordle", "lost", 0, "lost, counted as 7 guesses"),
        ("wordle", "open", 3, "4.000 guesses expected"),
        ("lingo", "lost", 0, "lost, counted as 0 points"),
        ("hangman-misses", "found", 5, "1 miss"),
        ("hangman", "lost", 0, "lost, counted as 0 % won"),
    ],
)
def test_the_result_is_told_in_its_unit(game, state, credits, told):
    start = SetValue(credits, 1, 1, EXACT)
    own = Review(Round([("reads", "OOOOO")]), find_game(game),
                   [Turn("reads", "OOOOO", start, credits, start, find_game(game))], state)  # fmt: skip
    assert sentences(own)[0].endswith(f"Your choices cost 0.000, luck cost 0.000: {told}.")
    assert sentences(own)[0].startswith("Best play averages")


def test_an_object_has_every_number_and_the_sum_as_fractions():
    own = entry(reviewed(line=7))
    assert (own["line"], own["unit"], own["state"]) == (7, "points", "found")
    assert own["exact"] == {"start": "300", "lost": "50", "luck": "150", "result": "400"}
    assert own["start"] + own["luck"] - own["lost"] == own["result"]
    assert [turn["best"] for turn in own["turns"]] == ["dents", "reads"]
    assert "line" not in entry(reviewed())


def test_a_mean_has_an_interval_from_two_numbers_on():
    assert Mean([Fraction(3)]).interval is None
    own = Mean([Fraction(0), Fraction(2), Fraction(4)])
    assert own.mean == 2 and own.error == pytest.approx(2 / 3**0.5)
    assert own.interval == (pytest.approx(2 - 1.959964 * own.error), pytest.approx(2 + 1.959964 * own.error))


def test_many_rounds_have_means_in_all_and_by_guess():
    rows = mean_rows([reviewed(), reviewed(chosen=12)])
    assert [row["value"] for row in rows] == [
        "expected at the start", "lost by choices", "luck, above 0 is good", "result",
        "guess 1: lost", "guess 1: luck", "guess 2: lost", "guess 2: luck",
    ]  # fmt: skip
    assert [row["mean"] for row in rows[:4]] == ["300.000", "25.000", "125.000", "400.000"]
    whole = summary_entry([reviewed(line=1), reviewed(line=2)], [3])
    assert (whole["rounds"], whole["unread"], whole["states"]) == (2, [3], {"found": 2, "lost": 0, "open": 0})
    assert whole["means"]["luck"]["mean"] == 150 and [own["line"] for own in whole["reviews"]] == [1, 2]
    assert summary_entry([], [1]) == {"rounds": 0, "unread": [1]}


def test_lines_that_could_not_be_read_are_told_by_number():
    assert unread_text([2, 4], 5) == "2 of 5 lines could not be read: 2, 4"
    assert unread_text(range(1, 31), 40).endswith("19, 20 and 10 more")

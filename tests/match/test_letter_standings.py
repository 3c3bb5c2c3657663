"""What a match of hangman says."""

import pytest

from gpulingo.games.catalogue import hangman
from gpulingo.match.letter_standings import letter_standings, misses_of, tally
from gpulingo.match.rounds import Result, Round


def result(player, word, guesses, won, fault="", error=""):
    planned = Round(player, "f" * 12, word, "hangman3")
    return Result(planned, 100 * won, tuple(guesses), 0, fault, error, None, False, 0.25, 0.5)


def test_misses_are_letters_that_are_not_there_or_were_guessed_before():
    assert misses_of(result("a", "fish", "eiishf", True)) == 2
    assert misses_of(result("a", "fish", "", False)) == 0


def test_players_stand_by_words_won_then_by_misses():
    results = [
        result("a", "fish", "fish", True), result("a", "bee", "xbe", True), result("a", "ox", "bcd", False),
        result("b", "fish", "xfish", True), result("b", "bee", "xbe", True),
        result("b", "ox", "", False, "crash"),
        result("c", "fish", "fish", True), result("c", "bee", "e", False, error="gave up"),
    ]  # fmt: skip
    first, second, third = letter_standings(results, ["c", "b", "a", "d"], hangman(3))
    assert [first.player, second.player, third.player] == ["a", "b", "c"]
    total = first.total
    assert (total.words, total.won, total.lost, total.misses) == (3, 2, 1, (1, 1, 0))
    assert total.mean_misses == pytest.approx((0 + 1 + 3) / 3)
    assert [(length, one.won, one.words) for length, one in first.by_length.items()] == [
        (2, 0, 1), (3, 1, 1), (4, 1, 1),
    ]  # fmt: skip
    assert (first.rate, first.cpu, second.count("crash"), third.gave_up) == (2.0, 0.75, 1, 1)
    assert second.total.mean_misses == pytest.approx((1 + 1 + 3) / 3)
    assert letter_standings([], ["a"], hangman(3)) == []


def test_a_tally_of_a_game_has_a_count_for_every_miss_that_still_wins():
    assert tally([], hangman(4)).misses == (0, 0, 0, 0)

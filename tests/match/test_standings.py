"""Standings of matches of words and letters whose numbers are worked out by hand."""

import math
import statistics

import pytest

from gpulingo.games.catalogue import hangman
from gpulingo.match.rounds import Result, Round
from gpulingo.match.standings import Mean, mean, misses_of, standings, summed, tally

WORDS = {"able": (500, 300), "bale": (400, 300), "cart": (0, 300), "stone": (300, 300), "crane": (100, 0)}


def result(player, word, points, fault="", cpu=1.0, lingered=False, invalid=0):
    return Result(Round(player, "f", word), points, (), invalid, fault, "", 0, lingered, cpu, 2 * cpu)


def match():
    rows = []
    for word, (first, second) in WORDS.items():
        rows += [result("a", word, first), result("b", word, second)]
    return rows


def test_points_are_means_of_each_length_and_their_sum():
    first, second = standings(match(), ["b", "a"])
    assert (first.player, second.player) == ("a", "b")
    assert {n: one.points for n, one in first.means.items()} == {4: 300, 5: 200}
    assert {n: one.points for n, one in second.means.items()} == {4: 300, 5: 150}
    assert (first.total.points, second.total.points) == (500, 450)
    assert (len(first.results), first.lost, second.lost) == (5, 1, 1)


def test_the_difference_is_paired_and_so_is_its_interval():
    first, second = standings(match(), ["a", "b"])
    # b - a: -200, -100, 300 and 0, -100.
    variance = statistics.variance([-200, -100, 300]) / 3 + statistics.variance([0, -100]) / 2
    assert second.to_leader.points == -50
    assert second.to_leader.error == pytest.approx(math.sqrt(variance))
    low, high = second.interval
    assert (low, high) == pytest.approx(
        (-50 - 1.96 * math.sqrt(variance), -50 + 1.96 * math.sqrt(variance)), 1e-4
    )
    assert (first.to_leader, first.interval) == (Mean(0, 0), (0, 0))
    assert second.total.error != second.to_leader.error


def test_words_that_only_one_has_played_are_not_compared():
    rows = [*match(), result("a", "zone", 500)]
    assert standings(rows, ["a", "b"])[1].to_leader.points == -50
    assert standings(rows, ["a", "b"])[0].means[4].points == 350


def test_a_whole_list_has_no_error_and_half_of_it_half_the_variance():
    first, _ = standings(match(), ["a", "b"], {4: 3, 5: 4})
    assert first.means[4] == Mean(300, 0)
    assert first.means[5].variance == statistics.variance([300, 100]) / 2 / 2


def test_one_round_says_nothing_about_its_error():
    assert mean([400]) == Mean(400, None)
    assert mean([400], 1) == Mean(400, 0)
    assert summed({4: mean([400]), 5: mean([0, 0])}) == Mean(400, None)
    assert mean([400]).error is None


def test_costs_and_faults_are_counted():
    rows = [
        result("a", "able", 0, "crash", 1.0),
        result("a", "bale", 0, "timeout", 9.0, lingered=True),
        result("a", "cart", 500, "", 2.0, lingered=True, invalid=2),
    ]
    (one,) = standings(rows, ["a", "idle"])
    assert (one.count("crash"), one.count("timeout"), one.lingered, one.invalid, one.lost) == (1, 1, 2, 2, 2)
    assert (one.cpu, one.wall) == ([1, 9, 2], [2, 18, 4])


def test_equal_players_stand_in_the_order_given():
    rows = [result(player, "able", 300) for player in "cab"]
    assert [one.player for one in standings(rows, ["b", "c", "a"])] == ["b", "c", "a"]
    assert standings([], ["a"]) == []


def lettered(player, word, guesses, won, fault="", error=""):
    planned = Round(player, "f" * 12, word, "hangman3")
    return Result(planned, 100 * won, tuple(guesses), 0, fault, error, None, False, 0.25, 0.5)


def test_misses_are_letters_that_are_not_there_or_were_guessed_before():
    assert misses_of(lettered("a", "fish", "eiishf", True)) == 2
    assert misses_of(lettered("a", "fish", "", False)) == 0


def test_players_stand_by_words_won_then_by_misses():
    results = [
        lettered("a", "fish", "fish", True), lettered("a", "bee", "xbe", True),
        lettered("a", "ox", "bcd", False),
        lettered("b", "fish", "xfish", True), lettered("b", "bee", "xbe", True),
        lettered("b", "ox", "", False, "crash"),
        lettered("c", "fish", "fish", True), lettered("c", "bee", "e", False, error="gave up"),
    ]  # fmt: skip
    first, second, third = standings(results, ["c", "b", "a", "d"], None, hangman(3))
    assert [first.player, second.player, third.player] == ["a", "b", "c"]
    total = first.tally
    assert (total.words, total.won, total.lost, total.misses) == (3, 2, 1, (1, 1, 0))
    assert total.mean_misses == pytest.approx((0 + 1 + 3) / 3)
    assert [(length, one.won, one.words) for length, one in first.tallies.items()] == [
        (2, 0, 1), (3, 1, 1), (4, 1, 1),
    ]  # fmt: skip
    assert (first.rate, sum(first.cpu), second.count("crash"), third.gave_up) == (2.0, 0.75, 1, 1)
    assert second.tally.mean_misses == pytest.approx((1 + 1 + 3) / 3)
    assert standings([], ["a"], None, hangman(3)) == []


def test_a_tally_of_a_game_has_a_count_for_every_miss_that_still_wins():
    assert tally([], hangman(4)).misses == (0, 0, 0, 0)

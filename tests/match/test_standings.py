"""Standings of matches of words and letters with numbers computed by hand."""

import json
import math
import statistics

import pytest

from gpulingo.games.catalogue import hangman, lingo
from gpulingo.match.rounds import FORM, Planned, RoundResult, drawn_words, planned_rounds, result_text
from gpulingo.match.standings import MeanPoints, misses_of, standings
from gpulingo.storage.printed import LineFile

WORDS = {"able": (500, 300), "bale": (400, 300), "cart": (0, 300), "stone": (300, 300), "crane": (100, 0)}


def result(player, word, points, fault="", cpu=1.0, lingered=False, invalid=0):
    return RoundResult(Planned(player, "f", word), points, (), invalid, fault, "", 0, lingered, cpu, 2 * cpu)


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
    assert (first.to_leader, first.interval) == (MeanPoints(0, 0), (0, 0))
    assert second.total.error != second.to_leader.error


def test_a_whole_list_has_no_error_and_half_of_it_half_the_variance():
    first, _ = standings(match(), ["a", "b"], {4: 3, 5: 4})
    assert first.means[4] == MeanPoints(300, 0)
    assert first.means[5].variance == statistics.variance([300, 100]) / 2 / 2


def test_costs_and_faults_are_counted():
    rows = [
        result("a", "able", 0, "crash", 1.0),
        result("a", "bale", 0, "timeout", 9.0, lingered=True),
        result("a", "cart", 500, "", 2.0, lingered=True, invalid=2),
    ]
    (one,) = standings(rows, ["a", "idle"])
    assert (one.count("crash"), one.count("timeout"), one.lingered, one.invalid, one.lost) == (1, 1, 2, 2, 2)
    assert (one.cpu, one.wall) == ([1, 9, 2], [2, 18, 4])


def lettered(player, word, guesses, won, fault="", error=""):
    planned = Planned(player, "f" * 12, word, "hangman3")
    return RoundResult(planned, 100 * won, tuple(guesses), 0, fault, error, None, False, 0.25, 0.5)


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


def one_result(player="a", word="able", points=400):
    return RoundResult(
        Planned(player, "f" * 12, word), points, ("zone", word), 0, "", "", 0, False, 0.01, 0.02
    )


def test_a_seed_draws_the_same_distinct_words(words22):
    drawn = drawn_words(words22, 8, 3)
    assert drawn == drawn_words(words22, 8, 3)
    assert len(set(drawn)) == 8 and set(drawn) <= set(words22.words)
    assert drawn != drawn_words(words22, 8, 4)


@pytest.mark.parametrize("rounds", [22, 23])
def test_no_more_words_are_drawn_than_there_are(words22, rounds):
    assert drawn_words(words22, rounds, 0) == words22.words


def test_all_players_play_a_word_before_the_next(words22):
    planned = planned_rounds(["a", "b"], [(words22, ["eagle", "heron"])], lingo(6))
    assert [(one.player, one.word) for one in planned] == [
        ("a", "eagle"), ("b", "eagle"), ("a", "heron"), ("b", "heron"),
    ]  # fmt: skip
    assert {one.wordlist for one in planned} == {words22.fingerprint[:12]}
    assert {one.game for one in planned} == {"lingo6"}


def test_results_are_read_as_they_were_written(tmp_path):
    path = tmp_path / "a.jsonl"
    odd = RoundResult(
        Planned("b 'c d'", "0" * 12, "zone"), 0, ("\\x00",), 1, "crash", "ended", None, True, 0.0, 1.5
    )
    path.write_text("".join(f"{result_text(one)}\n" for one in (one_result(), odd)))
    assert LineFile(path, FORM).kept == [one_result(), odd]
    assert json.loads(path.read_text().splitlines()[0])["word"] == "able"

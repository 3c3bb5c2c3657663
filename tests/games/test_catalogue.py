"""Means and credits of a game come back from each other; games by name are rows of calls.tsv."""

import pytest

from gpulingo.games.catalogue import (
    lingo,
)


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

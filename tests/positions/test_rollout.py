"""Sets so large that a part of the guesses is looked at: still at least what is told can be had."""

import pytest

from gpulingo.games.catalogue import find_game
from gpulingo.optimise.deadline import Deadline
from gpulingo.positions import rollout
from gpulingo.positions.outlooks import Search
from gpulingo.positions.rollout import position_of
from gpulingo.strategies.ranking import Pool

from .test_outlooks import guess_value, small


@pytest.fixture
def search(monkeypatch):
    """A search of a list that counts as large."""
    monkeypatch.setattr(rollout, "PAIRS", 100)
    monkeypatch.setattr(rollout, "PART", Pool("letters", 9))
    words = small(2, 24)
    return Search(position_of(words, find_game("lingo3"), [], "", "cpu"), words.words, 5, Deadline(0)), words


def test_as_many_as_are_wanted_are_played_out_four_at_a_time_and_only_words_left_follow(search):
    search, words = search
    search.roll_out(search.deadline)
    assert rollout.FEW < search.count and len(search.found) == 2 * rollout.FEW
    for own in search.found:
        value = guess_value(words[own.guess], words.words, [], search.game, words.words, 3)
        assert own.credits(search.game) <= value
    assert "by parts among the words left: * is a lower limit" in search.how(search.best())


def test_guesses_of_commonest_letters_are_ranked(search):
    search, _ = search
    part = set(rollout.PART.members(search.position.table).tolist())
    first, *_ = rollout.ranked(search.position, 5).tolist()
    assert len(part) == 9 and first in part


def test_a_set_that_is_small_is_looked_at_whole(search, monkeypatch):
    monkeypatch.setattr(rollout, "PAIRS", 1 << 28)
    search, words = search
    assert not rollout.is_large(search.position)
    assert len(next(rollout.blocks(search.position, rollout.ranked(search.position, 50)))) == len(words)

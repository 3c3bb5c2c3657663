"""Sets so large that a part of the guesses is looked at: still at least what is told can be had."""

import pytest

from gpulingo.games.catalogue import find_game
from gpulingo.optimise.every_guess import Deadline
from gpulingo.positions import playout
from gpulingo.positions.outlook_search import Search
from gpulingo.positions.strangers import position_of
from gpulingo.strategies.objectives import Pool

from .test_outlooks import guess_value, small


@pytest.fixture
def search(monkeypatch):
    """A search of a list that counts as large."""
    monkeypatch.setattr(playout, "PAIRS", 100)
    monkeypatch.setattr(playout, "PART", Pool("letters", 9))
    words = small(2, 24)
    return Search(position_of(words, find_game("lingo3"), [], "", "cpu"), words.words, 5, Deadline(0)), words


def test_as_many_as_are_wanted_are_played_out_four_at_a_time_and_only_words_left_follow(search):
    search, words = search
    search.play_out(search.deadline)
    assert playout.FEW < search.count and len(search.found) == 2 * playout.FEW
    for own in search.found:
        value = guess_value(words[own.guess], words.words, [], search.game, words.words, 3)
        assert own.credits(search.game) <= value
    assert "by parts among the words left: * is a lower limit" in search.how(search.best())


def test_guesses_of_commonest_letters_are_ranked(search):
    search, _ = search
    part = set(playout.PART.members(search.position.table).tolist())
    first, *_ = playout.ranked(search.position, 5).tolist()
    assert len(part) == 9 and first in part


def test_a_set_that_is_small_is_looked_at_whole(search, monkeypatch):
    monkeypatch.setattr(playout, "PAIRS", 1 << 28)
    search, words = search
    assert not playout.is_large(search.position)
    assert len(next(playout.blocks(search.position, playout.ranked(search.position, 50)))) == len(words)

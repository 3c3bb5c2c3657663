"""Guesses that a list lacks are neither legal nor targets; of large sets some guesses are rolled out."""

import pytest

from gpulingo.games.catalogue import find_game
from gpulingo.games.game import Game
from gpulingo.optimise.every_guess import Deadline
from gpulingo.positions import review, rollout
from gpulingo.positions.outlooks import PositionSearch
from gpulingo.positions.rollout import position_of, table_with
from gpulingo.strategies.objectives import Pool
from gpulingo.words.listing import WordList

from .test_outlooks import guess_value, small

WORDS = WordList("few", ["abcd", "abce", "afgh"])


@pytest.fixture
def search(monkeypatch):
    """A search of a list that counts as large."""
    monkeypatch.setattr(rollout, "PAIRS", 100)
    monkeypatch.setattr(rollout, "PART", Pool("letters", 9))
    words = small(2, 24)
    return PositionSearch(
        position_of(words, find_game("lingo3"), [], "", "cpu"), words.words, 5, Deadline(0)
    ), words


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


@pytest.mark.parametrize("code", ["lingo", "wordle-hard"])
def test_words_that_a_list_lacks_come_last_and_are_not_legal(code):
    table, more = table_with(WORDS, find_game(code), ["zzzz", "abcd", "xyzw", "zzzz"])
    assert more.words == [*WORDS.words, "xyzw", "zzzz"]
    assert (table.words, table.targets.tolist(), table.pool.tolist()) == (5, [0, 1, 2], [0, 1, 2])


def test_weights_stay_those_of_the_words():
    weighed = WORDS.with_weights({"abcd": 3, "abce": 1, "afgh": 2})
    table, _ = table_with(weighed, find_game("lingo"), ["zzzz"])
    assert table.weights.tolist() == [3, 1, 2, 0]


def test_a_letter_that_a_list_lacks_is_one_of_the_alphabet_and_no_word():
    table, more = table_with(WORDS, find_game("hangman"), ["z", "a"])
    assert more.words == [*WORDS.words, "zzzz"] and "z" in table.alphabet
    assert table.targets.tolist() == [0, 1, 2] and table.pool.min() >= table.words


def test_a_list_that_lacks_nothing_is_taken_as_it_is():
    table, more = table_with(WORDS, find_game("lingo"), ["abcd"])
    assert more is WORDS and table.words == 3


def test_advice_and_reviews_widen_tables_in_one_place():
    assert review.table_with is table_with
    position = position_of(WORDS, find_game("lingo"), [("zzzz", "XXXX")], "", "cpu")
    assert position.pool.tolist() == [0, 1, 2] and position.table.words == 4


@pytest.mark.parametrize("code", ["wordle-hard6", "wordle-consistent6"])
def test_a_guess_outside_the_list_narrows_what_may_be_guessed(code):
    position = position_of(WORDS, find_game(code), [("abzz", "OOXX")], "", "cpu")
    assert position.pool.members.tolist() == [0, 1] and position.table.pool.tolist() == [0, 1, 2]
    later = position_of(WORDS, find_game("wordle-from3-hard6"), [("abzz", "OOXX")], "", "cpu")
    assert later.pool.tolist() == [0, 1, 2] and later.allowed_of(0).tolist() == [0, 1]
    with pytest.raises(ValueError, match="not allowed"):
        position_of(WORDS, find_game(code), [("abzz", "OOXX"), ("zzzz", "XXXX")], "", "cpu")


def test_where_candidates_alone_are_legal_they_stay_so_after_a_guess_outside_the_list():
    rules = Game("a game", 3, range(4), legal="candidates")
    words = WordList("a list", ["ab", "cb", "db", "eb"])
    for guess in ("ab:XO", "az:XX"):
        assert position_of(words, rules, [tuple(guess.split(":"))], "", "cpu").pool is None

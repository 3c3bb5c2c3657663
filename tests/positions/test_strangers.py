"""Guesses that a list lacks: they stand in the table and are neither legal nor targets."""

import pytest

from gpulingo.games.catalogue import find_game
from gpulingo.games.game import Game
from gpulingo.positions import review
from gpulingo.positions.rollout import position_of, table_with
from gpulingo.words.listing import WordList

WORDS = WordList("few", ["abcd", "abce", "afgh"])


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

"""Hosts of hangman: what they keep, against the rule written out."""

import random

import pytest

from gpulingo.games.positions import feedback, pattern
from gpulingo.hosts.letter_host import HOSTS, LetterHost, diversity, largest, letter_classes

WORDS = "fish dish wish iris hill mill miss silk moth oath bath path".split()


def plainly_kept(host, letter, candidates, guessed):
    """The class that a host keeps, of every class by its rule."""
    classes = {marks: [] for marks in (feedback(letter, word) for word in candidates)}
    for word in candidates:
        classes[feedback(letter, word)].append(word)
    ranks = {}
    for marks, words in classes.items():
        letters = {letter for word in words for letter in word} - set(guessed)
        places = (marks.count("O"), pattern(marks))
        size = -len(words)
        ranks[marks] = (size, *places) if host == "largest" else (-len(letters), size, *places)
    return min(ranks, key=ranks.get), classes


def test_classes_are_those_of_the_positions():
    assert letter_classes("h", WORDS[:5]) == {
        "___O": ["fish", "dish", "wish"],
        "O___": ["hill"],
        "____": ["iris"],
    }


@pytest.mark.parametrize("host", ["largest", "diversity"])
def test_a_class_is_kept_by_its_rule(host, random_words):
    draw = random.Random(2)
    for seed in range(30):
        words = random_words(seed, 30, 4, "abcdefgh")
        round_ = LetterHost(words, 99, HOSTS[host], seed)
        for letter in draw.sample("abcdefgh", 8):
            left = round_.left
            marks, classes = plainly_kept(host, letter, left, round_.guessed + letter)
            round_.answer(letter)
            assert round_.left == classes[marks]
        assert round_.found and round_.left == [round_.shown]


def test_equal_classes_are_kept_by_letters_shown_then_by_the_pattern():
    assert largest({"OO__": ["a"], "___O": ["b"], "O___": ["c"]}, "i", 1) == "___O"
    assert diversity({"O___": ["ix"], "____": ["jx"], "_O__": ["abx", "bax"]}, "i", 1) == "_O__"
    assert diversity({"O___": ["ab"], "____": ["bc"]}, "i", 1) == "____"


def test_an_honest_host_keeps_to_the_word_that_the_seed_draws():
    drawn = set()
    for seed in range(40):
        host = LetterHost(WORDS, 99, None, seed)
        word = host.word()
        drawn.add(word)
        for letter in "aeiostmhlbdfkprw":
            host.answer(letter)
            assert word in host.left and host.word() == word
        assert (host.found, host.shown) == (True, word)
        assert host.misses == sum(letter not in word for letter in host.guessed)
        assert LetterHost(WORDS, 99, None, seed).word() == word
    assert len(drawn) > 8


def test_lives_end_a_round_and_a_word_that_fits_is_shown():
    host = LetterHost(WORDS, 2, largest, 1)
    for letter in "xz":
        assert not host.lost and host.fault(letter) == ""
        host.answer(letter)
    assert host.lost and not host.found and host.word() in WORDS


def test_what_is_no_new_letter_has_a_fault():
    host = LetterHost(WORDS, 6, largest)
    host.answer("i")
    faults = {"": "that is no letter", "5": "that is no letter", "i": "'i' was guessed before", "o": ""}
    assert {letter: host.fault(letter) for letter in faults} == faults

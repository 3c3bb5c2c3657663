"""Hosts of words and letters: the classes they keep, by tensors and by rules; which guesses are refused."""

import random

import pytest
import torch

from gpulingo.games import positions
from gpulingo.games.catalogue import HOSTED, feedback_of, hangman
from gpulingo.games.marks import feedback
from gpulingo.hosts.host import KEEPS, Host, classes_of, largest
from gpulingo.solvers.hosts.lines import LineSearch
from gpulingo.tensors.wordtable import encode
from gpulingo.words.listing import parse
from gpulingo.words.wordlist import WordList

ABSURDLE = HOSTED["absurdle"]()
WORDS = "fish dish wish iris hill mill miss silk moth oath bath path".split()


def listed(words):
    return parse("\n".join(words)).of_length(len(words[0]))


@pytest.mark.parametrize("seed", range(6))
def test_text_and_tensors_keep_the_same_class(seed):
    draw = random.Random(seed)
    length = draw.choice([1, 3, 5, 12])
    words = sorted({"".join(draw.choices("abcde", k=length)) for _ in range(50)})
    table = encode(words)
    search = LineSearch(table, 1 << 20)
    for number, guess in enumerate(words):
        members = torch.tensor(sorted(draw.sample(range(len(words)), len(words) // 2)), dtype=torch.int32)
        classes = classes_of(feedback_of(ABSURDLE), guess, [words[place] for place in members])
        kept = classes[largest(classes)]
        assert kept == [words[place] for place in search.after(members, number)]


def test_a_round_ends_only_where_the_word_is_the_last_one_left():
    host = Host(listed(["abx", "abc", "xyz"]), ABSURDLE, largest)
    assert [(host.answer("abc"), host.left, host.found)] == [("XXX", ["xyz"], False)]
    assert (host.answer("abx"), host.left, host.found) == ("XX?", ["xyz"], False)
    assert (host.answer("xyz"), host.left, host.found) == ("OOO", ["xyz"], True)


def test_marks_never_contradict_those_before_them(words22):
    draw = random.Random(1)
    for _ in range(20):
        host = Host(words22, ABSURDLE, largest)
        while not host.found:
            host.answer(draw.choice(host.left))
        (word,) = host.left
        assert all(feedback(guess, word) == marks for guess, marks in host.history)


def test_words_that_are_no_targets_are_guessed_and_never_kept():
    host = Host(listed(["abx", "abc", "xyz"]).with_targets(["abc", "xyz"]), ABSURDLE, largest)
    assert (host.fault("abx"), host.answer("abx"), host.left) == ("", "XX?", ["xyz"])


def lettered(words, lives, host, seed=0):
    """A host of hangman."""
    return Host(WordList("some words", words), hangman(lives), KEEPS[host], random.Random(seed))


def plainly_kept(host, letter, candidates, guessed):
    """The class that a host keeps, computed from every class by its rule."""
    classes = {marks: [] for marks in (positions.feedback(letter, word) for word in candidates)}
    for word in candidates:
        classes[positions.feedback(letter, word)].append(word)
    ranks = {}
    for marks, words in classes.items():
        letters = {letter for word in words for letter in word} - set(guessed)
        places = (marks.count("O"), positions.pattern(marks))
        size = -len(words)
        ranks[marks] = (size, *places) if host == "largest" else (-len(letters), size, *places)
    return min(ranks, key=ranks.get), classes


@pytest.mark.parametrize("host", ["largest", "diversity"])
def test_a_class_is_kept_by_its_rule(host, random_words):
    draw = random.Random(2)
    for seed in range(30):
        words = random_words(seed, 30, 4, "abcdefgh")
        round_ = lettered(words, 99, host, seed)
        for letter in draw.sample("abcdefgh", 8):
            guessed = {own for own, _ in round_.history}
            marks, classes = plainly_kept(host, letter, round_.left, guessed | {letter})
            assert round_.answer(letter) == marks and round_.left == classes[marks]
        assert round_.found and round_.left == [round_.shown]


def test_an_honest_host_keeps_to_the_word_that_the_seed_draws():
    drawn = set()
    for seed in range(40):
        host = lettered(WORDS, 99, "honest", seed)
        word = host.word()
        drawn.add(word)
        for letter in "aeiostmhlbdfkprw":
            host.answer(letter)
            assert word in host.left and host.word() == word
        assert (host.found, host.shown) == (True, word)
        assert host.used == sum(letter not in word for letter, _ in host.history)
        assert lettered(WORDS, 99, "honest", seed).word() == word
    assert len(drawn) > 8


def test_lives_end_a_round_and_a_word_that_fits_is_shown():
    host = lettered(WORDS, 2, "largest", 1)
    for letter in "xz":
        assert not host.lost and host.fault(letter) == ""
        host.answer(letter)
    assert host.lost and not host.found and host.word() in WORDS


def test_what_is_no_new_letter_has_a_fault():
    host = lettered(WORDS, 6, "largest")
    host.answer("i")
    faults = {"": "that is no letter", "5": "that is no letter", "i": "'i' was guessed before", "o": ""}
    assert {letter: host.fault(letter) for letter in faults} == faults

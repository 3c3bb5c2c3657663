"""The words of one length: by index and by word, and their fingerprint."""

import hashlib
import sys

import pytest

from gpulingo.games.catalogue import ASKED, lingo, wordle
from gpulingo.games.catalogue import mastermind as mastermind_of
from gpulingo.words.choice import find_words, words_of
from gpulingo.words.listing import embedded, parse
from gpulingo.words.wordlist import WordList


def test_a_word_list_gives_words_by_index_and_indices_by_word() -> None:
    wordlist = parse("sale\nraise\nares\nidea\n", "a test").of_length(4)
    assert (len(wordlist), wordlist.length, wordlist.source) == (3, 4, "a test")
    assert [wordlist[i] for i in range(3)] == wordlist.words == list(wordlist)
    assert [wordlist.index(word) for word in wordlist.words] == [0, 1, 2]


def test_some_words_of_a_list_may_be_the_targets() -> None:
    pool = parse("sale\nares\nidea\n", "a test").of_length(4)
    some = pool.with_targets(["idea", "sale", "idea"])
    assert (some.words, some.targets, some.target_ids, some.target_count) == (
        pool.words, ["sale", "idea"], [0, 2], 2,
    )  # fmt: skip
    assert (pool.targets, pool.target_ids, pool.target_count) == (pool.words, None, 3)
    every = pool.with_targets(["ares", "idea", "sale"])
    assert (every.target_ids, every.fingerprint) == (None, pool.fingerprint)


def test_the_fingerprint_tells_lists_with_other_targets_apart() -> None:
    pool = parse("sale\nares\nidea\n", "a test").of_length(4)
    ours = pool.with_targets(["idea", "sale"]).fingerprint
    assert ours == hashlib.sha256(b"sale\nares\nidea\n\nsale\nidea\n").hexdigest()
    assert len({ours, pool.fingerprint, pool.with_targets(["idea"]).fingerprint}) == 3


def test_the_fingerprint_needs_no_private_module(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = parse("sale").of_length(4).fingerprint
    monkeypatch.setitem(sys.modules, "_sha2", None)
    monkeypatch.setitem(sys.modules, "_sha256", None)
    assert parse("sale").of_length(4).fingerprint == wanted


def test_weights_make_another_list_unless_all_are_one():
    words = WordList("text", ["dents", "dozes", "reads"])
    some = words.with_targets(["dents", "reads"])
    for whole in (words, some):
        ones = whole.with_weights(dict.fromkeys(whole.targets, 1))
        assert ones.weights is None and not ones.weights_source
        assert (ones.fingerprint, ones.total_weight) == (whole.fingerprint, whole.target_count)
    heavy = some.with_weights({"dents": 3, "reads": 1, "dozes": 8}, "w.tsv")
    assert (heavy.weights, heavy.weights_source) == ([3, 0, 1], "w.tsv")
    assert heavy.target_ids == [0, 2] and some.weights is None
    text = b"dents\ndozes\nreads\n\ndents\nreads\n\n3\n0\n1\n"
    assert heavy.fingerprint == hashlib.sha256(text).hexdigest()
    weights = ({"dents": 3, "dozes": 1, "reads": 1}, {"dents": 1, "dozes": 3, "reads": 1})
    prints = [words.with_weights(each).fingerprint for each in weights]
    assert len({*prints, words.fingerprint, some.fingerprint}) == 4


def test_a_list_targets_and_weights_are_named_as_on_the_command_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pool.txt").write_text("about\nabaft\nabaca\n")
    (tmp_path / "own.txt").write_text("abaft\n")
    assert find_words(5, "pool.txt").target_count == 3
    assert find_words(5, tmp_path / "pool.txt", targets="answers").targets == ["about", "abaft"]
    assert find_words(5, "pool.txt", "own.txt").targets == ["abaft"]
    assert find_words(5, parse("about\nabaft"), weights="levels").weights == [990, 390]
    assert find_words(5).words == embedded().of_length(5).words
    (tmp_path / "wordlist5.txt").write_text("robin\n")
    assert find_words(5).words == ["robin"]


def test_a_length_is_the_list_of_a_game(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    answers = find_words(5, targets="answers").targets
    assert words_of(5, wordle()).targets == words_of(5, wordle(), ASKED).targets == answers
    assert words_of(5, wordle(), None).target_count == words_of(5, lingo()).target_count == len(find_words(5))
    assert len(words_of(4, mastermind_of())) == 6**4
    (tmp_path / "wordlist.txt").write_text("robin\nheron\n")
    assert words_of(5, wordle()).targets == ["robin", "heron"]  # in a user's list every word is a target

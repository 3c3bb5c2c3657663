"""The words of one length: by index and by word, and their fingerprint."""

import hashlib
import sys

import pytest

from gpulingo.games.catalogue import ASKED, lingo, wordle
from gpulingo.games.catalogue import mastermind as mastermind_of
from gpulingo.words.choice import find_words, words_of
from gpulingo.words.listing import embedded, parse
from gpulingo.words.wordlist import MissingListError, UnknownWordError, WordList, WordListError


def test_a_word_list_gives_words_by_index_and_indices_by_word() -> None:
    wordlist = parse("sale\nraise\nares\nidea\n", "a test").of_length(4)
    assert (len(wordlist), wordlist.length, wordlist.source) == (3, 4, "a test")
    assert [wordlist[i] for i in range(3)] == wordlist.words == list(wordlist)
    assert [wordlist.index(word) for word in wordlist.words] == [0, 1, 2]
    assert "ares" in wordlist
    assert "raise" not in wordlist
    for index in (3, -1):
        with pytest.raises(IndexError, match=f"word {index} of 3: indices are 0..2"):
            wordlist[index]


@pytest.mark.parametrize("word", ["raise", "", "e\nar"])
def test_a_word_outside_the_list_has_no_index(word: str) -> None:
    wordlist = parse("sale\nares\nidea\n", "a test").of_length(4)
    with pytest.raises(UnknownWordError, match="is not among the 3 words of 4 letters in a test") as raised:
        wordlist.index(word)
    assert "\n" not in str(raised.value)
    assert word not in wordlist


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


@pytest.mark.parametrize(
    ("targets", "said"),
    [
        (["idea", "raise", "ale"], "2 of 3 words of t.txt are not among the 3 of a test, 'ale' first: "),
        ([], "no words in t.txt: give at least one word of a test"),
    ],
)
def test_a_target_is_a_word_of_the_list(targets: list[str], said: str) -> None:
    with pytest.raises(WordListError, match=said):
        parse("sale\nares\nidea\n", "a test").of_length(4).with_targets(targets, "t.txt")


@pytest.mark.parametrize("words", [[], ["ares", "raise"], [""]])
def test_a_word_list_is_made_of_words_of_one_length(words: list[str]) -> None:
    with pytest.raises(WordListError, match="give words of one length"):
        WordList("a test", words)


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


@pytest.mark.parametrize("weight", [1.0, True, -1])
def test_a_weight_is_a_whole_number(weight):
    with pytest.raises(WordListError, match=r"^weight .* of able in the weights, expected a whole number"):
        WordList("text", ["able"]).with_weights({"able": weight})


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


@pytest.mark.parametrize(
    ("ask", "error"),
    [
        (lambda: find_words(5, "missing.txt"), MissingListError),
        (lambda: find_words(5, targets="missing.txt"), MissingListError),
        (lambda: find_words(5, weights="missing.txt"), MissingListError),
        (lambda: find_words(40), WordListError),
        (lambda: words_of(0, lingo()), WordListError),
        (lambda: words_of(["robin", "her-n"], lingo()), WordListError),
    ],
)
def test_what_names_no_words_is_refused_in_one_line(ask, error):
    with pytest.raises(error) as caught:
        ask()
    assert "\n" not in str(caught.value)

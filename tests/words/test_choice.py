"""The words that a caller names: by a length, a list or themselves."""

import pytest

from gpulingo.games.catalogue import ASKED, lingo, wordle
from gpulingo.games.catalogue import mastermind as mastermind_of
from gpulingo.words.choice import find_words, words_of
from gpulingo.words.listing import embedded, parse
from gpulingo.words.wordlist import MissingListError, WordListError


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
    assert words_of(5, wordle()).targets == ["robin", "heron"]  # of a list of the user every word is one


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

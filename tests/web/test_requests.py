"""The words of the page: where every command looks, and with the targets that are usual or named."""

from dataclasses import replace
from pathlib import Path

import pytest

from gpulingo.games.catalogue import find_game
from gpulingo.web.requests import Lists, RequestError, Setting
from gpulingo.words.levels import answers

from .conftest import WORDS


@pytest.fixture
def lists(tmp_path, monkeypatch):
    """The lists of an empty folder."""
    monkeypatch.chdir(tmp_path)
    return Lists(Setting(lambda: None))


def test_a_list_that_is_named_has_all_words(setting):
    lists = Lists(setting)
    assert lists.lengths() == [5] and lists.every(5).words == WORDS
    with pytest.raises(RequestError, match="no words of 4 letters"):
        lists.every(4)


def test_lists_of_the_folder_come_before_the_embedded_one(lists):
    Path("wordlist5.txt").write_text("dents\n")
    assert lists.every(5).words == ["dents"] and len(lists.every(4)) == 5087
    assert lists.lengths() == list(range(2, 25))


def test_targets_of_the_embedded_list_are_the_usual_ones_of_the_game(lists):
    lingo, wordle = (lists.of_game(5, find_game(code)) for code in ("lingo", "wordle"))
    assert (lingo.target_count, wordle.targets) == (11506, answers(5))


def test_targets_of_another_list_are_all_words_or_those_named(setting):
    wordle = find_game("wordle")
    assert Lists(setting).of_game(5, wordle).targets == WORDS
    Path("targets.txt").write_text("dents\n")
    assert Lists(replace(setting, targets="targets.txt")).of_game(5, wordle).targets == ["dents"]


def test_a_list_without_words_of_a_length_that_can_be_played_is_told(setting):
    Path("wordlist.txt").write_text("x" * 40 + "\n")
    with pytest.raises(RequestError, match="no words of 1 to 39 letters"):
        Lists(setting).lengths()


def test_a_list_or_targets_that_cannot_be_used_are_told(lists, setting):
    Path("wordlist4.txt").write_bytes(b"\xff\n")
    with pytest.raises(RequestError, match="is not UTF-8 text"):
        lists.every(4)
    Path("targets.txt").write_text("zzzzz\n")
    with pytest.raises(RequestError, match="zzzzz"):
        Lists(replace(setting, targets="targets.txt")).of_game(5, find_game("lingo"))

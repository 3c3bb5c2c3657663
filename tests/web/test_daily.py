"""The daily word: one for everybody, none twice in a cycle, by the player's date, never told too early."""

from dataclasses import replace
from datetime import date
from hashlib import sha256

import pytest

from gpulingo.web.play import Play, daily_word
from gpulingo.web.requests import RequestError
from gpulingo.words.listing import embedded
from gpulingo.words.targets import Targets
from gpulingo.words.wordlist import WordList

from .conftest import WORDS

TODAY = date(2026, 11, 24)
DAY = 327


@pytest.fixture
def play(setting):
    """What answers, on 24 November 2026."""
    return Play(setting, today=lambda: TODAY)


def found(play, **request):
    """The word of a daily round, which is given up."""
    return play.round({"round": play.new(request)["round"]}, given_up=True)["word"]


def test_two_servers_with_one_list_give_one_word_for_400_days():
    lists = [Targets("answers").of(embedded().of_length(5)) for _ in range(2)]
    days = range(400)
    first, second = ([daily_word(own, day) for day in days] for own in lists)
    assert first == second and len(set(first)) == 400 and first != sorted(first)


def test_every_word_comes_once_in_a_cycle_and_cycles_differ():
    words = WordList("some words", WORDS)
    cycles = [
        [daily_word(words, len(WORDS) * cycle + place) for place in range(len(WORDS))] for cycle in range(3)
    ]
    assert all(sorted(cycle) == sorted(WORDS) for cycle in cycles) and len(set(map(tuple, cycles))) == 3
    head = f"gpulingo daily 1 {words.fingerprint} 5 1 "
    assert cycles[1] == sorted(WORDS, key=lambda word: sha256(f"{head}{word}".encode()).hexdigest())


def test_another_list_is_another_series(play):
    told = play.new({"day": DAY})
    fingerprint = WordList("", WORDS).fingerprint
    assert told["series"] == f"{fingerprint}/5" and told["number"] == f"328 · {fingerprint[:4]}"
    assert (told["dated"], told["game"], told["host"]) == ("24 November", "wordle", "honest")
    usual = Targets("answers").of(embedded().of_length(5))
    words = [daily_word(own, DAY) for own in (usual, WordList("", sorted(usual.targets)[1:]))]
    assert words[0] != words[1]


def test_the_embedded_list_gives_its_answers_and_a_plain_number(setting, tmp_path):
    (tmp_path / "wordlist.txt").unlink()
    play = Play(replace(setting, wordlist=None), today=lambda: TODAY)
    told, answers = play.new({"day": DAY}), Targets("answers").of(embedded().of_length(5))
    assert (told["number"], told["series"]) == ("328", f"{answers.fingerprint}/5")
    assert found(play, day=DAY) == daily_word(answers, DAY)


def test_a_daily_round_is_of_the_day_whatever_else_is_asked(play):
    word = daily_word(WordList("", WORDS), DAY)
    for more in ({}, {"game": "absurdle"}, {"hard": "hard"}, {"game": "wordle", "host": "largest"}):
        assert found(play, day=DAY, **more) == word
    assert "word" not in play.new({"day": DAY, "words": True})


@pytest.mark.parametrize("day", [0, 300, DAY - 1, DAY, DAY + 1])
def test_past_days_and_a_date_that_is_a_day_ahead_are_played(play, day):
    assert found(play, day=day) == daily_word(WordList("", WORDS), day)


def test_a_day_that_is_to_come_is_refused_with_both_dates(play):
    with pytest.raises(
        RequestError, match="This device says 26 November 2026, the server 24 November 2026"
    ) as raised:
        play.new({"day": DAY + 2})
    assert raised.value.status == 422


def test_a_round_is_played_again_from_its_guesses(setting, play):
    told = play.new({"day": DAY, "hard": "hard"})
    word = daily_word(WordList("", WORDS), DAY)
    first = next(own for own in WORDS if own != word)
    for guess in (first, word):
        told = play.guess({"round": told["round"], "guess": guess, "turn": len(told["history"]) + 1})
    other = Play(setting, today=lambda: TODAY).new({"day": DAY, "hard": "hard", "history": [first, word]})
    assert other["round"] != told["round"]
    assert {**other, "round": ""} == {**told, "round": ""} and told["over"] == "found"


def test_who_saw_the_words_left_is_told_as_helped(play):
    told = play.new({"day": DAY})
    assert not told["helped"] and not play.round({"round": told["round"]})["helped"]
    play.round({"round": told["round"], "words": True})
    assert play.guess({"round": told["round"], "guess": "dents", "turn": 1})["helped"]
    other = play.new({"day": DAY})["round"]
    play.round({"round": other}, given_up=True)
    assert not play.round({"round": other, "words": True})["helped"]

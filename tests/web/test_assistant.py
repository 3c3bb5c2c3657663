"""Answers to positions: those of the command line; and requests that are none."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from gpulingo.advice.outlook import GuessStats
from gpulingo.games import marks
from gpulingo.games.counts import Counts
from gpulingo.web.assistant import Assistant
from gpulingo.words.levels import unfit_words
from gpulingo.words.listing import all_codes

from .conftest import WORDS, ended


def searched(assistant, record, *watching, **others):
    return ended(assistant.search(record), *watching, **others)


def test_what_is_left_is_told_without_a_search(setting):
    assistant = Assistant(replace(setting, load_engine=None))  # nothing to search with
    answer = assistant.suggest({"history": ["bones:XOOOO"], "game": "lingo"})
    assert answer["candidates"] == [word for word in WORDS if marks.feedback("bones", word) == "XOOOO"]
    assert (answer["left"], answer["suggestions"], answer["open"]) == (4, [], True)


def test_guesses_come_by_a_search_and_the_best_first(assistant):
    answer = searched(assistant, {"history": ["bones:XOOOO"], "game": "lingo"})
    assert answer["measure"] == "mean points"
    values = [own["expected"] for own in answer["suggestions"]]
    assert values and values == sorted(values, reverse=True)
    assert {own["guess"] for own in answer["suggestions"]} <= set(WORDS)


def test_notes_are_of_the_answer_they_came_with(assistant):
    assert assistant.suggest({"history": ["zzzzz:XXXXX"]})["notes"] == [
        f"zzzzz is not among the words of {assistant.setting.wordlist}; its marks are taken"
    ]
    assert assistant.suggest({"history": ["dozes:OXXOO"]})["notes"] == []


@pytest.mark.parametrize("game", ["absurdle", "evil-wordle"])
def test_against_a_host_who_cheats_the_guesses_that_he_forces_are_told(assistant, game):
    answer = searched(assistant, {"game": game, "history": ["bones:XOOOO"] * 7})
    assert (answer["game"], answer["measure"], answer["open"]) == (game, "total guesses", True)
    for rule in ("hard", "from3-hard"):
        assert assistant.suggest({"game": game, "hard": rule})["game"] == f"{game}-{rule}"
    assert answer["turn"] == 8
    best = answer["suggestions"][0]
    assert (best["exact"], best["found_by_turn"]) == (True, []) and best["expected"] >= 9


def test_an_answer_is_found_again_and_only_so_many_are_kept(assistant):
    assistant._answers.most = 2
    first = assistant.suggest({"history": ["bones:XOOOO"]})
    assert assistant.suggest({"history": ["bones:XOOOO"]}) is first
    assistant.suggest({"history": ["tones:XOOOO"]})
    assistant.suggest({"history": ["cones:XOOOO"]})
    assert assistant.suggest({"history": ["bones:XOOOO"]}) is not first


@pytest.mark.slow
def test_many_at_once_get_the_answer_that_one_gets(assistant):
    requests = [(turn % 3 == 0, word) for turn in range(12) for word in ("bones", "tones", "cones")]

    def answer(request):
        search, word = request
        asked = {"history": [f"{word}:XOOOO"]}
        return searched(assistant, asked) if search else assistant.suggest(asked)

    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(answer, requests))
    for (_, guess), answer in zip(requests, answers, strict=True):
        assert answer["candidates"] == [w for w in WORDS if marks.feedback(guess, w) == "XOOOO"]


def test_letters_are_advised_where_they_are_guessed(assistant):
    answer = searched(assistant, {"game": "hangman", "history": ["o:_O___", "n:__O__"], "hard": "hard"})
    assert answer["candidates"] == [word for word in WORDS if word[1:3] == "on"]
    assert all(len(own["guess"]) == 1 for own in answer["suggestions"]) and answer["suggestions"]


def test_a_search_tells_the_best_so_far(setting):
    unfit, own = (
        GuessStats(guess, [0, 2, 2], 4, classes=3, largest=2, target=True, exact=False)
        for guess in (min(unfit_words(5)), "zones")
    )

    class Engine:
        DeviceError = LookupError

        def outlooks(self, words, game, history, *, progress, stop, **_):
            progress([unfit, own], "so far")
            return [own], "in the end"

    parts = []
    assistant = Assistant(replace(setting, load_engine=Engine))
    answer = searched(assistant, {"history": ["bones:XOOOO"]}, parts.append)
    shown = {name: answer[name] for name in ("suggestions", "sentences", "costs")}
    assert parts == [{**shown, "how": "so far"}]
    assert (answer["how"], answer["suggestions"][0]["guess"]) == ("in the end", "zones")


def test_a_longer_search_is_another(assistant):
    answer = searched(assistant, {})
    assert searched(assistant, {}) is answer
    assert searched(assistant, {"longer": True}) is not answer


def test_what_was_found_by_a_search_that_is_stopped_is_not_kept(assistant):
    stop = threading.Event()
    stop.set()
    stopped = searched(assistant, {}, stop=stop)
    assert stopped["left"] == len(WORDS)
    assert searched(assistant, {}) is not stopped


def test_codes_are_answered_by_what_is_counted_of_them(assistant):
    asked = {"game": "mastermind", "length": 3, "colours": 4, "history": ["112:1,1"]}
    left = {
        colours: [code for code in all_codes(3, colours)[0] if Counts().feedback("112", code) == "1,1"]
        for colours in (4, 5)
    }  # whatever list the page was started with
    answer = searched(assistant, asked)
    assert answer["candidates"] == left[4] and answer["suggestions"]
    assert answer["counted"] == f"{len(left[4])} codes left of all codes of 3 pegs and 4 colours"
    assert assistant.suggest({**asked, "colours": 5})["candidates"] == left[5]

"""Answers to positions, and reviews: equal to the command line's, exact sums; and caches."""

import json
import random
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction

import pytest
from typer.testing import CliRunner

from gpulingo import suggest_boards
from gpulingo.advice.outlook import GuessStats
from gpulingo.cli.app import app_for
from gpulingo.cli.wording import options_of
from gpulingo.games import marks
from gpulingo.games.counts import Counts
from gpulingo.positions.service import RequestError
from gpulingo.web.assistant import Assistant, watched
from gpulingo.words.letters import leave
from gpulingo.words.listing import all_codes, parse
from gpulingo.words.targets import unfit_words

from .conftest import WORDS, ended

APP = app_for()

ROUNDS = [
    ("lingo", "", ["dents:O?XXO", "dozes:OOOOO"]),
    ("lingo", "hard", ["dents:O?XXO", "dozes:OOOOO"]),
    ("wordle", "from3-hard", ["bones:XOOOO", "dents:X?O?O", "tones:OOOOO"]),
    ("wordle", "", ["zzzzz:XXXXX", "bones:XOOOO", "tones:XOOOO"]),
    ("hangman", "", ["e:___O_", "x:_____", "s:____O"]),
    ("hangman-misses", "", ["q:_____", "o:_O___"]),
]


def searched(assistant, record, *watching, **others):
    return ended(assistant.search(record), *watching, **others)


def test_guesses_come_by_a_search_and_the_best_first(assistant):
    answer = searched(assistant, {"history": ["bones:XOOOO"], "game": "lingo"})
    assert answer["measure"] == "mean points"
    values = [own["expected"] for own in answer["suggestions"]]
    assert values and values == sorted(values, reverse=True)
    assert {own["guess"] for own in answer["suggestions"]} <= set(WORDS)


def test_notes_are_of_the_answer_they_came_with(assistant):
    assert assistant.suggest({"history": ["zzzzz:XXXXX"]})["notes"] == [
        f"zzzzz is not among the words of {assistant.setting.names.wordlist}; its marks are taken"
    ]


@pytest.mark.parametrize("game", ["absurdle", "evil-wordle"])
def test_against_a_host_who_cheats_the_guesses_that_he_forces_are_told(assistant, game):
    answer = searched(assistant, {"game": game, "history": ["bones:XOOOO"] * 7})
    assert (answer["game"], answer["measure"], answer["open"]) == (game, "total guesses", True)
    for rule in ("hard", "from3-hard"):
        assert assistant.suggest({"game": game, "hard": rule})["game"] == f"{game}-{rule}"
    assert answer["turn"] == 8
    best = answer["suggestions"][0]
    assert (best["exact"], best["found_by_turn"]) == (True, []) and best["expected"] >= 9


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


@pytest.mark.parametrize(
    ("text", "same", "shown"),
    [("\u0131slak\nizmir\n", "", "\u0131slak"), ("not\u00e9\nm\u00e8re\n", "\u00e9=e", "not\u00e9")],
)
def test_a_round_is_read_and_reviewed_as_its_list_spells_it(setting, text, same, shown):
    assistant = Assistant(replace(setting, names=replace(setting.names, wordlist=parse(text), same=same)))
    written = {"\u0131slak": "ISLAK", "not\u00e9": "NOTE"}[shown]
    asked = {"game": "lingo", "history": [f"{written}:{'O' * len(written)}"]}
    review = ended(assistant.review(asked))
    assert (leave(review["turns"][0]["guess"]), review["state"], review["notes"]) == (shown, "found", [])
    read = assistant.read({"game": "lingo", "target": written, "words": written})
    assert leave(read["history"][0]).startswith(shown)


def test_boards_have_the_answer_of_python_and_their_words_come_first(assistant):
    parts, history = [], ["dents:X?OXO,X?O?O"]
    answer = ended(assistant.boards({"game": "dordle", "history": history, "top": 3}), parts.append)
    named = {"list": assistant.setting.names.wordlist, "notes": []}
    assert answer == suggest_boards(history, WORDS, "dordle", top=3, device="cpu").entry() | named
    assert [own["exact"] for own in answer["suggestions"]] == [True] * 3
    words, first, *_, last = parts  # then a guess, the best one, and all
    assert words == {"boards": answer["boards"]}
    assert [own["exact"] for own in first["suggestions"]] == [False]
    assert (last["suggestions"], last["how"]) == (answer["suggestions"], answer["how"])


def test_boards_whose_search_is_stopped_are_searched_again(assistant):
    stop, record = threading.Event(), {"game": "dordle", "history": ["zzzzz:XXXXX,XXXXX"]}
    stop.set()
    stopped = ended(assistant.boards(record), stop=stop)
    answer = ended(assistant.boards(record))
    assert stopped is not answer and ended(assistant.boards(record)) is answer
    assert len(answer["suggestions"]) > len(stopped["suggestions"]) > 0
    assert answer["notes"] == [
        f"zzzzz is not among the words of {assistant.setting.names.wordlist}; its marks are taken"
    ]


def reviewed(assistant, record, *watching, **others):
    return ended(assistant.review(record), *watching, **others)


@pytest.mark.parametrize(("game", "hard", "history"), ROUNDS)
@pytest.mark.slow
def test_a_review_is_that_of_the_command_line(assistant, game, hard, history):
    history = [part if len(part.partition(":")[2]) == 5 else part[:-1] for part in history]
    answer = reviewed(assistant, {"game": game, "hard": hard, "history": history})
    rule = options_of(hard).split() if hard else []
    line = ["review", "--game", game, *rule, "--wordlist", assistant.setting.names.wordlist,
            "--device", "cpu", *history]  # fmt: skip
    done = CliRunner().invoke(APP, [*line, "--json"], catch_exceptions=False)
    said = {
        name: own
        for name, own in json.loads(done.stdout).items()
        if name not in ("schema", "command", "version")
    }
    assert {name: answer[name] for name in said} == said
    printed = CliRunner().invoke(APP, line, catch_exceptions=False).stdout
    assert answer["sums"] in printed and all(how in printed for how in answer["hows"])


@pytest.mark.slow
def test_start_luck_and_losses_make_the_result_exactly_whatever_is_played(assistant):
    chance = random.Random(3)
    for game in ("lingo", "wordle") * 30:
        target, guesses = chance.choice(WORDS), chance.sample(WORDS, 3)
        guesses = guesses[: guesses.index(target) + 1] if target in guesses else [*guesses, target]
        asked = {"game": game, "target": target, "words": " ".join(guesses)}
        answer = reviewed(assistant, {"game": game, "history": assistant.read(asked)["history"]})
        exact = {name: Fraction(value) for name, value in answer["exact"].items()}
        gained = exact["luck"] - exact["lost"]
        assert exact["result"] == exact["start"] + (gained if answer["rises"] else -gained)
        assert sum(Fraction(row["left"]) > 0 for row in answer["rows"]) == len(guesses)


@pytest.mark.slow
def test_a_round_against_a_host_is_reviewed_as_one_of_wordle_that_lasts_as_long(assistant):
    history = [*["jjjjj:XXXXX"] * 7, "dozes:OOOOO"]
    answer = reviewed(assistant, {"game": "absurdle", "history": history})
    assert (answer["game"], answer["state"], answer["result"]) == ("wordle8", "found", 8)
    assert "reviewed as wordle8: the host of absurdle chooses the marks" in answer["notes"][0]
    assert "jjjjj is not among the words" in answer["notes"][1]
    text = " ".join(history)
    assert assistant.read({"game": "absurdle", "text": text})["history"] == history


def test_a_review_that_takes_too_long_ends_and_says_so(assistant):
    assistant.review_seconds = -1
    with pytest.raises(RequestError, match="took longer than -1 s: `gpulingo review` has no limit") as raised:
        reviewed(assistant, {"history": ["bones:XOOOO"]})
    assert raised.value.status == 422


def test_a_review_is_stopped_while_it_searches(assistant):
    stop = threading.Event()
    stop.set()
    with pytest.raises(RequestError, match="the review was stopped"):
        reviewed(assistant, {"history": ["bones:XOOOO"]}, stop=stop)


def test_the_seconds_of_a_review_are_told_each_once(monkeypatch):
    times = iter([5.0, 5.0, 5.4, 6.1, 6.2, 8.0, 9.5])
    monkeypatch.setattr("gpulingo.web.assistant.clock", lambda: next(times))
    told = []
    check = watched(told.append, threading.Event(), 4.0)
    for _ in range(5):
        check()
    assert told == [{"seconds": 1, "most": 4.0}, {"seconds": 3, "most": 4.0}]
    with pytest.raises(RequestError, match="took longer than 4 s"):
        check()


def test_reviews_are_asked_for_over_http(client):
    page = client()
    read = page.post("/api/review-read", json={"target": "dozes", "words": "dents dozes"})
    assert (read.status_code, read.json()["history"]) == (200, ["dents:O?XXO", "dozes:OOOOO"])
    found = page.post("/api/review", json={"history": read.json()["history"]})
    assert json.loads(found.text.splitlines()[-1])["answer"]["result"] == 2
    wrong = page.post("/api/review", json={"history": ["dents:XXXXO", "dozes:OOOOO"]})
    assert "no word fits" in json.loads(wrong.text.splitlines()[-1])["error"]
    assert page.post("/api/review", json={"history": []}).status_code == 422

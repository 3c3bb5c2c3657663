"""Requests and what is told, as requests.tsv has them; lists of the page; whatever else is sent is refused.

Its rows have a list, small or embedded; the name of a request; its status; what was sent; and the message, in
which a … is a folder of this machine, or some fields of the answer.
"""

import json
import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from sampled import quick

from gpulingo.games.catalogue import find_game
from gpulingo.player.question import ListNames, Lists
from gpulingo.positions.service import LruCache, RequestError
from gpulingo.web.app import MOST_LISTS, ViewsByList
from gpulingo.web.requests import Setting
from gpulingo.words.letters import enter
from gpulingo.words.targets import answers as usual_answers

from .conftest import WORDS, answer_of, ended, refused, told_of

ROWS = {}
for row in Path(__file__).with_name("requests.tsv").read_text(encoding="utf-8").splitlines():
    place, name, *rest = row.split("\t")
    ROWS.setdefault((place, name), []).append(rest)


def asked(service, name, record):
    """The answer of a service to a request."""
    if name == "keep":
        return service.keep(record)
    answer = service.answer(name, record)
    return ended(answer) if callable(answer) else answer


@pytest.fixture
def services(setting):
    """The services of a small list, and of the embedded list."""
    embedded = Setting(lambda: None, device="cpu")
    return {"small": ViewsByList(setting), "embedded": ViewsByList(embedded)}


@pytest.mark.parametrize(("place", "name"), ROWS)
def test_a_request_is_answered_or_refused_in_a_line(services, place, name, monkeypatch):
    if place == "embedded":
        Path("wordlist.txt").unlink()
    for status, record, said in ROWS[place, name]:
        if status == "200":
            answer = asked(services[place], name, json.loads(record))
            assert {key: answer[key] for key in json.loads(said)} == json.loads(said), record
            continue
        with pytest.raises(ValueError) as raised:
            asked(services[place], name, json.loads(record))
        text, told = told_of(raised.value)
        assert re.fullmatch(".*".join(map(re.escape, said.split("…"))), text), (record, text)
        assert told == int(status), (record, text)
        assert "--" not in said or name != "review-read"  # its messages name no options


@pytest.mark.parametrize(
    ("name", "record", "said"),
    [
        ("suggest", {"history": ["bones:XXXXX"] * 33}, "at most 32 guesses"),
        ("suggest", {"history": ["b" * 500 + ":X"]}, "too long"),
        ("review-read", {"text": "a" * 20_001}, "more than 20,000 characters"),
        ("play-guess", {"round": "x", "guess": "d" * 157, "turn": 1}, "157 characters, expected at most"),
        ("atlas-branch", {"game": "lingo5", "length": 5, "path": ["XXXXX"] * 256}, "at most 255 marks"),
        ("atlas-branch", {"game": "lingo" * 99, "length": 5}, "too long"),
    ],
)
def test_what_is_too_long_is_told_in_a_line(services, name, record, said):
    with refused(said):
        asked(services["small"], name, record)


# Possible fields of a request, and a valid request.
FUZZED = {
    "suggest": ("game length hard history top longer", {"history": ["bones:XOOOO"]}),
    "boards": ("game length history top", {"game": "dordle", "history": ["bones:OOOOO,XOOOO"]}),
    "play-new": ("game length hard host words day history", {}),
    "play-round": ("round words", {}),
    "play-guess": ("round guess turn words", {"guess": "dents", "turn": 1}),
    "review": ("game hard colours history", {"history": ["bones:XOOOO"]}),
    "review-read": ("game hard colours text words target", {"target": "dozes", "words": "dents"}),
    "atlas-branch": ("game length path start count words shown word letter", {"game": "lingo5", "length": 5}),
    "atlas-rack": ("rack bag top", {"rack": "ab"}),
    "atlas-force": ("length", {"length": 5}),
    "atlas-draws": ("bag tiles", {}),
}
GAMES = "quordle wordle lingo mastermind jotto lingo5 hangman hangman6 absurdle lingo9999999".split()
TEXTS = (
    "\U0001f7e9\U0001f7e9 \u65e5\u672c\u8a9e 1/6 a,b dents,bones e=___O_ bones:XOOOO \0 \ud800 \u202e".split()
)
VALUES = [
    *(None, 0, 1, 2, 5, 7, -1, 10**30, 1.5, float("inf"), float("nan"), True, {}, [], [[]], [1], [""]),
    *("", "answers", "from3-hard", "largest", "<b>", "e", "Z", "ab", "X....", *GAMES, *TEXTS, *WORDS),
    *(
        ["1122:1,1"],
        ["bones:4"],
        ["bones:\u2b1b\U0001f7e9\U0001f7e9"],
        ["\u0130stan:XXXXX"],
        [":"],
        ["q:_____"],
    ),
    *(["bones:XOOOO,-"], ["bones:XOOOO,XXXXX"], ["bones:XOOOO,XOOOO,XOOOO,XOOOO"], ["bones:,,,"]),
    *(["XXXXX"], ["?X?X?"], ["_____"], ["bones:XOOOO"], ["e:___O_"], ["<b>:XXXXX"], ["X" * 999] * 300),
]


@pytest.mark.parametrize("name", quick(FUZZED, FUZZED.keys() - {"atlas-branch"}))
def test_no_request_leads_to_another_error(services, monkeypatch, name):
    monkeypatch.setattr("gpulingo.optimise.adversary.misses_bracket", lambda words, seconds, stop: (1, None))
    monkeypatch.setattr("gpulingo.web.atlas.summed_up", lambda spelling, tiles, device: {"tiles": tiles})
    service, chance, answers = services["small"], random.Random(7), 0
    if name == "atlas-branch":
        service = services["embedded"]
        Path("wordlist.txt").unlink()
    fields, good = FUZZED[name]
    rounds = [
        service.answer("play-new", {"game": game})["round"] for game in ("wordle", "absurdle", "hangman")
    ]
    for _ in range(600):
        record = good | ({"round": chance.choice(rounds)} if "round" in fields else {})
        names = [*fields.split(), "else"]
        record |= {one: chance.choice(VALUES) for one in chance.sample(names, chance.randrange(3))}
        answer = answer_of(lambda sent: asked(service, name, sent), chance.choice([record] * 20 + VALUES[:9]))
        answers += answer is not None and bool(json.dumps(answer))
    assert answers > 100


OWN = {"wordlist": "bones\ncones\nlones\nfones\nable\n", "wordlist_name": "own.txt"}


@pytest.fixture
def left(service):
    """A function that says which words are left at the start, over lists that are sent."""

    def words(**sent):
        request = {"game": "lingo", "list": service.keep(sent)["list"]}
        answer = service.answer("suggest", request)
        new = service.answer("play-new", {**request, "words": True})
        assert new["words"] == answer["candidates"]
        return answer["candidates"]

    return words


def test_every_view_answers_over_a_list_that_is_sent(service, left):
    assert left(**OWN) == ["bones", "cones", "lones", "fones"]
    assert left(**OWN, targets="fones\ncones\nable") == ["cones", "fones"]
    assert left(**OWN, targets="fones\ncones", without="cones\nother") == ["fones"]
    name = service.keep(OWN)["list"]
    assert service.views(name).told["play-games"]()["lengths"] == [4, 5]
    assert service.views().told["play-games"]()["lengths"] == [5]
    read = {"game": "lingo", "target": "fones", "words": "bones", "list": name}
    assert service.answer("review-read", read)["history"] == ["bones:XOOOO"]
    with pytest.raises(ValueError, match="fones"):
        service.answer("review-read", {**read, "list": ""})


def test_letters_that_are_the_same_are_one_on_the_page(setting):
    service = ViewsByList(replace(setting, names=replace(setting.names, same="accents")))
    sent = {"wordlist": "d\u00e9nts\nd\u00f6zes\nbones\n", "wordlist_name": "own.txt"}
    request = {"game": "lingo", "list": service.keep(sent)["list"], "history": ["dents:O?XXO"]}
    assert service.answer("suggest", request)["candidates"][0] == enter("d\u00f6zes", same="accents")


def test_past_answers_alone_are_left_out_of_the_list_of_the_start(service, left):
    assert left(without="dents\nroses") == "dozes reads zones dunes tunes tones bones cones lones".split()
    told = service.keep({"without": "dents\n2\n", "without_name": "p\nst.txt"})
    start = service.setting.names.wordlist
    assert told["text"] == f"{start}, without pst.txt (1)"
    assert told["notes"] == ["pst.txt: skipped 1 word with non-letters, more than a tenth of the list: '2'"]


def test_the_list_that_was_used_longest_ago_goes(service):
    names = [service.keep(OWN)["list"] for _ in range(MOST_LISTS)]
    service.views(names[0])
    service.keep(OWN)
    assert service.views(names[0])
    for gone in (names[1], "none", 7, None):
        with pytest.raises(RequestError, match=r"^this word list is no longer kept: choose the file again$"):
            service.answer("suggest", {"list": gone})


def test_a_list_may_be_larger_than_other_requests(client):
    here = client()
    large = "\n".join(
        f"{a}{b}{c}{d}" for a in "bcdfgh" for b in "aeiou" for c in "bcdfghjklm" for d in "aeiouxyz"
    )
    assert here.post("/api/list", json={"wordlist": large * 8}).status_code == 200
    assert here.post("/api/suggest", json={"history": [large * 8]}).status_code == 413
    done = here.get("/api/games?list=none")
    assert (done.status_code, done.json()["error"][:14]) == (410, "this word list")


@pytest.fixture
def lists(tmp_path, monkeypatch):
    """The lists of an empty folder."""
    monkeypatch.chdir(tmp_path)
    return Lists(ListNames())


def test_lists_of_the_folder_come_before_the_embedded_one(lists):
    Path("wordlist5.txt").write_text("dents\n")
    assert lists.of_length(5).words == ["dents"] and len(lists.of_length(4)) == 5087
    assert lists.lengths == list(range(2, 25))


def test_targets_of_the_embedded_list_are_the_usual_ones_of_the_game(lists):
    lingo, wordle = (lists.of_game(5, find_game(code)) for code in ("lingo", "wordle"))
    assert (lingo.target_count, wordle.targets) == (11506, usual_answers(5))


def test_a_list_without_words_of_a_length_that_can_be_played_is_told(setting):
    Path("wordlist.txt").write_text("x" * 40 + "\n")
    with pytest.raises(ValueError, match="no words of 1 to 39 letters"):
        _ = Lists(setting.names).lengths


def test_a_list_or_targets_that_cannot_be_used_are_told(lists, setting):
    Path("wordlist4.txt").write_bytes(b"\xff\n")
    with pytest.raises(ValueError, match="is not UTF-8 text"):
        lists.of_length(4)
    Path("targets.txt").write_text("zzzzz\n")
    with pytest.raises(ValueError, match="zzzzz"):
        Lists(replace(setting.names, targets="targets.txt")).of_game(5, find_game("lingo"))


def test_a_cache_keeps_the_values_that_were_used_last():
    cache = LruCache(2)
    first, _ = cache.made("a", list), cache.made("b", list)
    assert cache.made("a", list) is first and cache.get("a") is first
    cache.put("c", [])
    assert (cache.get("a"), cache.get("b")) == (first, None)

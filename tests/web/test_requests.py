"""Requests and what is told, as requests.tsv has them, most of them refused; whatever else is sent is, too.

Its rows have a list, small or embedded; the name of a request; its status; what was sent; and the message, in
which a … is a folder of this machine, or some fields of the answer.
"""

import json
import random
import re
from pathlib import Path

import pytest

from gpulingo.web.app import Service
from gpulingo.web.requests import RequestError, Setting

from .conftest import WORDS, answer_of, ended, refused

ROWS = {}
for row in Path(__file__).with_name("requests.tsv").read_text(encoding="utf-8").splitlines():
    place, name, *rest = row.split("\t")
    ROWS.setdefault((place, name), []).append(rest)


def asked(service, name, record):
    """The answer of a service to a request."""
    if name == "keep":
        return service.keep(record)
    if name in service.usual.asked:
        return service.answer("asked", name, record)
    return ended(service.answer("searched", name, record))


@pytest.fixture
def services(setting):
    """The services of a small list, and of the embedded list."""
    embedded = Setting(lambda: None, device="cpu")
    return {"small": Service(setting), "embedded": Service(embedded)}


@pytest.mark.parametrize(("place", "name"), ROWS)
def test_a_request_is_answered_or_refused_in_a_line(services, place, name, monkeypatch):
    if place == "embedded":
        Path("wordlist.txt").unlink()
    for status, record, said in ROWS[place, name]:
        if status == "200":
            answer = asked(services[place], name, json.loads(record))
            assert {key: answer[key] for key in json.loads(said)} == json.loads(said), record
            continue
        with pytest.raises(RequestError) as raised:
            asked(services[place], name, json.loads(record))
        told = re.fullmatch(".*".join(map(re.escape, said.split("…"))), str(raised.value))
        assert told and raised.value.status == int(status), (record, raised.value)
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
GAMES = "wordle lingo mastermind jotto lingo5 hangman hangman6 absurdle lingo9999999".split()
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
    *(["XXXXX"], ["?X?X?"], ["_____"], ["bones:XOOOO"], ["e:___O_"], ["<b>:XXXXX"], ["X" * 999] * 300),
]


@pytest.mark.parametrize("name", FUZZED)
def test_no_request_leads_to_another_error(services, monkeypatch, name):
    monkeypatch.setattr("gpulingo.web.atlas.misses_bracket", lambda words, seconds, stop: (1, None))
    monkeypatch.setattr("gpulingo.web.atlas.summed_up", lambda spelling, tiles, device: {"tiles": tiles})
    service, chance, answers = services["small"], random.Random(7), 0
    if name == "atlas-branch":
        service = services["embedded"]
        Path("wordlist.txt").unlink()
    fields, good = FUZZED[name]
    rounds = [
        service.answer("asked", "play-new", {"game": game})["round"]
        for game in ("wordle", "absurdle", "hangman")
    ]
    for _ in range(600):
        record = good | ({"round": chance.choice(rounds)} if "round" in fields else {})
        names = [*fields.split(), "else"]
        record |= {one: chance.choice(VALUES) for one in chance.sample(names, chance.randrange(3))}
        answer = answer_of(lambda sent: asked(service, name, sent), chance.choice([record] * 20 + VALUES[:9]))
        answers += answer is not None and bool(json.dumps(answer))
    assert answers > 100

"""Requests to the atlas that are none get a line, and nothing else goes wrong."""

import json
import random

import pytest

from gpulingo.web.atlas import BRANCH, DRAWS, RACK
from gpulingo.web.requests import RequestError

from .working import ended

ATLAS = ("branch", "force", "rack", "draws")


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"path": ["XXXXX"] * 256}, "at most 255 marks"),
        ({"letter": "ab"}, "one letter"),
        ({"game": "lingo" * 99}, "too long"),
        ({"game": "absurdle"}, "is played against a host"),
        ({"game": "lingo5", "length": 40}, "length 40"),
        ({"game": "lingo5", "length": 30}, "no words of 30 letters"),
        (
            {"game": "lingo7"},
            "no tree is stored for the words of 5 letters in embedded list and lingo of 7",
        ),
        ({"path": ["XXX"]}, "3 characters, the word has 5 letters"),
        ({"path": ["XXXX_"]}, "hold '_' at place 5"),
        ({"count": 101}, "count 101"),
        ({"words": 2001}, "words 2001"),
        ({"start": -1}, "start -1"),
        ({"word": "zzzzz"}, "'zzzzz' is not among the 11,506 possible answers here"),
        ({"path": ["XX?XX"], "word": "tares"}, "not among the 232 possible answers here"),
        ({"shown": "XX"}, "2 marks of replies, expected 5"),
        ({"file": "/etc/passwd"}, "'file'"),
    ],
)
def test_what_is_no_branch_is_told_in_a_line(atlas, fields, told):
    with pytest.raises(RequestError) as raised:
        atlas.branch({"game": "lingo5", "length": 5} | fields)
    assert told in str(raised.value) and "\n" not in str(raised.value)


@pytest.mark.parametrize("which", [pytest.param("atlas", marks=pytest.mark.slow), "small"])
def test_no_request_leads_to_another_error(request, which, monkeypatch):
    from gpulingo.web import atlas as views

    asked = request.getfixturevalue(which)  # in one folder they would read one list
    monkeypatch.setattr(views, "forced_misses", lambda words, seconds, stop: (1, None))
    monkeypatch.setattr(views, "summed_up", lambda spelling, tiles: {"tiles": tiles})
    chance = random.Random(7)
    texts = [
        "",
        "tares",
        "X....",
        "lingo5",
        "lingo",
        "hangman6",
        "wordle-start6",
        "lingo9999999",
        "ab",
        "\0",
        "\u202e",
    ]
    lists = [[], ["XXXXX"], ["?X?X?"], ["_____"], ["!!!!!"], ["<b>"], [1], [[]], [""], ["X" * 999] * 300]
    values = [None, 0, 1, 5, 7, -1, 10**30, 1.5, float("inf"), {}, True, *texts, *lists, *lists]
    good = {"branch": {"game": "lingo5", "length": 5}, "rack": {"rack": "ab"}, "force": {"length": 5}}
    fields = {"branch": [*BRANCH], "rack": [*RACK], "draws": [*DRAWS], "force": ["length"]}
    answers = 0
    for _ in range(900):
        name = chance.choice([*ATLAS, "branch", "branch"])
        names = [*fields.get(name, ()), "else"]
        chosen = chance.sample(names, chance.randrange(min(3, len(names))))
        record = {key: chance.choice(values) for key in chosen}
        if chance.random() < 0.8:
            record = good.get(name, {}) | record
        if chance.random() < 0.05:
            record = chance.choice(values)
        try:
            answer = getattr(asked, name)(record)
            answer = ended(answer) if callable(answer) else answer
        except RequestError as error:
            assert "\n" not in str(error) and error.status in (400, 422) and len(str(error)) < 400
        else:
            answers += 1
            assert isinstance(answer, dict) and json.dumps(answer)
    assert answers > 150

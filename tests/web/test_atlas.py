"""The atlas: misses that are forced, racks as the command says, a line for requests that are none."""

from __future__ import annotations

import json
import random
import threading
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gpulingo.cli.app import app
from gpulingo.web.atlas import BRANCH, DRAWS, RACK
from gpulingo.web.requests import RequestError
from gpulingo.words.listing import embedded

from .conftest import answer_of, ended

ATLAS = ("branch", "force", "rack", "draws")


@pytest.mark.parametrize("which", [pytest.param("atlas", marks=pytest.mark.slow), "small"])
def test_no_request_leads_to_another_error(request, which, monkeypatch):
    from gpulingo.web import atlas as views

    asked = request.getfixturevalue(which)  # in one folder they would read one list
    monkeypatch.setattr(views, "misses_bracket", lambda words, seconds, stop: (1, None))
    monkeypatch.setattr(views, "summed_up", lambda spelling, tiles, device: {"tiles": tiles})
    chance = random.Random(7)
    texts = ["", "tares", "X....", "lingo5", "lingo", "hangman6", "wordle-start6", "lingo9999999", "ab", "\0"]
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
        answer = answer_of(getattr(asked, name), record)
        if callable(answer):
            answer = answer_of(ended, answer)
        assert answer is None or (isinstance(answer, dict) and json.dumps(answer))
        answers += answer is not None
    assert answers > 150


def test_misses_of_the_embedded_list_stand_in_the_file_and_are_those_of_the_docs(atlas):
    rows = atlas.forced.told()["lengths"]
    assert [row["length"] for row in rows] == list(range(2, 25))
    assert [row["forced"] for row in rows[:13]] == [23, 17, 17, 16, 12, 11, 8, 7, 5, 6, 4, 4, 3]
    assert all(row["forced"] == row["enough"] for row in rows)
    page = Path(__file__).parents[2].joinpath("docs", "hangman.md").read_text(encoding="utf-8")
    for row in rows[:12]:
        assert f"\n| {row['length']} | {row['forced']} | " in page


@pytest.mark.slow
@pytest.mark.parametrize("length", [2, 5, 9, 12, 20])
def test_misses_of_the_file_are_found_again(atlas, length):
    from gpulingo.web.atlas import misses_bracket

    stored = ended(atlas.force({"length": length}))
    assert misses_bracket(embedded().of_length(length), 600) == (stored["forced"], stored["enough"])


@pytest.mark.slow
def test_misses_of_another_list_are_searched_for_once(small, monkeypatch):
    from gpulingo.web import atlas as views

    assert small.forced.told()["lengths"] == [{"length": 5, "words": 11, "forced": None, "enough": None}]
    told = ended(small.force({"length": 5}))
    assert told["forced"] == told["enough"] == 4  # bones, cones, lones, tones, zones, and more
    monkeypatch.setattr(views, "misses_bracket", None)
    assert ended(small.force({"length": 5})) == small.forced.told()["lengths"][0] == told


@pytest.mark.slow
def test_a_search_whose_time_is_up_tells_what_can_be_forced_at_least():
    from gpulingo.web.atlas import misses_bracket

    forced, enough = misses_bracket(embedded().of_length(7), 0.0)
    assert 0 <= forced <= 11 and enough is None


def test_a_search_that_is_stopped_is_told_and_not_remembered(small):
    stop = threading.Event()
    stop.set()
    with pytest.raises(RequestError, match="was stopped"):
        ended(small.force({"length": 5}), stop=stop)
    assert small.forced.told()["lengths"][0]["forced"] is None
    assert ended(small.force({"length": 5}))["forced"] is not None


@pytest.mark.slow
def test_best_words_are_those_of_the_command(atlas):
    for rack, bag in (("AGZEQUI", "challenge"), ("quizz?e", "scrabble"), ("vvcw", "scrabble")):
        command = ["tiles", "--rack", rack, "--bag", bag, "--top", "20", "--json", "--device", "cpu"]
        entry = json.loads(CliRunner().invoke(app, command).stdout)
        told = atlas.rack({"rack": rack.replace("?", "_"), "bag": bag, "top": 20})
        assert told["words"] == entry["top"] and told["rack"] == entry["rack"]
    assert "more tiles Z" in atlas.rack({"rack": "zz", "bag": "scrabble"})["notes"][0]


@pytest.mark.slow
def test_all_draws_come_to_what_the_command_says(atlas):
    command = ["tiles", "--all", "--draw", "3", "--bag", "scrabble", "--json", "--device", "cpu"]
    entry = json.loads(CliRunner().invoke(app, command).stdout)
    told = ended(atlas.draws({"bag": "scrabble", "tiles": 3}))
    for name in ("racks", "draws", "expected", "deviation", "without_word"):
        assert told[name] == entry[name]
    assert [own["rack"] for own in told["best"]] == [own["rack"] for own in entry["best"]]
    assert ended(atlas.draws({"bag": "scrabble", "tiles": 3})) is told

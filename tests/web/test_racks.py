"""Racks of tiles on the page: what the command says."""

import json

import pytest
from typer.testing import CliRunner

from gpulingo.cli.app import app
from gpulingo.web.requests import RequestError

from .working import ended


@pytest.mark.slow
def test_best_words_are_those_of_the_command(atlas):
    for rack, bag in (("AGZEQUI", "challenge"), ("quizz?e", "scrabble"), ("vvcw", "scrabble")):
        command = ["tiles", "--rack", rack, "--bag", bag, "--top", "20", "--json", "--device", "cpu"]
        entry = json.loads(CliRunner().invoke(app, command).stdout)
        told = atlas.rack({"rack": rack.replace("?", "_"), "bag": bag, "top": 20})
        assert told["words"] == entry["top"] and told["rack"] == entry["rack"]
    assert "more tiles Z" in atlas.rack({"rack": "zz", "bag": "scrabble"})["notes"][0]


@pytest.mark.parametrize(
    ("rack", "told"), [("", "no tiles"), ("ab?", "has a blank"), ("a-b", "lacks"), ("a" * 30, "at most 20")]
)
def test_what_is_no_rack_is_told(atlas, rack, told):
    with pytest.raises(RequestError, match=told):
        atlas.rack({"rack": rack})


@pytest.mark.slow
def test_all_draws_come_to_what_the_command_says(atlas):
    command = ["tiles", "--all", "--draw", "3", "--bag", "scrabble", "--json", "--device", "cpu"]
    entry = json.loads(CliRunner().invoke(app, command).stdout)
    told = ended(atlas.draws({"bag": "scrabble", "tiles": 3}))
    for name in ("racks", "draws", "expected", "deviation", "without_word"):
        assert told[name] == entry[name]
    assert [own["rack"] for own in told["best"]] == [own["rack"] for own in entry["best"]]
    assert ended(atlas.draws({"bag": "scrabble", "tiles": 3})) is told

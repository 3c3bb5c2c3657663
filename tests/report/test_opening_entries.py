"""Openings that were rolled out, as lines of a file."""

import json

import pytest

from gpulingo.games.catalogue import lingo
from gpulingo.optimise.openings import Opening
from gpulingo.report.results import OPENINGS, line_text, opening_entry, opening_of, parsed_opening


@pytest.fixture
def played(words22):
    opening = Opening(words22.index("heron"), 88, 90, 12, 3)
    return opening_entry(opening, words22, lingo(), width="4:4,3:4", order="points", device="cpu")


def test_points_are_those_of_the_game(played):
    assert (played["mean_points"], played["bound"]) == (100 * 88 / 22, 100 * 90 / 22)


def test_a_line_reads_back(played):
    text = line_text(played)
    assert parsed_opening(text) == played | {"game": "lingo"}
    assert OPENINGS.entries(f"{text}\n".encode(), "a.jsonl")[0] == [parsed_opening(text)]


def test_the_search_gets_back_what_it_found(played, words22):
    assert opening_of(played, words22) == Opening(words22.index("heron"), 88, 90, 12, 3)


def test_only_another_game_is_named(played):
    entry = json.loads(line_text(played))
    assert "game" not in entry and entry["turns"] == 5
    assert parsed_opening(json.dumps(entry | {"game": "lingo"})) == parsed_opening(line_text(played))
    with pytest.raises(ValueError, match="has game 'other', expected lingo"):
        parsed_opening(json.dumps(entry | {"game": "other"}))


@pytest.mark.parametrize(("name", "value"), [("turns", "5"), ("mean_points", -1.0), ("opening", None)])
def test_what_is_no_opening_is_told(played, name, value):
    with pytest.raises(ValueError, match=f"has {name} "):
        parsed_opening(json.dumps(json.loads(line_text(played)) | {name: value}))

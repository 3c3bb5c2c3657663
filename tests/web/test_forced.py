"""Misses that a perfect host forces: stored for the embedded list, searched for in others."""

import threading
from pathlib import Path

import pytest

from gpulingo.web.requests import RequestError
from gpulingo.words.listing import embedded

from .working import ended


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
    from gpulingo.web.atlas import forced_misses

    stored = ended(atlas.force({"length": length}))
    assert forced_misses(embedded().of_length(length), 600) == (stored["forced"], stored["enough"])


@pytest.mark.slow
def test_misses_of_another_list_are_searched_for_once(small, monkeypatch):
    from gpulingo.web import atlas as views

    assert small.forced.told()["lengths"] == [{"length": 5, "words": 11, "forced": None, "enough": None}]
    told = ended(small.force({"length": 5}))
    assert told["forced"] == told["enough"] == 4  # bones, cones, lones, tones, zones, and more
    monkeypatch.setattr(views, "forced_misses", None)
    assert ended(small.force({"length": 5})) == small.forced.told()["lengths"][0] == told


@pytest.mark.slow
def test_a_search_whose_time_is_up_tells_what_can_be_forced_at_least():
    from gpulingo.web.atlas import forced_misses

    forced, enough = forced_misses(embedded().of_length(7), 0.0)
    assert 0 <= forced <= 11 and enough is None


def test_a_search_that_is_stopped_is_told_and_not_remembered(small):
    stop = threading.Event()
    stop.set()
    with pytest.raises(RequestError, match="was stopped"):
        ended(small.force({"length": 5}), stop=stop)
    assert small.forced.told()["lengths"][0]["forced"] is None
    assert ended(small.force({"length": 5}))["forced"] is not None

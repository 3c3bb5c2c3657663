"""Lists of the page: in the commands' folder, or sent by the page; every view answers over them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gpulingo.games.catalogue import find_game
from gpulingo.web.app import MOST_LISTS
from gpulingo.web.requests import Lists, LruCache, RequestError, Setting
from gpulingo.words.levels import answers

from .conftest import WORDS

OWN = {"wordlist": "bones\ncones\nlones\nfones\nable\n", "wordlist_name": "own.txt"}


@pytest.fixture
def left(service):
    """A function that returns the words left at the start, over lists that are sent."""

    def words(**sent):
        request = {"game": "lingo", "list": service.keep(sent)["list"]}
        answer = service.answer("asked", "suggest", request)
        new = service.answer("asked", "play-new", {**request, "words": True})
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
    assert service.answer("asked", "review-read", read)["history"] == ["bones:XOOOO"]
    with pytest.raises(RequestError, match="fones"):
        service.answer("asked", "review-read", {**read, "list": ""})


def test_past_answers_alone_are_left_out_of_the_list_of_the_start(service, left):
    assert left(without="dents\nroses") == "dozes reads zones dunes tunes tones bones cones lones".split()
    told = service.keep({"without": "dents\n2\n", "without_name": "p\nst.txt"})
    start = service.setting.wordlist
    assert told["text"] == f"{start}, without pst.txt (1)"
    assert told["notes"] == [
        "pst.txt: skipped 1 word with non-letters, more than a tenth of the list: '2', .."
    ]


def test_the_list_that_was_used_longest_ago_goes(service):
    names = [service.keep(OWN)["list"] for _ in range(MOST_LISTS)]
    service.views(names[0])
    service.keep(OWN)
    assert service.views(names[0])
    for gone in (names[1], "none", 7, None):
        with pytest.raises(RequestError, match=r"^this word list is no longer kept: choose the file again$"):
            service.answer("asked", "suggest", {"list": gone})


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
    """The lists in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return Lists(Setting(lambda: None))


def test_lists_of_the_folder_come_before_the_embedded_one(lists):
    Path("wordlist5.txt").write_text("dents\n")
    assert lists.every(5).words == ["dents"] and len(lists.every(4)) == 5087
    assert lists.lengths == list(range(2, 25))


def test_targets_of_the_embedded_list_are_the_usual_ones_of_the_game(lists):
    lingo, wordle = (lists.of_game(5, find_game(code)) for code in ("lingo", "wordle"))
    assert (lingo.target_count, wordle.targets) == (11506, answers(5))


def test_targets_of_another_list_are_all_words_or_those_named(setting):
    wordle = find_game("wordle")
    assert Lists(setting).of_game(5, wordle).targets == WORDS
    Path("targets.txt").write_text("dents\n")
    assert Lists(replace(setting, targets="targets.txt")).of_game(5, wordle).targets == ["dents"]


def test_a_list_without_words_of_a_length_that_can_be_played_is_told(setting):
    Path("wordlist.txt").write_text("x" * 40 + "\n")
    with pytest.raises(RequestError, match="no words of 1 to 39 letters"):
        _ = Lists(setting).lengths


def test_a_list_or_targets_that_cannot_be_used_are_told(lists, setting):
    Path("wordlist4.txt").write_bytes(b"\xff\n")
    with pytest.raises(RequestError, match="is not UTF-8 text"):
        lists.every(4)
    Path("targets.txt").write_text("zzzzz\n")
    with pytest.raises(RequestError, match="zzzzz"):
        Lists(replace(setting, targets="targets.txt")).of_game(5, find_game("lingo"))


def test_a_cache_keeps_the_values_that_were_used_last():
    cache = LruCache(2)
    first, _ = cache.made("a", list), cache.made("b", list)
    assert cache.made("a", list) is first and cache.get("a") is first
    cache.put("c", [])
    assert (cache.get("a"), cache.get("b")) == (first, None)

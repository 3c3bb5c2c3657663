"""Lists that the page sends: kept in memory for whoever has their name, and every view answers over them."""

import pytest

from gpulingo.web.requests import RequestError
from gpulingo.web.service import MOST_LISTS

OWN = {"wordlist": "bones\ncones\nlones\nfones\nable\n", "wordlist_name": "own.txt"}


@pytest.fixture
def left(service):
    """A function that says which words are left at the start, over lists that are sent."""

    def words(**sent):
        request = {"game": "lingo", "list": service.keep(sent)["list"]}
        answer = service.asked["suggest"](request)
        new = service.asked["play-new"]({**request, "words": True})
        assert new["words"] == answer["candidates"]
        return answer["candidates"]

    return words


def test_every_view_answers_over_a_list_that_is_sent(service, left):
    assert left(**OWN) == ["bones", "cones", "lones", "fones"]
    assert left(**OWN, targets="fones\ncones\nable") == ["cones", "fones"]
    assert left(**OWN, targets="fones\ncones", without="cones\nother") == ["fones"]
    name = service.keep(OWN)["list"]
    assert service.told["play-games"](name)["lengths"] == [4, 5]
    assert service.told["play-games"]("")["lengths"] == [5]
    read = {"game": "lingo", "target": "fones", "words": "bones", "list": name}
    assert service.asked["review-read"](read)["history"] == ["bones:XOOOO"]
    with pytest.raises(RequestError, match="fones"):
        service.asked["review-read"]({**read, "list": ""})


def test_past_answers_alone_are_left_out_of_the_list_of_the_start(service, left):
    assert left(without="dents\nroses") == "dozes reads zones dunes tunes tones bones cones lones".split()
    told = service.keep({"without": "dents\n2\n", "without_name": "p\nst.txt"})
    start = service.setting.wordlist
    assert told["text"] == f"{start}, without pst.txt (1)"
    assert told["notes"] == [
        "pst.txt: skipped 1 word with non-letters, more than a tenth of the list: '2', .."
    ]


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({}, "no list was chosen"),
        ({"wordlist": "x-1\n-\n"}, "wordlist holds no words"),
        ({"wordlist": "a\0b"}, "wordlist is a binary file"),
        (
            {**OWN, "targets": "zebra", "targets_name": "t.txt"},
            "1 of 1 words of t.txt are not among the 4 of own",
        ),
        ({**OWN, "targets": "zebras"}, "no words of 6 letters in own.txt"),
        ({**OWN, "targets": "bones", "without": "bones"}, "without has every target of own.txt"),
        ({"wordlist": 7}, "the request"),
        ({"words": "bones"}, "the request"),
    ],
)
def test_lists_that_cannot_be_used_are_told(service, sent, said):
    with pytest.raises(RequestError, match=f"^{said}"):
        service.keep(sent)


def test_the_list_that_was_used_longest_ago_goes(service):
    names = [service.keep(OWN)["list"] for _ in range(MOST_LISTS)]
    service.told["games"](names[0])
    service.keep(OWN)
    assert service.told["games"](names[0])
    for gone in (names[1], "none", 7, None):
        with pytest.raises(RequestError, match=r"^this word list is no longer kept: choose the file again$"):
            service.asked["suggest"]({"list": gone})


def test_a_list_may_be_larger_than_other_requests(client):
    here = client()
    large = "\n".join(
        f"{a}{b}{c}{d}" for a in "bcdfgh" for b in "aeiou" for c in "bcdfghjklm" for d in "aeiouxyz"
    )
    assert here.post("/api/list", json={"wordlist": large * 8}).status_code == 200
    assert here.post("/api/suggest", json={"history": [large * 8]}).status_code == 413
    done = here.get("/api/games?list=none")
    assert (done.status_code, done.json()["error"][:14]) == (410, "this word list")

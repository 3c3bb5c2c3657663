"""Answers that take long: line by line, stopped when nobody reads them, and never a traceback on the page."""

import asyncio
import json
import threading

import pytest

from gpulingo.tensors import clock
from gpulingo.web.app import FAILED, Streams
from gpulingo.web.requests import RequestError


def said(line):
    """What an answer waits for."""
    return json.loads(line)["progress"]["status"]


@pytest.fixture
def posted(client, service):
    """A function that asks for what some work answers."""

    def asked(work):
        service.searched["search"] = lambda record: work
        done = client().post("/api/search", json={})
        return done.status_code, [json.loads(line) for line in done.text.splitlines() if line]

    return asked


def test_progress_comes_before_the_answer(posted):
    def work(tell, stop):
        tell({"best": 1})
        tell({"best": 2})
        return {"best": 3}

    lines = [{"progress": {"best": 1}}, {"progress": {"best": 2}}, {"answer": {"best": 3}}]
    assert posted(work) == (200, lines)


def test_what_cannot_be_answered_is_the_last_line(posted):
    def refused(tell, stop):
        raise RequestError("no word fits", 422)

    assert posted(refused) == (200, [{"error": "no word fits"}])


def test_a_search_that_fails_says_so_and_no_more(posted, capsys):
    def failing(tell, stop):
        raise ZeroDivisionError("secret")

    assert posted(failing) == (200, [{"error": FAILED}])


def test_a_request_that_is_none_has_its_status(client):
    done = client().post("/api/search", json={"game": "chess"})
    assert done.status_code == 400 and "game 'chess'" in done.json()["error"]


def test_whoever_leaves_stops_the_search():
    told = []

    def work(tell, stop):
        tell({})
        told.append(stop.wait(60))
        return {}

    async def read_one():
        lines = Streams().lines(work)
        assert json.loads(await anext(lines)) == {"progress": {}}
        await lines.aclose()
        while not told:
            await asyncio.sleep(0)

    asyncio.run(read_one())
    assert told == [True]


def test_one_is_worked_out_at_a_time_and_one_that_is_left_never_begins():
    go, begun = threading.Event(), []

    def first(tell, stop):
        tell({})
        go.wait(60)
        return {"first": len(begun)}

    def later(tell, stop):
        begun.append(stop)
        return {}

    async def read():
        streams = Streams()
        front, left, last = (streams.lines(work) for work in (first, later, later))
        await anext(front)
        assert said(await anext(left)) == "Waiting behind 1 search."
        assert said(await anext(last)) == "Waiting behind 2 searches."
        waiting = asyncio.ensure_future(anext(left))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        rest = asyncio.ensure_future(anext(last))
        await asyncio.sleep(0)
        assert begun == []
        go.set()
        assert json.loads(await anext(front)) == {"answer": {"first": 0}}
        lines = [await rest, *[line async for line in last]]
        told = [json.loads(line) for line in lines if line.strip()]
        assert told.pop() == {"answer": {}}
        searching = {"progress": {"status": "Searching."}}
        assert told.pop() == searching and told in (
            [],
            [{"progress": {"status": "Waiting behind 1 search."}}],
        )

    asyncio.run(read())
    assert len(begun) == 1


def test_compiling_is_told_in_the_stream_and_to_whoever_else_asked(posted, monkeypatch):
    monkeypatch.setattr(clock, "_compilations", clock._Compilations())
    beside = []
    clock.when_compiling(beside.append)

    def work(tell, stop):
        for _ in range(2):
            clock.begin(True)
            clock.end()
        return {}

    told = {"progress": {"status": "Compiling kernels, once (some seconds)."}}
    assert posted(work) == (200, [told, {"answer": {}}])
    assert beside == [clock.ONCE]
    assert posted(lambda tell, stop: {}) == (200, [{"answer": {}}])
    assert clock._compilations.listeners == []


def test_too_many_that_wait_are_told_to_come_again(client, monkeypatch):
    monkeypatch.setattr("gpulingo.web.app.MOST_WAITING", 0)
    done = client().post("/api/search", json={})
    assert done.status_code == 503 and "try again" in done.json()["error"]


def test_silence_is_broken_to_see_whether_anybody_reads(monkeypatch):
    monkeypatch.setattr("gpulingo.web.app.BEAT", 0.001)
    go = threading.Event()

    def work(tell, stop):
        go.wait(60)
        return {}

    async def read():
        seen = []
        async for line in Streams().lines(work):
            seen.append(line)
            go.set()
        return seen

    seen = asyncio.run(read())
    assert seen[0] == "\n" and json.loads(seen[-1]) == {"answer": {}}

"""The page over HTTP: only to its own pages, of bounded size; long answers come line by line."""

from __future__ import annotations

import asyncio
import json
import random
import re
import socket
import threading

import pytest

from gpulingo.games import catalogue
from gpulingo.games.titles import COUNTS, title
from gpulingo.positions.service import FAILED, Queue, RequestError
from gpulingo.tensors import clock
from gpulingo.web.app import application, hosts_of, lines_of

from .conftest import served

JSON = {"content-type": "application/json"}


def test_every_game_of_the_catalogue_has_a_title_in_plain_words():
    codes = [*catalogue.BY_NAME, *catalogue.HOSTED, "lingo-from3-hard6"]
    titles = [title(code) for code in codes]
    assert len({*titles}) == len(codes)
    assert [name for name in titles if re.search(r"^[a-z]|[a-z]-|[a-z]\d", name)] == []
    assert COUNTS.keys() == catalogue.COUNTED.keys()


@pytest.mark.parametrize("page", ["", "boards", "review", "play", "atlas"])
def test_each_page_and_its_parts_are_there_and_small(client, page):
    here, total = client(), 0
    parts = [page]
    for part in parts:  # grows during the loop; modules imported later do not belong to the first view
        done = here.get(f"/{part}")
        assert done.status_code == 200
        total += len(done.content)
        assert done.headers["content-security-policy"].startswith("default-src 'self'")
        assert done.headers["x-content-type-options"] == "nosniff"
        named = re.findall(r'(?:href|src)="([^"#]+\.(?:css|js|svg))"|from "\./([^"]+)"', done.text)
        names = dict.fromkeys(own.lstrip("/") for names in named for own in names)
        parts += [name for name in names if name not in [*parts, ""]]
    assert {"style.css", "icon.svg", page} <= set(parts)
    assert "page.js" in parts and "<!--" not in here.get(f"/{page}").text
    assert 5 < len(parts) <= 12 and 20_000 < total <= 60_000
    assert "http" not in here.get(f"/{page}").text.replace("http-equiv", "")


@pytest.mark.parametrize("view", ["boards", "review", "play", "atlas"])
def test_a_view_has_an_address_and_old_ones_lead_there(client, view):
    page = client().get(f"/{view}").text
    assert re.findall('aria-current="page" href="([^"]*)"', page.split("<main")[0]) == [f"/{view}"]
    moved = client().get(f"/{view}.html", follow_redirects=False)
    assert (moved.status_code, moved.headers["location"]) == (308, f"/{view}")


def test_an_unknown_address_is_a_page_to_a_browser_and_json_to_others(client):
    page = client().get("/nothing/here", headers={"accept": "text/html,*/*"})
    assert page.status_code == 404 and "No such page" in page.text and 'href="/style.css"' in page.text
    for path, accept in (("/nothing", "*/*"), ("/api/nothing", "text/html")):
        other = client().get(path, headers={"accept": accept})
        assert other.status_code == 404 and other.json() == {"error": "there is no such page here"}


@pytest.mark.parametrize("host", ["evil.example", "localhost:9", "127.0.0.1", "localhost:8000.evil.example"])
def test_another_host_is_refused(client, host):
    done = client().get("/", headers={"host": host})
    assert done.status_code == 421 and "is not this server's" in done.json()["error"]
    assert done.headers["content-security-policy"].startswith("default-src 'self'")


def test_a_request_that_is_cut_short_raises_nothing(service):
    sent = []

    async def receive():
        return {"type": "http.disconnect"}

    async def send(message):
        sent.append(message)

    headers = [(b"host", b"localhost:8000"), (b"content-type", b"application/json")]
    scope = {"type": "http", "method": "POST", "path": "/api/suggest", "query_string": b""}
    scope["headers"] = headers
    asyncio.run(application(service, ["localhost:8000"])(scope, receive, send))
    assert sent[0]["status"] == 400


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "https://localhost:8000", "http://localhost:9"]
)
def test_another_page_is_refused(client, origin):
    done = client().post("/api/suggest", json={}, headers={"origin": origin})
    assert done.status_code == 403 and "another page" in done.json()["error"]
    own = {"origin": "http://localhost:8000"}
    assert client().post("/api/suggest", json={}, headers=own).status_code == 200
    assert client().post("/api/suggest", data={"game": "wordle"}).status_code == 415  # a form
    assert client().get("/api/suggest").status_code in (404, 405)


@pytest.mark.parametrize(
    ("content", "headers", "status"),
    [
        (b"x" * 70_000, JSON, 413),
        (b"{", JSON, 400),
        (b"\xff", JSON, 400),
        (b"[" * 50_000, JSON, 400),
        (b"{}", {"content-type": "text/plain"}, 415),
        (b"{}", {}, 415),
        (b'{"game": "chess"}', JSON, 400),
        (b'{"history": ["bones:OOOOX"]}', JSON, 422),
    ],
)
def test_what_is_no_request_gets_a_line_and_its_status(client, content, headers, status):
    done = client().post("/api/suggest", content=content, headers=headers)
    assert done.status_code == status
    assert "\n" not in done.json()["error"]


@pytest.mark.parametrize(
    "path", ["/none", "/../play.py", "/%2e%2e/play.py", "/..%2fplay.py", "/static/../app.py", "/api/none"]
)
def test_nothing_else_is_served(client, path):
    done = client().get(path)
    assert done.status_code == 404 and "class " not in done.text


@pytest.mark.slow
def test_no_bytes_lead_to_an_error_of_the_server(client, service):
    def answered(record):
        raise RequestError("none")

    service.usual.asked["suggest"] = answered
    here, chance = client(), random.Random(2)
    for _ in range(150):
        content = chance.randbytes(chance.randrange(40))
        assert here.post("/api/suggest", content=content, headers=JSON).status_code == 400
        path = "/" + "".join(chance.choices("abc./%2eé?#\\:", k=chance.randrange(9)))
        path = path.replace("//", "/")  # // would start another host
        assert here.get(path).status_code < 500


def said(line):
    """The status in a progress line."""
    return json.loads(line)["progress"]["status"]


@pytest.fixture
def posted(client, service):
    """A function that requests the result of some work."""

    def asked(work):
        service.usual.asked["search"] = lambda record: work
        done = client().post("/api/search", json={})
        return done.status_code, [json.loads(line) for line in done.text.splitlines() if line]

    return asked


@pytest.mark.parametrize(
    ("end", "line"),
    [
        ({"best": 3}, {"answer": {"best": 3}}),
        (RequestError("no word fits", 422), {"error": "no word fits"}),
        (ZeroDivisionError("secret"), {"error": FAILED}),
    ],
)
def test_progress_comes_before_the_answer_or_why_there_is_none(posted, end, line):
    def work(tell, stop):
        tell({"best": 1})
        tell({"best": 2})
        if isinstance(end, Exception):
            raise end
        return end

    assert posted(work) == (200, [{"progress": {"best": 1}}, {"progress": {"best": 2}}, line])


def test_whoever_leaves_stops_the_search():
    told = []

    def work(tell, stop):
        tell({})
        told.append(stop.wait(60))
        return {}

    async def read_one():
        lines = lines_of(work, Queue())
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
        queue = Queue()
        front, left, last = (lines_of(work, queue) for work in (first, later, later))
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
        waiting = {"progress": {"status": "Waiting behind 1 search."}}
        assert told.pop() == searching and told in ([], [waiting])

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
        async for line in lines_of(work, Queue()):
            seen.append(line)
            go.set()
        return seen

    seen = asyncio.run(read())
    assert seen[0] == "\n" and json.loads(seen[-1]) == {"answer": {}}


SOON = "import gpulingo.web.app as own; own.SECONDS = 2; from gpulingo.__main__ import main; main()"
HEADERS = b"POST /api/suggest HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20\r\n"
PARTS = [b"", HEADERS, HEADERS + b"\r\n{", b"GET / HTTP/1.1\r\n\r\n" + HEADERS]  # the last gets status 400


def test_a_server_that_listens_everywhere_has_the_name_of_its_machine(monkeypatch):
    monkeypatch.setattr("socket.gethostname", lambda: "MyBox")
    assert "mybox:8000" in hosts_of("0.0.0.0", 8000)  # it listens everywhere
    assert "mybox:8000" not in hosts_of("127.0.0.1", 8000)


@pytest.mark.slow
def test_a_request_has_its_time_to_arrive_and_one_that_trickles_in_no_more(tmp_path):
    with served(tmp_path, start=("-c", SOON)) as address:
        place = "127.0.0.1", int(address.rstrip("/").rpartition(":")[2])
        opened = [socket.create_connection(place, 60) for _ in [*PARTS, "trickled"]]
        for own, part in zip(opened, PARTS, strict=False):
            own.sendall(part)
        for own in opened[:-1]:
            while own.recv(1 << 16):  # until the server closes it
                pass
        trickled = opened[-1]
        trickled.settimeout(0.1)
        for letter in HEADERS + b"\r\n" + b"x" * 500:
            try:
                trickled.sendall(bytes([letter]))
                if trickled.recv(1 << 16) == b"":
                    break
            except TimeoutError:
                continue
            except OSError:  # the server had closed it
                break
        else:
            pytest.fail("a request that trickles in is waited for")
        for own in opened:
            own.close()

"""HTTP server of the page, by Starlette and uvicorn, by default for this machine only.

Pages and answers are for this page alone; long answers are streamed.
Requests from other pages are refused by their Host and Origin, large ones before they are read, and no
request names a file.
"""

from __future__ import annotations

import asyncio
import errno
import json
import logging
import secrets
import signal
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import replace
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from gpulingo.games import titles
from gpulingo.games.catalogue import BOARDED, COUNTED, FAMILIES, is_of_codes
from gpulingo.player.question import PLAIN, USUAL_PEGS, Lists
from gpulingo.positions.service import Entry, LruCache, Queue, RequestError, Work, refusal, status
from gpulingo.storage import fields
from gpulingo.storage.faults import ADDRESS, UsageError
from gpulingo.storage.printed import version
from gpulingo.web.assistant import GAMES, REVIEWED, Assistant
from gpulingo.web.atlas import Atlas
from gpulingo.web.play import HOSTS, RoundServer
from gpulingo.web.requests import BUILT_IN, HARD, Setting, asked_of, worded
from gpulingo.words.letters import leave
from gpulingo.words.listing import checked, usual_colours

STATIC = Path(__file__).parent / "static"
# The paths of the views, and their files.
VIEWS = {"/": "index", "/boards": "boards", "/review": "review", "/play": "play", "/atlas": "atlas"}
MOST_BODY = 1 << 16  # bytes of a request
MOST_LIST = 1 << 23  # bytes of a request with word lists
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
MOST_WAITING = 128  # answers that wait for another to end
BEAT = 1.0  # seconds of silence after which an empty line tests the connection
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
EVERYWHERE = ("0.0.0.0", "::", "[::]")  # every address of the machine
MOST_AT_ONCE = 1024  # connections, including closing ones; more get a reply to try again
MOST_ARRIVING = 384  # connections without a complete request
MOST_TAKEN = 128  # connections accepted before one is read again
SECONDS = 10  # lifetime of a connection without a complete request
LEAVE = 1  # seconds for searches to end when the server does
MOST_LISTS = 8  # lists in memory; the least recently used one is dropped
MOST_NAME = 80  # characters
OWN = ("wordlist", "targets", "without")
SENT: fields.Shape = {
    **{name: (fields.or_none(fields.text), None) for name in OWN},
    **{f"{name}_name": (fields.text, name) for name in OWN},
}


class Views:
    """Answers of all views over one list.

    Attributes:
        told: constant answers, by name. asked: answers to requests, by name; each takes the request, checks
            all of it and raises RequestError. Where the answer takes long it is work, to be done in one
            thread.
    """

    def __init__(self, setting: Setting) -> None:
        assistant, atlas = Assistant(setting), Atlas(setting)
        play = RoundServer(setting, walk=atlas.walk)
        words = getattr(setting.names.wordlist, "source", setting.names.wordlist) or BUILT_IN
        named = {code: titles.title(code) for code in HOSTS}
        self.told: dict[str, Callable[[], Entry]] = {
            "games": lambda: {"games": described(GAMES), "hard": HARD},
            "boards-games": lambda: {"games": described(BOARDED), "hard": []},
            "review-games": lambda: {"games": described(REVIEWED), "hard": list(FAMILIES)},
            "play-games": lambda: {**play.games(), "hosts": titles.HOSTS, "titles": named},
            "atlas-trees": atlas.trees, "atlas-misses": atlas.misses,
            "about": lambda: {"text": f"gpulingo {version()}, {words}. Pages: docs/howto/web.md"},
        }  # fmt: skip
        self.asked: dict[str, Callable[[Any], Entry | Work]] = {
            "suggest": assistant.suggest, "review-read": assistant.read,
            "play-new": play.new, "play-round": play.round, "play-guess": play.guess,
            "play-end": partial(play.round, given_up=True),
            "atlas-branch": atlas.branch, "atlas-rack": atlas.rack,
            "search": assistant.search, "boards": assistant.boards, "review": assistant.review,
            "atlas-force": atlas.force, "atlas-draws": atlas.draws,
        }  # fmt: skip


def described(codes: Iterable[str]) -> dict[str, Any]:
    """Return what the page knows of games, by code; `pegs`, `usual`: usual pegs and colours of a code."""
    games = dict[str, Any]()
    for code in codes:
        pegs, letters, counts = is_of_codes(code), code.startswith("hangman"), titles.COUNTS.get(code)
        noun = "code" if pegs else "word"
        mark = f"Say how many are {' and '.join(counts)}." if counts else "Colour it as your game did."
        steps = {
            "type": f"Type the {'letter' if letters else noun} you guessed.",
            "mark": "Tap the places where it stands." if letters else mark,
        }
        games[code] = {
            "title": titles.title(code), "counts": counts, "letters": letters, "noun": noun, "steps": steps,
            "pegs": USUAL_PEGS if pegs else 0, "kind": "pegs" if pegs else "letters",
            "usual": usual_colours(repeated=bool(COUNTED[code][1])) if pegs else 0,
            "boards": BOARDED[code]().boards if code in BOARDED else 1,
            "marks": ["X", "O"] if letters else ["X", "?", "O"],
        }  # fmt: skip
    return games


class ViewsByList:
    """Answers over the list that the page was started with, and over lists that the page sent."""

    def __init__(self, setting: Setting) -> None:
        self.setting, self.usual = setting, Views(setting)
        self._sent: LruCache[str, Views] = LruCache(MOST_LISTS)

    def views(self, name: Any = "") -> Views:
        """Return the answers over a sent list; an empty name is the list at the start."""
        if name == "":
            return self.usual
        views = self._sent.get(name) if isinstance(name, str) else None
        if views is None:
            raise RequestError("this word list is no longer kept: choose the file again", 410)
        return views

    def answer(self, name: str, record: Any) -> Entry | Work:
        """Return the answer to a request, which names its list, or sends some."""
        if name == "list":
            return self.keep(record)
        views = self.usual
        if isinstance(record, dict):
            views = self.views(record.get("list", ""))
            record = {key: value for key, value in record.items() if key != "list"}
        return views.asked[name](record)

    def keep(self, record: Any) -> Entry:
        """Store lists that the page read from files, in memory only; settings are those at the start.

        Returns:
            The name for later requests, and a description.
        """
        request = asked_of(record, SENT)
        sent = dict[str, Any]()
        for name in OWN:
            if request[name]:
                source = "".join(filter(str.isprintable, request[f"{name}_name"][:MOST_NAME]))
                sent[name] = checked(source or "a list", request[name].encode(errors="replace"))
        if not sent:
            raise RequestError("no list was chosen: choose a file with one word per line")
        names = replace(self.setting.names, **sent)
        lists, targets = Lists(names), sent.get("targets")
        for length in targets.lengths() if targets else ():  # they must be words, and some must be left
            names.limited(lists.of_length(length), lists.listing(length), PLAIN)
        name = secrets.token_urlsafe(16)
        self._sent.put(name, Views(replace(self.setting, names=names)))
        parts = {"wordlist": str(self.setting.names.wordlist or BUILT_IN)}
        for kind, listing in sent.items():
            parts[kind] = f"{listing.source} ({sum(listing.lengths().values()):,})"
        text = ", ".join(f"{kind} {file}" for kind, file in parts.items()).removeprefix("wordlist ")
        notes = [f"{listing.source}: {listing.note}" for listing in sent.values() if listing.note]
        return {"list": name, "text": text, "notes": notes}


def in_digits(host: str, port: int) -> bool:
    """Return True if a header Host is a numeric address with this port, or without one for port 80."""
    name = host.removesuffix(f":{port}")
    if name == host and port != 80:
        return False
    try:
        ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True


class Told(JSONResponse):
    """An answer with words in their written form."""

    def render(self, content: Any) -> bytes:
        return leave(super().render(content).decode()).encode()


def page_of(name: str, path: str = "") -> str:
    """Return a view in the shared frame, which marks its link; the view's first line goes into the head."""
    files = (STATIC / f"{part}.html" for part in ("frame", "board", "own", name))
    frame, board, own, view = (file.read_text() for file in files)
    head, main = view.split("\n", 1)
    frame = frame.replace(f'<a href="{path}"', f'<a aria-current="page" href="{path}"')
    for part, text in {"head": head, "main": main, "board": board, "own": own}.items():
        frame = frame.replace(f"<!--{part}-->", text.removesuffix("\n"))
    return frame


async def body_of(request: Request, most: int) -> Any:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise RequestError(f"content type {kind[:40]!r}, expected application/json", 415)
    data = b""
    try:
        async for part in request.stream():
            data += part
            if len(data) > most:
                raise RequestError(f"a request of more than {most:,} bytes: send less", 413)
    except ClientDisconnect:
        raise RequestError("the request is cut short") from None
    try:
        return fields.parsed_json(data)
    except ValueError as error:
        raise RequestError(f"the request {error}") from None


def application(service: ViewsByList, hosts: Iterable[str], port: int | None = None) -> ASGIApp:
    """Return a service's pages and answers, to its own pages only.

    Args:
        hosts: values of the header Host of this server.
        port: if set, every numeric address at that port is this server's too: a page of another
            server can use a name that leads here, but no address.
    """
    queue, names = Queue(worded), frozenset(hosts)

    def name_of(request: Request) -> str:
        return request.url.path.removeprefix("/api/")

    async def told(request: Request) -> Response:
        views = service.views(request.query_params.get("list", ""))
        return Told(await run_in_threadpool(views.told[name_of(request)]))

    async def asked(request: Request) -> Response:
        name = name_of(request)
        record = await body_of(request, MOST_LIST if name == "list" else MOST_BODY)
        answer = await run_in_threadpool(service.answer, name, record)
        if not callable(answer):
            return Told(answer)
        if len(queue.waiting()) >= MOST_WAITING:
            raise RequestError("too many searches at once: try again", 503)
        return StreamingResponse(lines_of(answer, queue), media_type="application/x-ndjson")

    async def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, ValueError)
        return JSONResponse(refusal(error, worded), getattr(error, "status", 422))

    missing = page_of("missing")

    async def not_found(request: Request, error: Exception) -> Response:
        page = "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/api/")
        return HTMLResponse(missing, 404) if page else Told({"error": "there is no such page here"}, 404)

    get, post = (partial(Route, methods=[method]) for method in ("GET", "POST"))
    routes = [
        *(get(f"/api/{name}", told) for name in service.usual.told),
        *(post(f"/api/{name}", asked) for name in ("list", *service.usual.asked)),
        *(get(path, HTMLResponse(page_of(name, path))) for path, name in VIEWS.items()),
        *(get(f"/{name}.html", RedirectResponse(path, 308)) for path, name in VIEWS.items()),
        Mount("/", StaticFiles(directory=STATIC)),
    ]
    pages = Starlette(routes=routes, exception_handlers={404: not_found, ValueError: refused})

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin", "")
        answer: ASGIApp = pages
        if host not in names and not (port and in_digits(host, port)):
            fault = f"host {host[:60]!r} is not this server's"
            answer = Told({"error": f"{fault}: open it by the address that it printed"}, 421)
        elif origin not in ("", f"http://{host}"):
            fault = f"origin {origin[:60]!r} is another page"
            answer = Told({"error": f"{fault}: open this server's own"}, 403)
        await answer(scope, receive, with_headers)

    return guarded


async def lines_of(work: Work, queue: Queue) -> AsyncIterator[str]:
    """Yield the lines of an answer, see `Queue.begin`; the work is stopped when the reader is gone."""
    stop, loop = threading.Event(), asyncio.get_running_loop()
    told: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()

    def tell(line: dict[str, Any] | None) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(told.put_nowait, line)

    task, earlier = queue.begin(work, tell, stop)
    try:
        before = 0
        while True:
            ahead = sum(not other.done() for other in earlier)
            if ahead not in (0, before):
                searches = f"{ahead} search{'' if ahead == 1 else 'es'}"
                yield json.dumps(status(f"waiting behind {searches}")) + "\n"
            before = ahead
            try:
                line = await asyncio.wait_for(told.get(), BEAT)
            except TimeoutError:
                yield "\n"
                continue
            if line is None:
                return
            yield leave(json.dumps(line, ensure_ascii=False)) + "\n"
    finally:
        stop.set()
        task.cancel()  # if it has not begun, it never will


Protocol: Any = AutoHTTPProtocol  # of h11 or httptools, whichever is installed


class Connection(Protocol):
    """A connection that is closed if a request takes too long to arrive, headers and body.

    uvicorn waits without limit for an incomplete request, and refuses all others once there are many.
    """

    _timer: asyncio.TimerHandle | None = None  # closes it; None while a complete request is answered
    _begun = False  # whether a part of a request has arrived

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._arrived:
            self._stop_waiting()
        elif not self._begun:  # a slow request has no more time than others
            self._wait()
        self._begun = not self._arrived

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self._arrived:  # the next of several requests sent together may have arrived
            self._wait()
            self._begun = False

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._stop_waiting()

    @property
    def _arrived(self) -> bool:
        """Return True if a complete request has arrived and is not yet answered."""
        cycle = self.cycle
        return cycle is not None and not (cycle.more_body or cycle.response_complete)

    def _wait(self) -> None:
        """Start the time limit of a request; if too many wait, the one that has waited longest is closed."""
        self._stop_waiting()
        self._timer = self.loop.call_later(SECONDS, self.transport.close)
        waiting = [connection for connection in self.connections if connection._timer]
        if len(waiting) > MOST_ARRIVING:
            longest = min(waiting, key=lambda connection: connection._timer.when())
            longest._stop_waiting()
            longest.transport.close()

    def _stop_waiting(self) -> None:
        if self._timer:
            self._timer.cancel()
        self._timer = None


class Server(uvicorn.Server):
    """A server that does not report connections that its own end closes."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start; handle SIGHUP like SIGTERM, if it is handled like Ctrl-C."""
        if signal.getsignal(signal.SIGHUP) is signal.default_int_handler:
            loop = asyncio.get_running_loop()
            loop.add_signal_handler(signal.SIGHUP, self.handle_exit, signal.SIGTERM, None)
        await super().startup(sockets)
        for listener in sockets or ():
            listener.listen(MOST_AT_ONCE)  # the queue may be longer than the number accepted together

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        await super().shutdown(sockets)


def in_address(host: str) -> str:
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


def hosts_of(host: str, port: int) -> set[str]:
    """Return the values of the header Host that browsers send to a server at this address."""
    names = {*LOOPBACK, in_address(host).lower()}
    if host in EVERYWHERE:
        names.add(socket.gethostname().lower())
    return {f"{name}:{port}" for name in names} | (names if port == 80 else set())


def reachable(family: socket.AddressFamily) -> str:
    """Return the address of this machine in its network; that of loopback without a network."""
    with socket.socket(family, socket.SOCK_DGRAM) as route:
        try:
            route.connect(("2001:db8::1" if family == socket.AF_INET6 else "192.0.2.1", 9))  # sends nothing
        except OSError:
            return LOOPBACK[2 if family == socket.AF_INET6 else 0]
        return str(route.getsockname()[0])


def serve(service: ViewsByList, host: str, port: int, ready: Callable[[str], None]) -> None:
    """Serve until interrupted.

    Args:
        host: address to listen on. port: 0 means any free port.
        ready: called with the address of the page, when it answers.
    """
    if not host.strip("[]"):  # an empty one would mean every address of the machine
        raise UsageError("cannot listen on an address that is empty", ADDRESS, field="host")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host.strip("[]"), port))
    except (OSError, TypeError, UnicodeError) as error:  # the last two: not a name
        listener.close()
        fault = getattr(error, "strerror", None) or "no such name"
        what = f"cannot listen on {host}:{port} ({fault})"
        taken = port and getattr(error, "errno", 0) in (errno.EADDRINUSE, errno.EACCES)
        raise UsageError(what, ADDRESS, field="port" if taken else "host") from None
    number = listener.getsockname()[1]
    anywhere = number if host in EVERYWHERE else None
    config = uvicorn.Config(
        application(service, hosts_of(host, number), anywhere), log_level="error",
        http=Connection, ws="none", lifespan="off", limit_concurrency=MOST_AT_ONCE, backlog=MOST_TAKEN,
        timeout_keep_alive=SECONDS, server_header=False, timeout_graceful_shutdown=LEAVE,
    )  # fmt: skip
    server = Server(config)
    listener.listen(MOST_AT_ONCE)
    ready(f"http://{in_address(reachable(family) if anywhere else host)}:{number}/")
    with listener:
        server.run(sockets=[listener])

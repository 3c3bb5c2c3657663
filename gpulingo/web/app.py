"""The service over HTTP, by Starlette and uvicorn, on this machine alone unless told otherwise.

Pages and answers are for this page alone; long answers come as they grow.
A request from another page is refused by its Host and Origin, a large one before it is read, and nothing that
is sent names a file.
"""

from __future__ import annotations

import asyncio
import json
import logging
import signal
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from gpulingo.storage.faults import Fault
from gpulingo.storage.fields import parsed_json
from gpulingo.tensors.clock import told_of_compiling
from gpulingo.web.requests import RequestError, Work
from gpulingo.web.service import Answerer, Searcher, Service, Teller
from gpulingo.words.letters import leave

STATIC = Path(__file__).parent / "static"
VIEWS = {"/": "index", "/review": "review", "/play": "play", "/atlas": "atlas"}  # paths and their files
MOST_BODY = 1 << 16  # bytes of a request
MOST_LIST = 1 << 23  # of one that brings word lists
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
MOST_WAITING = 128  # answers that wait for another to end
BEAT = 1.0  # seconds of silence after which an empty line asks whether anybody reads
FAILED = "the search failed: see what the server wrote"
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
EVERYWHERE = ("0.0.0.0", "::", "[::]")  # every address of the machine
MOST_AT_ONCE = 1024  # connections, those that are being closed too; more are told to try again
MOST_ARRIVING = 384  # of them on which no whole request has arrived
MOST_TAKEN = 128  # of them that are taken before one is looked at again
SECONDS = 10  # that such a connection is kept
LEAVE = 1  # seconds that searches have to end when the server does


class Guarded:
    """An application that answers its own pages only, and requests of a bounded size.

    Args:
        app: that answers.
        hosts: values of the header Host that are this server's.
        port: set where every address in digits is this server's too, at that port: a page of another
            server can borrow a name that leads here, but no address.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str], port: int | None = None) -> None:
        self.app, self.hosts, self.port = app, frozenset(hosts), port

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [
                    *message["headers"],
                    *((name.lower().encode(), value.encode()) for name, value in HEADERS.items()),
                ]
            await send(message)

        fault = self._fault(scope)
        answering = refusal(*fault) if fault else self.app
        await answering(scope, receive, with_headers)

    def _fault(self, scope: Scope) -> tuple[str, int] | None:
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        host, origin = headers.get("host", ""), headers.get("origin")
        if host not in self.hosts and not (self.port and in_digits(host, self.port)):
            return f"host {host[:60]!r} is not this server's: open it by the address that it printed", 421
        if origin is not None and origin != f"http://{host}":
            return f"origin {origin[:60]!r} is another page: open this server's own", 403
        return None


def in_digits(host: str, port: int) -> bool:
    """Return True if a header Host is an address in digits, with this port or with none for port 80."""
    name = host.removesuffix(f":{port}")
    if name == host and port != 80:
        return False
    try:
        ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True


class Told(JSONResponse):
    """An answer in which words are as they are written."""

    def render(self, content: Any) -> bytes:
        return leave(super().render(content).decode()).encode()


def refusal(text: str, status: int) -> Told:
    return Told({"error": text}, status_code=status)


def page_of(name: str, path: str = "") -> str:
    """Return a view in the frame that all share, which marks its link; its first line is of the head."""
    frame, board, own = ((STATIC / f"{part}.html").read_text() for part in ("frame", "board", name))
    head, main = own.split("\n", 1)
    frame = frame.replace(f'<a href="{path}"', f'<a aria-current="page" href="{path}"')
    return frame.replace("<!--head-->", head).replace("<!--main-->", main.replace("<!--board-->\n", board))


async def body_of(request: Request, most: int = MOST_BODY) -> Any:
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
        return parsed_json(data)
    except ValueError as error:
        raise RequestError(f"the request {error}") from None


def application(service: Service, hosts: Iterable[str], port: int | None = None) -> ASGIApp:
    """Return a service's pages and answers, for requests to these hosts; see `Guarded` for `port`."""
    streams = Streams()

    def told(name: str, tell: Teller) -> Route:
        async def answer(request: Request) -> Response:
            return Told(await run_in_threadpool(tell, request.query_params.get("list", "")))

        return Route(f"/api/{name}", answer, methods=["GET"])

    def asked(name: str, answerer: Answerer, most: int = MOST_BODY) -> Route:
        async def answer(request: Request) -> Response:
            return Told(await run_in_threadpool(answerer, await body_of(request, most)))

        return Route(f"/api/{name}", answer, methods=["POST"])

    def searched(name: str, searcher: Searcher) -> Route:
        async def answer(request: Request) -> Response:
            work = searcher(await body_of(request))
            streams.check()
            return StreamingResponse(streams.lines(work), media_type="application/x-ndjson")

        return Route(f"/api/{name}", answer, methods=["POST"])

    async def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestError)
        return JSONResponse(error.entry(), error.status)

    missing = page_of("missing")

    async def not_found(request: Request, error: Exception) -> Response:
        page = "text/html" in request.headers.get("accept", "") and not request.url.path.startswith("/api/")
        return HTMLResponse(missing, 404) if page else refusal("there is no such page here", 404)

    def view(path: str, name: str) -> list[Route]:
        text = page_of(name, path)

        async def page(request: Request) -> Response:
            return HTMLResponse(text)

        async def moved(request: Request) -> Response:
            return RedirectResponse(path, 308)

        return [Route(path, page), Route(f"/{name}.html", moved)]

    routes = [
        *(told(*one) for one in service.told.items()),
        asked("list", service.keep, MOST_LIST),
        *(asked(*one) for one in service.asked.items()),
        *(searched(*one) for one in service.searched.items()),
        *(route for one in VIEWS.items() for route in view(*one)),
        Mount("/", StaticFiles(directory=STATIC)),
    ]
    return Guarded(
        Starlette(routes=routes, exception_handlers={404: not_found, RequestError: refused}), hosts, port
    )


class Streams:
    """Queue of answers, worked out one after the other in one thread, so that quick ones never wait.

    One thread, because what computes keeps memory for every thread that it was used from.
    """

    def __init__(self) -> None:
        self._worker = ThreadPoolExecutor(1)
        self._tasks: list[Future[None]] = []  # in their order; changed by the thread of the event loop alone

    def check(self) -> None:
        """Take one more."""
        if sum(not own.done() for own in self._tasks) >= MOST_WAITING:
            raise RequestError("too many searches at once: try again", 503)

    async def lines(self, work: Work) -> AsyncIterator[str]:
        """Yield the lines of an answer: some with `progress`, the last with the `answer` or an `error`.

        Progress that has a `status` says in words what it waits for.

        Args:
            work: stopped when the reader is gone.
        """
        stop, loop = threading.Event(), asyncio.get_running_loop()
        queue: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()

        def tell(line: dict[str, Any] | None) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(queue.put_nowait, line)

        def worked() -> None:
            try:
                if earlier:
                    tell(_status("searching"))
                with told_of_compiling(lambda text: tell(_status(text))):
                    tell({"answer": work(lambda part: tell({"progress": part}), stop)})
            except RequestError as error:
                tell(error.entry())
            except BaseException:
                tell({"error": FAILED})
                raise
            finally:
                tell(None)

        earlier = [own for own in self._tasks if not own.done()]
        task = self._worker.submit(worked)
        self._tasks = [*earlier, task]
        try:
            going, before = True, 0
            while going:
                ahead = sum(not own.done() for own in earlier)
                if ahead not in (0, before):
                    searches = f"{ahead} search{'' if ahead == 1 else 'es'}"
                    yield json.dumps(_status(f"waiting behind {searches}")) + "\n"
                before = ahead
                try:
                    line = await asyncio.wait_for(queue.get(), BEAT)
                except TimeoutError:
                    yield "\n"
                    continue
                going = line is not None
                if line is not None:
                    yield leave(json.dumps(line, ensure_ascii=False)) + "\n"
            await asyncio.wrap_future(task)
        finally:
            stop.set()
            task.cancel()  # one whose turn has not come never begins


def _status(text: str) -> dict[str, Any]:
    return {"progress": {"status": f"{text[0].upper()}{text[1:]}."}}


class PortError(Fault):
    """The address is not to be had; `port` or `host` is to be another."""


Protocol: Any = AutoHTTPProtocol  # of h11 or httptools, whichever is installed


class Connection(Protocol):
    """A connection that is closed where a request takes too long to arrive, headers and body.

    uvicorn waits for ever for one that has begun, and refuses all others once many have.
    """

    _timer: asyncio.TimerHandle | None = None  # closes it; None while a whole request is answered
    _begun = False  # whether a part of a request has arrived

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._arrived:
            self._stop_waiting()
        elif not self._begun:  # one that trickles in has no more time than others
            self._wait()
        self._begun = not self._arrived

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self._arrived:  # as the next one of several that were sent together has
            self._wait()
            self._begun = False

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._stop_waiting()

    @property
    def _arrived(self) -> bool:
        """Return True if a whole request has arrived that is not yet answered."""
        cycle = self.cycle
        return cycle is not None and not (cycle.more_body or cycle.response_complete)

    def _wait(self) -> None:
        """Give a request its time to arrive; where too many wait, the one that did so longest is closed."""
        self._stop_waiting()
        self._timer = self.loop.call_later(SECONDS, self.transport.close)
        waiting = [own for own in self.connections if own._timer]
        if len(waiting) > MOST_ARRIVING:
            longest = min(waiting, key=lambda own: own._timer.when())
            longest._stop_waiting()
            longest.transport.close()

    def _stop_waiting(self) -> None:
        if self._timer:
            self._timer.cancel()
        self._timer = None


class Server(uvicorn.Server):
    """A server that is silent of what its own end cuts off."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin; SIGHUP is to be as good as SIGTERM where it is as good as Ctrl-C."""
        if signal.getsignal(signal.SIGHUP) is signal.default_int_handler:
            loop = asyncio.get_running_loop()
            loop.add_signal_handler(signal.SIGHUP, self.handle_exit, signal.SIGTERM, None)
        await super().startup(sockets)
        for listener in sockets or ():
            listener.listen(MOST_AT_ONCE)  # more may wait to be taken than are taken together

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        await super().shutdown(sockets)


def in_address(host: str) -> str:
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


def hosts_of(host: str, port: int) -> set[str]:
    """Return the values of the header Host that browsers send to a server that listens there."""
    names = {
        *LOOPBACK,
        in_address(host).lower(),
        *([socket.gethostname().lower()] if host in EVERYWHERE else []),
    }
    return {f"{name}:{port}" for name in names} | (names if port == 80 else set())


def serve(service: Service, host: str, port: int, ready: Callable[[str], None]) -> None:
    """Serve until interrupted.

    Args:
        host: to listen on. port: 0 takes any that is free.
        ready: told the address of the page, when it answers.
    """
    if not host.strip("[]"):  # which would be every address of the machine
        raise PortError("cannot listen on an address that is empty", kind="address", field="host")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host.strip("[]"), port))
    except (OSError, TypeError, UnicodeError) as error:  # the last two: no name at all
        listener.close()
        fault = getattr(error, "strerror", None) or "no such name"
        seen = f"cannot listen on {host}:{port} ({fault})"
        raise PortError(seen, kind="address", field="port" if port else "host") from None
    number = listener.getsockname()[1]
    anywhere = number if host in EVERYWHERE else None
    config = uvicorn.Config(
        application(service, hosts_of(host, number), anywhere), log_level="error",
        http=Connection, ws="none", lifespan="off", limit_concurrency=MOST_AT_ONCE, backlog=MOST_TAKEN,
        timeout_keep_alive=SECONDS, server_header=False, timeout_graceful_shutdown=LEAVE,
    )  # fmt: skip
    server = Server(config)
    listener.listen(MOST_AT_ONCE)
    ready(f"http://{in_address(host)}:{number}/")
    with listener:
        server.run(sockets=[listener])

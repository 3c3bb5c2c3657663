"""The page's server, by uvicorn: on this machine alone unless told otherwise."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
from collections.abc import Callable
from typing import Any

import uvicorn
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from gpulingo.storage.faults import Fault
from gpulingo.web.app import application
from gpulingo.web.service import Service

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
EVERYWHERE = ("0.0.0.0", "::", "[::]")  # every address of the machine
MOST_AT_ONCE = 1024  # connections, those that are being closed too; more are told to try again
MOST_WAITING = 384  # of them on which no whole request has arrived
MOST_TAKEN = 128  # of them that are taken before one is looked at again
SECONDS = 10  # that such a connection is kept
LEAVE = 1  # seconds that searches have to end when the server does


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
        if len(waiting) > MOST_WAITING:
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
    """Return a host as addresses have it."""
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

"""The page's server, by uvicorn: on this machine alone unless told otherwise."""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
from collections.abc import Callable

import uvicorn

from gpulingo.web.app import application
from gpulingo.web.service import Service

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
EVERYWHERE = ("0.0.0.0", "::", "[::]")  # every address of the machine
MOST_AT_ONCE = 512  # connections
SECONDS = 10  # that an idle connection is kept
LEAVE = 1  # seconds that searches have to end when the server does


class PortError(ValueError):
    """The address is not to be had."""


class Server(uvicorn.Server):
    """A server that is silent of what its own end cuts off."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin; SIGHUP is to be as good as SIGTERM where it is as good as Ctrl-C."""
        if signal.getsignal(signal.SIGHUP) is signal.default_int_handler:
            loop = asyncio.get_running_loop()
            loop.add_signal_handler(signal.SIGHUP, self.handle_exit, signal.SIGTERM, None)
        await super().startup(sockets)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End."""
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        await super().shutdown(sockets)


def in_address(host: str) -> str:
    """A host as addresses have it."""
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


def hosts_of(host: str, port: int) -> set[str]:
    """What browsers send as the header Host when they ask a server that listens there."""
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
    Raises:
        PortError: another program has the port, or there is no such address.
    """
    if not host.strip("[]"):  # which would be every address of the machine
        raise PortError("cannot listen on an address that is empty: name another with --host")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host.strip("[]"), port))
    except (OSError, TypeError, UnicodeError) as error:  # the last two: no name at all
        listener.close()
        remedy = "name another with --port" if port else "name another with --host"
        fault = getattr(error, "strerror", None) or "no such name"
        raise PortError(f"cannot listen on {host}:{port} ({fault}): {remedy}") from None
    number = listener.getsockname()[1]
    anywhere = number if host in EVERYWHERE else None
    config = uvicorn.Config(
        application(service, hosts_of(host, number), anywhere), log_level="error", ws="none",
        limit_concurrency=MOST_AT_ONCE, timeout_keep_alive=SECONDS, server_header=False, lifespan="off",
        timeout_graceful_shutdown=LEAVE,
    )  # fmt: skip
    server = Server(config)
    listener.listen(MOST_AT_ONCE)
    ready(f"http://{in_address(host)}:{number}/")
    with listener:
        server.run(sockets=[listener])

"""The page's server, by uvicorn: on this machine alone unless told otherwise."""

from __future__ import annotations

import socket
from collections.abc import Callable

import uvicorn

from gpulingo.web.app import application
from gpulingo.web.service import Service

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
MOST_AT_ONCE = 512  # connections
SECONDS = 10  # that an idle connection is kept
LEAVE = 1  # seconds that searches have to end when the server does


class PortError(ValueError):
    """The address is not to be had."""


def serve(service: Service, host: str, port: int, ready: Callable[[str], None]) -> None:
    """Serve until interrupted.

    Args:
        host: to listen on. port: 0 takes any that is free.
        ready: told the address of the page, when it answers.
    Raises:
        PortError: another program has the port, or there is no such address.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host.strip("[]"), port))
    except OSError as error:
        listener.close()
        remedy = "name another with --port" if port else "name another with --host"
        raise PortError(f"cannot listen on {host}:{port} ({error.strerror}): {remedy}") from None
    number = listener.getsockname()[1]
    shown = f"[{host}]" if ":" in host and not host.startswith("[") else host
    hosts = {f"{name}:{number}" for name in (*LOOPBACK, shown)}
    config = uvicorn.Config(
        application(service, hosts), log_level="error", limit_concurrency=MOST_AT_ONCE,
        timeout_keep_alive=SECONDS, server_header=False, lifespan="off",
        timeout_graceful_shutdown=LEAVE,
    )  # fmt: skip
    server = uvicorn.Server(config)
    listener.listen(MOST_AT_ONCE)
    ready(f"http://{shown}:{number}/")
    with listener:
        server.run(sockets=[listener])

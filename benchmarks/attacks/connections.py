"""Connections that never send a complete request, held open to the page's server: others must get answers.

Every case holds hundreds of connections of one kind and some of another, then requests a page and a
suggestion. The server behaves if it answers both.
"""

from __future__ import annotations

import json
import random
import socket
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

HELD = 520  # connections of one kind
LEAVE = 60  # seconds for an answer, on a busy machine
WORDS = "dents dozes reads zones dunes tunes tones bones cones lones roses".split()
ASK = b"POST /api/suggest HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\n"
PARTS = {
    "nothing sent": b"",
    "half-sent headers": ASK,
    "half-sent bodies": ASK + b'Content-Length: 100\r\n\r\n{"game": ',
    "half-sent pieces": ASK + b"Transfer-Encoding: chunked\r\n\r\n5\r\n{",
    "half-sent second requests": b"GET /api/games HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" + ASK,
    "bodies nobody wants": b"GET /none HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: 9\r\n\r\n{",
}


def held(port: int, part: bytes, count: int, stack: ExitStack) -> None:
    """Open connections that send only `part`; the stack closes them."""
    for _ in range(count):
        own = stack.enter_context(socket.create_connection(("127.0.0.1", port), LEAVE))
        own.sendall(part.replace(b"%d", str(port).encode()))


def refused(address: str) -> str:
    """The fault in the answers to other clients; "" for none."""
    record = json.dumps({"game": "lingo", "history": []}).encode()
    for name, data in (("", None), ("api/suggest", record)):
        asked = urllib.request.Request(address + name, data, {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(asked, timeout=LEAVE) as answer:
                answer.read()
        except OSError as error:
            return f"/{name}: {error}"
    return ""


def attacks(cases: int, seed: int) -> Iterator[tuple[str, str]]:
    """Yield the kind of each case, and its fault."""
    draw = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "words.txt").write_text("\n".join(WORDS) + "\n")
        command = [sys.executable, "-m", "gpulingo", "web", "--port", "0", "--wordlist", "words.txt"]
        with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            address = server.stdout.readline().strip()
            port = int(address.rstrip("/").rpartition(":")[2])
            try:
                for number in range(cases):
                    kind = list(PARTS)[number % len(PARTS)]
                    with ExitStack() as stack:
                        for more in {kind, draw.choice(list(PARTS))}:
                            held(port, PARTS[more], HELD if more == kind else HELD // 4, stack)
                        yield kind, refused(address)
            finally:
                server.terminate()

"""Shared by the tests of the page: a small list, its service, and a client that needs no network."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from gpulingo.cli.commands.web import TREES
from gpulingo.games.catalogue import find_game, usual_targets
from gpulingo.player.question import ListNames
from gpulingo.positions.service import Entry, Work
from gpulingo.trees.stored import stored_trees
from gpulingo.trees.tree import Tree
from gpulingo.web.app import ViewsByList
from gpulingo.web.assistant import Assistant
from gpulingo.web.atlas import Atlas
from gpulingo.web.export import exported, parsed_trees
from gpulingo.web.requests import Setting, worded
from gpulingo.words.listing import WordList, embedded
from gpulingo.words.targets import Targets

WORDS = "dents dozes reads zones dunes tunes tones bones cones lones roses".split()
LONG = "transgressions"  # a wide word
EMBEDDED = Setting(lambda: None, device="cpu")


@pytest.fixture
def setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Setting:
    """A small list, and searches of at most a second."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wordlist.txt").write_text("\n".join(WORDS) + "\n")

    def load() -> Any:
        from gpulingo.positions import outlooks

        return outlooks

    return Setting(load, ListNames(str(tmp_path / "wordlist.txt")), seconds=1, device="cpu")


@pytest.fixture
def assistant(setting: Setting) -> Assistant:
    """The service for positions."""
    return Assistant(setting)


@pytest.fixture
def service(setting: Setting) -> ViewsByList:
    """The service for all requests."""
    return ViewsByList(setting)


@pytest.fixture
def client(service: ViewsByList) -> Callable[..., Any]:
    """A function that makes a client of the page on one host."""
    pytest.importorskip("httpx2", reason="httpx2 is not installed")
    from starlette.testclient import TestClient

    from gpulingo.web.app import application

    def made(host: str = "localhost:8000") -> Any:
        app = application(service, ["localhost:8000"])
        return TestClient(app, base_url=f"http://{host}", raise_server_exceptions=False)

    return made


@pytest.fixture
def atlas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Atlas:
    """The atlas of the embedded list, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return Atlas(EMBEDDED)


@pytest.fixture
def small(setting: Setting) -> Atlas:
    """The atlas of a small list without stored results."""
    return Atlas(setting)


def ended(
    work: Work, tell: Callable[[Entry], None] = lambda part: None, stop: threading.Event | None = None
) -> Entry:
    """The answer of some work."""
    return work(tell, stop or threading.Event())


@contextmanager
def refused(told: str) -> Iterator[Any]:
    """Check that a request is refused in one line; yields the error, which has a status."""
    with pytest.raises(ValueError) as raised:
        yield raised
    text, status = told_of(raised.value)
    assert told in text and "\n" not in text and status in (400, 410, 422)


def told_of(error: ValueError) -> tuple[str, int]:
    """What a request gets that an error refuses, and its status."""
    return worded(error), getattr(error, "status", 422)


def answer_of(ask: Callable[[Any], Any], record: Any) -> Any:
    """The answer to a request; None if it is refused in one line."""
    try:
        return ask(record)
    except ValueError as error:
        text, status = told_of(error)
        assert "\n" not in text and text.encode() and status in (400, 410, 422), record
        return None


def kept(length: int, code: str = "lingo5") -> tuple[Tree, WordList]:
    """The stored tree of the embedded list, and its words with the usual targets."""
    game = find_game(code)
    words = Targets(usual_targets(game) or "all").of(embedded().of_length(length))
    return next(iter(stored_trees(words, game)[0].values())), words


@contextmanager
def served(
    folder: Path, *options: str, start: Sequence[str] = ("-m", "gpulingo"), port: int = 0
) -> Iterator[str]:
    """The address of a page that is served from a folder; `start` are Python's arguments."""
    command = [sys.executable, *start, "web", "--port", str(port), "--device", "cpu", *options]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as server:
        yield server.stdout.readline().strip()
        server.terminate()


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a page of a small list."""
    folder = tmp_path_factory.mktemp("web")
    (folder / "words.txt").write_text("\n".join([*WORDS, LONG]) + "\n")
    with served(folder, "--wordlist", "words.txt") as own:
        yield own


@pytest.fixture(scope="session")
def embedded_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a page of the embedded list, with its stored trees."""
    with served(tmp_path_factory.mktemp("empty")) as own:
        yield own


@cache
def files() -> dict[str, bytes]:
    """The files of an exported page with the usual trees."""
    return exported(EMBEDDED, parsed_trees(TREES))


def write(folder: Path, files: dict[str, bytes]) -> None:
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


class Handler(SimpleHTTPRequestHandler):
    """Serves files without a log."""

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="session")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a plain server, which has the exported page in a subfolder."""
    root = tmp_path_factory.mktemp("export")
    write(root / "games", files())
    return root


@pytest.fixture(scope="session")
def plain(root: Path) -> Iterator[str]:
    """The address of the exported page."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(root))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/games/"
        server.shutdown()

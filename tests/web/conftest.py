"""What the tests of the page share: a small list, its service, and a client that needs no network."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gpulingo.web.service import Service

WORDS = "dents dozes reads zones dunes tunes tones bones cones lones roses".split()


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Service:
    """A service of a small list, which searches at most a second."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wordlist.txt").write_text("\n".join(WORDS) + "\n")

    def load() -> Any:
        from gpulingo.search import outlooks

        return outlooks

    return Service(load, wordlist=str(tmp_path / "wordlist.txt"), seconds=1, device="cpu")


@pytest.fixture
def client(service: Service) -> Callable[..., Any]:
    """A function that makes a client of the page at one host."""
    starlette = pytest.importorskip("starlette.testclient", reason="the extra web is not installed")
    from gpulingo.web.app import application

    def made(host: str = "localhost:8000") -> Any:
        app = application(service, ["localhost:8000"])
        return starlette.TestClient(app, base_url=f"http://{host}", raise_server_exceptions=False)

    return made

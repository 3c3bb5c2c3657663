"""The site of docs/ is built without the network, is complete, and loads nothing from other hosts."""

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path

import pytest

import gpulingo

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
TOOLS = ["mkdocs", "material", "mkdocstrings"]
BUILD = """
import socket, sys
def refuse(*arguments): raise OSError("the build asked for the network")
socket.socket.connect = socket.getaddrinfo = refuse
from mkdocs.__main__ import cli
cli(["build", "--strict", "--site-dir", sys.argv[1]])
"""
# Element -> attribute whose address a browser loads by itself.
LOADED = {
    "script": "src", "img": "src", "iframe": "src", "source": "src", "audio": "src", "video": "src",
    "embed": "src", "input": "src", "object": "data", "link": "href", "use": "href", "image": "href",
}  # fmt: skip
ADDRESS = re.compile(r"(?:url\(|@import)\s*[\"']?\s*(?:https?:)?//")  # in a style


class Page(HTMLParser):
    """The addresses that a page loads, its links, and its anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.links: list[str] = []
        self.places: set[str] = set()
        self.classes: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        if tag in LOADED and given.get("rel") != "canonical":
            self.loads += [given[name] for name in (LOADED[tag], "srcset") if name in given]
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        self.places.add(given.get("id", ""))
        self.classes |= set(given.get("class", "").split())


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built by a process without network."""
    missing = [name for name in TOOLS if not find_spec(name)]
    if missing:
        pytest.skip(f"no {', '.join(missing)}: pip install -c constraints.txt -e '.[docs]'")
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-c", BUILD, str(folder)],
        cwd=ROOT, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True,
    )  # fmt: skip
    assert (done.returncode, re.findall("WARNING.*|ERROR.*", done.stderr)) == (0, []), done.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    """Every page of the site."""
    return {path: Page(path.read_text()) for path in site.rglob("*.html")}


def test_every_page_of_the_docs_stands_in_the_navigation() -> None:
    navigation = re.findall(r": (\S+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)
    names = {path.relative_to(DOCS) for path in DOCS.rglob("*.md")}
    named = {Path(name) for name in navigation if not name.startswith("files/")}
    assert names == named, "enter the page in the nav of mkdocs.yml"


@pytest.mark.slow
def test_pages_load_nothing_from_another_host_and_lists_and_tables_are_such(
    site: Path, pages: dict[Path, Page]
) -> None:
    built = {path.relative_to(site) for path in pages}
    assert built >= {path.relative_to(DOCS).with_suffix(".html") for path in DOCS.rglob("*.md")}
    for path, page in pages.items():
        assert len(page.loads) > 3
        assert [address for address in page.loads if re.match(r"(?:\w+:)?//", address)] == [], path
        assert not ADDRESS.search(path.read_text()), path
        # Only for these the theme's script contacts other hosts: Mermaid, and a repository's stars.
        assert not {"mermaid", "md-source"} & page.classes, path
        for text in re.findall(r"<p>(.*?)</p>", path.read_text(), re.DOTALL):
            assert not re.search(r"^(?:- |1\. |\|.*\|$)", text, re.MULTILINE), f"{path}: {text[:80]}"
    styles = list(site.rglob("*.css"))
    assert styles and [path for path in styles if ADDRESS.search(path.read_text())] == []


FIRST = "suggest review score simulate solve prove find_words rank encode patterns Tree".split()


def test_the_reference_names_what_is_public_the_commonest_first() -> None:
    named = re.findall(r"^::: gpulingo\.(\w+)$", (DOCS / "reference.md").read_text(), re.MULTILINE)
    assert named == [*FIRST, *(name for name in gpulingo.HOMES if name not in FIRST)]


@pytest.mark.slow
def test_the_reference_has_every_public_name_with_its_docstring(site: Path, pages: dict[Path, Page]) -> None:
    path = site / "reference.html"
    text = re.sub(r"<[^>]+>", "", path.read_text())
    for name in gpulingo.HOMES:
        assert f"gpulingo.{name}" in pages[path].places
        summary = (getattr(gpulingo, name).__doc__ or "").split("\n")[0].replace("`", "")
        assert " ".join(summary.split()[:4]).replace("<", "&lt;") in text, name

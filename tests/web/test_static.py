"""The page's scripts: no circle of imports, as served and as exported, no long line, and their size."""

import re
from graphlib import CycleError, TopologicalSorter

import pytest

from gpulingo.web.app import STATIC

FILES = {path.name: path.read_text(encoding="utf-8") for path in sorted(STATIC.glob("*.js"))}
IMPORT = re.compile(r"""\b(?:from|import)\s*\(?\s*["']\./([\w.-]+)["']""")
EXPORTED = {"ask.js": 'export * from "./stored.js";'}  # as web/export.py writes it
MOST = 110  # columns
MOST_BYTES = 148_410  # of all scripts


def circle(files: dict[str, str]) -> list[str]:
    """Files that import each other in a circle, when they are read or later; empty without one."""
    try:
        TopologicalSorter({name: IMPORT.findall(source) for name, source in files.items()}).prepare()
    except CycleError as error:
        return sorted({*error.args[1]})
    return []


@pytest.mark.parametrize("files", [FILES, FILES | EXPORTED], ids=["served", "exported"])
def test_no_scripts_import_each_other_in_a_circle(files):
    assert {name for source in files.values() for name in IMPORT.findall(source)} <= set(files)
    assert circle(files) == []


def test_a_circle_is_found_in_every_kind_of_import():
    files = {
        "a.js": 'import {\n  b,\n} from "./b.js";',
        "b.js": 'const later = async () => (await import("./c.js")).help();',
        "c.js": 'export * from "./d.js";',
        "d.js": 'import "./a.js";',
        "e.js": 'import { a } from "./a.js";',
    }
    assert circle(files) == ["a.js", "b.js", "c.js", "d.js"]
    assert circle(files | {"d.js": ""}) == []


def test_no_line_of_a_script_is_long():
    lines = [(name, line) for name, source in FILES.items() for line in source.splitlines()]
    assert [(name, line) for name, line in lines if len(line) > MOST] == []


def test_all_scripts_together_do_not_grow():
    assert sum(len(source.encode()) for source in FILES.values()) <= MOST_BYTES

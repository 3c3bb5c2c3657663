"""The files that describe the project agree: licence, requirements, versions, dates."""

import ast
import os
import re
import sys
import tomllib
from itertools import chain
from pathlib import Path

from packaging.licenses import canonicalize_license_expression
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from sources import nodes
from trove_classifiers import classifiers

ROOT = Path(__file__).parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PROJECT = PYPROJECT["project"]
CONDA_NAMES = {"pytorch-cpu": "torch"}  # conda-forge's names that differ from Python's index


def bounds(lines: list[str]) -> dict[str, str]:
    """Name and lower bound of each requirement."""
    requirements = [Requirement(line) for line in lines]
    return {CONDA_NAMES.get(found.name, found.name): str(found.specifier) for found in requirements}


def citation() -> dict[str, str]:
    """The lines of CITATION.cff with a value."""
    return dict(re.findall(r"^(\S+): +(.+)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE))


def test_every_command_but_those_of_charts_and_clusters_runs_after_a_plain_installation():
    names = {"torch": "torch", "numpy": "numpy", "array_api_compat": "array-api-compat",
             "numba": "numba", "llvmlite": "numba", "psutil": "psutil",
             "typer": "typer", "rich": "typer", "starlette": "starlette", "uvicorn": "uvicorn"}  # fmt: skip
    optional = {"jinja2", "vl_convert", "ray", "triton", "gymnasium"}
    imported = set()
    for path in (ROOT / "gpulingo").rglob("*.py"):
        for node in nodes(path.read_text(encoding="utf-8")):
            if isinstance(node, ast.Import):
                imported |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                imported.add(node.module.split(".")[0])
    foreign = imported - sys.stdlib_module_names - {"gpulingo"} - optional
    assert {names[name] for name in foreign} == set(bounds(PROJECT["dependencies"]))


def test_conda_asks_for_what_pip_asks_for():
    asked = bounds(re.findall(r"^  - ([a-z-]+>=.+)$", (ROOT / "environment.yml").read_text(), re.MULTILINE))
    assert asked.pop("python") == PROJECT["requires-python"]
    assert asked == bounds(PROJECT["dependencies"])


def test_every_requirement_has_a_pin_that_its_lower_bound_allows():
    lines = re.findall(r"^([\w.-]+)==(\S+)$", (ROOT / "constraints.txt").read_text(), re.MULTILINE)
    pins = {canonicalize_name(name): version for name, version in lines}
    asked = [PROJECT["dependencies"], PYPROJECT["build-system"]["requires"]]
    for line in chain(*asked, *PROJECT["optional-dependencies"].values()):
        wanted = Requirement(line)
        assert pins[canonicalize_name(wanted.name)] in wanted.specifier, line


def test_the_licence_is_an_expression_its_texts_are_there_and_classifiers_are_known():
    assert canonicalize_license_expression(PROJECT["license"]) == "MIT AND LicenseRef-SCOWL"
    head = "MIT License\n\nCopyright (c) 2026 the gpulingo authors\n"
    assert (ROOT / "LICENSE").read_text().startswith(head)
    for name in PROJECT["license-files"]:
        assert (ROOT / name).stat().st_size > 1000
    assert set(PROJECT["classifiers"]) <= classifiers
    assert not [name for name in PROJECT["classifiers"] if name.startswith("License ::")]


def test_the_citation_has_what_the_format_needs_and_the_version_of_the_package():
    told = citation()
    assert told["cff-version"] == "1.2.0"
    assert {"message", "title", "type", "abstract", "license"} <= told.keys()
    authors = re.search(r"^authors:\n((?:  .+\n)+)", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)
    assert authors and authors[1].splitlines() == ["  - name: " + name["name"] for name in PROJECT["authors"]]
    assert told["version"] == PROJECT["version"]


def test_the_changelog_has_the_version_with_the_date_of_the_citation_below_what_is_unreleased():
    titles = re.findall(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    told = citation()
    assert titles[:2] == ["Unreleased", f"{told['version']} - {told['date-released']}"]


def test_entries_of_the_changelog_are_short_and_of_four_kinds():
    text = (ROOT / "CHANGELOG.md").read_text()
    kinds = [re.findall(r"^### (.+)$", part, re.MULTILINE) for part in text.split("\n## ")[1:]]
    order = ["Added", "Changed", "Fixed", "Removed"]
    assert all(found == [kind for kind in order if kind in found] for found in kinds)
    rest = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert [line for line in rest if not line.startswith("- ") or len(line) > len("- ") + 160] == []


def test_workflows_run_what_the_repository_has():
    texts = {path.name: path.read_text() for path in (ROOT / ".github" / "workflows").glob("*.yml")}
    assert {"ci.yml", "release.yml", "pages.yml"} <= texts.keys()
    commands = [command.split() for text in texts.values() for command in re.findall(r"- run: (.+)", text)]
    own = [words for words in commands if "/" in words[0]]
    assert own and [words for words in own if not os.access(ROOT / words[0], os.X_OK)] == []
    (options,) = [words[2:] for words in own if words[1:2] == ["web"]]
    assert options == ["--export", "site/play"]  # below what is uploaded: `path: site`
    assert "path: site\n" in texts["pages.yml"]

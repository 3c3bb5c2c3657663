"""JSON objects that commands print with `--json`, one per line; `schema/output-1.json` describes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SCHEMA = 1  # number of the schema; a field that is removed or redefined makes another


def version() -> str:
    """Return the version of this gpulingo."""
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import version as version_of

    try:
        return version_of("gpulingo")
    except PackageNotFoundError:  # a checkout on the path, never installed
        return "not installed"


def schema() -> dict[str, Any]:
    """Return the schema of these objects (JSON Schema 2020-12); `$defs` has one for each command."""
    import json
    from pathlib import Path

    path = Path(__file__).parent.parent / "schema" / f"output-{SCHEMA}.json"
    parsed: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return parsed


def line_of(command: str, entry: Mapping[str, Any]) -> str:
    """Return the line that a command prints: schema, command and version, then the fields of an entry.

    An entry that has a version, of what computed it, keeps that one.
    """
    import json

    head = {"schema": SCHEMA, "command": command, "version": version()}
    return json.dumps(head | dict(entry), ensure_ascii=False)

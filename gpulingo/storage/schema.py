"""The schema of the JSON objects that commands print, and the page that is made from it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from gpulingo.storage.printed import SCHEMA

KINDS = {"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false",
         "null": "null"}  # fmt: skip


def schema() -> dict[str, Any]:
    """Return the schema of these objects (JSON Schema 2020-12); `$defs` has one for each command."""
    path = Path(__file__).parent.parent / "schema" / f"output-{SCHEMA}.json"
    parsed: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return parsed


def page(head: str) -> str:
    """Return the page that describes every object and its fields, after a head."""
    every = schema()
    defs = every["$defs"]
    commands = [_name(own) for own in every["anyOf"]]
    objects = {command: [_name(own) for own in defs[command]["anyOf"]] for command in commands}
    listed = {*commands, *(name for names in objects.values() for name in names)}
    parts = [head, _section("##", "head", defs["head"])]
    for command, names in objects.items():
        parts.append(f"## {command}\n")
        parts += [_section("###", name, defs[name]) for name in names]
    parts.append("## Parts\n\nFields and objects that several of the objects above have.\n")
    parts += [_section("###", name, own) for name, own in defs.items() if name not in {*listed, "head"}]
    return "\n".join(parts)


def _section(level: str, name: str, own: dict[str, Any]) -> str:
    shared = [f"`{_name(part)}`" for part in own.get("allOf", ())]
    text = own["description"] + (f" It has the fields of {', '.join(shared)}" if shared else "")
    fields = {field: kind for field, kind in own.get("properties", {}).items() if "description" in kind}
    required = own.get("required", ())
    lines = [
        f"- `{field}` ({_kind(kind)}{'' if field in required else ', optional'}): {kind['description']}"
        for field, kind in fields.items()
    ]
    end = "" if not shared else ", and:" if lines else "."
    return "\n".join([f"{level} {name}\n", text + end, *([""] if lines else []), *lines, ""])


def _kind(own: dict[str, Any]) -> str:
    if "$ref" in own:
        return f"`{_name(own)}`"
    if "const" in own:
        return json.dumps(own["const"])
    if "enum" in own:
        return " or ".join(own["enum"])
    kinds = own["type"] if isinstance(own["type"], list) else [own["type"]]
    names = {"array": "list of {}", "object": "object of {}"}
    inner = (
        _kind(own["items"] if "items" in own else own["additionalProperties"]) if kinds[0] in names else ""
    )
    return " or ".join(names[kind].format(inner) if kind in names else KINDS[kind] for kind in kinds)


def _name(own: dict[str, Any]) -> str:
    return str(own["$ref"]).rpartition("/")[2]

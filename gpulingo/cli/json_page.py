"""The page on what `--json` prints, made from its schema: docs/json.md and `gpulingo help json`."""

from __future__ import annotations

import json
from typing import Any

from gpulingo.storage.printed import SCHEMA, schema

KINDS = {"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false",
         "null": "null"}  # fmt: skip
HEAD = f"""# JSON output

With `--json` a command prints one JSON object per line. `gpulingo/schema/output-{SCHEMA}.json` (JSON Schema
2020-12) describes the objects of every command; `scripts/json_page.py` makes this page from it.

A program that reads these lines should skip fields that it does not know: a new field keeps the number of
the schema. A removed or redefined field makes another schema with the next number, and this one stays.
Times are in seconds. An optional field is absent where it has no meaning.
"""


def page() -> str:
    """Return the page, in Markdown."""
    every = schema()
    defs = every["$defs"]
    commands = [_name(own) for own in every["anyOf"]]
    objects = {command: [_name(own) for own in defs[command]["anyOf"]] for command in commands}
    listed = {*commands, *(name for names in objects.values() for name in names)}
    parts = [HEAD, _section("##", "head", defs["head"])]
    for command, names in objects.items():
        parts.append(f"## {command}\n")
        parts += [_section("###", name, defs[name]) for name in names]
    parts.append("## Parts\n\nFields and objects that several of the objects above have.\n")
    parts += [_section("###", name, own) for name, own in defs.items() if name not in {*listed, "head"}]
    return "\n".join(parts)


def _section(level: str, name: str, own: dict[str, Any]) -> str:
    """Return the section of an object."""
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
    """Return the type of a field in words."""
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
    """Return the name that a reference has."""
    return str(own["$ref"]).rpartition("/")[2]

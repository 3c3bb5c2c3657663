"""The header of a checkpoint: flat JSON, one key a line, in the one form that is written here.

Written and read by hand, because importing `json` costs the light path 7 ms (measured: CPU time of
`python -c "import json"` less that of `python -c pass`). Which keys there must be is for the checkpoint.
"""

from __future__ import annotations

TYPE_CHECKING = False  # not typing's: importing it costs the light path more than reading a checkpoint
if TYPE_CHECKING:
    Value = str | int | float | None


def header_text(fields: dict[str, Value]) -> str:
    """Fields as JSON with sorted keys, one a line; the twin of `parsed_header`.

    Raises:
        ValueError: a text with a quote, a backslash or an unprintable character.
    """
    lines = [f'"{key}": {value_text(key, fields[key])}' for key in sorted(fields)]
    return "{\n" + ",\n".join(lines) + "\n}"


def value_text(key: str, value: Value) -> str:
    """One value as JSON."""
    if value is None:
        return "null"
    if isinstance(value, str):
        if not value.isprintable() or '"' in value or "\\" in value:
            raise ValueError(f"{key} is {value!r}: use printable characters without quotes and backslashes")
        return f'"{value}"'
    number = repr(value)
    if isinstance(value, bool) or number.strip("-+.e0123456789"):
        raise ValueError(f"{key} is {number}: use a number")
    return number


def parsed_header(text: str) -> dict[str, Value]:
    """Fields of a header; the twin of `header_text`.

    Raises:
        ValueError: any text that `header_text` would not have written.
    """
    fields: dict[str, Value] = {}
    for line in text[2:-2].split(",\n"):
        key, _, value = line.partition('": ')
        fields[key[1:]] = parsed_value(value)
    if header_text(fields) != text:
        raise ValueError("the header is not in the form that `gpulingo build` writes")
    return fields


def parsed_value(text: str) -> Value:
    """One value of a header."""
    if text == "null":
        return None
    if text.startswith('"'):
        return text[1:-1]
    return float(text) if text.strip("-0123456789") else int(text)

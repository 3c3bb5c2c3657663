"""Checks of flat records from outside against a table of names and values.

A check takes a value and returns what it expected instead, or nothing if the value fits. The reader of a
record checks relations between its values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Check = Callable[[Any], str]
Shape = Mapping[str, Check | tuple[Check, Any]]  # name -> check, or check and the value of a missing field
MOST = 1 << 62  # default upper limit of a number


def whole(least: int = 0, most: int = MOST) -> Check:
    """A whole number in a range, both ends included."""
    expected = f"{least} to {most}" if most < MOST else f"a whole number from {least} on"
    return lambda value: "" if type(value) is int and least <= value <= most else expected


def number(least: float = 0, most: float = MOST, kinds: tuple[type, ...] = (int, float)) -> Check:
    """A number in a range, whole or not; never infinite."""
    kind = "a number" if int in kinds else "a decimal number"
    expected = f"{kind} of {least:g} to {most:g}" if most < MOST else f"{kind} from {least:g} on"
    return lambda value: "" if type(value) in kinds and least <= value <= most else expected


def decimal(least: float = 0, most: float = MOST) -> Check:
    """A number in a range, written as a decimal; never infinite."""
    return number(least, most, (float,))


def text(value: Any) -> str:
    return "" if type(value) is str else "text"


def flag(value: Any) -> str:
    return "" if type(value) is bool else "true or false"


def fingerprint(value: Any) -> str:
    """The 64 digits of a sha256."""
    fits = type(value) is str and len(value) == 64 and not value.strip("0123456789abcdef")
    return "" if fits else "64 hex digits"


def one_of(*values: Any) -> Check:
    expected = " or ".join(map(str, values))
    return lambda value: "" if value in values else expected


def or_none(check: Check) -> Check:
    """Accept null, or a value that passes the check."""

    def checked_or_none(value: Any) -> str:
        expected = "" if value is None else check(value)
        return f"{expected} or null" if expected else ""

    return checked_or_none


def list_of(check: Check) -> Check:

    def checked_list(value: Any) -> str:
        if type(value) is not list:
            return "a list"
        return next((f"a list of {expected}" for expected in map(check, value) if expected), "")

    return checked_list


def checked(record: Any, fields: Shape, *, others: bool = False, plural: bool = False) -> dict[str, Any]:
    """Return the values of a record, any parsed value, in the order of the fields. With `others` other names
    are ignored instead of refused; `plural` phrases the error for a plural subject.
    """
    verb = "have" if plural else "has"
    if not isinstance(record, dict):
        raise ValueError(f"{'are' if plural else 'is'} no JSON object")
    record = {name: check[1] for name, check in fields.items() if isinstance(check, tuple)} | record
    unknown = [] if others else [name for name in record if name not in fields]
    if unknown:
        raise ValueError(f"{verb} the key {str(unknown[0])[:40]!r}, expected {', '.join(fields)}")
    for name, check in fields.items():
        if name not in record:
            raise ValueError(f"{verb} no {name}")
        expected = (check[0] if isinstance(check, tuple) else check)(record[name])
        if expected:
            raise ValueError(f"{verb} {name} {repr(record[name])[:40]}, expected {expected}")
    return {name: record[name] for name in fields}


def parsed_json(data: str | bytes, *, plural: bool = False) -> Any:
    import json  # here, because the light path reads no such files

    try:
        return json.loads(data if isinstance(data, str) else data.decode())
    except (RecursionError, ValueError):  # deeply nested brackets, numbers of thousands of digits
        raise ValueError(f"{'are' if plural else 'is'} no JSON") from None

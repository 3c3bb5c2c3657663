"""Numbers on the command line: `5`, `4-13`, `4,6-8`, `10m`, `4G`. A default is a number, not a text."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import typer

from gpulingo.cli.errors import wrong_usage
from gpulingo.cli.request import scaled, whole_number
from gpulingo.games.marks import LONGEST


def parsed_numbers(text: str, what: str, most: int) -> list[int]:
    """Return the numbers from 1 of a text such as 4,6-8, each once, in order; `what` names one."""
    form = f"write {what}s as 5, 4-13 or 4,6-8"
    numbers: list[int] = []
    for part in text.split(","):
        ends = [whole_number(end.strip()) for end in part.split("-")]
        if len(ends) > 2 or -1 in ends:
            raise ValueError(f"{text!r} is not a {what}: {form}")
        first, last = ends[0], ends[-1]
        if first > last:
            raise ValueError(f"{text!r} has a range from {first} to {last}: write the smaller {what} first")
        if first < 1 or last > most:
            raise ValueError(f"{text!r} has {what}s outside 1 to {most}: {form}")
        numbers += range(first, last + 1)
    return list(dict.fromkeys(numbers))


def parsed_lengths(text: str | int, option: str = "--length") -> list[int]:
    """Word lengths of the text of an option, 1 to 39 letters."""
    with wrong_usage(option):
        return parsed_numbers(str(text), "length", LONGEST)


def between(least: int, most: int) -> Callable[[str | int], int]:
    """Return a parser of one whole number, for an option; an error names the range."""

    def number(text: str | int) -> int:
        digits = str(text)
        if not least <= (parsed := whole_number(digits)) <= most:
            raise typer.BadParameter(f"{digits!r} is not a whole number from {least} to {most}")
        return parsed

    return number


class Part(NamedTuple):
    number: int
    parts: int


def a_part(text: str) -> Part:
    number, parts = (whole_number(part) for part in text.partition("/")[::2])
    if -1 in (number, parts):
        raise typer.BadParameter(f"{text!r} is not a part: write for example 2/8, the second of eight")
    if not 1 <= number <= parts:
        raise typer.BadParameter(f"{text!r} is not a part: the first number is from 1 up to the second")
    return Part(number, parts)


def one_length(text: str | int) -> int:
    try:
        lengths = parsed_lengths(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a length: give one from 1 to {LONGEST}") from None
    if len(lengths) > 1:
        raise typer.BadParameter(f"{text!r} is {len(lengths)} lengths: give one, as in --length {lengths[0]}")
    return lengths[0]


def seconds_between(least: float, most: float) -> Callable[[str | float], float]:
    """Return a parser of times such as 90s, 10m or 2h, for an option; it returns and accepts seconds."""

    def seconds(text: str | float) -> float:
        number = scaled(str(text), {"s": 1.0, "m": 60.0, "h": 3600.0})
        if not least <= number <= most:
            form = f"from {least:g}s to {most / 3600:g}h: write it as 90s, 10m or 2h"
            raise typer.BadParameter(f"{str(text)!r} is not a time {form}")
        return number

    return seconds


def memory_bytes(text: str | int) -> int:
    """Return a size such as 500M or 4G in bytes, for an option; a plain number is bytes."""
    number = scaled(str(text), {"k": 2.0**10, "m": 2.0**20, "g": 2.0**30})
    if number < 0:
        raise typer.BadParameter(
            f"{str(text)!r} is not a size: use bytes or a suffix, for example 500M or 4G"
        )
    return int(number)


def memory_text(size: int) -> str:
    """Bytes as text, in GiB, or MiB where they are few."""
    return f"{size / 2**30:.1f} GiB" if size >= 2**29 else f"{size / 2**20:.1f} MiB"


def points_number(text: str | float) -> float:
    number = scaled(str(text), {})
    if number < 0:
        raise typer.BadParameter(f"{str(text)!r} is not a number of points, 0 or more")
    return number


def cluster_address(text: str) -> str:
    from gpulingo.machines.ray_tasks import checked_address

    try:
        return checked_address(text)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def parsed_widths(text: str, turns: int) -> dict[int, int]:
    """Return guesses to expand by turns left, from a text such as 5:50,4:20,3:10."""
    widths: dict[int, int] = {}
    for part in text.split(","):
        left, width = (whole_number(number) for number in part.partition(":")[::2])
        if not (3 <= left <= turns and width > 0):
            raise ValueError(
                f"{text[:40]!r}: write turns left, 3 to {turns}, and guesses, for example 5:50,4:20,3:10"
            )
        if left in widths:
            raise ValueError(f"{text!r} has {left} turns left twice: name each once")
        widths[left] = width
    return widths

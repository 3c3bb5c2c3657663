"""Whole numbers on the command line: `5`, `4-13`, `4,6-8`."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import typer

LONGEST = 39  # letters: the last length whose patterns fit 64 bits


def parsed_numbers(text: str, what: str, least: int, most: int) -> list[int]:
    """The numbers of a text, each once, in the order of the text.

    Args:
        text: numbers and ranges with both ends, joined by commas.
        what: the name of such a number in messages.
        least: the smallest allowed. most: the largest allowed.
    Raises:
        ValueError: another form, a range that runs backwards, or a number out of range.
    """
    form = f"write {what}s as 5, 4-13 or 4,6-8"
    found: list[int] = []
    for part in text.split(","):
        ends = [end.strip() for end in part.split("-")]
        if len(ends) > 2 or not all(end.isascii() and end.isdigit() and len(end) < 10 for end in ends):
            raise ValueError(f"{text!r} is no {what}: {form}")
        first, last = int(ends[0]), int(ends[-1])
        if first > last:
            raise ValueError(f"{text!r} has a range from {first} to {last}: write the smaller {what} first")
        if first < least or last > most:
            raise ValueError(f"{text!r} has {what}s outside {least} to {most}: {form}")
        found += range(first, last + 1)
    return list(dict.fromkeys(found))


def parsed_lengths(text: str) -> list[int]:
    """Word lengths of a text, 1 to 39 letters.

    Raises:
        ValueError: it has another form, or a length out of range.
    """
    return parsed_numbers(text, "length", 1, LONGEST)


def numbers_text(numbers: Iterable[int]) -> str:
    """Numbers as text, runs as ranges; the twin of `parsed_numbers` for ascending numbers."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ",".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def between(least: int, most: int) -> Callable[[str | int], int]:
    """A parser of one whole number, for an option; what it refuses, it tells with the range that it takes."""

    def number(text: str | int) -> int:
        digits = str(text)  # a default comes as a number
        if not (digits.isascii() and digits.isdigit() and len(digits) < 20 and least <= int(digits) <= most):
            raise typer.BadParameter(f"{digits!r} is no whole number from {least} to {most}")
        return int(digits)

    return number


def seconds(text: str | float) -> float:
    """A time of 0.1 seconds to a day, for an option.

    Raises:
        typer.BadParameter: the text is none.
    """
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0.1 <= number <= 86400:  # NaN is not in between either
        raise typer.BadParameter(f"{text!r} is no time from 0.1 to 86400 seconds")
    return number

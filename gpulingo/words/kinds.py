"""Lists in forms other than one word per line: CSV, JSON, Hunspell dictionaries, words with frequencies.

`listing` handles plain lists, and decides what is a word. Not on the light path of plain lists.
"""

from __future__ import annotations

import csv
import io
import re
from itertools import islice

from gpulingo.storage.fields import parsed_json
from gpulingo.words.wordlist import WordListError

HEADERS = ("word", "words")  # names of the column, or of the key, that has the words
SEPARATORS = "\t;,"
SAMPLE = 200  # lines that show the kind of a file
_ENTRY = re.compile(r"[^\W\d_][^\s/]*/[^\s/]+")  # a word and its flags


def one_a_line(text: str, source: str) -> tuple[str, str]:
    """Return the words of a list, one per line, and its kind; a plain list unchanged, with empty kind."""
    if text.lstrip()[:1] in ("[", "{"):
        return "\n".join(map(_unbroken, _json_words(text, source))), "JSON"
    lines = [line for line in islice(io.StringIO(text, newline=None), SAMPLE) if line.strip()]
    if not lines:
        return text, ""
    counted = len(lines) > 1 and lines[0].strip().isdecimal() and lines[1][:1].isalpha()
    if counted or sum(bool(_ENTRY.match(line)) for line in lines) > len(lines) / 2:
        body = text.split("\n")[lines[0].strip().isdecimal() :]
        words = [re.split(r"\t|(?<!\\)/", line, maxsplit=1)[0] for line in body]
        return "\n".join(words), "Hunspell dictionary"
    separator = _separator(lines, source)
    if not separator:
        return text, ""
    rows = _rows(text, separator, source)
    if len(rows) == 1:
        return "\n".join(map(_unbroken, rows[0])), "words of one line"
    column, header = _column(rows[:SAMPLE])
    if column < 0:
        return text, ""
    words = [_unbroken(row[column]) if column < len(row) else "" for row in rows[header:]]
    widest = max(map(len, rows[:SAMPLE]))
    return "\n".join(words), f"words of column {column + 1} of {widest}" if widest > 1 else "CSV"


def _unbroken(cell: str) -> str:
    return cell.replace("\n", " ").replace("\r", " ")


def _json_words(text: str, source: str) -> list[str]:
    remedy = "give a list of words, an object whose keys are words, or one word per line"
    try:
        parsed = parsed_json(text)
    except ValueError:
        raise WordListError(f"{source} begins as JSON and cannot be read as it: {remedy}") from None
    if isinstance(parsed, dict):
        lists = [parsed[name] for name in HEADERS if isinstance(parsed.get(name), list)]
        parsed = lists[0] if lists else list(parsed)
    words = [entry.get(HEADERS[0]) if isinstance(entry, dict) else entry for entry in parsed]
    texts = [word for word in words if isinstance(word, str)]
    if len(texts) < len(words):
        raise WordListError(f"{source} is JSON without a list of words: {remedy}")
    return texts


def _separator(lines: list[str], source: str) -> str:
    """Return the separator of the cells of every line; a blank before a number; empty for a plain list."""
    rows = lines[:-1] or lines  # the last line may lack a comma at its end
    for sign in SEPARATORS:
        if all(sign in line.strip(" ") for line in rows):
            return sign
    if all(line.startswith('"') for line in rows) or source.lower().endswith(".csv"):
        return ","
    cells = [line.split() for line in lines[len(lines) > 1 :]]  # the first may be a header
    counted = all(len(row) == 2 and any(map(_is_number, row)) for row in cells)
    return " " if counted and cells else ""


def _rows(text: str, separator: str, source: str) -> list[list[str]]:
    if separator == " ":
        return [cells for line in text.splitlines() if (cells := line.split())]
    try:
        table = csv.reader(io.StringIO(text, newline=""), delimiter=separator, skipinitialspace=True)
        rows = [[cell.strip() for cell in row] for row in table]
    except csv.Error as error:
        raise WordListError(f"{source} is not valid CSV ({error}): give one word per line") from None
    return [row for row in rows if any(row)]


def _column(rows: list[list[str]]) -> tuple[int, bool]:
    """Return the column of the words, -1 without one, and whether the first row is a header."""
    first = [cell.lower() for cell in rows[0]]
    for name in HEADERS:
        if name in first and len(first) > 1:
            return first.index(name), True
    if first[0] in HEADERS:
        return 0, True
    columns = [[row[place] for row in rows[1:] if place < len(row)] for place in range(len(first))]
    numbers = [place for place, cells in enumerate(columns) if cells and all(map(_is_number, cells))]
    header = any(first[place] and not _is_number(first[place]) for place in numbers)
    for place, cells in enumerate(columns):
        words = (any(map(str.isalpha, cell)) and not any(map(str.isdigit, cell)) for cell in cells)
        if sum(words) > len(cells) / 2:
            return place, header
    return -1, False


def _is_number(cell: str) -> bool:
    return not cell.strip("0123456789.,+-%eE") and any(map(str.isdecimal, cell))

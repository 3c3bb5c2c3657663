"""Lists in forms other than one word per line: tables, JSON, code, Markdown, Hunspell dictionaries.

A file is of the kind that most of its lines have; a column holds the words if it has the most different ones.
`listing` handles plain lists, and decides what is a word. Not on the light path of plain lists.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, zip_longest
from operator import le
from typing import Any, NamedTuple
from unicodedata import combining, normalize

from gpulingo.storage.fields import parsed_json
from gpulingo.words.hunspell import Dictionary
from gpulingo.words.letters import enter, is_phrase
from gpulingo.words.wordlist import WordListError

# Names of the column, or of the key, that has the words, the best first.
HEADERS = "word words lemma entry headword term spelling form ortho wort mot palabra".split()
TARGETS = "solutions", "answers", "targets"  # of lists whose words alone are targets
GUESSES = "valid", "allowed"  # of lists beside which a list `words` has the targets, as in MikhaD/wordle
SEPARATORS = "\t;,|:"
SAMPLE = 1000  # lines that show the kind of a file, spread over it
FEW, LONG = 40, 100  # keys of an object of lists, or words of each; others are dictionaries
WIDEST = 50  # columns that may hold the words
MOST = 0.8  # share of lines that shows a kind
_ENTRY = re.compile(r"[^\W\d_][^\s/]*/[^\s/]+")  # a word and its flags
_COUNT = re.compile(r"\d+\s*(#.*)?$")  # the first line of a Hunspell dictionary
_BULLET = re.compile(r"\s*(?:[-*+•]|\d+[.)])\s+(?:\[.\]\s*)?(.+)")
# Of a program: a comment, a string, a name or number, a sign.
_TOKEN = re.compile(
    r"""//[^\n]*|\#[^\n]*|/\*.*?(?:\*/|\Z)|(\"{3}|'{3}|`)(.*?)(?:\1|\Z)"""
    r"""|(["'])((?:\\.|(?!\3)[^\\\n])*)(?:\3|(?=\n|\Z))|[\w$.]+|\S""",
    re.DOTALL,
)
# A string begins a list, or follows the number that does.
_LISTED = re.compile(r"""[\[({=:]\s*(?:(?://|\#|/\*)[^\n]*\n\s*)*(?:\d+\s*,\s*)?["'`]""")
_CLOSING = {"[": "]", "(": ")", "{": "}"}
DEEPEST = 6  # brackets within each other in a program
FEWEST = 4  # strings in a call that are a list
LEAST = 0.05  # share of a list in a program, compared to the longest
_REMEDY = "give a list of words, an object whose keys are words, or one word per line"


class Read(NamedTuple):
    """The words of a list, its kind, the words that alone are targets, and the count of each word, if any."""

    words: Sequence[str]
    kind: str
    targets: Sequence[str] = ()
    counts: Sequence[str] = ()


def read_kind(text: str, source: str) -> Read | None:
    """Return the words of a list in another form; None for a plain list."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    every = [line for line in text.split("\n") if line.strip()]
    spread = every[:: max(1, len(every) // SAMPLE)]
    lines = [line for line in spread if line[0] not in "#;"] or spread
    if not lines:
        return None
    start = lines[0].lstrip()[0]
    if start in "[{<" and 2 * sum(is_phrase(enter(line.strip())) for line in lines) > len(lines):
        return None  # a list with a head such as [birds] or <unk>
    if start == "<" and "<?php" not in text[:4096]:
        kind = "KVTML" if "<kvtml" in text[:4096] else "XML or HTML"
        raise WordListError(f"{source} is {kind}: export its words as text, one per line")
    if "LEFTHYPHENMIN" in text[:4096]:
        raise WordListError(f"{source} has hyphenation patterns, no words: name a list of words")
    read = _json(text, every, source) if start in "[{" else _hunspell(text, lines, source)
    if read := read or _code(text) or _bullets(every, lines) or _flows(text):
        return read
    if start in "[{":
        raise WordListError(f"{source} begins as JSON and cannot be read as it: {_REMEDY}")
    if read := _spelled(every, lines) or _several(text, lines):
        return read
    rows = _rows(text, every, lines, source)
    while len(rows) > 1 and rows[0][0][:1] in tuple("#;@"):  # remarks before a header
        del rows[0]
    if len(rows) == 1 and len(rows[0]) > 2:
        return Read(rows[0], "words of one line")
    if source.lower().endswith(".index"):
        return Read([row[0] for row in rows], "dictd index")
    return _of_rows(rows) if rows else _defined(every, lines)


def _hunspell(text: str, lines: list[str], source: str) -> Read | None:
    counted = bool(_COUNT.match(lines[0]))
    entries = sum(bool(_ENTRY.match(line)) for line in lines)
    known = source.lower().endswith(".dic") or entries or (lines[1:2] and lines[1][:1].isalpha())
    if 2 * entries <= len(lines) and not (counted and known):
        return None
    dictionary = Dictionary(text.encode(), None, source)
    return Read(dictionary.lines(), dictionary.kind)


def _code(text: str) -> Read | None:
    """Return the words of the lists in a program, if their strings are a third of the text."""
    if not _LISTED.search(text):
        return None
    tokens = [token for token in _TOKEN.finditer(text) if not token[0].startswith(("//", "/*", "#"))]
    lists, rows, at, name = dict[str, Any](), list[Any](), 0, ""
    while at < len(tokens):
        value, end = _literal(tokens, at)
        called = tokens[at][0] == "(" and at and re.fullmatch(r"(?!(?i:values)$)[\w$.]+", tokens[at - 1][0])
        if isinstance(value, str) or (called and value and len(value) < FEWEST):
            value = None
        named = f"{name} {len(lists)}" if name in lists else name
        if strings := [string for string in _strings(value) if any(map(str.isalpha, string))]:
            size = sum(len(string) + 5 for string in strings)
            if isinstance(value, list) and float in map(type, value):  # a row, as in SQL
                rows.append(value)
                named, value, size = "rows", rows, size + lists.get("rows", (0, rows))[0]
            lists[named] = size, value
        if at + 1 < len(tokens) and tokens[at + 1][0] in (":", "="):
            name = tokens[at][0].strip("\"'`")
        at = max(end if strings else 0, at + 1)
    most = max((size for size, _ in lists.values()), default=0)
    lists = {name: entry for name, entry in lists.items() if entry[0] >= LEAST * most}
    if 3 * sum(size for size, _ in lists.values()) <= sum(len(token[0]) + 1 for token in tokens):
        return None
    read = _joined({name: _of_json(value) for name, (_, value) in lists.items()})
    return read and read._replace(kind="a list in a program" if len(lists) == 1 else f"a program{read.kind}")


def _literal(tokens: list[re.Match[str]], at: int, depth: int = 0) -> tuple[Any, int]:
    """Return the value that begins at a token of a program, and where it ends; None if it is no literal."""
    token = tokens[at]
    string = token[2] if token[2] is not None else token[4]
    if string is not None:
        after = tokens[at + 1][0] if at + 1 < len(tokens) else ""
        return re.split(r"[\s,]+", string.strip()) if after == ".split" else string, at + 1
    if token[0] not in _CLOSING:
        if re.fullmatch(r"\d+(\.\d+)?", token[0]):
            return float(token[0]), at + 1
        is_key = depth and token[0].isidentifier() and at + 1 < len(tokens) and tokens[at + 1][0] == ":"
        return token[0] if is_key else None, at + 1
    items, keys = list[Any](), list[str]()
    closing, at = _CLOSING[token[0]], at + 1
    while at < len(tokens) and tokens[at][0] != closing:
        value, at = _literal(tokens, at, depth + 1) if depth < DEEPEST else (None, at)
        if value is None or at >= len(tokens):
            return None, at
        if tokens[at][0] == ":" and len(keys) == len(items):
            keys.append(str(value))
            at += 1
            continue
        items.append(value)
        if tokens[at][0] not in (",", ";", closing):
            return None, at
        at += tokens[at][0] != closing
    if keys and len(keys) != len(items):
        return None, at
    return dict(zip(keys, items, strict=True)) if keys else items, at + 1


def _strings(value: Any) -> Iterator[str]:
    """Yield the strings of a value, keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for part in chain(value, value.values() if isinstance(value, dict) else ()):
            yield from _strings(part)


def _flows(text: str) -> Read | None:
    """Return the words of lists in brackets without quotes, as in YAML, if they are most of the text."""
    lists = re.findall(r"\[([^][]*)\]", text)
    cells = [cell.strip(" \n'\"") for part in lists for cell in part.split(",")]
    if 3 * sum(map(len, lists)) <= 2 * len(text) or sum(map(_is_word, cells)) <= MOST * len(cells):
        return None
    return Read(cells, "lists in brackets")


def _bullets(every: list[str], lines: list[str]) -> Read | None:
    if 2 * sum(bool(_BULLET.match(line)) for line in lines) <= len(lines):
        return None
    items = [item[1] for line in every if (item := _BULLET.match(line))]
    words = [re.split(r"\s-\s|:", item)[0].strip("*_`\"' ,.;") for item in items]
    return Read(words, "a list with bullets or numbers")


def _spelled(every: list[str], lines: list[str]) -> Read | None:
    """Return the first words of lines, if the others there are its spellings, as in GROSS gross groß."""
    rows = [row for line in lines if len(row := line.split()) > 1]
    same = [row for row in rows if any(len({base(word) for word in row}) == 1 for base in _BASES)]
    if sum(row[0] != row[1] for row in same) <= MOST * len(rows):
        return None
    return Read([line.split()[0] for line in every], "words before their spellings")


def _base(word: str) -> str:
    """Return a word in lower case without marks."""
    return "".join(sign for sign in normalize("NFD", word.casefold()) if not combining(sign))


_LIGATURES = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "œ": "oe", "æ": "ae"})
_BASES = _base, lambda word: _base(word.casefold().translate(_LIGATURES))


def _several(text: str, lines: list[str]) -> Read | None:
    """Return the words of a text with several per line, nearly all different: no phrases, and no table."""
    rows = [re.split(r"[ \t,;]+", line.strip(" \t,;")) for line in lines]
    cells = list(chain.from_iterable(rows))
    headed = len(rows[0]) < 20 and not {*HEADERS}.isdisjoint(rows[0])
    least = 4 if len({*map(str.lower, cells)}) > 0.95 * len(cells) else 20  # words per line
    if (len(lines) > 1 and ("\t" in lines[0] or headed)) or len(cells) < least * len(rows):
        return None
    if sum(map(_is_word, cells)) < 0.9 * len(cells):
        return None
    kind = "words of one line" if len(rows) == 1 else "several words per line"
    return Read(re.split(r"[\s,;]+", text.strip(" \t\n,;")), kind)


def _defined(every: list[str], lines: list[str]) -> Read | None:
    """Return the first words of lines in their order, if what follows is no phrase, or one of few tags."""
    tagged = 5 * len({line.partition(" ")[2] for line in lines}) < len(lines)
    entries = [line.split() for line in lines if tagged or not is_phrase(enter(line.strip()))]
    first = [row[0].lower() for row in entries if len(row) > 1]
    ascending = 1 + sum(map(le, first, first[1:]))
    if min(len({*first}), ascending, 2 * sum(map(_is_word, first))) <= max(2, MOST * len(lines)):
        return None
    return Read([line.split()[0] for line in every], "the first words of lines")


def _rows(text: str, every: list[str], lines: list[str], source: str) -> list[list[str]]:
    """Return the cells of every line; none for a plain list."""
    stripped = [line.strip(" ") for line in lines]
    rows = stripped[:-1] or stripped  # the last line may lack a comma at its end
    shares = {sign: sum(sign in line for line in rows) / len(rows) for sign in SEPARATORS}
    wide = sum("  " in line for line in stripped) > MOST * len(lines)  # columns of fixed width
    separator = next((sign for sign in SEPARATORS if shares[sign] > (0.5 if sign == "\t" else MOST)), "")
    quoted = sum(line[:1] == '"' for line in rows) > MOST * len(rows) or source.lower().endswith(".csv")
    separator = separator or "," * quoted
    if wide and separator != "\t":
        return [[cell.strip(SEPARATORS) for cell in line.split()] for line in every]
    if separator in (";", ","):
        try:
            table = csv.reader(io.StringIO(text), delimiter=separator, skipinitialspace=True)
            cells = [[cell.strip() for cell in row] for row in table]
        except csv.Error as error:
            raise WordListError(f"{source} is not valid CSV ({error}): give one word per line") from None
        return [row for row in cells if any(row)]
    if separator:
        return [[_unquoted(cell.strip()) for cell in line.strip(" |").split(separator)] for line in every]
    cells = [line.split() for line in stripped[len(lines) > 1 :]]  # the first may be a header
    wide_rows = [row[:WIDEST] for row in cells if len(row) > 1]  # of any number of columns, as WordNet's
    columns = zip_longest(*wide_rows, fillvalue="")
    counted = any(sum(map(_is_number, column)) > MOST * len(cells) for column in columns)
    return [line.split() for line in every] if counted else []


def _of_rows(rows: list[list[str]], *, keys: bool = False) -> Read | None:
    """Return the words of a table; with `keys` its first row has the keys of JSON."""
    columns = list(zip_longest(*(row[:WIDEST] for row in rows), fillvalue=""))
    if words := _by_length(columns):
        return Read(words, f"words of {len(columns)} columns, a length each")
    different = [sum(map(_is_word, {*column})) for column in columns]
    if not any(different):
        different = [sum(map(is_phrase, {*column})) for column in columns]
    most, first = max(different), [re.sub(r"^\d+_", "", column[0].lower()) for column in columns]
    named = [first.index(name) for name in HEADERS if name in first]
    named = [n for n in named if 2 * different[n] > most]
    body = columns if len(rows) == 1 else [column[1:] for column in columns]
    numbers = [n for n, cells in enumerate(body) if sum(map(_is_number, cells)) > 0.9 * len(cells)]
    if most == 0:
        return None
    place = named[0] if named else different.index(most)
    numeric = [n for n in numbers if n != place]
    unranked = [n for n in numeric if not _are_ranks(body[n])] or numeric
    called = [n for n in unranked if re.search("freq|count", first[n])]
    whole = [n for n in called if all(map(str.isdecimal, filter(None, body[n])))]
    weights = (whole or called or unranked[-1:])[:1]
    skip = keys or bool(named) or any(first[n] and not _is_number(first[n]) for n in numbers)
    kind = f"words of column {place + 1} of {max(map(len, rows))}" if len(columns) > 1 else "CSV"
    if keys:
        kind = f", its key {rows[0][place]!r}" * (rows[0][place] != HEADERS[0])
    for n in weights if len(unranked) > 1 else ():
        kind += f", counts of {repr(rows[0][n]) if keys else f'column {n + 1}'}"
    return Read(columns[place][skip:], kind, (), columns[weights[0]][skip:] if weights else ())


def _by_length(columns: list[tuple[str, ...]]) -> list[str]:
    """Return the words of a table with a column for each length, as in reasoning-gym 0.1.25; maybe none."""
    bodies = [list(filter(None, column[1:])) for column in columns]
    sizes = {len(cells[0]) for cells in bodies if len({*map(len, cells)}) == 1 < len({*cells}) == len(cells)}
    if not len(columns) == len(sizes) > 1 or not all(map(_is_word, chain(*bodies))):
        return []
    sized = zip(columns, [len(cells[0]) for cells in bodies], strict=True)
    return [cell for column, size in sized for cell in column if len(cell) == size]


def _unquoted(cell: str) -> str:
    return cell[1:-1].replace('""', '"') if len(cell) > 1 and cell[0] == cell[-1] == '"' else cell


def _is_word(cell: str) -> bool:
    return cell.isalpha() or (not cell.isascii() and enter(cell).isalpha())


def _are_words(value: Any) -> bool:
    listed = isinstance(value, list) and bool(value)
    return listed and all(isinstance(cell, str) and _is_word(cell) for cell in value)


def _is_number(cell: str) -> bool:
    return not cell.strip("0123456789.,+-%eE") and any(map(str.isdecimal, cell))


def _are_ranks(cells: Sequence[str]) -> bool:
    first = int(cells[0]) if cells[0].isdecimal() else 0
    return len(cells) > 1 and list(cells) == [str(n) for n in range(first, first + len(cells))]


def _json(text: str, every: list[str], source: str) -> Read | None:
    """Return the words of JSON or JSON lines; None if the text is neither."""
    kind = "JSON"
    try:
        parsed = parsed_json(text)
    except ValueError:
        try:
            parsed, kind = list(map(parsed_json, every)), "JSON lines"
        except ValueError:
            return None
    read = _of_json(parsed)
    if read is None:
        if parsed and isinstance(parsed, dict):
            what = f", its keys are {', '.join(map(repr, [*parsed][:5]))}"
        else:  # an entry is neither a text nor of the first one's kind
            first = type(parsed[0]) if parsed and type(parsed[0]) in (list, dict) else str
            odd = next(((n, entry) for n, entry in enumerate(parsed, 1) if type(entry) is not first), None)
            what = f", its entry {odd[0]} is {json.dumps(odd[1])[:40]}" if odd else ""
        raise WordListError(f"{source} is {kind} without a list of words{what[:200]}: {_REMEDY}")
    return read._replace(kind=kind + read.kind)


def _of_json(parsed: Any) -> Read | None:
    parsed = _numbered(parsed)
    if isinstance(parsed, list):
        return _of_entries(parsed)
    lists = {name: rows for name, value in parsed.items() if isinstance(rows := _numbered(value), list)}
    aimed = any(name.lower() in TARGETS + GUESSES for name in lists)
    values, sizes = list(parsed.values()), sum(map(len, lists.values()))
    few = len(parsed) <= FEW or sizes > LONG * len(parsed)
    for name in HEADERS if few and not aimed else ():  # in a dictionary it is one of the words
        if name in lists:
            return _of_entries(lists[name])
    sure = aimed or len(parsed) == 1 or sizes >= 4 * len(parsed) or _have_headers(lists.values())
    if few and lists and sure:
        return _named(lists)
    if few and values and all(isinstance(value, dict) for value in values):
        inner = [part for value in values for part in value.values() if isinstance(part, list)]
        sure = sum(map(len, inner)) >= 3 * len(inner) or _have_headers(inner)
        if len(parsed) > 1 and inner and sure:
            return _joined({name: _named(value) or _of_json(value) for name, value in parsed.items()})
        merged = {key: value for group in values for key, value in group.items()}
        if len(merged) >= max(4 * len(parsed), sum(map(len, values)) / 2) or len(parsed) == 1:
            return _of_json(merged)
    if few and all(map(_are_words, values)):
        shown = repr(parsed)[:60]
        raise WordListError(f"{shown} .. has words as keys and in lists: give a list of those that you mean")
    words = sum(map(_is_word, parsed))
    kinds = {float if type(value) is int else type(value) for value in values if value is not None}
    if kinds == {str} and 2 * sum(is_phrase(enter(key)) for key in parsed) > len(parsed):
        words = len(parsed)
    if 2 * words > len(parsed) and (len(kinds) < 2 or not few):
        return Read(list(parsed), ", its keys", (), list(map(_cell, values)) if kinds == {float} else ())
    if kinds == {str} and 2 * sum(map(_is_word, values)) > len(values):
        return Read(values, ", its values")
    return None


def _numbered(value: Any) -> Any:
    """Return the rows of an object whose keys are numbers, as in TinyDB; other values as they are."""
    numbered = isinstance(value, dict) and value and all(map(str.isdecimal, value))
    return [*value.values()] if numbered and all(isinstance(row, dict) for row in value.values()) else value


def _named(lists: dict[str, Any]) -> Read | None:
    """Return the words of lists that have names; None if one is no list."""
    if all(isinstance(items, list) for items in lists.values()):
        return _joined({name: _of_entries(items) for name, items in lists.items()})
    return None


def _have_headers(lists: Iterable[list[Any]]) -> bool:
    """Return True if lists have objects with a key that names a word."""
    rows = chain.from_iterable(lists)
    return any(isinstance(row, dict) and not row.keys().isdisjoint(HEADERS) for row in rows)


def _joined(reads: dict[str, Read | None]) -> Read | None:
    """Return the words of lists that have names; those of lists that are named so are targets."""
    words = {name: read.words for name, read in reads.items() if read and read.words}
    known = TARGETS + ("words",) * any(name.lower() in GUESSES for name in words)
    aims = [name for name in words if name.lower() in known] if len(words) > 1 else []
    targets = [word for name in aims for word in words[name]]
    names = ", ".join(name + " (the targets)" * (name in aims) for name in words)
    every = list(dict.fromkeys(chain.from_iterable(words.values())))
    return Read(every, f", lists {names}"[:200], targets) if every else None


def _of_entries(entries: list[Any]) -> Read | None:
    """Return the words of a list of words, of objects or of rows."""
    if all(isinstance(entry, str) for entry in entries):
        return Read(entries, "")
    if all(isinstance(entry, dict) for entry in entries):
        keys = list(dict.fromkeys(chain.from_iterable(entries[:100])))
        if len(keys) > 1 and all(len(entry) == 1 for entry in entries):
            return _of_json({key: value for entry in entries for key, value in entry.items()})
        if name := next((name for name in HEADERS if isinstance(entries[0].get(name), list)), ""):
            return _of_entries([word for entry in entries for word in entry.get(name) or ()])
        return _of_rows([keys, *([_cell(entry.get(key)) for key in keys] for entry in entries)], keys=True)
    rows = [list(map(_cell, entry)) for entry in entries if isinstance(entry, list)]
    read = _of_rows(rows) if len(rows) == len(entries) else None
    return read and read._replace(kind=f", {read.kind}")


def _cell(value: Any) -> str:
    return str(value) if type(value) in (str, int, float) else ""

"""Hunspell dictionaries: the words that hunspell accepts, with the forms that the rules of the `.aff` make.

An entry of a `.dic` is a word and its flags. A flag names rules, each of which replaces the end or the start
of a word, or says what the word may be used for. Compounds are not made. Standard library only.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, takewhile
from typing import NamedTuple
from unicodedata import category

from gpulingo.storage.files import BOM
from gpulingo.words.letters import joined

MOST_FORMS = 500_000  # if there are more, the longest are made only when their length is asked
LONGEST = 255  # letters
_COUNT = re.compile(rb"\s*\d+(\s.*)?$")  # the first line
_FIELDS = re.compile(rb"\t| +(?=[a-z]{2}:)")  # where those after a word begin
_SLASH = re.compile(rb"(?<=[^\\])/")  # between a word and its flags
_SET = re.compile(rb"^[ \t]*SET[ \t]+(?:microsoft-)?([!-~]+)", re.MULTILINE)
_PART = re.compile(r"\[(\^?)([^\[\]]+)\]|([^\[\]])")  # what a condition says of one letter
_MARKS = "NEEDAFFIX", "ONLYINCOMPOUND", "FORBIDDENWORD", "CIRCUMFIX"


class _Rule(NamedTuple):
    """A replacement of the end of a word; one of the start is mirrored."""

    flag: str
    strip: str
    add: str
    growth: int  # letters
    ending: str  # of every word that it fits
    fits: Callable[[str], object] | None  # what else a word must meet
    flags: tuple[str, ...]  # of the form
    crossed: bool  # whether a rule of the other end may follow

    def on(self, word: str) -> str:
        return word[: len(word) - len(self.strip)] + self.add


class _End:
    """The rules of one end of words, by flag and by how a word must end."""

    def __init__(self, rules: list[_Rule], rest: int) -> None:
        # `rest`: letters that a rule must leave of a word.
        self.rest, self.shrink = rest, -min([0, *(rule.growth for rule in rules)])
        self.by_flag = dict[str, dict[str, list[tuple[int, _Rule]]]]()
        self.bounds = dict[str, tuple[int, int]]()  # the least growth, and letters of the longest ending
        least: dict[str, int] = {}
        for rule in rules:
            least[rule.flag] = min(rule.growth, least.get(rule.flag, 0))
        rows = [(rule.growth + min([0, *(least.get(own, 0) for own in rule.flags)]), rule) for rule in rules]
        for growth, rule in sorted(rows, key=lambda row: row[0]):  # growth: with another rule
            self.by_flag.setdefault(rule.flag, {}).setdefault(rule.ending, []).append((growth, rule))
            first, reach = self.bounds.get(rule.flag, (growth, 0))
            self.bounds[rule.flag] = first, max(len(rule.ending), reach)

    def fitting(self, flags: Iterable[str], word: str, most: int) -> Iterator[_Rule]:
        """Yield the rules of the flags that fit a word, and whose forms grow by at most `most` letters."""
        for flag in flags:
            least, reach = self.bounds.get(flag, (most + 1, 0))
            for start in range(len(word), max(len(word) - reach, 0) - 1, -1) if least <= most else ():
                for growth, rule in self.by_flag[flag].get(word[start:], ()):
                    if growth > most:
                        break
                    if len(word) >= len(rule.strip) + self.rest and (rule.fits is None or rule.fits(word)):
                        yield rule


def _blocks(rows: list[list[str]]) -> tuple[list[list[str]], list[tuple[list[str], bool]], str]:
    """Return options, rules with whether they are crossed, and the line after a wrong count of rules."""
    # Within its count a rule is known by its flag, as by hunspell: dictionary-la 1.0.3 has SFK for SFX.
    options, rules, fault, head, left = list[list[str]](), list[tuple[list[str], bool]](), "", [""], 0
    for number, row in enumerate(rows, 1):
        alike, named = row[1:2] == head[1:2] and len(row) > 3, row[0] in ("PFX", "SFX")
        counted = named and len(row) > 3 and row[3].isdecimal() and len(row[3]) < 9
        if named and not alike and not counted:
            raise ValueError(f"{' '.join(row)[:40]!r} is not a rule")
        if named and (not alike or not left) and (left or not counted):
            fault = fault or f"line {number:,}, {' '.join(row)}"
        if counted and not (alike and left):
            head, left = row, int(row[3])
        elif alike and (named or left):
            rules.append(([head[0], *row[1:]], head[2] == "Y"))
            left -= left > 0
        else:
            options.append(row)
    return options, rules, fault


class _Affixes:
    """The rules of an `.aff`. Its text is one character per byte, because flags may be any bytes."""

    def __init__(self, data: bytes, encoding: str, light: dict[int, None]) -> None:
        self.encoding, self.light = encoding, light
        lines = [b" ".join(line.split()).decode("latin-1") for line in data.split(b"\n")]
        rows, ruled, self.fault = _blocks([line.split(" ") for line in lines])
        options = {row[0]: "".join(row[1:2]) for row in rows}
        self.form, self.known = options.get("FLAG", ""), dict[str, tuple[str, ...]]()
        self.aliases = [self._split(row[1]) for row in rows if row[0] == "AF" and row[1:]][1:]
        options.setdefault("NEEDAFFIX", options.get("PSEUDOROOT", ""))
        self.need, self.part, self.wrong, self.both = (self._flag(options.get(name, "")) for name in _MARKS)
        self.step = -1 if "COMPLEXPREFIXES" in options else 1  # -1: words and rules are mirrored
        self.ignored = dict.fromkeys(map(ord, self.text(options.get("IGNORE", ""))))
        pairs = [(self.text(row[1]), self.text(row[2])) for row in rows if row[0] == "OCONV" and row[2:]]
        self.output = {old.strip("_"): new.replace("_", " ") for old, new in pairs}
        self._old = re.compile("|".join(map(re.escape, sorted(self.output, key=len, reverse=True))))
        rules, front = list(map(self._rule, ruled)), "PFX" if self.step == 1 else "SFX"
        starts = [rule for kind, rule in rules if kind == front]
        self.starts = _End(starts, "FULLSTRIP" not in options)
        self.ends = _End([rule for kind, rule in rules if kind != front], "FULLSTRIP" not in options)
        self.named = {self._flag(text) for text in options.values()} | {rule.flag for _, rule in rules}
        self.given = dict[str, tuple[str, ...]]()  # flag of rules of the start -> the flags of their forms
        for rule in starts:
            self.given[rule.flag] = self.given.get(rule.flag, ()) + rule.flags
        # Rules of both ends that allow each other, on any word.
        given = (
            rule.flag for _, rule in rules for flag in rule.flags if rule.flag in self.given.get(flag, "")
        )
        self.given[""] = tuple(dict.fromkeys(given))

    def text(self, text: str) -> str:
        return text.encode("latin-1").decode(self.encoding, "replace")

    def size(self, text: str) -> int:
        return len(text.translate(self.light)) if self.light else len(text)

    def written(self, word: str) -> str:
        """Return a word as people type it."""
        word = word[:: self.step]
        return self._old.sub(lambda match: self.output[match[0]], word) if self.output else word

    def flags(self, text: str) -> tuple[str, ...]:
        if text not in self.known:
            number = int(text) if self.aliases and text.isdecimal() and len(text) < 9 else 0
            aliases = self.aliases[number - 1 : number] if number else []
            self.known[text] = self._split(text) if not self.aliases else aliases[0] if aliases else ()
        return self.known[text]

    def _split(self, text: str) -> tuple[str, ...]:
        if self.form in ("num", "UTF-8"):
            signs = text.encode("latin-1").decode("utf-8", "replace")
            return tuple(text.split(",") if self.form == "num" else signs)
        size = 2 if self.form == "long" else 1
        return tuple(text[place : place + size] for place in range(0, len(text), size))

    def _flag(self, text: str) -> str:
        return self._split(text)[0] if text else "no flag"

    def _rule(self, ruled: tuple[list[str], bool]) -> tuple[str, _Rule]:
        row, crossed = ruled
        step = -1 if row[0] == "PFX" else 1
        add, _, flags = row[3].partition("/")
        texts = ["" if text == "0" else self.text(text) for text in (row[2], add)]
        strip, add = (text.translate(self.ignored)[::step] for text in texts)
        condition = self.text(row[4]).replace("]]", "]") if row[4:] and row[4] != "." else ""
        pieces = list(_PART.finditer(condition))[::step]
        if sum(len(part[0]) for part in pieces) < len(condition):
            raise ValueError(f"{condition[:40]!r} is not a condition")
        parts = [
            f"[{p[1]}{re.escape(p[2])}]" if p[2] else p[3] if p[3] == "." else re.escape(p[3]) for p in pieces
        ]
        known = "".join(takewhile(str.isalpha, reversed(parts)))[::-1]
        ending = max(known, strip, key=len)
        pattern = "".join(parts) if ending.endswith(strip) else "(?!)"
        plain = parts == [*known] and ending.endswith(known)
        fits = None if plain else re.compile(f"(?:{pattern})\\Z").search
        growth = self.size(add) - self.size(strip)
        return row[0], _Rule(self._flag(row[1]), strip, add, growth, ending, fits, self.flags(flags), crossed)

    def forms(self, word: str, flags: tuple[str, ...], most: int) -> Iterator[str]:
        """Yield the word of an entry and its forms; some with more letters than `most` are left out."""
        more = [flag for entry_flag in ("", *flags) for flag in self.given.get(entry_flag, ())]
        room = most - self.size(word) + self.starts.shrink
        for form, rules in self._ended(word, (*flags, *more), room) if self.part not in flags else ():
            if self._agree(None, flags, rules):
                yield form
            if self.starts.by_flag:
                turned, named = form[::-1], dict.fromkeys(chain(flags, *(rule.flags for rule in rules)))
                for start in self.starts.fitting(named, turned, most - self.size(form)):
                    if self._agree(start, flags, rules):
                        yield start.on(turned)[::-1]

    def _ended(self, word: str, flags: Iterable[str], room: int) -> Iterator[tuple[str, tuple[_Rule, ...]]]:
        """Yield a word and each form by one rule of the end, or two, with these rules."""
        yield word, ()
        for first in self.ends.fitting(flags, word, room):
            if self.part not in first.flags:
                yield (form := first.on(word)), (first,)
                for last in self.ends.fitting(first.flags, form, room - first.growth):
                    yield last.on(form), (first, last)

    def _agree(self, start: _Rule | None, flags: tuple[str, ...], rules: tuple[_Rule, ...]) -> bool:
        """Return True if rules of the end, then maybe one of the start, make a word that stands alone."""
        if start and len(rules) < 2 and self.part in start.flags:
            return False
        if not rules:
            return self.need not in (start.flags if start else flags)
        first, last, twice = rules[0], rules[-1], len(rules) == 2
        needy = not twice and self.need in first.flags
        if start is None:
            return first.flag in flags and self.both not in first.flags and not needy
        if not (start.crossed and last.crossed) or first.flag not in (*flags, *start.flags):
            return False
        if twice and start.flag in last.flags:
            return self.both not in first.flags
        if not first.crossed or start.flag not in (*flags, *first.flags):
            return False
        fits = (self.both in start.flags) == (self.both in first.flags)
        return fits and not (needy and self.need in start.flags)


class Dictionary:
    """The entries of a `.dic`, and the rules of its `.aff` if that can be used.

    Attributes:
        kind: description for people. entries: their number. most: letters of the longest words in `lines`.

    >>> Dictionary(b"1\\nhus/A\\n", b"SFX A Y 1\\nSFX A 0 et .\\n").lines()
    ['hus', 'huset']
    """

    def __init__(self, dic: bytes, aff: bytes | None = None, source: str = "") -> None:
        """Take the bytes of both files, and the path of the first."""
        name = f"{os.path.basename(source)[:-4]}.aff" if source.lower().endswith(".dic") else "its .aff"
        self.dic, self._affixes = dic.removeprefix(BOM), _Affixes(b"", "utf-8", {})
        self.most, why = LONGEST, f"put {name} beside it"
        if aff is not None:
            try:
                if b"\0" in aff:
                    raise ValueError("a binary file")
                encoding = declared[1].decode() if (declared := _SET.search(aff)) else "latin-1"
                marks = {*self.dic.decode(encoding, "replace"), *aff.decode(encoding, "replace")}
                light = {ord(s): None for s in marks if category(s)[0] == "M" or "\u1160" <= s <= "\u11ff"}
                self._affixes, why = _Affixes(aff.removeprefix(BOM), encoding, light), ""
            except (ValueError, LookupError) as error:
                why = f"{name} cannot be used ({error})"
        self.entries = flagged = known = 0
        for _, text in self._entries():
            self.entries, flagged = self.entries + 1, flagged + bool(text)
            known += not self._affixes.named.isdisjoint(self._affixes.flags(text))
        if 2 * known < flagged and self._affixes.ends.by_flag:
            self._affixes = _Affixes(b"", self._affixes.encoding, {})
            why = f"{name} cannot be used (it lacks the flags of most entries)"
        missing = f", its forms are missing: {flagged:,} of {self.entries:,} entries have flags, {why}"
        fault = self._affixes.text(self._affixes.fault)[:60]
        made = f" with the forms that {name} makes" + f"; hunspell stops at {fault}" * bool(fault)
        missing = missing if why else made
        self.kind = self._kind = "Hunspell dictionary" + missing * bool(flagged or aff is not None)

    def _entries(self) -> Iterator[tuple[str, str]]:
        """Yield the word of each entry, and its flags."""
        for number, line in enumerate(io.BytesIO(self.dic)):
            if number == 0 and _COUNT.match(line):
                continue
            word = _FIELDS.split(line, 1)[0].rstrip() if b"\t" in line or b":" in line else line.rstrip()
            flags = b""
            if b"/" in word:
                word, *more = _SLASH.split(word, 1)
                word, flags = word.replace(b"\\/", b"/"), b"".join(more).split(b" ")[0]
            if word:
                yield word.decode(self._affixes.encoding, "replace"), flags.decode("latin-1")

    def lines(self, only: int | None = None, *, signs: bool = False) -> list[str]:
        """Return the words and forms of a length, and the words of the file that have other lengths or signs.

        Without a length all forms; above MOST_FORMS the longest words are left out, see `most`. With `signs`
        forms may have other signs than letters.
        """
        affixes, self.most, self.kind = self._affixes, only or LONGEST, self._kind
        made, wrong, exact = dict[str, int](), set[str](), affixes.light or affixes.output
        for word, text in self._entries():
            flags, word = affixes.flags(text), word.translate(affixes.ignored)[:: affixes.step]
            if affixes.wrong in flags:
                wrong.add(affixes.written(word))
            for form in affixes.forms(word, flags, self.most) if affixes.wrong not in flags else ():
                written = affixes.written(form)
                letters = joined(written) if exact else written
                size, spelled = len(letters), signs or letters.isalpha()
                if spelled and (size == only if only else size <= self.most):
                    made[written] = size
                elif form == word and (only or not spelled):
                    made[written] = 0
            if len(made) > MOST_FORMS + self.entries and not only:
                self.most = max(made.values()) - 1
                self.kind = f"{self._kind}, of at most {self.most} letters"
                made = {written: size for written, size in made.items() if size <= self.most}
        return [word for word in made if word not in wrong]

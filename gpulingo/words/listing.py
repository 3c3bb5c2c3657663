"""Word lists: find, read and check them, and select the words of one length; all codes of pegs and colours.

Standard library only, because the pit starts one player process per word. `wordlist` has the words of one
length, `tensors` the numbers of their letters.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import permutations, product
from math import perm
from operator import lt

from gpulingo.games.positions import SIGNS, outline
from gpulingo.storage.faults import UsageError
from gpulingo.storage.files import BOM, MissingFileError, checked_text, text_bytes
from gpulingo.words.letters import DOTLESS, enter, entered_words, equal_signs
from gpulingo.words.shown import counted
from gpulingo.words.wordlist import MissingListError, UnknownWordError, WordList, WordListError

__all__ = [
    "Listing",
    "MissingListError",
    "Skipped",
    "UnknownWordError",
    "WordList",
    "WordListError",
    "checked",
    "embedded",
    "find",
    "parse",
    "read",
]
EMBEDDED = os.path.join(os.path.dirname(__file__), "data")  # one file of words for each of these lengths
EMBEDDED_LENGTHS = range(2, 25)
EMBEDDED_NAME = "embedded list"
EMBEDDED_VERSION = 2  # rises when the list's words or signs change
LIST = "give a file with one word a line"
_HEAD, _OTHER = 4096, b'\t ,;/"{[0123456789'  # bytes read to detect the kind; bytes that no plain list has
_PADDING = " \t"  # allowed around a word on its line
_BLOCK = 1 << 16  # bytes
_PLAIN = b"abcdefghijklmnopqrstuvwxyz\n"


@dataclass(frozen=True, slots=True)
class Skipped:
    """Counts of lines that a parse skipped: without a word, with a repeated word, with non-letters.

    Attributes:
        examples: the first lines with non-letters, if these are more than a tenth of the list.
    """

    blank: int = 0
    duplicates: int = 0
    non_letters: int = 0
    examples: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.blank or self.duplicates or self.non_letters)

    def __str__(self) -> str:
        named = ((self.blank, "blank line"), (self.duplicates, "duplicate"), (self.non_letters, "word"))
        parts = [f"{n} {what}{'' if n == 1 else 's'}" for n, what in named if n]
        if self.non_letters:
            parts[-1] += " with non-letters"
        if self.examples:
            parts[-1] += f", more than a tenth of the list: {', '.join(map(repr, self.examples))}, .."
        return "skipped " + (", ".join(parts) or "nothing")


class SameError(UsageError, WordListError):
    """Equal signs that have another form, or without a list of words."""


class Listing:
    r"""Every word of one source, all lengths; parsed only when more than the words of one length is needed.

    Attributes:
        source: shown to the user: a path, or "embedded list".
        data: UTF-8 text, one word per line, without a byte order mark; empty for the embedded list.
        kind: of a file that is not a plain list, such as JSON; otherwise empty.
        turkish: whether I is the capital of ı: the parsed text has ı or İ.
        same: letters that are equal, see `letters.equal_signs`; empty: none.

    >>> parse("dents\ndozes\nable").lengths()
    {4: 1, 5: 2}
    """

    __slots__ = ("_parsed", "_signs", "data", "kind", "same", "source", "turkish")

    _own = True  # whether it is the user's

    def __init__(
        self, source: str, data: bytes, kind: str = "", *, signs: bool = False, same: str = ""
    ) -> None:
        """Take UTF-8 text; `parse`, `read`, `embedded` and `find` ensure that it is."""
        self.source, self.kind, self._signs, self.same = source, kind, signs, same
        self.data = data.removeprefix(BOM)
        self.turkish = False
        self._parsed: tuple[list[str], Skipped] | None = None

    def __repr__(self) -> str:
        from gpulingo.words.shown import brief  # here: a round does not need it

        return brief("Listing", self.source + (f", {len(self.data):,} bytes" if self.data else ""))

    @property
    def words(self) -> list[str]:
        """All words, lower case, distinct, in list order; not to be changed."""
        return self._parse()[0]

    @property
    def skipped(self) -> Skipped:
        """Counts of skipped lines."""
        return self._parse()[1]

    @property
    def note(self) -> str:
        """The kind of the list, unless plain, and what was skipped, if anything."""
        said = [self.kind, str(self.skipped) if self.skipped else ""]
        return ", ".join(filter(None, said))

    @property
    def loss(self) -> str:
        """Warning for a parsed text that lost more than a tenth of its words; otherwise empty."""
        lost = self._parsed is not None and self._parsed[1].examples
        return f"{self.source}: {self.skipped}" if lost else ""

    def _parse(self) -> tuple[list[str], Skipped]:
        if self._parsed is None:
            self.turkish = any(sign.encode() in self.data for sign in DOTLESS)
            words, skipped = _parse(_lined(self.data), self.turkish, self._signs, self.same)
            lines = len(words) + skipped.duplicates + skipped.non_letters
            if words and 2 * skipped.non_letters > lines:
                seen = f"{skipped.non_letters:,} of {lines:,} lines of {self.source} have more than letters"
                examples = ", ".join(map(repr, skipped.examples))
                raise WordListError(f"{seen}, such as {examples}: give a file with one word per line")
            self._parsed = words, skipped
        return self._parsed

    def lengths(self) -> dict[int, int]:
        """Length -> number of words, by ascending length."""
        counts: dict[int, int] = {}
        for length in map(len, self.words):
            counts[length] = counts.get(length, 0) + 1
        return dict(sorted(counts.items()))

    def of_length(self, length: int) -> WordList:
        """Return the words of one length in list order.

        Raises:
            WordListError: no word has the length.
        """
        whole = self._parsed is None or self.source == EMBEDDED_NAME  # the embedded list is read by length
        text = self._text(length) if whole and length > 0 and not self.same else None
        if text is None:
            text = "".join([word + "\n" for word in self.words if len(word) == length])
        if not text:
            spans = runs(self.lengths())
            lengths = ", ".join(
                str(first) if first == last else f"{first} to {last}" for first, last in spans
            )
            what = f"words of {lengths} letters" if spans else "no words"
            raise WordListError(
                f"no words of {length} letters in {self.source}: it holds {what}; use another list or length"
            )
        return WordList._of_text(self.source, length, text, self.turkish, self.same)

    def with_signs(self) -> Listing:
        """Return the list for hangman: including words with hyphens, blanks or apostrophes."""
        return Listing(self.source, self.data, signs=True, same=self.same) if self.data else self

    def with_same(self, same: str) -> Listing:
        """Return the list with equal letters; see `letters.equal_signs`.

        Raises:
            SameError: they have another form, or the list is not the user's.
        """
        if not same:
            return self
        try:
            equal_signs(same)
        except UsageError as error:
            raise SameError(str(error)) from None
        if not self._own:
            raise SameError(f"equal signs {same[:40]!r} without a list of words: name one, or leave them out")
        return Listing(self.source, self.data, self.kind, signs=self._signs, same=same)

    def of_outline(self, text: str) -> WordList:
        """Return the words that have signs exactly where the shown word has them.

        Raises:
            WordListError: no such word.
        """
        if outline(text).strip("_") == "":
            return self.of_length(len(text))
        words = [word for word in self.with_signs().words if outline(word) == outline(text)]
        if not words:
            raise WordListError(f"no words like {outline(text)!r} in {self.source}: use another list")
        return WordList._of_text(self.source, len(text), "\n".join([*words, ""]), self.turkish, self.same)

    def _text(self, length: int) -> str | None:
        """Return the words of one length, each with a newline, without a parse; None if a parse is needed."""
        return _text_of_length(_lined(self.data), length)


class _Embedded(Listing):
    """The list that comes with the package, one file per length; reads only those needed."""

    _own = False

    def _parse(self) -> tuple[list[str], Skipped]:
        if self._parsed is None:
            self._parsed = "".join(map(self._text, EMBEDDED_LENGTHS)).split("\n")[:-1], Skipped()
        return self._parsed

    def _text(self, length: int) -> str:
        return embedded_text(length) if length in EMBEDDED_LENGTHS else ""


class _Codes(Listing):
    """All codes of some pegs and colours."""

    _own = False


def runs(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Return first and last of each run of consecutive ascending numbers: 4, 6, 7, 8 as (4, 4), (6, 8)."""
    ends: list[tuple[int, int]] = []
    for number in numbers:
        if ends and number == ends[-1][1] + 1:
            ends[-1] = ends[-1][0], number
        else:
            ends.append((number, number))
    return ends


def parse(text: str, source: str = "text", same: str = "") -> Listing:
    r"""Read words from a text with one word per line, in any alphabet.

    Lines end with LF, CRLF or CR; spaces and tabs around a word are dropped; words are lowered, by Turkish
    rules in a text that has ı or İ. A base character with its marks is one letter. Blank lines, repeated
    words and words with non-letters are skipped and counted.
    In a text without words of letters, such as primes or equations, lines of digits and signs are words.

    Args:
        source: shown to the user.
        same: letters that are equal, such as `é=e,è=e`. The first of words that become equal stays; it is
            printed as in the text.
    Raises:
        WordListError: `same` has another form.

    >>> parse("dents\ndozes\nable").of_length(5).words
    ['dents', 'dozes']
    """
    # A lone surrogate cannot be encoded; "?" makes its word one with non-letters.
    return Listing(source, text.encode(errors="replace")).with_same(same)


def read(path: str | os.PathLike[str], same: str = "") -> Listing:
    """Read the list at a path: one word per line, CSV, JSON, Hunspell dictionary, words with frequencies.

    Args:
        same: see `parse`.
    Raises:
        MissingListError: no file. WordListError: see `given`; or it has no words.

    >>> read("missing.txt")
    Traceback (most recent call last):
    gpulingo.words.wordlist.MissingListError: ...
    """
    return listed(os.fspath(path), given(path)).with_same(same)


def given(
    path: str | os.PathLike[str], what: str = "word list", remedy: str = LIST, names: Iterable[str] = ()
) -> bytes:
    """Return the UTF-8 text of a file of words; see `text_bytes`."""
    try:
        return text_bytes(path, what, remedy, names)
    except MissingFileError as error:
        raise MissingListError(str(error)) from None
    except ValueError as error:
        raise WordListError(str(error)) from None


def embedded() -> Listing:
    """Return the list that comes with the package: words of a-z and 2 to 24 letters, read when needed.

    Source: SCOWL, by scripts/embed_words; copyright notice in the same folder.

    >>> len(embedded().of_length(13))
    12971
    """
    return _Embedded(EMBEDDED_NAME, b"")


def embedded_text(length: int, signs: bool = False) -> str:
    """Return the embedded list's words of a length, each with a newline, or a sign per word, see `levels`."""
    import zlib  # not gzip: importing it costs 2 ms, and only these files need it

    try:
        with open(os.path.join(EMBEDDED, f"words-{length}.txt.gz"), "rb") as file:
            data = file.read()
        words = zlib.decompressobj(wbits=31)  # ends where the second member, with the signs, begins
        text = words.decompress(data)
        if not words.eof:
            raise zlib.error("it ends early")
        return (zlib.decompress(words.unused_data, wbits=31) if signs else text).decode("ascii")
    except (OSError, zlib.error, UnicodeDecodeError) as error:
        raise WordListError(damaged(str(error))) from None


def damaged(why: str) -> str:
    return f"the embedded list is damaged ({why}): install gpulingo again"


def find(length: int, path: str | os.PathLike[str] | Listing | None = None, folder: str = ".") -> Listing:
    """Return the list to use for words of a length.

    Args:
        length: letters, 1 or more.
        path: the list to use, if the user named one; a listing is returned unchanged.
        folder: where to look for wordlist<length>.txt, then wordlist.txt; without either, the embedded list.
    Raises:
        WordListError: the first of these that exists cannot be used.

    >>> find(5).of_length(5).length
    5
    """
    if isinstance(path, Listing):
        return path
    if path is not None:
        return read(path)
    for name in (f"wordlist{length}.txt", "wordlist.txt"):
        place = name if folder == "." else os.path.join(folder, name)
        if os.path.lexists(place):  # a dangling link is an error, not a reason for another list
            return read(place)
    return embedded()


def find_listing(
    length: int,
    path: str | os.PathLike[str] | Listing | None,
    repeated: bool | None = None,
    colours: int | None = None,
    same: str = "",
) -> Listing:
    """Return the list to use: every code in a game of codes without a named list; otherwise see `find`.

    Args:
        repeated: whether a colour may occur twice in a code; None: words are guessed.
        colours: of the codes; None: the default number. same: see `parse`.
    """
    if repeated is None or path is not None:
        return find(length, path).with_same(same)
    codes, source = all_codes(length, colours, repeated=repeated)
    made = _Codes(source, "\n".join(codes).encode())
    made._parsed = codes, Skipped()  # with many colours, codes have letters as well as digits
    return made.with_same(same)


def checked(source: str, data: bytes) -> Listing:
    """Return a listing of bytes from outside; WordListError: not UTF-8 text, binary, or without words."""
    try:
        return listed(source, checked_text(data, source, LIST))
    except ValueError as error:
        raise WordListError(str(error)) from None


def listed(source: str, data: bytes) -> Listing:
    """Return a listing of UTF-8 text of any kind; WordListError: there are no words."""
    kind, head = "", data[:_HEAD]
    if len(head.translate(None, _OTHER)) < len(head) or source.lower().endswith(".csv"):
        from gpulingo.words.kinds import one_a_line  # here: plain lists do not need it

        text, kind = one_a_line(data.decode(), source)
        data = text.encode() if kind else data
    kinds = (str.isalpha, is_sign_word, is_phrase)
    if not any(holds(_word(line.decode())) for holds in kinds for line in io.BytesIO(_lined(data))):
        raise WordListError(f"{source} holds no words: {LIST}")
    return Listing(source, data, kind)


def _lined(data: bytes) -> bytes:
    """Return the text with LF at the end of every line, if some lines end with CRLF or CR."""
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in data else data


def _word(line: str) -> str:
    return enter(line.rstrip("\n").strip(_PADDING))


def is_phrase(word: str) -> bool:
    """Return True if a text has letters, and otherwise only signs that hangman shows."""
    return any(map(str.isalpha, word)) and all(sign.isalpha() or sign in SIGNS for sign in word)


def is_sign_word(word: str) -> bool:
    """Return True if a line is a word of signs, such as a prime or an equation: digits, and no letter."""
    return (
        word.isprintable()
        and any(map(str.isdigit, word))
        and not any(sign.isalpha() or sign.isspace() or sign == ":" for sign in word)
    )


def _parse(data: bytes, turkish: bool, signs: bool, same: str) -> tuple[list[str], Skipped]:
    """Return the words of a text, and what was skipped; `_text_of_length` must agree with this rule."""
    text = enter(data.decode(), turkish)
    lines = (text.replace("\u2019", "'") if signs else text).split("\n")
    if lines[-1] == "":  # after the last newline, or for an empty text
        lines.pop()
    filled = [word for line in lines if (word := line.strip(_PADDING))]
    spelled = [word for word in filled if word.isalpha() or (signs and is_phrase(word))]
    spelled = spelled or list(filter(is_sign_word, filled))
    words, left_out = list(dict.fromkeys(spelled)), len(filled) - len(spelled)
    words = entered_words(words, same) if same else words
    examples: tuple[str, ...] = ()
    if 10 * left_out > len(filled):
        kept = set(spelled)
        examples = tuple(word for word in filled if word not in kept)[:3]
    return words, Skipped(len(lines) - len(filled), len(spelled) - len(words), left_out, examples)


def _text_of_length(data: bytes, length: int) -> str | None:
    """Return the distinct words of one length, each with a newline; None if the text needs the full parse."""
    if not data.isascii() or any(char in data for char in (b" ", b"\t")):
        return None
    picked: list[bytes] = []
    last = b""
    ascending = True
    for block in _blocks(data):
        lines = [line for line in io.BytesIO(block) if len(line) == length + 1]
        if lines and ascending:
            # Ascending words are distinct: a quarter of the CPU of a set, and no line outlives its block.
            if not all(map(lt, lines, lines[1:])):
                lines = list(dict.fromkeys(lines))
                ascending = lines == sorted(lines)
            ascending = ascending and last < lines[0]
            last = lines[-1]
        picked.append(b"".join(lines))
    joined = b"".join(picked)
    if joined.translate(None, _PLAIN):  # upper case, digits, signs
        return None
    text = joined.decode()
    return text if ascending else "\n".join(dict.fromkeys(text.split("\n")[:-1])) + "\n"


def _blocks(data: bytes) -> Iterator[bytes]:
    """Yield the text in blocks of whole lines that fit a cache, every line with its newline."""
    start = 0
    while start < len(data):
        end = data.find(b"\n", start + _BLOCK) + 1
        if not end:
            yield data[start:] if data.endswith(b"\n") else data[start:] + b"\n"
            return
        yield data[start:end]
        start = end


COLOURS = "1234567890abcdefghijklmnopqrstuvwxyz"  # signs, of which codes use the first ones
MOST_CODES = 1 << 20


def all_codes(pegs: int, colours: int | None = None, *, repeated: bool = True) -> tuple[list[str], str]:
    """Return all codes, in order, and their description; by default 6 colours, or 10 without repetition.

    >>> all_codes(2, 1), all_codes(1, 2)
    ((['11'], 'all codes of 2 pegs and 1 colour'), (['1', '2'], 'all codes of 1 peg and 2 colours'))
    """
    colours = usual_colours(repeated=repeated) if colours is None else colours
    seen = f"{counted(pegs, 'peg')} of {counted(colours, 'colour')}"
    if not (pegs >= 1 <= colours <= len(COLOURS)):
        raise WordListError(f"{seen}, expected pegs from 1 and colours from 1 to {len(COLOURS)}")
    if not repeated and colours < pegs:
        raise WordListError(f"{seen}, none twice: there is no such code")
    count = colours**pegs if repeated else perm(colours, pegs)
    if count > MOST_CODES:
        raise WordListError(f"{seen} are {count:,} codes, expected at most {MOST_CODES:,}: use fewer")
    signs = sorted(COLOURS[:colours])
    rows = product(signs, repeat=pegs) if repeated else permutations(signs, pegs)
    twice = "" if repeated else ", none twice"
    return list(map("".join, rows)), f"all codes of {seen.replace(' of ', ' and ')}{twice}"


def usual_colours(*, repeated: bool) -> int:
    return 6 if repeated else 10


def colours_of(count: int, pegs: int, *, repeated: bool) -> int | None:
    """Return the number of colours with exactly `count` codes; None without one."""
    counts = (n**pegs if repeated else perm(n, pegs) for n in range(1, len(COLOURS) + 1))
    return next((n for n, all_ in enumerate(counts, 1) if all_ == count), None)

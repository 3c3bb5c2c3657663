"""Word lists: find, read and check them, and select the words of one length; all codes of pegs and colours.

Standard library only, because the pit starts one player process per word. `wordlist` has the words of one
length, `tensors` the numbers of their letters.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from copy import copy
from dataclasses import dataclass
from itertools import chain, groupby, permutations, product
from math import perm
from operator import lt
from typing import TYPE_CHECKING, Any

from gpulingo.games.positions import outline
from gpulingo.storage.faults import UsageError
from gpulingo.storage.files import BOM, MOST_TEXT, MissingFileError, checked_text, file_bytes, text_bytes
from gpulingo.words.letters import enter, entered_words, is_phrase, is_sign_word, is_simple, is_turkish
from gpulingo.words.shown import brief, counted
from gpulingo.words.wordlist import MissingListError, WordList, WordListError

if TYPE_CHECKING:
    from gpulingo.words.hunspell import Dictionary

EMBEDDED = os.path.join(os.path.dirname(__file__), "data")  # one file of words for each of these lengths
EMBEDDED_LENGTHS = range(2, 25)
EMBEDDED_NAME = "embedded list"
EMBEDDED_VERSION = 2  # rises when the list's words or signs change
LIST = "give a file with one word a line"
MOST_SHOWN = 40  # characters of a skipped line in a note
_HEAD, _OTHER = 4096, b'\t ,;/|:<"{[0123456789'  # bytes read to detect the kind; bytes that no plain list has
_ASCII = bytes(range(128))
UNSEEN, BLANKS = "\u00ad\u200b\u200e\u200f\u2060\ufeff", "\u00a0\u3000"  # signs that pages leave in a text
_PADDING = " \t"  # allowed around a word on its line
_BLOCK = 1 << 16  # bytes
_PLAIN = b"abcdefghijklmnopqrstuvwxyz\n"


@dataclass(frozen=True, slots=True)
class Skipped:
    """Counts of lines that a parse skipped: without a word, with a repeated word, with non-letters."""

    blank: int = 0
    duplicates: int = 0
    non_letters: int = 0
    examples: tuple[str, ...] = ()  # the first three of these
    many: bool = False  # whether they are more than a tenth of the list

    def __bool__(self) -> bool:
        return bool(self.blank or self.duplicates or self.non_letters)

    def __str__(self) -> str:
        named = ((self.blank, "blank line"), (self.duplicates, "duplicate"), (self.non_letters, "word"))
        parts = [counted(number, what) for number, what in named if number]
        if self.non_letters:
            most = MOST_SHOWN - 2
            cut = [line if len(line) < MOST_SHOWN else f"{line[:most]}.." for line in self.examples]
            parts[-1] += f" with non-letters{', more than a tenth of the list' * self.many}: "
            parts[-1] += ", ".join([*map(repr, cut), *[".."] * (self.non_letters > len(cut))])
        return "skipped " + (", ".join(parts) or "nothing")


class Listing:
    r"""Every word of one source, all lengths; parsed only when more than the words of one length is needed.

    Attributes:
        source: shown to the user: a path, or "embedded list".
        data: UTF-8 text, one word per line, without a byte order mark; empty for the embedded list.
        kind: of a file that is not a plain list, such as JSON; otherwise empty.
        targets: words that alone are targets, one per line, if the file says so; otherwise empty.
        counts: of each line, as written, if the file has them.
        turkish: whether I is the capital of ı: the parsed text has ı or İ.
        same: letters that are equal, see `letters.equal_signs`; empty: none.

    >>> parse("dents\ndozes\nable").lengths()
    {4: 1, 5: 2}
    """

    def __init__(
        self, source: str, data: bytes, kind: str = "", *, targets: str = "", counts: Sequence[str] = (),
        own: bool = True,
    ) -> None:  # fmt: skip
        """Take UTF-8 text; `parse`, `read`, `embedded` and `find` ensure that it is. `own`: of the user."""
        self.source, self.kind, self.targets, self.counts, self._own = source, kind, targets, counts, own
        self.data = data.removeprefix(BOM)
        self.same, self._signs, self.turkish = "", False, False
        self._texts: dict[int, str] | None = None  # length -> its words, each with a newline
        self._only: int | None = None  # the one length that these have
        self._forms: Dictionary | None = None  # makes the text
        self._most = 0  # letters of the longest words in the text, if forms of more letters can be made
        self._holds: Callable[[str], bool] = str.isalpha  # whether a line is a word
        self._simple = False  # whether `lower` is all that its letters need
        self._skipped = Skipped()

    def __repr__(self) -> str:
        return brief("Listing", self.source + (f", {len(self.data):,} bytes" if self.data else ""))

    @property
    def words(self) -> list[str]:
        """All words, lower case, distinct, in list order; made anew, not to be changed."""
        texts = self.scanned()
        if len(texts) == 1 or not self._own:
            return "".join(texts.values()).split("\n")[:-1]
        words = list(dict.fromkeys(chain.from_iterable(row[0] for row in self._lines())))
        return entered_words(words, self.same) if self.same else words

    @property
    def skipped(self) -> Skipped:
        """Counts of skipped lines; duplicates of the lengths that are read."""
        self.scanned(self._only)
        return self._skipped

    @property
    def note(self) -> str:
        """The kind of the list, unless plain, and what was skipped, if anything."""
        return ", ".join(filter(None, [self.kind, str(self.skipped) if self.skipped else ""]))

    @property
    def remark(self) -> str:
        """Source and note of a text that is not plain or lost more than a tenth; otherwise empty."""
        return f"{self.source}: {self.note}" if self.kind or self._skipped.many else ""

    def scanned(self, only: int | None = None) -> dict[int, str]:
        """Return length -> its words, each with a newline; with `only`, words of other lengths are not kept.
        WordListError: less than half of the lines are words, in a list of another kind a tenth.
        """
        if self._texts is None or self._only not in (None, only) or (self._most and (only or 0) > self._most):
            if self._forms:
                self.data = "\n".join(self._forms.lines(only, signs=self._signs)).encode()
                self.kind, self._most = self._forms.kind, self._forms.most
            signs = "".join(sorted({*self.data.translate(None, _ASCII).decode()}))
            self.turkish = not {*"ıİ\u0307"}.isdisjoint(signs) and is_turkish(self.data.decode())
            self._simple = not self.turkish and is_simple(signs)
            for holds in (is_phrase if self._signs else str.isalpha, is_sign_word):
                self._holds = holds
                texts, total, skipped = self._scan(only)
                if total:
                    break
            if (odd := skipped.non_letters) > total * (9 if self.kind else 1):
                what = f"{odd:,} of {total + odd:,} lines of {self.source} have more than letters, such as "
                what += ", ".join(repr(line[:MOST_SHOWN]) for line in skipped.examples)
                hangman = ", or play hangman" * (not total and is_phrase(skipped.examples[0]))
                raise WordListError(f"{what}: give a file with one word per line{hangman}")
            self._texts, self._only, self._skipped = texts, only, skipped
        return self._texts

    def _scan(self, only: int | None) -> tuple[dict[int, str], int, Skipped]:
        """Return the words of each length, the number of lines with a word, and the other lines."""
        parts, texts = dict[int, list[str]](), dict[int, str]()
        blank = total = odd = duplicates = 0
        examples: list[str] = []
        for words, count, others, blanks in self._lines(only):
            blank, total, odd = blank + blanks, total + count, odd + len(others)
            examples += others[: 3 - len(examples)]
            for length, row in groupby(sorted(words, key=len), key=len):
                parts.setdefault(length, []).append("\n".join([*row, ""]))
        for length in sorted(parts):
            words = "".join(parts.pop(length)).split("\n")[:-1]
            distinct = list(dict.fromkeys(words))
            distinct = entered_words(distinct, self.same) if self.same else distinct
            duplicates += len(words) - len(distinct)
            texts[length] = "\n".join([*distinct, ""])
        shown = tuple(enter(line, self.turkish) for line in examples)
        return texts, total, Skipped(blank, duplicates, odd, shown, 10 * odd > total + odd)

    def _lines(self, only: int | None = None) -> Iterator[tuple[list[str], int, list[str], int]]:
        """Yield of each block the words, or those of a length; their number; other lines; count of blanks."""
        for block in _blocks(_lined(self.data)):
            text = block.decode() if self._simple else enter(block.decode(), self.turkish)
            text = text.lower() if self._simple and only is None else text
            lines = (text.replace("\u2019", "'") if self._signs else text).split("\n")[:-1]
            if self._holds is str.isalpha and "".join(lines).isalpha() and "" not in lines:
                filled = words = lines
            else:
                filled = [word for line in lines if (word := line.strip(_PADDING))]
                words = list(filter(self._holds, filled))
            others = [] if len(words) == len(filled) else [line for line in filled if not self._holds(line)]
            kept = words if only is None else [word for word in words if len(word) == only]
            if kept and self._simple and only is not None:
                kept = "\n".join(kept).lower().split("\n")
            yield kept, len(words), others, len(lines) - len(filled)

    def lengths(self) -> dict[int, int]:
        """Length -> number of words, by ascending length."""
        return {length: len(text) // (length + 1) for length, text in self.scanned().items()}

    def of_length(self, length: int) -> WordList:
        """Return the words of one length in list order, with the targets that the file names.

        Raises:
            WordListError: no word has the length.
        """
        plain = self._texts is None and self._own and length > 0 and not (self.same or self._forms)
        text = _text_of_length(_lined(self.data), length) if plain else None
        text = self.scanned(length or None).get(length) if text is None else text
        if not text:
            spans = numbers_text(self.lengths(), ", ", " to ")
            what = f"words of {spans} letters" if spans else "no words"
            fault = f"no words of {length} letters in {self.source}: it holds {what}"
            raise WordListError(f"{fault}; use another list or length")
        words = WordList._of_text(self.source, length, text, self.turkish, self.same)
        wanted = {*words.enter(self.targets).split("\n")} & {*words.words} if self.targets else ()
        return words.with_targets(wanted, f"those of {self.source}") if wanted else words

    def with_signs(self) -> Listing:
        """Return the list for hangman: including words with hyphens, blanks or apostrophes."""
        return self.changed(_signs=True) if self._own else self

    def with_same(self, same: str) -> Listing:
        """Return the list with equal letters, see `letters.equal_signs`; UsageError: it is not the user's."""
        if not same:
            return self
        enter("", same=same)  # refuses pairs of another form
        if not self._own:
            what = f"equal signs {same[:40]!r} without a list of words"
            raise UsageError(f"{what}: name one, or leave them out")
        return self.changed(same=same)

    def changed(self, **fields: Any) -> Listing:
        """Return the list with other values of some fields; it is parsed again."""
        changed = copy(self)
        for name, value in {"_texts": None, "_only": None, **fields}.items():
            setattr(changed, name, value)
        return changed

    def of_outline(self, text: str) -> WordList:
        """Return the words with signs exactly where the shown word has them; WordListError: no such word."""
        if outline(text).strip("_") == "":
            return self.of_length(len(text))
        words = [word for word in self.with_signs().words if outline(word) == outline(text)]
        if not words:
            raise WordListError(f"no words like {outline(text)!r} in {self.source}: use another list")
        return WordList._of_text(self.source, len(text), "\n".join([*words, ""]), self.turkish, self.same)


class _Embedded(Listing):
    """The list that comes with the package, one file per length; reads only those needed."""

    def scanned(self, only: int | None = None) -> dict[int, str]:
        lengths = EMBEDDED_LENGTHS if only is None else {only} & {*EMBEDDED_LENGTHS}
        self._texts = self._texts or {}
        self._texts |= {n: embedded_text(n) for n in lengths if n not in self._texts}
        return dict(sorted(self._texts.items()))


def numbers_text(numbers: Iterable[int], comma: str = ",", dash: str = "-") -> str:
    """Return ascending numbers as text, runs as ranges.

    >>> numbers_text([4, 6, 7, 8]), numbers_text([4, 5], ", ", " to ")
    ('4,6-8', '4 to 5')
    """
    ends: list[list[int]] = []
    for number in numbers:
        if ends and number == ends[-1][-1] + 1:
            ends[-1][1:] = [number]
        else:
            ends.append([number])
    return comma.join(dash.join(map(str, run)) for run in ends)


def parse(text: str, source: str = "text", same: str = "") -> Listing:
    r"""Read words from a text with one word per line, in any alphabet, or of another kind; see `read`.

    Lines end with LF, CRLF or CR; spaces and tabs around a word are dropped; words are lowered, by Turkish
    rules in a text that has ı or İ. A base character with its marks is one letter. Blank lines, repeated
    words and words with non-letters are skipped and counted.
    In a text without words of letters, such as primes or equations, lines of digits and signs are words.

    Args:
        source: shown to the user.
        same: letters that are equal, such as `é=e,è=e`. The first of words that become equal stays; it is
            printed as in the text.
    Raises:
        UsageError: `same` has another form.

    >>> parse("dents\ndozes\nable").of_length(5).words
    ['dents', 'dozes']
    """
    # A lone surrogate cannot be encoded; "?" makes its word one with non-letters.
    return of_kind(source, text.encode(errors="replace")).with_same(same)


def read(path: str | os.PathLike[str], same: str = "", names: Iterable[str] = ()) -> Listing:
    """Read the list at a path: one word per line, a table, JSON, a list in a program, Hunspell dictionary.

    NAME.dic with NAME.aff beside it has the words that hunspell accepts, except compounds.

    Args:
        same: see `parse`. names: that are allowed instead of a file, for the message.
    Raises:
        MissingListError: no file. WordListError: it cannot be read, or has no words.

    >>> read("missing.txt")
    Traceback (most recent call last):
    gpulingo.words.wordlist.MissingListError: ...
    """
    source = os.fspath(path)
    aff = source[:-3] + "aff"
    if source.lower().endswith(".dic") and os.path.isfile(source) and os.path.isfile(aff):
        from gpulingo.words.hunspell import Dictionary  # here: other lists do not need it

        with suppress(OSError, ValueError):  # what cannot be read is reported below
            dictionary = Dictionary(file_bytes(source, MOST_TEXT), file_bytes(aff, MOST_TEXT), source)
            listing = Listing(source, dictionary.dic, dictionary.kind)
            listing._forms = dictionary
            return listing.with_same(same)
    with list_errors():
        data = text_bytes(path, "word list", LIST, names)
    return listed(source, data).with_same(same)


@contextmanager
def list_errors() -> Iterator[None]:
    """Raise errors of a file as those of a list."""
    try:
        yield
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
    return _Embedded(EMBEDDED_NAME, b"", own=False)


def embedded_text(length: int, signs: bool = False) -> str:
    """Return the embedded list's words of a length, each with a newline, or their signs, see `targets`."""
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
    made = Listing(source, "\n".join(codes).encode(), own=False)
    made._texts = {length: "\n".join([*codes, ""])}  # with many colours, codes have letters and digits
    return made.with_same(same)


def checked(source: str, data: bytes) -> Listing:
    """Return a listing of bytes from outside; WordListError: not UTF-8 text, binary, or without words."""
    with list_errors():
        return listed(source, checked_text(data, source, LIST))


def listed(source: str, data: bytes) -> Listing:
    """Return a listing of UTF-8 text of any kind; WordListError: there are no words."""
    listing = of_kind(source, data)
    words = (enter(line.decode().strip(" \t\n")) for line in io.BytesIO(_lined(listing.data)))
    if not any(is_phrase(word) or is_sign_word(word) for word in words):
        raise WordListError(f"{source} holds no words: {LIST}")
    return listing


def of_kind(source: str, data: bytes) -> Listing:
    """Return a listing of UTF-8 text of any kind."""
    if not data.isascii():
        for sign in UNSEEN + BLANKS:
            data = data.replace(sign.encode(), b" " * (sign in BLANKS))
    head = data[:_HEAD]
    spread = head + b"".join([data[place : place + 64] for place in range(_HEAD, len(data), _HEAD)])
    if len(spread.translate(None, _OTHER)) < len(spread) or source.lower().endswith((".csv", ".dic")):
        from gpulingo.words.kinds import read_kind  # here: plain lists do not need it

        if read := read_kind(data.decode(), source):
            words = "\n".join([word.replace("\n", " ") for word in read.words])
            targets = "\n".join(read.targets)
            return Listing(source, words.encode(), read.kind, targets=targets, counts=read.counts)
    return Listing(source, data)


def _lined(data: bytes) -> bytes:
    """Return the text with LF at the end of every line."""
    data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in data else data
    return data if data.endswith(b"\n") or not data else data + b"\n"


def _text_of_length(data: bytes, length: int) -> str | None:
    """Return the distinct words of one length, each with a newline; None if the text must be scanned."""
    if not data.isascii() or any(char in data for char in (b" ", b"\t")):
        return None
    picked, last, ascending = [], b"", True
    for block in _blocks(data):  # so that no line outlives its block
        lines = [line for line in io.BytesIO(block) if len(line) == length + 1]
        ascending = ascending and all(map(lt, [last, *lines], lines))
        last = lines[-1] if lines else last
        picked.append(b"".join(lines))
    text = b"".join(picked)
    if text.translate(None, _PLAIN):  # upper case, digits, signs
        return None
    if not ascending:  # ascending words are distinct: a quarter of the CPU of a set
        text = b"".join(dict.fromkeys(io.BytesIO(text)))
    return text.decode()


def _blocks(data: bytes) -> Iterator[bytes]:
    """Yield a text in blocks of whole lines that fit a cache."""
    start = 0
    while start < len(data):
        end = data.find(b"\n", start + _BLOCK) + 1 or len(data)
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
    what = f"{counted(pegs, 'peg')} of {counted(colours, 'colour')}"
    if not (pegs >= 1 <= colours <= len(COLOURS)):
        raise WordListError(f"{what}, expected pegs from 1 and colours from 1 to {len(COLOURS)}")
    if not repeated and colours < pegs:
        raise WordListError(f"{what}, none twice: there is no such code")
    count = colours**pegs if repeated else perm(colours, pegs)
    if count > MOST_CODES:
        raise WordListError(f"{what} are {count:,} codes, expected at most {MOST_CODES:,}: use fewer")
    signs = sorted(COLOURS[:colours])
    rows = product(signs, repeat=pegs) if repeated else permutations(signs, pegs)
    twice = "" if repeated else ", none twice"
    return list(map("".join, rows)), f"all codes of {what.replace(' of ', ' and ')}{twice}"


def usual_colours(*, repeated: bool) -> int:
    return 6 if repeated else 10


def colours_of(count: int, pegs: int, *, repeated: bool) -> int | None:
    """Return the number of colours with exactly `count` codes; None without one."""
    counts = (n**pegs if repeated else perm(n, pegs) for n in range(1, len(COLOURS) + 1))
    return next((n for n, all_ in enumerate(counts, 1) if all_ == count), None)

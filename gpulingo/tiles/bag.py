"""Bag of tiles: number of tiles of each letter, and their points."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb, prod
from unicodedata import normalize

from gpulingo.storage.files import text_bytes
from gpulingo.words.letters import enter, is_turkish
from gpulingo.words.shown import brief

BLANK = "?"
MOST_LETTERS = 60
MOST_COUNT = 1_000_000  # tiles of one kind
MOST_VALUE = 1_000_000_000
FORM = "write a letter, a tab, how many tiles and a tab, their value"


@dataclass(frozen=True)
class Bag:
    """Tiles, by kind.

    Attributes:
        letters: one of each kind, lower case, `?` for blanks; blanks first, then descending by code point, so
            that a rack with a higher number (`tiles.racks`) is earlier in the alphabet.
        counts: number of tiles of each kind, 1 or more.
        values: points of a tile of each kind; may be negative.

    >>> find_bag("scrabble").tiles, find_bag("scrabble").value("q")
    (100, 10)
    """

    name: str
    letters: tuple[str, ...]
    counts: tuple[int, ...]
    values: tuple[int, ...]

    def __repr__(self) -> str:
        return brief("Bag", f"{self.name}, {self.tiles:,} tiles of {len(self.letters)} kinds")

    @property
    def tiles(self) -> int:
        """Number of tiles."""
        return sum(self.counts)

    @property
    def blanks(self) -> int:
        """Number of blanks."""
        return self.counts[0] if self.blank is not None else 0

    @property
    def blank(self) -> int | None:
        """The kind that is a blank; None without blanks."""
        return 0 if self.letters[0] == BLANK else None

    @cached_property
    def kinds(self) -> dict[str, int]:
        """Letter -> kind, 0 to K - 1."""
        return {letter: kind for kind, letter in enumerate(self.letters)}

    def value(self, letter: str) -> int:
        """Return the points of a tile."""
        return self.values[self.kinds[letter]]

    def draws(self, tiles: int) -> int:
        """Return the number of sets of `tiles` single tiles."""
        return comb(self.tiles, tiles)

    def ways(self, rack: str) -> int:
        """Return the number of sets of single tiles that give a rack."""
        held = Counter(rack)
        return prod(comb(self.counts[self.kinds[letter]], count) for letter, count in held.items())

    def rack(self, text: str) -> str:
        """Return a rack in the bag's letters, in the order of the text; it may have more tiles than the bag.

        Raises:
            ValueError: nothing, or a tile that the bag does not have.

        >>> find_bag("challenge").rack("AGzequi")
        'agzequi'
        """
        rack = _lowered("".join(text.split()), turkish="ı" in self.kinds)
        if not rack:
            raise ValueError(f"rack {text!r} has no tiles: write its letters, for example AGZEQUI")
        strange = [letter for letter in dict.fromkeys(rack) if letter not in self.kinds]
        if BLANK in strange:
            raise ValueError(f"rack {text!r} has a blank, and the bag {self.name} has none: use letters only")
        if strange:
            what = f"rack {text!r} has {strange[0]!r}, which the bag {self.name} lacks"
            raise ValueError(f"{what}: use {self.shown()}")
        return rack

    def beyond(self, rack: str) -> list[str]:
        """Return the letters of which a rack has more tiles than the bag."""
        held = Counter(rack)
        return [letter for letter, count in held.items() if count > self.counts[self.kinds[letter]]]

    def drawn(self, tiles: int, rounds: int, seed: int) -> list[str]:
        """Return drawn racks, each from the whole bag, with ascending letters."""
        self.check_draw(tiles)
        chance, letters, counts = random.Random(seed), self.letters[::-1], self.counts[::-1]
        draws = (chance.sample(letters, tiles, counts=counts) for _ in range(rounds))
        return ["".join(sorted(draw, key=letters.index)) for draw in draws]

    def check_draw(self, tiles: int) -> None:
        """Raise ValueError unless 1 <= `tiles` <= tiles of the bag."""
        if not 1 <= tiles <= self.tiles:
            what = f"draw of {tiles:,} tiles, the bag {self.name} has {self.tiles:,}"
            raise ValueError(f"{what}: draw 1 to {self.tiles:,}")

    def shown(self) -> str:
        """Its letters for the user, in alphabetical order."""
        return shown(self.letters[::-1])


def shown(letters: Sequence[str]) -> str:
    """Return a rack for the user: letters in upper case, if they have one."""
    capitals = {letter: letter.upper() for letter in letters}
    back = {letter for letter, upper in capitals.items() if len(upper) == 1 and upper.lower() == letter}
    return "".join(capitals[letter] if letter in back else letter for letter in letters)


def made_bag(name: str, tiles: Mapping[str, tuple[int, int]]) -> Bag:
    """Return a bag from letter -> (count, value); letters with count 0 are left out."""
    for letter, (count, value) in tiles.items():
        if len(letter) != 1 or not (letter.isalpha() or letter == BLANK) or letter.lower() != letter:
            raise ValueError(f"bag {name} has the letter {letter!r}, expected one in lower case, or {BLANK}")
        what = f"bag {name} has tiles {shown(letter)}"
        if type(count) is not int or not 0 <= count <= MOST_COUNT:
            raise ValueError(f"{what} {count} times, expected 0 to {MOST_COUNT:,}")
        if type(value) is not int or abs(value) > MOST_VALUE:
            raise ValueError(f"{what} of {value} points, expected a whole number up to {MOST_VALUE:,}")
    used = (letter for letter in tiles if tiles[letter][0])
    letters = tuple(sorted(used, key=lambda letter: (letter == BLANK, letter), reverse=True))
    if not letters:
        raise ValueError(f"bag {name} has no tiles: give at least one letter a count")
    if (number := len(set(letters) - {BLANK})) > MOST_LETTERS:
        raise ValueError(f"bag {name} has {number} letters, expected at most {MOST_LETTERS}: leave some out")
    counts, values = zip(*(tiles[letter] for letter in letters), strict=True)
    return Bag(name, letters, counts, values)


def parsed_bag(text: str, name: str) -> Bag:
    """Return a bag from lines of letter TAB count TAB value, or of a file of macondo or Quackle.

    Skips empty lines and those from # on.
    """
    tiles: dict[str, tuple[int, int]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        cells = _cells(line)
        where = f"line {number} of bag {name}"
        if len(cells) != 3:
            raise ValueError(f"{where} is {line[:40]!r}: {FORM}")
        letter, *figures = cells
        letter = _lowered(letter, is_turkish(text))
        for what, figure in zip(("count", "value"), figures, strict=True):
            digits = figure.removeprefix("-")
            if not (digits.isascii() and digits.isdigit() and len(digits) < 19):
                raise ValueError(f"{where} has the {what} {figure[:20]!r}, expected a whole number: {FORM}")
        if len(letter) != 1 or not (letter.isalpha() or letter == BLANK):
            fault = f"{where} has the letter {cells[0][:20]!r}"
            raise ValueError(f"{fault}, expected one letter, or {BLANK}: {FORM}")
        if letter in tiles:
            raise ValueError(f"{where} has the letter {shown(letter)} again: give each one line")
        tiles[letter] = int(figures[0]), int(figures[1])
    return made_bag(name, tiles)


def _cells(line: str) -> list[str]:
    """Return the letter, count and value of a line.

    Source: data/letterdistributions/swedish of domino14/macondo, `A,8,1,1` with a sign of vowels;
    data/alphabets/swedish.quackle_alphabet of quackle/quackle, `A a 1 8 1` with the value before the count.
    """
    separator = None if line.startswith("blank") else "\t" if "\t" in line else ","
    cells = [cell.strip() for cell in line.split(separator)]
    if len(cells) == 4 and cells[3] in ("0", "1"):
        return cells[:3]
    if len(cells) == 5 or (len(cells) == 3 and cells[0] == "blank"):
        *letter, value, count = cells[:4]
        return [BLANK if letter == ["blank"] else letter[0], count, value]
    return cells


def _lowered(text: str, turkish: bool) -> str:
    """Tiles in lower case, composed; one by one, as a capital sigma depends on its position in a text."""
    return "".join(enter(sign, turkish) for sign in normalize("NFC", text))


def find_bag(name: str) -> Bag:
    """Return the bag of a name, or of the file at a path.

    Raises:
        ValueError: no bag has the name, or the file is not a bag.

    >>> find_bag("scrabble").blanks
    2
    """
    if name in BY_NAME:
        return BY_NAME[name]
    return parsed_bag(text_bytes(name, "bag", "name a file of tiles", BY_NAME).decode(), name)


def _of_values(counts: str, values: Mapping[int, str]) -> dict[str, tuple[int, int]]:
    by_letter = {letter: value for value, letters in values.items() for letter in letters}
    return {part[0].lower(): (int(part[1:]), by_letter[part[0]]) for part in counts.split()}


# The bag of a programming challenge; that of English Scrabble since 1938.
CHALLENGE = made_bag(
    "challenge",
    _of_values(
        "A8 G3 I5 S7 U5 X2 Z5 E9 J3 L3 R3 V3 Y5 F3 D3 P5 W5 B5 N4 T5 O3 H3 M4 C4 K2 Q2",
        {1: "AGISUXZ", 2: "EJLRVY", 3: "FDPW", 4: "BN", 5: "TOHMC", 10: "KQ"},
    ),
)
SCRABBLE = made_bag(
    "scrabble",
    _of_values(
        "A9 B2 C2 D4 E12 F2 G3 H2 I9 J1 K1 L4 M2 N6 O8 P2 Q1 R6 S4 T6 U4 V2 W2 X1 Y2 Z1 ?2",
        {1: "AEILNORSTU", 2: "DG", 3: "BCMP", 4: "FHVWY", 5: "K", 8: "JX", 10: "QZ", 0: "?"},
    ),
)
BY_NAME = {made.name: made for made in (CHALLENGE, SCRABBLE)}
USUAL = CHALLENGE.name

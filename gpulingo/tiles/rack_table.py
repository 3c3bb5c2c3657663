"""The best words of every rack that a bag allows: one pass over the racks of each size; and their file.

A file has the bag, the words, and the points of every rack. Its content is checked, never trusted.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import comb
from operator import mul
from typing import TYPE_CHECKING, Any

import numpy as np

from gpulingo.storage import fields
from gpulingo.storage.faults import ALL_RACKS, Fault
from gpulingo.storage.files import parsed_file, replace_file
from gpulingo.storage.npz import HEADER as HEADER_BYTES
from gpulingo.storage.npz import MOST_BYTES, MOST_FILE, TYPES, integers, npy, npy_header, pack, unpack
from gpulingo.tensors.arrays import CPU, Array, Device
from gpulingo.tensors.checks import narrowest
from gpulingo.tensors.device import find_device
from gpulingo.tiles.bag import MOST_VALUE, Bag, find_bag, made_bag
from gpulingo.tiles.best_words import MOST_LENGTH, Spelling, spelled
from gpulingo.tiles.racks import RackNumbers, best_of_racks, check_draws, rack_numbers
from gpulingo.words.shown import brief, counted

if TYPE_CHECKING:
    import torch

FORMAT = "gpulingo racks 1"
NAMES = ("header", "letters", "counts", "values", "words", "points", "ranks")
# A file that a table may replace: checkpoints begin with a header too, but other arrays follow.
BEGINS = rb"(?s)PK\x03\x04.{26}header\.npy.*?PK\x03\x04.{26}letters\.npy"
MOST_CELLS = 1 << 27  # words x kinds of tiles: a limit of memory
RANKS = ("int16", "int32")  # types of ranks
MEMORY = 1 << 32  # a limit: bytes for checking a table


@dataclass(frozen=True, eq=False)
class RackTable:
    """Points of the best word of every rack of `tiles` tiles.

    Attributes:
        spelling: the words.
        tiles: number of tiles of each rack.
        numbers: of the racks.
        points: [P] int64, ascending: the possible points of a word on a rack.
        ranks: [R] int16 or int32: for each rack the place of its points, from 1; 0: it spells no word.

    >>> rack_table(["quiz", "zax", "ax"], "scrabble", 3).best(2)
    ['axz', 'xz?']
    """

    spelling: Spelling
    tiles: int
    numbers: RackNumbers
    points: Array
    ranks: Array

    def __repr__(self) -> str:
        racks = f"{len(self.ranks):,} racks of {self.tiles} tiles"
        return brief("RackTable", f"{self.bag.name}, {racks}, {counted(len(self.spelling.words), 'word')}")

    @property
    def bag(self) -> Bag:
        """The bag of the racks."""
        return self.spelling.bag

    def points_of(self, racks: Sequence[str]) -> list[int | None]:
        """Return the points of the best word of each of some racks of the bag; None: it spells no word.

        Raises:
            ValueError: a rack of another number of tiles, or with more of a kind than the bag has.
        """
        for rack in racks:
            if len(rack) != self.tiles or self.bag.beyond(rack):
                what = f"rack {rack!r} is not {self.tiles} tiles of the bag {self.bag.name}"
                raise ValueError(f"{what}, and only these are in the table: look it up in the list")
        kinds = [sorted(map(self.bag.kinds.__getitem__, rack)) for rack in racks]
        rows = np.array(kinds, np.uint8).reshape(-1, self.tiles)
        ranks: list[int] = self.ranks[self.numbers.numbers(rows)].tolist()
        points = self.points.tolist()
        return [points[rank - 1] if rank else None for rank in ranks]

    def best(self, count: int) -> list[str]:
        """Return the `count` racks of most points, or all; on ties the first in the alphabet."""
        best = [np.empty(0, np.int64)]
        sizes = np.bincount(self.ranks, minlength=len(self.points) + 1)
        for rank in range(len(self.points), 0, -1):
            if count > 0 and sizes[rank]:
                best.append(np.flatnonzero(self.ranks == rank)[::-1][:count])
                count -= len(best[-1])
        rows = self.numbers.racks(np.concatenate(best), self.tiles)
        return ["".join(self.bag.letters[tile] for tile in reversed(row)) for row in rows.tolist()]


def rack_table(
    words: Iterable[str], bag: Bag | str = "challenge", tiles: int = 7, *, device: str | torch.device = "auto"
) -> RackTable:
    """Return the best word of every rack of `tiles` tiles.

    Args:
        words: distinct, lower case.
        bag: a bag, its name, or the path of its file.
        tiles: number drawn, 1 to the number in the bag.
        device: without effect, but it must exist; the CPU passes over all racks in less than a second.
    Raises:
        ValueError: no such bag, more tiles than it has, or too many racks to count.

    >>> from gpulingo.tiles.bag import made_bag
    >>> small = made_bag("small", {"a": (2, 1), "b": (1, 3)})
    >>> rack_table(["ab", "baa"], small, 2).points_of(["aa", "ab"])
    [None, 4]
    """
    chosen = bag if isinstance(bag, Bag) else find_bag(bag)
    return next(rack_tables(spelled(words, chosen, tiles), [tiles], device))


def racks_memory(spelling: Spelling, tiles: int) -> tuple[int, int]:
    """Return the approximate bytes for making the table of all racks of `tiles` tiles, and the most racks.

    The most racks of any size up to `tiles`: with more than half of the bag there are fewer.
    """
    numbers = _numbers(spelling.bag, tiles)
    counts = list(map(numbers.count, range(tiles + 1)))
    highest = tiles * max(map(abs, spelling.bag.values))
    size = 2 if 2 * highest < np.iinfo(RANKS[0]).max else 4  # upper bound of the number of points
    racks = max(2 * more + fewer for fewer, more in pairwise(counts))
    words = np.bincount(spelling.lengths, minlength=tiles + 1).tolist()
    blanks = [sum(comb(n, b) for b in range(min(spelling.bag.blanks, n) + 1)) for n in range(tiles + 1)]
    taken = sum(map(mul, words[1:], blanks[1:]))  # upper bound of pairs of racks and words
    return size * racks + 80 * taken, max(counts)


def rack_tables(spelling: Spelling, draws: Sequence[int], device: Device = CPU) -> Iterator[RackTable]:
    """Yield the tables of racks of each of these sizes, in ascending order; the device must exist."""
    find_device(device)
    numbers = _numbers(spelling.bag, max(draws))
    taken = [_taken(spelling, numbers, size) for size in range(1, max(draws) + 1)]
    points = np.unique(np.concatenate([worth for _, worth in taken]))
    kind = narrowest(len(points), *RANKS)
    ranks = np.zeros(1, kind)  # the single rack without tiles
    for tiles, (racks, worth) in enumerate(taken, 1):
        exact = np.zeros(numbers.count(tiles), kind)
        exact[racks] = np.searchsorted(points, worth) + 1
        ranks = best_of_racks(numbers, tiles, ranks, exact)
        if tiles in draws:
            yield RackTable(spelling, tiles, numbers, points, ranks)


def _numbers(bag: Bag, tiles: int) -> RackNumbers:
    bag.check_draw(tiles)
    try:
        check_draws(bag.counts, tiles)
        return rack_numbers(bag.counts, tiles)
    except ValueError as error:
        raise ValueError(f"{error}: draw fewer tiles") from None


def _taken(spelling: Spelling, numbers: RackNumbers, tiles: int) -> tuple[Array, Array]:
    """Return [M] int64 numbers of racks that words use completely, and the points of all their tiles."""
    other, values = len(spelling.bag.letters), np.array(spelling.bag.values, np.int64)
    copies = spelling.letters[spelling.lengths == tiles]
    kinds = np.tile(np.arange(other + 1, dtype=np.uint8), len(copies))
    rows = np.repeat(kinds, copies.ravel()).reshape(len(copies), tiles)
    parts = [np.empty((2, 0), np.int64)]
    # Without words there is no loop over places for blanks.
    for blanks in range(min(spelling.bag.blanks, tiles) + 1) if len(rows) else ():
        for kept in combinations(range(tiles), tiles - blanks):
            left = rows[:, list(kept)]
            takes = (left < other).all(1)  # a letter without a tile must be a blank
            for place in set(range(1, tiles)).difference(kept):
                if place - 1 in kept:  # among equal letters the first are blanks: no rack is repeated
                    takes &= rows[:, place] != rows[:, place - 1]
            left = left[takes]
            racks = np.concatenate([np.zeros((len(left), blanks), np.uint8), left], axis=1)  # kind 0: a blank
            racks = racks[numbers.allowed(racks)]
            parts.append(np.stack([numbers.numbers(racks), values[racks].sum(1)]))
    numbered, points = np.concatenate(parts, axis=1)
    return numbered, points


def _printable(value: Any) -> str:
    return "" if type(value) is str and value.isprintable() else "printable text"  # no control characters


HEADER = {
    "format": fields.one_of(FORMAT),
    "bag": _printable,
    "list": _printable,
    "tiles": fields.whole(1, MOST_LENGTH),
    "kind": fields.one_of("u1", "i4"),
}


def write_rack_table(path: str | os.PathLike[str], table: RackTable, source: str) -> None:
    """Write a table, and the origin of its words; the inverse of `read_rack_table`."""
    bag, kind = table.bag, "u1" if len(table.points) < 256 else "i4"
    check_size(len(table.ranks), TYPES[kind][2])
    words = [word for word in table.spelling.words if len(word) <= table.tiles]
    _check_words(words, table.tiles)
    name, origin = (
        "".join(sign if sign.isprintable() else "?" for sign in text) for text in (bag.name, source)
    )
    header = {"format": FORMAT, "bag": name, "list": origin, "tiles": table.tiles, "kind": kind}
    ranks = table.ranks.astype(TYPES[kind][0])  # millions, which `npy` takes one by one
    arrays = {
        "header": npy(json.dumps(header).encode(), "u1"),
        "letters": npy("".join(bag.letters).encode(), "u1"),
        "counts": npy(bag.counts, "i8"),
        "values": npy(bag.values, "i8"),
        "words": npy("\n".join(words).encode(), "u1"),
        "points": npy(table.points.tolist(), "i8"),
        "ranks": npy_header(kind, len(ranks)) + ranks.tobytes(),
    }
    replace_file(os.fspath(path), pack(list(arrays.items())))


def check_size(racks: int, size: int = 1) -> None:
    """Raise ValueError if `racks` racks of `size` bytes each are too many for a file."""
    if racks * size + HEADER_BYTES > MOST_BYTES:
        what = f"{racks:,} racks take {racks * size:,} bytes, a file holds {MOST_BYTES - HEADER_BYTES:,}"
        raise ValueError(f"{what}: draw fewer tiles")


def read_rack_table(path: str | os.PathLike[str], *, checked: bool = False) -> tuple[RackTable, str]:
    """Return the table of a file and the origin of its words; `checked`, which takes as long as making it."""
    table, source = parsed_file(path, MOST_FILE, _parsed, "", ALL_RACKS)
    if checked:
        needed, racks = racks_memory(table.spelling, table.tiles)
        if needed > MEMORY:
            raise ValueError(f"{racks:,} racks and words with their blanks are too many to be checked")
        made = next(rack_tables(table.spelling, [table.tiles]))
        none = -MOST_VALUE * MOST_LENGTH - 1  # points of a rack that spells no word
        said, right = (np.append(none, own.points)[own.ranks] for own in (table, made))
        if wrong := int((said != right).sum()):
            what = f"the table is wrong for {wrong:,} of {len(table.ranks):,} racks"
            raise Fault(what, ALL_RACKS)
    return table, source


def _parsed(data: bytes) -> tuple[RackTable, str]:
    members = unpack(data, NAMES)
    header = fields.checked(fields.parsed_json(_text(members["header"])), HEADER)
    tiles, letters = header["tiles"], _text(members["letters"])
    counts, values = (_row(members[name], "i8", len(letters)) for name in ("counts", "values"))
    pairs = zip(counts.tolist(), values.tolist(), strict=True)
    bag = made_bag(header["bag"], dict(zip(letters, pairs, strict=True)))
    if "".join(bag.letters) != letters or tiles > bag.tiles:
        raise ValueError("has letters that are no bag, or more tiles than it has")
    check_draws(bag.counts, tiles)
    text = _text(members["words"])
    words = text.split("\n") if text else []
    if len(words) * (len(letters) + 1) > MOST_CELLS:
        raise ValueError(f"has {len(words):,} words, more than any list")
    _check_words(words, tiles)
    points = _row(members["points"], "i8")
    if any(a >= b for a, b in pairwise(points.tolist())):
        raise ValueError("has points that do not rise")
    numbers = rack_numbers(bag.counts, tiles)
    ranks = _row(members["ranks"], header["kind"], numbers.count(tiles))
    if len(ranks) and (ranks.min() < 0 or ranks.max() > len(points)):
        raise ValueError("has ranks of no points")
    ranks = ranks.astype(narrowest(len(points), *RANKS))
    return RackTable(spelled(words, bag, tiles), tiles, numbers, points, ranks), header["list"]


def _check_words(words: Sequence[str], tiles: int) -> None:
    """Raise ValueError unless words are distinct, of lower-case letters and at most `tiles` letters long."""
    if len(set(words)) < len(words) or not all(len(word) <= tiles for word in words):
        raise ValueError("has words twice, or with more letters than tiles are drawn")
    odd = [word for word in words if not word.isalpha() or word != word.lower()]
    if odd:  # the first may be a word without letters
        raise ValueError(f"has {odd[0][:40]!r}, expected words of lower-case letters")


def _text(data: bytes) -> str:
    try:
        return bytes(integers(data, "u1")).decode()
    except UnicodeDecodeError:
        raise ValueError("has text that is not UTF-8") from None


def _row(data: bytes, kind: str, size: int | None = None) -> Array:
    return np.array(integers(data, kind, size), dtype=TYPES[kind][0])

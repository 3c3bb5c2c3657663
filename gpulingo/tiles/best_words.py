"""Words as tiles of a bag, and the best words of racks; without torch, which is slow to import."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gpulingo.tiles.bag import Bag, find_bag, shown
from gpulingo.words.shown import brief, counted

if TYPE_CHECKING:
    import torch

MOST_LENGTH = 255  # most letters of a word, so that copies fit uint8


class BestWords(NamedTuple):
    """The best words of a rack.

    Attributes:
        rack: its tiles, as they were given, lower case.
        points: of each of the words; 0 without a word.
        words: all with these points, in list order.

    >>> from gpulingo import best_words
    >>> best_words(["axz"], ["quiz", "zax", "ax"], "scrabble")
    [BestWords(axz: 19 points, zax)]
    """

    rack: str
    points: int
    words: tuple[str, ...]

    def __repr__(self) -> str:
        best = f"{counted(self.points, 'point')}, {' '.join(self.words)}" if self.words else "no word"
        return brief("BestWords", f"{self.rack}: {best}")

    def text(self) -> str:
        """Return the rack and its best words in one line."""
        best = f"{counted(self.points, 'point')}: {', '.join(self.words)}" if self.words else "no word"
        return f"{shown(self.rack)}: {best}"

    def entry(self, top: Sequence[tuple[str, int]] | None = None) -> dict[str, Any]:
        """Return the fields of a JSON object; `top` are words and their points."""
        entry = {"rack": shown(self.rack), "points": self.points, "words": list(self.words)}
        more = [{"word": word, "points": points} for word, points in top or ()]
        return entry if top is None else entry | {"top": more}


@dataclass(frozen=True, eq=False)
class Spelling:
    """Words, and how often each takes each letter of a bag.

    Attributes:
        bag: of the tiles.
        words: W of them, distinct, in the order of their list.
        letters: [W, K + 1] uint8: copies of each letter of the bag, and last of all other letters.

    >>> from gpulingo import rack_table
    >>> rack_table(["quiz", "zax", "ax"], "scrabble", 3).spelling
    Spelling(2 words, scrabble)
    """

    bag: Bag
    words: tuple[str, ...]
    letters: np.ndarray[Any, Any]

    def __repr__(self) -> str:
        return brief("Spelling", f"{counted(len(self.words), 'word')}, {self.bag.name}")

    @cached_property
    def lengths(self) -> np.ndarray[Any, Any]:
        """[W] int64: letters of each word."""
        return self.letters.sum(1, dtype=np.int64)

    @cached_property
    def masks(self) -> np.ndarray[Any, Any]:
        """[W] uint64: a bit for each column of `letters` that a word has; a bag has at most 61 kinds."""
        return (self.letters > 0) @ _bits(self.letters.shape[1])

    def laid(self, rack: str) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """Return [L] int64 twice: the words that a rack can spell, ascending, and their points.

        A blank replaces any letter. It pays the points of a blank; if these exceed those of a
        letter in the rack, the blank is used instead.
        """
        values, blank = np.array(self.bag.values, dtype=np.int64), self.bag.blank
        held = np.bincount([self.bag.kinds[letter] for letter in rack], minlength=len(values) + 1)
        blanks = 0
        if blank is not None:
            blanks, held[blank] = int(held[blank]), 0
        lacking = self.masks & ~(held > 0).dot(_bits(len(held)))
        for _ in range(min(blanks, len(held))):
            lacking &= lacking - np.uint64(1)  # drops one kind of missing letter per blank, maybe too many
        ids = (lacking == 0).nonzero()[0]
        words = self.letters[ids].astype(np.int64)
        laid = np.minimum(words, held)
        missing = (words - laid).sum(1)
        fits = missing <= blanks
        ids, laid, missing = ids[fits], laid[fits, :-1], missing[fits]
        points = laid @ values
        if blank is not None:
            points += missing * values[blank]
            spare, gains = blanks - missing, values[blank] - values
            for kind in (-gains).argsort(kind="stable"):
                swapped = np.minimum(laid[:, kind], spare)
                points += swapped * max(0, gains[kind])
                spare = spare - swapped
        return ids, points

    def best(self, rack: str) -> BestWords:
        """Return the best words of a rack."""
        ids, points = self.laid(rack)
        most = int(points.max()) if len(ids) else 0
        return BestWords(rack, most, tuple(self.words[word] for word in ids[points == most]))


def _bits(count: int) -> np.ndarray[Any, Any]:
    return np.uint64(1) << np.arange(count, dtype=np.uint64)


def spelled(words: Iterable[str], bag: Bag, most: int) -> Spelling:
    """Return the words of 1 to `most` letters."""
    most = min(most, MOST_LENGTH)
    kept = tuple(dict.fromkeys(word for word in words if 1 <= len(word) <= most))
    kinds = len(bag.letters)
    signs = np.frombuffer("".join(kept).encode("utf-32-le"), dtype=np.uint32)
    table = np.full(1 + int(signs.max(initial=0)), kinds, dtype=np.int64)  # code point -> kind
    for letter, kind in bag.kinds.items():
        if kind != bag.blank and ord(letter) < len(table):
            table[ord(letter)] = kind
    owners = np.repeat(np.arange(len(kept)), [len(word) for word in kept])
    cells = np.bincount(owners * (kinds + 1) + table[signs], minlength=len(kept) * (kinds + 1))
    return Spelling(bag, kept, cells.astype(np.uint8).reshape(len(kept), kinds + 1))


def best_words(
    racks: Iterable[str],
    words: Iterable[str],
    bag: Bag | str = "challenge",
    *,
    device: str | torch.device = "auto",
) -> list[BestWords]:
    """Return the best words that each rack can spell: every tile at most once, not all need be used.

    Args:
        racks: letters of the bag, in any order and case; `?` is a blank.
        words: distinct, lower case.
        bag: a bag, its name, or the path of its file.
        device: without effect; a rack takes less than a millisecond on the CPU.
    Raises:
        ValueError: no such bag, or a rack with a tile that it lacks.

    >>> best_words(["agzequi", "xxx"], ["quiz", "quag", "age"])
    [BestWords(agzequi: 13 points, quiz quag), BestWords(xxx: no word)]
    """
    chosen = bag if isinstance(bag, Bag) else find_bag(bag)
    texts = [chosen.rack(rack) for rack in racks]
    return best_of(texts, spelled(words, chosen, max(map(len, texts), default=0)), device)


def best_of(racks: Sequence[str], spelling: Spelling, device: str | torch.device = "cpu") -> list[BestWords]:
    """Return the best words of each rack, in tiles of the words' bag; the device must exist."""
    if str(device) not in ("auto", "cpu"):
        from gpulingo.tensors.device import find_device

        find_device(device)
    by_rack = {rack: spelling.best(rack) for rack in dict.fromkeys(racks)}
    return [by_rack[rack] for rack in racks]


def laid(rack: str, spelling: Spelling) -> list[tuple[str, int]]:
    """Return all words that a rack can spell, with their points, the best first, then in list order."""
    ids, points = spelling.laid(rack)
    order = (-points).argsort(kind="stable")
    words = [spelling.words[word] for word in ids[order]]
    return list(zip(words, points[order].tolist(), strict=True))

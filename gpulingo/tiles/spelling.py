"""Words as the tiles of a bag that spell them; how they are laid with racks is not known here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb

import numpy as np
import torch
from torch import Tensor

from gpulingo.tiles.bag import Bag
from gpulingo.words.shown import brief, counted

MOST_LENGTH = 255  # letters of a word: more of one letter are not counted


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
    letters: Tensor

    def __repr__(self) -> str:
        return brief("Spelling", f"{counted(len(self.words), 'word')}, {self.bag.name}")

    @cached_property
    def values(self) -> Tensor:
        """[K] int64: points of each kind of tile."""
        return torch.tensor(self.bag.values, dtype=torch.int64, device=self.letters.device)

    @cached_property
    def points(self) -> Tensor:
        """[W] int64: points of each word without blanks, where letters that the bag lacks count nothing."""
        return (self.letters[:, :-1].long() * self.values).sum(1)

    @cached_property
    def lengths(self) -> Tensor:
        """[W] int64: letters of each word."""
        return self.letters.long().sum(1)

    def most_taking(self, tiles: int) -> int:
        """At most how many pairs of racks and words `taking` yields."""
        places = sum(comb(tiles, blanks) for blanks in range(min(self.bag.blanks, tiles) + 1))
        return int((self.lengths == tiles).sum()) * places

    def taking(self, tiles: int) -> Iterator[tuple[Tensor, Tensor]]:
        """Yield the racks of `tiles` tiles that a word takes whole, with blanks at each of its places.

        Yields:
            [M, n] uint8: racks, tiles ascending, of which the bag may not have all; [M] int64: the words.
        """
        ids = (self.lengths == tiles).nonzero()[:, 0]
        if not len(ids):
            return  # without a walk over all places for blanks
        words, other = self.letters[ids], len(self.bag.letters)
        kinds = torch.arange(other + 1, dtype=torch.uint8, device=words.device)
        rows = kinds.repeat(len(words)).repeat_interleave(words.flatten().long()).view(len(words), tiles)
        for blanks in range(min(self.bag.blanks, tiles) + 1):
            for kept in combinations(range(tiles), tiles - blanks):
                left = rows[:, list(kept)]
                takes = (left < other).all(1)  # what no tile spells must be a blank
                for place in set(range(1, tiles)).difference(kept):
                    if place - 1 in kept:  # of several alike the first are blanks: no rack comes twice
                        takes &= rows[:, place] != rows[:, place - 1]
                left = left[takes]
                with_blanks = torch.cat([left.new_zeros(len(left), blanks), left], 1)  # of kind 0
                yield with_blanks, ids[takes]


def spelled(words: Sequence[str], bag: Bag, most: int, least: int = 1) -> Spelling:
    """Return the words of at least `least` and at most `most` letters, on the CPU.

    >>> from gpulingo.tiles.bag import SCRABBLE
    >>> spelled(["quiz", "queue", "a"], SCRABBLE, most=4).points.tolist()
    [22, 1]
    """
    most = min(most, MOST_LENGTH)
    kept = tuple(dict.fromkeys(word for word in words if least <= len(word) <= most))
    kinds = len(bag.letters)
    points = np.frombuffer("".join(kept).encode("utf-32-le"), dtype=np.uint32)
    table = np.full(1 + int(points.max(initial=0)), kinds, dtype=np.int64)  # code point -> kind
    for letter, kind in bag.kinds.items():
        if kind != bag.blank and ord(letter) < len(table):
            table[ord(letter)] = kind
    owners = np.repeat(np.arange(len(kept)), [len(word) for word in kept])
    cells = np.bincount(owners * (kinds + 1) + table[points], minlength=len(kept) * (kinds + 1))
    return Spelling(bag, kept, torch.from_numpy(cells.astype(np.uint8).reshape(len(kept), kinds + 1)))


def on_device(spelling: Spelling, device: torch.device) -> Spelling:
    """The same words, their letters on another device."""
    return Spelling(spelling.bag, spelling.words, spelling.letters.to(device))


def counts_of(racks: Sequence[str], bag: Bag, device: torch.device) -> Tensor:
    """[B, K] uint8: the tiles of each kind of racks, all of kinds of the bag; 255 where there are more."""
    kinds = len(bag.letters)
    cells = [bag.kinds[letter] + place * kinds for place, rack in enumerate(racks) for letter in rack]
    counts = np.bincount(np.array(cells, dtype=np.int64), minlength=len(racks) * kinds)
    counts = np.minimum(counts, MOST_LENGTH)  # no word takes more
    return torch.from_numpy(counts.astype(np.uint8).reshape(len(racks), kinds)).to(device)

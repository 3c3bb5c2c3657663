"""Words as the tiles of a bag that spell them: racks that they take whole, and words that racks can lay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from gpulingo.tiles.bag import Bag
from gpulingo.tiles.racks import RANKS, RackNumbers
from gpulingo.words.shown import brief, counted

MOST_LENGTH = 255  # letters of a word: more of one letter are not counted
BLOCK = 1 << 24  # counts of tiles that are compared at once, of a byte each


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


def spelled(words: Sequence[str], bag: Bag, most: int) -> Spelling:
    """Return the words of 1 to `most` letters, on the CPU.

    >>> from gpulingo.tiles.bag import SCRABBLE
    >>> spelled(["quiz", "queue", "a"], SCRABBLE, most=4).points.tolist()
    [22, 1]
    """
    most = min(most, MOST_LENGTH)
    kept = tuple(dict.fromkeys(word for word in words if 1 <= len(word) <= most))
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


@dataclass(frozen=True, eq=False)
class Taken:
    """Words of one length and the racks that they take whole, M pairs by number: with blanks several.

    Words on one rack have the same points, those of all its tiles.
    """

    places: Tensor
    words: Tensor
    points: Tensor

    def exact(self, points: Tensor, racks: int) -> Tensor:
        """[racks], the rank of the words that take each whole, of [P] rising points from 1 on; 0: none."""
        dtype = rank_dtype(points)
        exact = torch.zeros(racks, dtype=dtype, device=points.device)
        exact[self.places] = (torch.searchsorted(points, self.points) + 1).to(dtype)
        return exact


def taken_racks(spelling: Spelling, numbers: RackNumbers, tiles: int) -> Taken:
    """Return the racks of `tiles` tiles of the bag that words take whole."""
    parts = [torch.empty(3, 0, dtype=torch.int64, device=spelling.letters.device)]
    for racks, words in spelling.taking(tiles):
        fits = numbers.allowed(racks)
        own = racks[fits]
        parts.append(torch.stack([numbers.numbers(own), words[fits], spelling.values[own.long()].sum(1)]))
    return Taken(*torch.cat(parts, 1))


def every_points(taken: Sequence[Taken]) -> Tensor:
    """Return [P] int64, ascending: the points that words can have."""
    return torch.cat([own.points for own in taken]).unique()


def rank_dtype(points: Tensor) -> torch.dtype:
    """Return the smallest type for the ranks of these points."""
    return next(dtype for dtype in RANKS if len(points) <= torch.iinfo(dtype).max)


class Laid(NamedTuple):
    """Words that can be laid, L of them: by rack, those of a rack by word.

    `points` are the most that the tiles of a rack which spell the word can be worth.
    """

    racks: Tensor
    words: Tensor
    points: Tensor


def laid_words(racks: Tensor, words: Tensor, values: Tensor, blank: int | None = None) -> Laid:
    """Return the words that can be laid with each rack, and their points.

    A blank takes the place of any letter. It pays the points of a blank; where these exceed those of a letter
    that is there, the blank is laid instead.

    Args:
        racks: [B, K] uint8: tiles of each kind.
        words: [W, K + 1] uint8: letters that each kind of tile spells, and last those that no kind does. None
            is spelled by blanks.

    >>> racks = torch.tensor([[1, 1], [2, 0]]).byte()
    >>> words = torch.tensor([[1, 0, 0], [1, 1, 0]]).byte()
    >>> laid_words(racks, words, torch.tensor([3, 4]))
    Laid(racks=tensor([0, 0, 1]), words=tensor([0, 1, 0]), points=tensor([3, 7, 3]))
    """
    none = torch.zeros(len(racks), 1, dtype=torch.uint8, device=racks.device)
    held = torch.cat([racks, none], 1)
    blanks = none[:, 0]
    if blank is not None:
        blanks, held[:, blank] = racks[:, blank], 0
    parts, size = [], max(1, BLOCK // max(1, words.numel()))
    for start in range(0, len(racks), size):
        ids = _pairs(held[start : start + size], words, blanks[start : start + size])
        ids[:, 0] += start
        parts.append(ids)
    owners, laid = torch.cat([values.new_empty(0, 2), *parts]).unbind(1)
    return Laid(owners, laid, _laid_points(held[owners], words[laid], values, blank, blanks[owners]))


def _pairs(held: Tensor, words: Tensor, blanks: Tensor) -> Tensor:
    """Return [L, 2] int64: the racks and words of which the blanks make up for the letters that lack."""
    if not blanks.any():
        return (words <= held[:, None, :]).all(2).nonzero()
    lacking = words - torch.minimum(words, held[:, None, :])  # [B, W, K + 1]
    return (lacking.sum(2) <= blanks[:, None]).nonzero()


def _laid_points(held: Tensor, words: Tensor, values: Tensor, blank: int | None, blanks: Tensor) -> Tensor:
    """Return [L] int64: the most points of [L, K + 1] words laid with the same number of racks."""
    laid = torch.minimum(words, held)[:, :-1].long()
    points = (laid * values).sum(1)
    if blank is None:
        return points
    lacking = words.long().sum(1) - laid.sum(1)
    points += lacking * values[blank]
    spare, gains = blanks - lacking, values[blank] - values
    for kind in gains.argsort(descending=True, stable=True).tolist():
        if gains[kind] <= 0:
            break
        swapped = torch.minimum(laid[:, kind], spare)
        points += swapped * gains[kind]
        spare = spare - swapped
    return points

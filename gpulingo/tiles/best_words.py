"""The best words of racks: few are compared with every word, many are looked up by their parts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

import torch
from torch import Tensor

from gpulingo.tensors.device import find_device
from gpulingo.tiles.bag import Bag, find_bag
from gpulingo.tiles.racks import RackNumbers, rack_numbers
from gpulingo.tiles.spelling import (
    Spelling,
    Taken,
    counts_of,
    every_points,
    laid_words,
    on_device,
    spelled,
    taken_racks,
)
from gpulingo.words.shown import brief, counted

PARTED = 1 << 14  # racks at once; each takes some bytes for each of its parts
MANY = 1 << 22  # racks x words from which on racks are looked up by their parts
COMPARED = 1 << 21  # racks x words at once; each word that a rack spells takes some bytes for each letter
MOST_PARTED = 10  # tiles of a rack that has parts to be looked up, 2**10 of them
MOST_RACKS = 1 << 24  # that may be numbered for it, or taken whole by words; they take 4 or 24 bytes each


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


def best_of_many(racks: Sequence[str], spelling: Spelling) -> list[BestWords]:
    """Return the best words of racks of the bag, all of the same number of tiles.

    A word on a rack takes a part of it whole, so the best words are those of the parts with most points.
    """
    tiles, kinds, device = len(racks[0]), spelling.bag.kinds, spelling.letters.device
    numbers = rack_numbers(spelling.bag.counts, tiles, device)
    taken = [taken_racks(spelling, numbers, size) for size in range(1, tiles + 1)]
    points = every_points(taken)
    exact = [own.exact(points, numbers.count(size)) for size, own in enumerate(taken, 1)]
    rows = torch.tensor([sorted(map(kinds.__getitem__, rack)) for rack in racks]).byte().to(device)
    blocks = [_best_parts(block, numbers, exact) for block in rows.split(PARTED)]
    ranks = torch.cat([best for best, _ in blocks]).tolist()
    words: list[set[int]] = [set() for _ in racks]
    for size, own in enumerate(taken, 1):
        pairs = [parts[size - 1] for _, parts in blocks]
        owners = torch.cat([pair[0] + PARTED * number for number, pair in enumerate(pairs)])
        places = torch.cat([pair[1] for pair in pairs])
        by_place = _words_at(own, places)
        for owner, place in zip(owners.tolist(), places.tolist(), strict=True):
            words[owner].update(by_place[place])
    values = [0, *points.tolist()]
    return [
        BestWords(rack, values[rank], tuple(spelling.words[word] for word in sorted(ids)))
        for rack, rank, ids in zip(racks, ranks, words, strict=True)
    ]


def _best_parts(
    rows: Tensor, numbers: RackNumbers, exact: Sequence[Tensor]
) -> tuple[Tensor, list[tuple[Tensor, Tensor]]]:
    """Return [B], the greatest rank of the parts of each rack; and the parts that have it.

    Those are for each number of tiles the racks, and the numbers of their parts.
    """
    parts: list[list[Tensor]] = []
    best = torch.zeros(len(rows), dtype=exact[0].dtype, device=rows.device)
    for size, ranks in enumerate(exact, 1):
        places = [numbers.numbers(rows[:, part]) for part in combinations(range(rows.shape[1]), size)]
        parts.append(places)
        for part in places:
            best = torch.maximum(best, ranks[part])
    kept = []
    for ranks, places in zip(exact, parts, strict=True):
        hits = [((ranks[part] == best) & (best > 0)).nonzero()[:, 0] for part in places]
        pairs = [torch.stack([own, part[own]]) for own, part in zip(hits, places, strict=True)]
        owners, numbers_of = torch.cat([best.new_empty(2, 0).long(), *pairs], 1).unique(dim=1)
        kept.append((owners, numbers_of))
    return best, kept


def _words_at(taken: Taken, places: Tensor) -> dict[int, list[int]]:
    """Return the words that take each of some racks whole."""
    wanted = torch.isin(taken.places, places)
    words: dict[int, list[int]] = {}
    for place, word in zip(taken.places[wanted].tolist(), taken.words[wanted].tolist(), strict=True):
        words.setdefault(place, []).append(word)
    return words


def best_words(
    racks: Iterable[str],
    words: Iterable[str],
    bag: Bag | str = "challenge",
    *,
    device: str | torch.device = "auto",
) -> list[BestWords]:
    """The best words that can be laid with each rack: every tile at most once, and not all need be used.

    Args:
        racks: letters of the bag, in any order and case; `?` is a blank.
        words: distinct, lower case.
        bag: it, its name, or the path of its file.
        device: where to compute.
    Raises:
        BagError: no such bag, or a rack with a tile that it lacks.

    >>> best_words(["agzequi", "xxx"], ["quiz", "quag", "age"])
    [BestWords(agzequi: 13 points, quiz quag), BestWords(xxx: no word)]
    """
    tiles = bag if isinstance(bag, Bag) else find_bag(bag)
    texts = [tiles.rack(rack) for rack in racks]
    spelling = spelled(list(words), tiles, max(map(len, texts), default=0))
    return best_of(texts, on_device(spelling, find_device(device)))


def best_of(racks: Sequence[str], spelling: Spelling) -> list[BestWords]:
    """Return the best words of each rack, of the tiles of the words' bag."""
    by_rack: dict[str, BestWords] = {}
    for tiles, group in _by_size(racks).items():
        own = [rack for rack in group if not spelling.bag.beyond(rack)]
        if _many(len(own), tiles, spelling):
            by_rack |= {best.rack: best for best in best_of_many(own, spelling)}
    others = [rack for rack in dict.fromkeys(racks) if rack not in by_rack]
    by_rack |= {best.rack: best for best in compared(others, spelling)}
    return [by_rack[rack] for rack in racks]


def laid(rack: str, spelling: Spelling) -> list[tuple[str, int]]:
    """All words that can be laid with a rack and their points, the best first, then in list order."""
    counts = counts_of([rack], spelling.bag, spelling.letters.device)
    _, words, points = laid_words(counts, spelling.letters, spelling.values, spelling.bag.blank)
    order = (-points).argsort(stable=True)
    pairs = zip(words[order].tolist(), points[order].tolist(), strict=True)
    return [(spelling.words[word], worth) for word, worth in pairs]


def compared(racks: Sequence[str], spelling: Spelling) -> list[BestWords]:
    """Return the best words of each rack, which is compared with every word; some racks at once."""
    size = max(1, COMPARED // max(1, len(spelling.words)))
    blocks = (racks[start : start + size] for start in range(0, len(racks), size))
    return [best for block in blocks for best in _compared(block, spelling)]


def _compared(racks: Sequence[str], spelling: Spelling) -> list[BestWords]:
    """As `compared`, all racks at once."""
    counts = counts_of(racks, spelling.bag, spelling.letters.device)
    owners, words, points = laid_words(counts, spelling.letters, spelling.values, spelling.bag.blank)
    best = torch.full((len(racks),), torch.iinfo(torch.int64).min, dtype=torch.int64, device=points.device)
    best.scatter_reduce_(0, owners, points, "amax")
    kept = points == best[owners]
    texts: list[list[str]] = [[] for _ in racks]
    for owner, word in zip(owners[kept].tolist(), words[kept].tolist(), strict=True):
        texts[owner].append(spelling.words[word])
    return [
        BestWords(rack, worth if own else 0, tuple(own))
        for rack, worth, own in zip(racks, best.tolist(), texts, strict=True)
    ]


def _by_size(racks: Iterable[str]) -> dict[int, list[str]]:
    """Return the different racks by their number of tiles."""
    groups: dict[int, list[str]] = {}
    for rack in dict.fromkeys(racks):
        groups.setdefault(len(rack), []).append(rack)
    return groups


def _many(racks: int, tiles: int, spelling: Spelling) -> bool:
    """Return True if looking up parts of the racks is cheaper than comparing racks with words."""
    if tiles > MOST_PARTED or racks * len(spelling.words) < MANY:
        return False
    taken = sum(map(spelling.most_taking, range(1, tiles + 1)))
    return taken <= MOST_RACKS and rack_numbers(spelling.bag.counts, tiles).count(tiles) <= MOST_RACKS

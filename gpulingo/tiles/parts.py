"""The best words of many racks: every part of each is looked up among the racks that words take whole."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import torch
from torch import Tensor

from gpulingo.tiles.racks import RackNumbers, rack_numbers
from gpulingo.tiles.spelling import Spelling
from gpulingo.tiles.taken import Taken, every_points, taken_racks
from gpulingo.words.shown import brief, counted

BLOCK = 1 << 14  # racks at once; each takes some bytes for each of its parts


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
    blocks = [_best_parts(block, numbers, exact) for block in rows.split(BLOCK)]
    ranks = torch.cat([best for best, _ in blocks]).tolist()
    words: list[set[int]] = [set() for _ in racks]
    for size, own in enumerate(taken, 1):
        pairs = [parts[size - 1] for _, parts in blocks]
        owners = torch.cat([pair[0] + BLOCK * number for number, pair in enumerate(pairs)])
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
    """Return the greatest rank of the parts of each rack, and the parts that have it.

    Returns:
        [B] ranks; and for each number of tiles the racks, and the numbers of those parts of theirs.
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

"""The best of every rack that a bag allows: one pass over the racks of each number of tiles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import torch
from torch import Tensor

from gpulingo.tensors.device import find_device
from gpulingo.tiles.bag import Bag, find_bag
from gpulingo.tiles.rack_ranks import RANKS, best_of_racks
from gpulingo.tiles.racks import RackNumbers, check_draws, rack_numbers
from gpulingo.tiles.spelling import Spelling, on_device, spelled
from gpulingo.tiles.taken import every_points, rank_dtype, taken_racks
from gpulingo.words.shown import brief, counted


class RackTableError(ValueError):
    """A table of racks that cannot be made, or read."""


@dataclass(frozen=True, eq=False)
class RackTable:
    """Points of the best word of every rack of `tiles` tiles.

    Attributes:
        spelling: the words.
        tiles: of each rack.
        numbers: of the racks.
        points: [P] int64, ascending: the possible points of a word on a rack.
        ranks: [R] int16 or int32: of each rack the place of its points, from 1 on; 0: no word can be laid.

    >>> rack_table(["quiz", "zax", "ax"], "scrabble", 3).best(2)
    ['axz', 'xz?']
    """

    spelling: Spelling
    tiles: int
    numbers: RackNumbers
    points: Tensor
    ranks: Tensor

    def __repr__(self) -> str:
        racks = f"{len(self.ranks):,} racks of {self.tiles} tiles"
        return brief("RackTable", f"{self.bag.name}, {racks}, {counted(len(self.spelling.words), 'word')}")

    @property
    def bag(self) -> Bag:
        """The bag that the racks are of."""
        return self.spelling.bag

    def points_of(self, racks: Sequence[str]) -> list[int | None]:
        """Return the points of the best word of each of some racks of the bag; None: no word can be laid.

        Raises:
            RackTableError: a rack of another number of tiles, or with more of a kind than the bag has.
        """
        if not racks:
            return []
        for rack in racks:
            if len(rack) != self.tiles or self.bag.beyond(rack):
                seen = f"rack {rack!r} is not {self.tiles} tiles of the bag {self.bag.name}"
                raise RackTableError(f"{seen}, and only these are in the table: look it up in the list")
        device = self.ranks.device
        rows = torch.tensor([sorted(map(self.bag.kinds.__getitem__, rack)) for rack in racks], device=device)
        ranks: list[int] = self.ranks[self.numbers.numbers(rows.byte())].tolist()
        points = self.points.tolist()
        return [points[rank - 1] if rank else None for rank in ranks]

    def best(self, count: int) -> list[str]:
        """Return `count` racks of most points, or all; on ties the first in the alphabet."""
        best: list[Tensor] = []
        sizes = torch.bincount(self.ranks, minlength=len(self.points) + 1)
        for rank in range(len(self.points), 0, -1):
            if count <= 0:
                break
            if sizes[rank]:
                ids = (self.ranks == rank).nonzero()[:, 0]
                best.append(ids.flip(0)[:count])
                count -= len(best[-1])
        if not best:
            return []
        rows = self.numbers.racks(torch.cat(best), self.tiles)
        return ["".join(self.bag.letters[tile] for tile in reversed(row)) for row in rows.tolist()]


def rack_table(
    words: Iterable[str], bag: Bag | str = "challenge", tiles: int = 7, *, device: str | torch.device = "auto"
) -> RackTable:
    """Return the best of every rack of `tiles` tiles.

    Args:
        words: distinct, lower case.
        bag: it, its name, or the path of its file.
        tiles: drawn, 1 to the number in the bag.
        device: where to compute.
    Raises:
        BagError: no such bag, or more tiles than there are.
        RackTableError: too many racks to be counted.

    >>> from gpulingo.tiles.bag import made_bag
    >>> small = made_bag("small", {"a": (2, 1), "b": (1, 3)})
    >>> rack_table(["ab", "baa"], small, 2).points_of(["aa", "ab"])
    [None, 4]
    """
    own = bag if isinstance(bag, Bag) else find_bag(bag)
    spelling = on_device(spelled(list(words), own, tiles), find_device(device))
    return next(iter(rack_tables(spelling, [tiles])))


def racks_memory(spelling: Spelling, tiles: int) -> tuple[int, int]:
    """Return the approximate memory for making the table of all racks of `tiles` tiles.

    Returns:
        The bytes, and the most racks of `tiles` tiles or fewer: of more than half of a bag there are fewer.

    Raises:
        RackTableError: they are too many to be counted.
    """
    numbers = _numbers(spelling.bag, tiles, torch.device("cpu"))
    counts = list(map(numbers.count, range(tiles + 1)))
    taken = sum(map(spelling.most_taking, range(1, tiles + 1)))
    highest = tiles * max(map(abs, spelling.bag.values))
    size = 2 if 2 * highest < torch.iinfo(RANKS[0]).max else 4  # there are no more points than that
    racks = max(2 * more + fewer for fewer, more in pairwise(counts))
    return size * racks + 80 * taken, max(counts)


def rack_tables(spelling: Spelling, draws: Sequence[int]) -> Iterator[RackTable]:
    """Yield the tables of racks of each of these sizes, in ascending order.

    Args:
        spelling: words of up to as many letters as tiles are drawn; their device does the work.
        draws: numbers of tiles, 1 or more.
    Raises:
        BagError: more tiles than there are.
        RackTableError: too many racks or draws to be counted.
    """
    bag, device = spelling.bag, spelling.letters.device
    for tiles in draws:
        bag.check_draw(tiles)
    numbers = _numbers(bag, max(draws), device)
    taken = [taken_racks(spelling, numbers, size) for size in range(1, max(draws) + 1)]
    points = every_points(taken)
    ranks = torch.zeros(1, dtype=rank_dtype(points), device=device)  # of the one rack without tiles
    for tiles, own in enumerate(taken, 1):
        ranks = best_of_racks(numbers, tiles, ranks, own.exact(points, numbers.count(tiles)))
        if tiles in draws:
            yield RackTable(spelling, tiles, numbers, points, ranks)


def _numbers(bag: Bag, tiles: int, device: torch.device) -> RackNumbers:
    """Return the numbers of the racks of up to `tiles` tiles.

    Raises:
        RackTableError: they, or the draws, are too many to be counted.
    """
    try:
        check_draws(bag.counts, tiles)
        return rack_numbers(bag.counts, tiles, device)
    except ValueError as error:
        raise RackTableError(f"{error}: draw fewer tiles") from None

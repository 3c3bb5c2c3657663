"""DrawSummary of all draws of a size: exact expectation, distribution, and the value of holding each tile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from gpulingo.tiles.rack_table import RackTable
from gpulingo.tiles.racks import draws_by_rank
from gpulingo.words.shown import brief

MOST_RANGES = 60  # of points, that draws are told by


@dataclass(frozen=True)
class Draws:
    """Draws by the points of their best word, each draw as likely as any other.

    Attributes:
        by_points: points -> number of draws, ascending.
        without: draws without any word, which count 0 points.

    >>> from gpulingo import draw_summary, rack_table
    >>> draw_summary(rack_table(["quiz", "zax", "ax"], "scrabble", 3)).draws
    Draws(161,700 draws, mean 0.068 points)
    """

    by_points: Mapping[int, int]
    without: int

    def __repr__(self) -> str:
        return brief("Draws", f"{self.total:,} draws, mean {float(self.expected):.3f} points")

    @property
    def total(self) -> int:
        """Number of draws."""
        return self.without + sum(self.by_points.values())

    @property
    def expected(self) -> Fraction:
        """Mean points, of at least one draw."""
        return self._mean(1)

    @property
    def deviation(self) -> float:
        """Standard deviation of the points."""
        return sqrt(self._mean(2) - self._mean(1) ** 2)

    @property
    def share_without(self) -> Fraction:
        """The share of draws without any word."""
        return Fraction(self.without, self.total)

    def spread(self) -> list[tuple[int, int, int]]:
        """First and last points of each range, and its draws: each points alone, where they are few."""
        worth = list(self.by_points)
        width = 1 if len(worth) <= MOST_RANGES else -((worth[0] - worth[-1] - 1) // MOST_RANGES)
        ranges: dict[int, int] = {}
        for points, draws in self.by_points.items():
            first = points - (points - worth[0]) % width
            ranges[first] = ranges.get(first, 0) + draws
        return [(first, min(first + width, worth[-1] + 1) - 1, draws) for first, draws in ranges.items()]

    def _mean(self, power: int) -> Fraction:
        """Mean of a power of the points."""
        total = sum(points**power * draws for points, draws in self.by_points.items())
        return Fraction(total, self.total)


@dataclass(frozen=True)
class TileGain:
    """Value of having drawn a tile.

    Attributes:
        letter: of the tile.
        share: of the draws with at least one of it.
        given: mean points of these draws.
        less: mean points of those without any; None if every draw has one.

    >>> from gpulingo import draw_summary, rack_table
    >>> draw_summary(rack_table(["quiz", "zax", "ax"], "scrabble", 3)).held[0]
    TileGain(x: in 3.0% of draws, gain 1.872 points)
    """

    letter: str
    share: Fraction
    given: Fraction
    less: Fraction | None

    def __repr__(self) -> str:
        gain = "" if self.gain is None else f", gain {float(self.gain):.3f} points"
        return brief("TileGain", f"{self.letter}: in {float(self.share):.1%} of draws{gain}")

    @property
    def gain(self) -> Fraction | None:
        """Difference in expected points between one or more of it and none."""
        return None if self.less is None else self.given - self.less


@dataclass(frozen=True)
class DrawSummary:
    """All draws of one size.

    Attributes:
        tiles: drawn.
        racks: different ones.
        draws: of all.
        held: each kind of tile, by its value.

    >>> from gpulingo import draw_summary, rack_table
    >>> draw_summary(rack_table(["quiz", "zax", "ax"], "scrabble", 3))
    DrawSummary(3 tiles, 3,509 racks, mean 0.068 points)
    """

    tiles: int
    racks: int
    draws: Draws
    held: tuple[TileGain, ...]

    def __repr__(self) -> str:
        mean = f"mean {float(self.draws.expected):.3f} points"
        return brief("DrawSummary", f"{self.tiles} tiles, {self.racks:,} racks, {mean}")


def ranges_text(spread: list[tuple[int, int, int]]) -> dict[str, int]:
    """Draws by their points as text: `12`, or `12 to 15`."""
    return {
        f"{first:,}" if first == last else f"{first:,} to {last:,}": draws for first, last, draws in spread
    }


def draw_summary(table: RackTable) -> DrawSummary:
    """Return the exact summary of the draws of a table.

    >>> from gpulingo.tiles.bag import made_bag
    >>> from gpulingo.tiles.rack_table import rack_table
    >>> small = made_bag("small", {"a": (2, 1), "b": (1, 3)})
    >>> draw_summary(rack_table(["ab"], small, 2)).draws.expected  # of 4, 4 and 0 points
    Fraction(8, 3)
    """
    points = table.points.tolist()
    counts = draws_by_rank(table.numbers, table.tiles, table.ranks, len(points) + 1).tolist()
    *with_tile, every = [_draws(points, row) for row in counts]
    held = [_held(letter, own, every) for letter, own in zip(table.bag.letters, with_tile, strict=True)]
    # What is in every draw comes last, and of equal ones the first in the alphabet first.
    held.sort(key=lambda tile: (tile.gain is None, -(tile.gain or 0), tile.letter))
    return DrawSummary(table.tiles, len(table.ranks), every, tuple(held))


def _draws(points: list[int], counts: list[int]) -> Draws:
    """Return draws from the points and the count of each rank."""
    without, *found = counts
    return Draws({worth: draws for worth, draws in zip(points, found, strict=True) if draws}, without)


def _held(letter: str, own: Draws, every: Draws) -> TileGain:
    """Return a tile, of the draws with it and of all."""
    others = {worth: draws - own.by_points.get(worth, 0) for worth, draws in every.by_points.items()}
    none = Draws(others, every.without - own.without)
    less = none.expected if none.total else None
    return TileGain(letter, Fraction(own.total, every.total), own.expected, less)

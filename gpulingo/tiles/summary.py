"""Summary of all draws of a size: exact expectation, distribution, and the value of holding each tile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, Any

from gpulingo.tiles.bag import Bag, shown
from gpulingo.words.shown import brief

if TYPE_CHECKING:
    from gpulingo.tiles.best_words import BestWords
    from gpulingo.tiles.rack_table import RackTable

MOST_RANGES = 60  # of points, that draws are told by
ALL = ["tiles", "racks", "draws", "expected", "deviation", "without a word, %"]
HELD = ["tile", "in the bag", "value", "drawn, %", "expected with it", "without", "gain"]


@dataclass(frozen=True)
class Draws:
    """Draws by the points of their best word, all draws equally likely.

    Points -> number of draws, ascending; and the number of draws without a word, which count 0 points.

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
        """The share of draws without a word."""
        return Fraction(self.without, self.total)

    def spread(self) -> dict[str, int]:
        """Draws by points as text, `12` or, if there are many, `12 to 15`; `none` first."""
        points = list(self.by_points)
        width = 1 if len(points) <= MOST_RANGES else -((points[0] - points[-1] - 1) // MOST_RANGES)
        spread = {"none": self.without}
        for value, draws in self.by_points.items():
            first = value - (value - points[0]) % width
            last = min(first + width, points[-1] + 1) - 1
            name = f"{first:,}" if first == last else f"{first:,} to {last:,}"
            spread[name] = spread.get(name, 0) + draws
        return spread

    def _mean(self, power: int) -> Fraction:
        total = sum(points**power * draws for points, draws in self.by_points.items())
        return Fraction(total, self.total)


@dataclass(frozen=True)
class TileGain:
    """Value of drawing a tile.

    Attributes:
        share: of the draws with at least one such tile.
        given: mean points of these draws.
        less: mean points of the other draws; None if every draw has one.

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
        """Difference of mean points between draws with such a tile and without."""
        return None if self.less is None else self.given - self.less

    def cells(self, bag: Bag) -> list[str]:
        """Return the cells of the columns HELD."""
        kind = bag.kinds[self.letter]
        means = ["-" if mean is None else f"{float(mean):.3f}" for mean in (self.given, self.less, self.gain)]
        share = f"{100 * float(self.share):.2f}"
        return [shown(self.letter), f"{bag.counts[kind]:,}", f"{bag.values[kind]:,}", share, *means]

    def entry(self) -> dict[str, Any]:
        """Return the fields of a JSON object."""
        means = {"share": self.share, "given": self.given, "less": self.less, "gain": self.gain}
        numbers = {name: None if mean is None else float(mean) for name, mean in means.items()}
        return {"tile": shown(self.letter), **numbers}


@dataclass(frozen=True)
class DrawSummary:
    """All draws of one size: tiles drawn, number of different racks, and each kind of tile by its value.

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

    def cells(self) -> list[str]:
        """Return the cells of the columns ALL."""
        draws = self.draws
        means = (draws.expected, draws.deviation, 100 * draws.share_without)
        counts = [f"{self.tiles}", f"{self.racks:,}", f"{draws.total:,}"]
        return [*counts, *(f"{float(mean):.6f}" for mean in means)]

    def entry(self) -> dict[str, Any]:
        """Return the fields of a JSON object."""
        draws = self.draws
        return {
            "racks": self.racks,
            "draws": draws.total,
            "expected": float(draws.expected),
            "total_points": sum(points * count for points, count in draws.by_points.items()),
            "deviation": draws.deviation,
            "without_word": float(draws.share_without),
            "draws_without_word": draws.without,
            "best": [],
            "distribution": [{"points": points, "draws": count} for points, count in draws.by_points.items()],
            "held": [tile.entry() for tile in self.held],
        }


def drawn_summary(results: Sequence[BestWords]) -> tuple[Draws, BestWords, dict[str, Any]]:
    """Return racks that were drawn, two or more, as draws, the best of them, and the fields of an object."""
    counts, rounds = Counter(result.points for result in results if result.words), len(results)
    draws = Draws(dict(sorted(counts.items())), rounds - counts.total())
    mean = draws.expected
    squares = float(sum((result.points - mean) ** 2 for result in results))
    best = max(results, key=lambda result: (bool(result.words), result.points))
    error = (squares / (rounds - 1) / rounds) ** 0.5
    entry = {"rounds": rounds, "mean_points": float(mean), "standard_error": error}
    entry |= {"without_word": draws.without / rounds, "best": best.entry()}
    return draws, best, entry | {"draws": [result.entry() for result in results]}


def best_racks(table: RackTable, count: int) -> list[dict[str, Any]]:
    """Return the racks of most points as the fields of objects: their best words, and the draws of each."""
    racks = table.best(count)
    return [{**table.spelling.best(rack).entry(), "draws": table.bag.ways(rack)} for rack in racks]


def draw_summary(table: RackTable) -> DrawSummary:
    """Return the exact summary of the draws of a table.

    >>> from gpulingo.tiles.bag import made_bag
    >>> from gpulingo.tiles.rack_table import rack_table
    >>> small = made_bag("small", {"a": (2, 1), "b": (1, 3)})
    >>> draw_summary(rack_table(["ab"], small, 2)).draws.expected  # of 4, 4 and 0 points
    Fraction(8, 3)
    """
    from gpulingo.tiles.racks import draws_by_rank  # imports numba

    points = table.points.tolist()
    counts = draws_by_rank(table.numbers, table.tiles, table.ranks, len(points) + 1).tolist()
    *with_tile, every = [
        Draws({worth: draws for worth, draws in zip(points, row, strict=True) if draws}, without)
        for without, *row in counts
    ]
    held = [_held(letter, draws, every) for letter, draws in zip(table.bag.letters, with_tile, strict=True)]
    # Tiles in every draw come last; on ties the first in the alphabet comes first.
    held.sort(key=lambda tile: (tile.gain is None, -(tile.gain or 0), tile.letter))
    return DrawSummary(table.tiles, len(table.ranks), every, tuple(held))


def _held(letter: str, with_tile: Draws, every: Draws) -> TileGain:
    others = {worth: draws - with_tile.by_points.get(worth, 0) for worth, draws in every.by_points.items()}
    none = Draws(others, every.without - with_tile.without)
    less = none.expected if none.total else None
    return TileGain(letter, Fraction(with_tile.total, every.total), with_tile.expected, less)

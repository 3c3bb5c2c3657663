"""Values as their game shows them, in tables, sentences and JSON; the units are in `games.units`.

Values and bounds come in credits, summed over the targets. If fewest lost words come first they have two
parts: the words found, and the remaining credits.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from gpulingo.games.game import CREDIT, Game
from gpulingo.games.units import GUESSES, LOST, UNITS, Unit
from gpulingo.trees.tree import Tree

NONE = "-"  # shown if a bound or figure is unknown
FEW, MANY = 3, 5  # decimals of mean points, and of those of a search


@dataclass(frozen=True)
class Values:
    """Values of a game over `targets` words, or the sum of their weights."""

    game: Game
    targets: int
    digits: int = FEW  # decimals of mean points

    @property
    def unit(self) -> Unit:
        """The unit of the first part."""
        return self._parts(0)[0][0]

    def of_mean(self, mean_points: float) -> int:
        """Return the credits of mean points."""
        return self.game.value_of(mean_points, self.targets)

    def _parts(self, value: int) -> list[tuple[Unit, int]]:
        """Return units with their credits, in order of importance."""
        unit = UNITS[self.game.shown]
        if not self.game.bonus or self.game.counts_misses:
            return [(unit, value)]
        words, rest = divmod(value, self.game.bonus)
        return [(LOST, words), (unit, rest)][: 1 if self.game.terms == (1, 0) else 2]

    def _numbers(self, unit: Unit, credits: int) -> tuple[float, float]:
        """Return the figure, and the total or what is shown in its place."""
        if unit is LOST:
            return (self.targets - credits,) * 2
        mean = self.game.points_of(credits, self.targets)
        if unit.rises:
            return mean, credits if unit.whole else self.game.mean_guesses(mean)
        most = self.game.turns + unit.lost_turn
        return most - mean / CREDIT, most * self.targets - credits

    def _cells(self, unit: Unit, credits: int) -> list[str]:
        forms = (unit.form, ",") if unit.whole else (f".{self.digits}f", ".3f")
        return list(map(format, self._numbers(unit, credits), forms))

    def figure(self, value: int) -> float:
        return self._numbers(*self._parts(value)[0])[0]

    def figure_text(self, figure: float) -> str:
        return f"{figure:{self.unit.form}}"

    def cells(self, value: int, lost: int | None = None) -> dict[str, str]:
        """Column -> cell of a strategy's value, and of the words lost if these are part of it."""
        cells: dict[str, str] = {}
        for unit, credits in self._parts(value):
            cells |= zip((unit.name, unit.counted), self._cells(unit, credits), strict=True)
        return cells | ({"lost": f"{lost:,}"} if self.unit.lost_turn and lost is not None else {})

    def brief_cells(self, value: int, lost: int | None = None) -> dict[str, str]:
        """A shorter form of `cells`, for the progress of a search."""
        cells, first = self.cells(value, lost), self.unit.name
        return {name: cell for name, cell in cells.items() if name in (first, "lost") or name != GUESSES}

    def bound(self, bound: int | None) -> str:
        """Return the cell of a bound: fewest lost words, and the best of the rest with that many."""
        parts = [] if bound is None else self._parts(bound)
        cells = [self._cells(*part)[part[0].whole] + " lost" * (part[0] is LOST) for part in parts]
        return ", ".join(cells) or NONE

    def gap(self, value: int, bound: int, digits: int | None = None) -> str:
        """Return the cell of the distance of a strategy to the bound, in the first part where they differ."""
        pairs = list(zip(self._parts(value), self._parts(bound), strict=True))
        (unit, part), (_, most) = next((pair for pair in pairs if pair[0] != pair[1]), pairs[-1])
        if unit.whole:
            return f"{most - part:,}" + " lost" * (unit is LOST)
        gap = self._numbers(unit, most)[0] - self._numbers(unit, part)[0]
        return f"{gap:.{self.digits if digits is None else digits}f}"

    def gap_text(self, value: int, bound: int) -> str:
        return self.unit.gap.format(self.gap(value, bound, None if self.unit.whole else self.unit.apart))

    def credits(self, gap: float) -> int:
        """Return a gap that the user requests in credits, summed over the targets."""
        return int(gap if UNITS[self.game.shown].whole else gap * self.targets / CREDIT)

    def progress(self, value: int, bound: int, lost: int | None = None) -> str:
        """Return the progress of a search in one line, with the words lost if these are part of the value."""
        cells = self.brief_cells(value, lost) | {"bound": self.bound(bound), "gap": self.gap(value, bound)}
        return "  ".join(f"{name} {cell}" for name, cell in cells.items())

    def text(self, value: int) -> str:
        """Return a strategy's value in a sentence."""
        return ", ".join(part[0].value.format(*self._cells(*part)) for part in self._parts(value))

    def beside(self, value: int) -> str:
        """Return a strategy's value after another's in the same sentence."""
        return self.unit.beside.format(*self.cells(value).values()) or self.text(value)

    def limit(self, bound: int) -> str:
        """Return a bound in a sentence."""
        return self.unit.limit.format(*self.cells(bound).values()) or self.bound(bound)

    @property
    def turns_name(self) -> str:
        """Heading of the words found on each turn."""
        return "words won, by misses" if self.game.counts_misses else "words found"

    def counted_cells(self, turns: Sequence[int]) -> dict[str, str]:
        """Column -> cell of figures from the words found on each turn alone, if misses count."""
        if not self.game.counts_misses:
            return {}
        if self.unit.rises:
            return {"mean misses": f"{self.game.mean_misses(turns, self.targets):.3f}"}
        return {"won": f"{sum(turns):,}", "won, %": f"{100 * sum(turns) / self.targets:.3f}"}

    def counted_entry(self, turns: Sequence[int]) -> dict[str, Any]:
        """Return the JSON fields of figures from the words found on each turn."""
        if not self.game.counts_misses:
            return {}
        won = {} if self.unit.rises else {"won": sum(turns)}
        return won | {"mean_misses": self.game.mean_misses(turns, self.targets), "misses": list(turns)}

    def over_lists(self, figures: Collection[float], targets: Collection[int]) -> float:
        """Return one figure for several lists, given their targets; a sum as in the pit's ranking."""
        if self.unit.over == "share":
            return sum(f * n for f, n in zip(figures, targets, strict=True)) / sum(targets)
        return sum(figures) / (len(figures) if self.unit.over == "mean" else 1)

    def entry(self, pool: int, value: int, bound: int | None) -> dict[str, Any]:
        """Return the JSON fields of a value, other than mean points and bound; `pool` words may be guessed.

        If fewest lost words come first, the bound of the rest holds for strategies that lose as few.
        """
        parts, limits = self._parts(value), [] if bound is None else self._parts(bound)
        (unit, credits), name, entry = parts[-1], {"game": self.game.name}, dict[str, Any]()
        figure, count = self._numbers(unit, credits)
        if not unit.whole:
            entry = {"mean_guesses": count}
        elif unit is not LOST:
            key, tied = unit.counted.replace(" ", "_"), limits and limits[:-1] == parts[:-1]
            least = self._numbers(*limits[-1])[1] if tied else None
            entry = name | ({"pool": pool, "mean_guesses": figure} if unit.lost_turn else {})
            entry |= {key: count, f"bound_{key}": least, "optimal": count == least}
        if self.unit is LOST:
            entry |= {"mean_points": self.game.points_of(credits, self.targets)} if unit is not LOST else {}
            least = self._numbers(*limits[0])[1] if limits else None
            entry |= name | {"pool": pool, "bound_lost": least, "optimal": value == bound}
        return entry


def of_tree(tree: Tree, digits: int = FEW) -> Values:
    return Values(tree.game, tree.total_weight, digits)

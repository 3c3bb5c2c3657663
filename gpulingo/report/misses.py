"""Values of games in which misses cost: words that are found, or mean misses."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from gpulingo.games.game import CREDIT
from gpulingo.report.points import NONE, Points


@dataclass(frozen=True)
class Won(Points):
    """Values as words won, the most of which are best, and their share."""

    name = "won, %"
    summed = "total"
    better = "more"
    side = "below"
    apart = 3
    brief = ("won, %", "won")
    by_turn = True
    turns_name = "words won, by misses"

    def cells(self, mean_points: float, lost: int | None = None) -> dict[str, str]:
        """Column -> cell of a strategy's value."""
        return {self.name: self.figure_text(self.figure(mean_points)), "won": f"{self.won(mean_points):,}"}

    def counted_cells(self, turns: Sequence[int]) -> dict[str, str]:
        """Column -> cell of what only the turns tell: mean misses, of a lost word all."""
        return {"mean misses": f"{self.game.mean_misses(turns, self.targets):.3f}"}

    def turn_name(self, turn: int) -> str:
        """Return a turn as this game counts: by the misses before it."""
        return f"{turn - 1} miss" + "es" * (turn != 2)

    def bound(self, bound: float | None) -> str:
        """Return the cell of a bound: no strategy wins more words."""
        return NONE if bound is None else f"{self.won(bound):,}"

    def gap(self, mean_points: float, bound: float) -> str:
        """Return the cell of the distance between a strategy and the bound."""
        return f"{self.won(bound) - self.won(mean_points):,}"

    def credits(self, gap: float) -> int:
        """Return a gap that the user asks for, in words."""
        return int(gap)

    def text(self, mean_points: float) -> str:
        """Return a strategy's value in a sentence."""
        return f"{self.won(mean_points):,} words won ({self.figure(mean_points):.3f} %)"

    def beside(self, mean_points: float) -> str:
        """Return a strategy's value after another's in the same sentence."""
        return f"{self.won(mean_points):,}"

    def limit(self, bound: float) -> str:
        """Return a bound in a sentence."""
        return f"{self.bound(bound)} words won"

    def figure(self, mean_points: float) -> float:
        """Return the share of words won, in percent: a word is a credit."""
        return mean_points

    def figure_text(self, figure: float) -> str:
        """Return the cell of such a number."""
        return f"{figure:.3f}"

    def over_lists(self, figures: Collection[float], targets: Collection[int]) -> float:
        """One number for several lists: the share of the words of all of them."""
        return sum(f * n for f, n in zip(figures, targets, strict=True)) / sum(targets)

    def distance_text(self, mean_points: float, bound: float) -> str:
        """That distance in a sentence."""
        return f"{self.gap(mean_points, bound)} words"

    def shares(self, turns: Sequence[int], lost: int) -> list[tuple[str, int, float]]:
        """Return the parts of the figure: the words won with each number of misses, and their percentage."""
        return [(self.turn_name(turn), n, CREDIT * n / self.targets) for turn, n in enumerate(turns, 1)]

    def entry(self, pool: int, mean_points: float, bound: float | None) -> dict[str, Any]:
        """Return the JSON fields of a value."""
        won, most = self.won(mean_points), None if bound is None else self.won(bound)
        return {"game": self.game.name, "won": won, "bound_won": most, "optimal": won == most}

    def counted_entry(self, turns: Sequence[int]) -> dict[str, Any]:
        """Return the JSON fields of the turns: words won by number of misses, and the mean."""
        return {"mean_misses": self.game.mean_misses(turns, self.targets), "misses": list(turns)}

    def won(self, mean_points: float) -> int:
        """Words won, or what they weigh."""
        return round(mean_points * self.targets / CREDIT)


@dataclass(frozen=True)
class Misses(Won):
    """Values as misses, the fewest of which are best; a lost word has all that a round allows."""

    name = "mean misses"
    sign = -1
    better = "fewer"
    side = "above"
    apart = 4
    brief = ("mean misses", "total misses")

    def cells(self, mean_points: float, lost: int | None = None) -> dict[str, str]:
        """Column -> cell of a strategy's value."""
        return {
            self.name: self.figure_text(self.figure(mean_points)),
            "total misses": f"{self.total(mean_points):,}",
        }

    def counted_cells(self, turns: Sequence[int]) -> dict[str, str]:
        """Column -> cell of what only the turns tell: words won."""
        won = sum(turns)
        return {"won": f"{won:,}", "won, %": f"{100 * won / self.targets:.3f}"}

    def bound(self, bound: float | None) -> str:
        """Return the cell of a bound: no strategy has fewer misses in total."""
        return NONE if bound is None else f"{self.total(bound):,}"

    def gap(self, mean_points: float, bound: float) -> str:
        """Return the cell of the distance between a strategy and the bound."""
        return f"{self.total(mean_points) - self.total(bound):,}"

    def text(self, mean_points: float) -> str:
        """Return a strategy's value in a sentence."""
        return (
            f"{self.figure_text(self.figure(mean_points))} mean misses ({self.total(mean_points):,} in total)"
        )

    def beside(self, mean_points: float) -> str:
        """Return a strategy's value after another's in the same sentence."""
        return self.figure_text(self.figure(mean_points))

    def limit(self, bound: float) -> str:
        """Return a bound in a sentence."""
        return f"{self.bound(bound)} misses in total"

    def figure(self, mean_points: float) -> float:
        """Mean misses: what is left of all that a round allows is credits."""
        return self.game.turns - mean_points / CREDIT

    def figure_text(self, figure: float) -> str:
        """Return the cell of such a number."""
        return f"{figure:.4f}"

    def distance_text(self, mean_points: float, bound: float) -> str:
        """That distance in a sentence."""
        return f"{self.gap(mean_points, bound)} misses in total"

    def shares(self, turns: Sequence[int], lost: int) -> list[tuple[str, int, float]]:
        """Return the parts of the figure: the words won with each number of misses; then those lost."""
        used = [(self.turn_name(turn), turn - 1, n) for turn, n in enumerate(turns, 1)]
        used.append(("lost", self.game.turns, lost))
        return [(name, n, misses * n / self.targets) for name, misses, n in used]

    def of_lost(self) -> str:
        """Return a sentence on what lost words add to the figure."""
        return f"A word that is lost counts {self.game.turns} misses."

    def entry(self, pool: int, mean_points: float, bound: float | None) -> dict[str, Any]:
        """Return the JSON fields of a value."""
        total, least = self.total(mean_points), None if bound is None else self.total(bound)
        named = {"game": self.game.name, "total_misses": total, "bound_total_misses": least}
        return named | {"optimal": total == least}

    def counted_entry(self, turns: Sequence[int]) -> dict[str, Any]:
        """Return the JSON fields of the turns: words won, by number of misses too, and the mean."""
        return {"won": sum(turns)} | super().counted_entry(turns)

    def total(self, mean_points: float) -> int:
        """Misses over all targets."""
        return self.game.turns * self.targets - round(mean_points * self.targets / CREDIT)

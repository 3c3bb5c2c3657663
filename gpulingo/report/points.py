"""Values as mean points, or as mean and total guesses: in tables, sentences and JSON.

Which of them a game has is said in `values`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from gpulingo.games.game import CREDIT

if TYPE_CHECKING:
    from gpulingo.games.game import Game

NONE = "-"  # where no bound is known
FEW, MANY = 3, 5  # decimals of mean points, and of those that a search tells


@dataclass(frozen=True)
class Points:
    """Values as mean points, the most of which is best; mean guesses are shown beside them.

    Attributes:
        game: that was played.
        targets: number of words that may be the target, or the sum of their weights.
        digits: decimals of mean points.
    """

    game: Game
    targets: int
    digits: int = FEW

    name: ClassVar[str] = "mean points"  # what is compared from list to list
    summed: ClassVar[str] = "total"  # of that over several lists
    sign: ClassVar[int] = 1  # of what a better strategy has beyond another
    better: ClassVar[str] = "more"  # what no strategy has beyond a bound
    side: ClassVar[str] = "below"  # of the bound, where strategies are
    apart: ClassVar[int] = 1  # decimals of the distance to it
    brief: ClassVar[tuple[str, ...]] = (
        "mean points",
    )  # columns where there is little room, as while a search goes on
    turns_name: ClassVar[str] = "words found"  # what stands above the turns
    by_turn: ClassVar[bool] = False  # whether the turns on which words are found belong to any value

    def cells(self, mean_points: float, lost: int | None = None) -> dict[str, str]:
        """Column -> cell of a strategy's value, and of the words lost where these belong to it."""
        return {
            self.name: f"{mean_points:.{self.digits}f}",
            "mean guesses": f"{self.game.mean_guesses(mean_points):.3f}",
        }

    def counted_cells(self, turns: Sequence[int]) -> dict[str, str]:
        """Column -> cell of what only the words found on each turn tell."""
        return {}

    def counted_entry(self, turns: Sequence[int]) -> dict[str, Any]:
        """Return the JSON fields of the words found on each turn, beside their numbers."""
        return {}

    def turn_name(self, turn: int) -> str:
        """Return the name of a turn, 1-based."""
        return f"turn {turn}"

    def turn_cells(self, turns: Sequence[int], lost: int) -> dict[str, str]:
        """Column -> cell of the words found on each turn, and of those lost."""
        found = {self.turn_name(turn): f"{count:,}" for turn, count in enumerate(turns, 1)}
        return found | {"lost": f"{lost:,}"}

    def brief_cells(self, mean_points: float) -> dict[str, str]:
        """Those of the cells that stand where there is little room."""
        return {name: cell for name, cell in self.cells(mean_points).items() if name in self.brief}

    def bound(self, bound: float | None) -> str:
        """Return the cell of a bound."""
        return NONE if bound is None else f"{bound:.{self.digits}f}"

    def gap(self, mean_points: float, bound: float) -> str:
        """Return the cell of the distance between a strategy and the bound."""
        return f"{bound - mean_points:.{self.digits}f}"

    def credits(self, gap: float) -> int:
        """Return a gap that the user asks for as credits, summed over the targets."""
        return int(gap * self.targets / CREDIT)

    def progress(self, mean_points: float, bound: float, lost: int | None = None) -> str:
        """Return a search so far, in one line, with the words lost where these belong to the value."""
        cells = self.brief_cells(mean_points)
        cells |= {name: cell for name, cell in self.cells(mean_points, lost).items() if name == "lost"}
        cells |= {"bound": self.bound(bound), "gap": self.gap(mean_points, bound)}
        return "  ".join(f"{name} {cell}" for name, cell in cells.items())

    def text(self, mean_points: float) -> str:
        """Return a strategy's value in a sentence."""
        return f"{mean_points:.{self.digits}f} mean points"

    def beside(self, mean_points: float) -> str:
        """Return a strategy's value after another's in the same sentence."""
        return f"{mean_points:.{self.digits}f}"

    def limit(self, bound: float) -> str:
        """Return a bound in a sentence."""
        return self.bound(bound)

    def figure(self, mean_points: float) -> float:
        """Return the number that is compared from list to list."""
        return mean_points

    def figure_text(self, figure: float) -> str:
        """Return the cell of such a number."""
        return f"{figure:.2f}"

    def over_lists(self, figures: Collection[float], targets: Collection[int]) -> float:
        """Return one number for several lists, given their targets: the sum, as in the ranking of the pit."""
        return sum(figures)

    def distance(self, mean_points: float, bound: float) -> float:
        """Return the distance of a strategy from the bound, in what is compared from list to list."""
        return self.sign * (self.figure(bound) - self.figure(mean_points))

    def distance_text(self, mean_points: float, bound: float) -> str:
        """That distance in a sentence."""
        return f"{self.distance(mean_points, bound):.{self.apart}f} {self.name}"

    def shares(self, turns: Sequence[int], lost: int) -> list[tuple[str, int, float]]:
        """Return the parts of the figure: each turn, the words found on it, and their share of the figure."""
        paid = ((turn, count, self.game.points(turn)) for turn, count in enumerate(turns, 1))
        return [(f"turn {turn}", count, points * count / self.targets) for turn, count, points in paid]

    def of_lost(self) -> str:
        """Return a sentence on what lost words add to the figure."""
        return "Words that are lost bring none."

    def entry(self, pool: int, mean_points: float, bound: float | None) -> dict[str, Any]:
        """Return the JSON fields of a value, beside mean points and bound; `pool` words may be guessed."""
        return {"mean_guesses": self.game.mean_guesses(mean_points)}


@dataclass(frozen=True)
class Guesses(Points):
    """Values as mean guesses and total guesses, the fewest of which are best; mean points are not shown."""

    name = "mean guesses"
    summed = "mean"
    sign = -1
    better = "fewer"
    side = "above"
    apart = 4
    brief = ("mean guesses", "total guesses")
    by_turn = True

    def cells(self, mean_points: float, lost: int | None = None) -> dict[str, str]:
        """Column -> cell of a strategy's value, and of the words lost, which the total has in it."""
        figure = self.figure_text(self.figure(mean_points))
        cells = {self.name: figure, "total guesses": f"{self.total(mean_points):,}"}
        return cells if lost is None else cells | {"lost": f"{lost:,}"}

    def bound(self, bound: float | None) -> str:
        """Return the cell of a bound: no strategy has fewer guesses in total."""
        return NONE if bound is None else f"{self.total(bound):,}"

    def gap(self, mean_points: float, bound: float) -> str:
        """Return the cell of the distance between a strategy and the bound."""
        return f"{self.total(mean_points) - self.total(bound):,}"

    def credits(self, gap: float) -> int:
        """Return a gap that the user asks for, in guesses over all targets; a guess is a credit."""
        return int(gap)

    def text(self, mean_points: float) -> str:
        """Return a strategy's value in a sentence."""
        figure = self.figure_text(self.figure(mean_points))
        return f"{figure} mean guesses ({self.total(mean_points):,} in total)"

    def beside(self, mean_points: float) -> str:
        """Return a strategy's value after another's in the same sentence."""
        return f"{self.figure_text(self.figure(mean_points))} ({self.total(mean_points):,})"

    def limit(self, bound: float) -> str:
        """Return a bound in a sentence."""
        return f"{self.bound(bound)} guesses in total"

    def figure(self, mean_points: float) -> float:
        """Return the number that is compared from list to list."""
        return self.game.mean_guesses(mean_points)

    def figure_text(self, figure: float) -> str:
        """Return the cell of such a number."""
        return f"{figure:.4f}"

    def over_lists(self, figures: Collection[float], targets: Collection[int]) -> float:
        """One number for several lists: their mean, each list counting the same."""
        return sum(figures) / len(figures)

    def distance_text(self, mean_points: float, bound: float) -> str:
        """That distance in a sentence: over all targets."""
        return f"{self.gap(mean_points, bound)} guesses in total"

    def shares(self, turns: Sequence[int], lost: int) -> list[tuple[str, int, float]]:
        """Return the parts of the figure: each turn, its words, their guesses; then those lost."""
        used = [(f"turn {turn}", turn, count) for turn, count in enumerate(turns, 1)]
        used.append(("lost", len(turns) + 1, lost))
        return [(name, count, guesses * count / self.targets) for name, guesses, count in used]

    def of_lost(self) -> str:
        """Return a sentence on what lost words add to the figure."""
        return f"A word that is lost counts as turn {self.game.turns + 1}."

    def entry(self, pool: int, mean_points: float, bound: float | None) -> dict[str, Any]:
        """Return the JSON fields of a value: a lost word counts one more guess than a round allows."""
        total, least = self.total(mean_points), None if bound is None else self.total(bound)
        return {
            "game": self.game.name,
            "pool": pool,
            "mean_guesses": self.figure(mean_points),
            "total_guesses": total,
            "bound_total_guesses": least,
            "optimal": total == least,
        }

    def total(self, mean_points: float) -> int:
        """Guesses over all targets."""
        return self.game.total_guesses(mean_points, self.targets)

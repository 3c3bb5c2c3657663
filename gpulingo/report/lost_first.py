"""Values where a word that is lost outweighs all else: words lost, then points or guesses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gpulingo.report.misses import Misses, Won
from gpulingo.report.points import NONE, Guesses, Points

SHOWN = {"points": Points, "guesses": Guesses, "words": Won, "misses": Misses}  # by what a game says


@dataclass(frozen=True)
class LostFirst(Points):
    """Values where a word that is lost outweighs all else: words lost, then what the game shows otherwise."""

    @property
    def rest(self) -> Points:
        """Display of the figure beside the words found."""
        return SHOWN[self.game.shown](self.game.plain, self.targets, self.digits)

    @property
    def counts_turns(self) -> bool:
        """Return True if turns count beside the words found."""
        return self.game.terms is None or self.game.terms[1] > 0

    def parted(self, mean_points: float) -> tuple[int, float]:
        """Words lost, and the mean points of the rest."""
        found, rest = self.game.found_and_rest(mean_points, self.targets)
        return self.targets - found, rest

    def cells(self, mean_points: float, lost: int | None = None) -> dict[str, str]:
        """Column -> cell of a strategy's value: the words lost first."""
        missed, rest = self.parted(mean_points)
        return {"lost": f"{missed:,}"} | (self.rest.cells(rest) if self.counts_turns else {})

    def bound(self, bound: float | None) -> str:
        """Return the cell of a bound: no strategy loses fewer words, nor is better with as few lost."""
        if bound is None:
            return NONE
        missed, rest = self.parted(bound)
        return f"{missed:,} lost" + (f", {self.rest.bound(rest)}" if self.counts_turns else "")

    def gap(self, mean_points: float, bound: float) -> str:
        """Return the cell of the distance between a strategy and the bound."""
        (missed, rest), (least, limit) = self.parted(mean_points), self.parted(bound)
        return (
            f"{missed - least:,} lost"
            if missed > least or not self.counts_turns
            else self.rest.gap(rest, limit)
        )

    def credits(self, gap: float) -> int:
        """Return a gap that the user asks for, of what is shown beside the words lost."""
        return self.rest.credits(gap)

    def text(self, mean_points: float) -> str:
        """Return a strategy's value in a sentence."""
        missed, rest = self.parted(mean_points)
        return f"{missed:,} lost" + (f", {self.rest.text(rest)}" if self.counts_turns else "")

    def beside(self, mean_points: float) -> str:
        """Return a strategy's value after another's in the same sentence."""
        return self.text(mean_points)

    def limit(self, bound: float) -> str:
        """Return a bound in a sentence."""
        return self.bound(bound)

    def figure(self, mean_points: float) -> float:
        """Return the number that is compared from list to list."""
        return self.parted(mean_points)[0]

    def figure_text(self, figure: float) -> str:
        """Return the cell of such a number."""
        return f"{figure:,.0f}"

    def distance_text(self, mean_points: float, bound: float) -> str:
        """That distance in a sentence."""
        return self.gap(mean_points, bound)

    def shares(self, turns: Sequence[int], lost: int) -> list[tuple[str, int, float]]:
        """Return the one part of the figure: the words lost."""
        return [("lost", lost, lost)]

    def of_lost(self) -> str:
        """Return a sentence on what lost words add to the figure."""
        return "Words that are lost are the whole of it."

    def entry(self, pool: int, mean_points: float, bound: float | None) -> dict[str, Any]:
        """Return the JSON fields of a value; the bound of the rest is of strategies that lose as few."""
        missed, rest = self.parted(mean_points)
        least, limit = (None, None) if bound is None else self.parted(bound)
        of_rest = self.rest.entry(pool, rest, limit if least == missed else None) if self.counts_turns else {}
        plain = {"mean_points": rest} if self.counts_turns else {}
        own = {"game": self.game.name, "pool": pool, "bound_lost": least, "optimal": mean_points == bound}
        return of_rest | plain | own

    name = "lost"
    summed = "total"
    sign = -1
    better = "fewer"
    side = "above"
    apart = 0
    brief = ("lost", "total guesses", "mean points")
    by_turn = True

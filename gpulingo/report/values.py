"""Values as their game shows them, in tables, sentences and JSON: mean points, guesses, words won, misses.

A value of a strategy and a bound of all of them come as mean points, whatever the game. A unit is a class:
its names, format, sign and sentences, and the figure that it shows.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from gpulingo.games.game import CREDIT, Game

if TYPE_CHECKING:
    from gpulingo.report.results import Result
    from gpulingo.trees.tree import Tree

NONE = "-"  # where no bound is known
FEW, MANY = 3, 5  # decimals of mean points, and of those that a search tells


@dataclass(frozen=True)
class Values:
    """Values in one unit: a figure, compared from list to list, and the count of it over all targets."""

    game: Game
    targets: int  # words that may be the target, or the sum of their weights
    digits: int = FEW  # decimals of mean points

    name: ClassVar[str]  # of the figure
    counted: ClassVar[str]  # name of the count
    form: ClassVar[str]  # format of the figure
    apart: ClassVar[int]  # decimals of the distance to a bound
    sign: ClassVar[int]  # 1 where more is better, -1 where less is
    value: ClassVar[str]  # sentence of a strategy's value, of {figure} and {count}
    next_value: ClassVar[str]  # the same after another's
    limited: ClassVar[str]  # sentence of a bound, of its {count}
    gaps: ClassVar[str]  # sentence of the distance to it, of the {gap}
    lost_text: ClassVar[str] = "Words that are lost bring none."  # of what these add to the figure
    summed: ClassVar[str] = "total"  # of the figures of several lists
    turns_name: ClassVar[str] = "words found"  # what stands above the turns
    by_turn: ClassVar[bool] = True  # whether the turns on which words are found belong to any value

    @property
    def better(self) -> str:
        return "more" if self.sign > 0 else "fewer"

    @property
    def side(self) -> str:
        """Side of the bound where strategies are."""
        return "below" if self.sign > 0 else "above"

    @property
    def brief(self) -> tuple[str, ...]:
        """Columns where there is little room, as in the progress of a search."""
        return self.name, self.counted

    def figure(self, mean_points: float) -> float:
        return mean_points

    def count(self, mean_points: float) -> int:
        """Return the figure over all targets; here words that are found, a credit each."""
        return round(mean_points * self.targets / CREDIT)

    def share(self, turn: int) -> int:
        """Part of the sum of the figures of a word found on a turn; a lost word: after the last turn."""
        return turn

    def figure_text(self, figure: float) -> str:
        return f"{figure:{self.form}}"

    def cells(self, mean_points: float, lost: int | None = None) -> dict[str, str]:
        """Column -> cell of a strategy's value, and of the words lost where these belong to it."""
        figure = self.figure_text(self.figure(mean_points))
        return {self.name: figure, self.counted: f"{self.count(mean_points):,}"}

    def counted_cells(self, turns: Sequence[int]) -> dict[str, str]:
        """Column -> cell of what only the words found on each turn tell."""
        return {}

    def counted_entry(self, turns: Sequence[int]) -> dict[str, Any]:
        """Return the JSON fields of the words found on each turn, beside their numbers."""
        return {}

    def turn_name(self, turn: int) -> str:
        return f"turn {turn}"

    def turn_cells(self, turns: Sequence[int], lost: int) -> dict[str, str]:
        """Column -> cell of the words found on each turn, and of those lost."""
        found = {self.turn_name(turn): f"{count:,}" for turn, count in enumerate(turns, 1)}
        return found | {"lost": f"{lost:,}"}

    def brief_cells(self, mean_points: float) -> dict[str, str]:
        return {name: cell for name, cell in self.cells(mean_points).items() if name in self.brief}

    def bound(self, bound: float | None) -> str:
        """Return the cell of a bound."""
        return NONE if bound is None else f"{self.count(bound):,}"

    def gap(self, mean_points: float, bound: float) -> str:
        """Return the cell of the distance between a strategy and the bound."""
        return f"{self.sign * (self.count(bound) - self.count(mean_points)):,}"

    def credits(self, gap: float) -> int:
        """Return a gap that the user asks for as credits, summed over the targets."""
        return int(gap)

    def progress(self, mean_points: float, bound: float, lost: int | None = None) -> str:
        """Return a search so far, in one line, with the words lost where these belong to the value."""
        cells = self.brief_cells(mean_points)
        cells |= {name: cell for name, cell in self.cells(mean_points, lost).items() if name == "lost"}
        cells |= {"bound": self.bound(bound), "gap": self.gap(mean_points, bound)}
        return "  ".join(f"{name} {cell}" for name, cell in cells.items())

    def text(self, mean_points: float) -> str:
        """Return a strategy's value in a sentence."""
        return self._said(self.value, mean_points)

    def beside(self, mean_points: float) -> str:
        """Return a strategy's value after another's in the same sentence."""
        return self._said(self.next_value, mean_points)

    def limit(self, bound: float) -> str:
        """Return a bound in a sentence."""
        return self._said(self.limited, bound)

    def _said(self, sentence: str, mean_points: float) -> str:
        figure, count = list(self.cells(mean_points).values())[:2]
        return sentence.format(figure=figure, count=count)

    def over_lists(self, figures: Collection[float], targets: Collection[int]) -> float:
        """Return one number for several lists, given their targets: the share of the words of all of them."""
        return sum(f * n for f, n in zip(figures, targets, strict=True)) / sum(targets)

    def distance(self, mean_points: float, bound: float) -> float:
        """Return the distance of a strategy from the bound, in what is compared from list to list."""
        return self.sign * (self.figure(bound) - self.figure(mean_points))

    def distance_text(self, mean_points: float, bound: float) -> str:
        return self.gaps.format(gap=self.gap(mean_points, bound))

    def shares(self, turns: Sequence[int], lost: int) -> list[tuple[str, int, float]]:
        """Return the parts of the figure: each turn, the words found on it, and their share of the figure."""
        counts = [(self.turn_name(turn), turn, count) for turn, count in enumerate(turns, 1)]
        counts += [("lost", len(turns) + 1, lost)] if self.sign < 0 else []
        return [(name, count, self.share(turn) * count / self.targets) for name, turn, count in counts]

    def of_lost(self) -> str:
        """Return a sentence on what lost words add to the figure."""
        return self.lost_text.format(turns=self.game.turns, next=self.game.turns + 1)

    def entry(self, pool: int, mean_points: float, bound: float | None) -> dict[str, Any]:
        """Return the JSON fields of a value, beside mean points and bound; `pool` words may be guessed."""
        count, least = self.count(mean_points), None if bound is None else self.count(bound)
        key = self.counted.replace(" ", "_")
        return {"game": self.game.name, key: count, f"bound_{key}": least, "optimal": count == least}


class Points(Values):
    """Mean points; mean guesses are shown beside them, and nothing is counted."""

    name, counted, form, apart, sign = "mean points", "mean guesses", ".2f", 1, 1
    value, next_value, limited = "{figure} mean points", "{figure}", "{figure}"
    by_turn = False
    brief = (name,)

    def share(self, turn: int) -> int:
        return self.game.points(turn)

    def cells(self, mean_points: float, lost: int | None = None) -> dict[str, str]:
        guesses = f"{self.game.mean_guesses(mean_points):.3f}"
        return {self.name: self.bound(mean_points), self.counted: guesses}

    def bound(self, bound: float | None) -> str:
        return NONE if bound is None else f"{bound:.{self.digits}f}"

    def gap(self, mean_points: float, bound: float) -> str:
        return self.bound(bound - mean_points)

    def credits(self, gap: float) -> int:
        return int(gap * self.targets / CREDIT)

    def over_lists(self, figures: Collection[float], targets: Collection[int]) -> float:
        """The sum, as in the ranking of the pit."""
        return sum(figures)

    def distance_text(self, mean_points: float, bound: float) -> str:
        return f"{self.distance(mean_points, bound):.{self.apart}f} {self.name}"

    def entry(self, pool: int, mean_points: float, bound: float | None) -> dict[str, Any]:
        return {"mean_guesses": self.game.mean_guesses(mean_points)}


class Guesses(Values):
    """Guesses; a lost word counts one more than a round allows."""

    name, counted, form, apart, sign = "mean guesses", "total guesses", ".4f", 4, -1
    value, next_value = "{figure} mean guesses ({count} in total)", "{figure} ({count})"
    limited, gaps = "{count} guesses in total", "{gap} guesses in total"
    lost_text, summed = "A word that is lost counts as turn {next}.", "mean"

    def figure(self, mean_points: float) -> float:
        return self.game.mean_guesses(mean_points)

    def count(self, mean_points: float) -> int:
        return self.game.total_guesses(mean_points, self.targets)

    def cells(self, mean_points: float, lost: int | None = None) -> dict[str, str]:
        return super().cells(mean_points) | ({} if lost is None else {"lost": f"{lost:,}"})

    def over_lists(self, figures: Collection[float], targets: Collection[int]) -> float:
        """The mean of the lists, each counting the same."""
        return sum(figures) / len(figures)

    def entry(self, pool: int, mean_points: float, bound: float | None) -> dict[str, Any]:
        head = {"game": self.game.name, "pool": pool, "mean_guesses": self.figure(mean_points)}
        return head | super().entry(pool, mean_points, bound)


class Won(Values):
    """Share of words won, in percent, where misses cost; mean misses are shown beside it."""

    name, counted, form, apart, sign = "won, %", "won", ".3f", 3, 1
    value, next_value = "{count} words won ({figure} %)", "{count}"
    limited, gaps = "{count} words won", "{gap} words"
    turns_name = "words won, by misses"

    def share(self, turn: int) -> int:
        return CREDIT

    def turn_name(self, turn: int) -> str:
        return f"{turn - 1} miss" + "es" * (turn != 2)

    def counted_cells(self, turns: Sequence[int]) -> dict[str, str]:
        return {"mean misses": f"{self.game.mean_misses(turns, self.targets):.3f}"}

    def counted_entry(self, turns: Sequence[int]) -> dict[str, Any]:
        return {"mean_misses": self.game.mean_misses(turns, self.targets), "misses": list(turns)}


class Misses(Won):
    """Misses; a lost word has all that a round allows, and words won are shown beside them."""

    name, counted, form, apart, sign = "mean misses", "total misses", ".4f", 4, -1
    value, next_value = "{figure} mean misses ({count} in total)", "{figure}"
    limited, gaps = "{count} misses in total", "{gap} misses in total"
    lost_text = "A word that is lost counts {turns} misses."

    def figure(self, mean_points: float) -> float:
        return self.game.turns - mean_points / CREDIT

    def count(self, mean_points: float) -> int:
        return self.game.turns * self.targets - super().count(mean_points)

    def share(self, turn: int) -> int:
        return turn - 1

    def counted_cells(self, turns: Sequence[int]) -> dict[str, str]:
        return {"won": f"{sum(turns):,}", "won, %": f"{100 * sum(turns) / self.targets:.3f}"}

    def counted_entry(self, turns: Sequence[int]) -> dict[str, Any]:
        return {"won": sum(turns)} | super().counted_entry(turns)


UNITS = {"points": Points, "guesses": Guesses, "words": Won, "misses": Misses}  # by what a game says


class LostFirst(Values):
    """Words lost, where one outweighs all else; then what the game shows otherwise, if turns count."""

    name, form, apart, sign = "lost", ",.0f", 0, -1
    gaps, lost_text = "{gap}", "Words that are lost are the whole of it."
    brief = ("lost", "total guesses", "mean points")

    @property
    def rest(self) -> Values | None:
        """Display of the figure beside the words found; None where only these count."""
        counts = self.game.terms is None or self.game.terms[1] > 0
        return UNITS[self.game.shown](self.game.plain, self.targets, self.digits) if counts else None

    def split(self, mean_points: float) -> tuple[int, float]:
        """Words lost, and the mean points of the rest."""
        found, rest = self.game.found_and_rest(mean_points, self.targets)
        return self.targets - found, rest

    def figure(self, mean_points: float) -> float:
        return self.split(mean_points)[0]

    def cells(self, mean_points: float, lost: int | None = None) -> dict[str, str]:
        missed, rest = self.split(mean_points)
        return {"lost": f"{missed:,}"} | (self.rest.cells(rest) if self.rest else {})

    def bound(self, bound: float | None) -> str:
        """Return the cell of a bound: no strategy loses fewer words, nor is better with as few lost."""
        return NONE if bound is None else self.limit(bound)

    def limit(self, bound: float) -> str:
        missed, rest = self.split(bound)
        return f"{missed:,} lost" + (f", {self.rest.bound(rest)}" if self.rest else "")

    def gap(self, mean_points: float, bound: float) -> str:
        (missed, rest), (least, limit) = self.split(mean_points), self.split(bound)
        if missed > least or not self.rest:
            return f"{missed - least:,} lost"
        return self.rest.gap(rest, limit)

    def credits(self, gap: float) -> int:
        """Return a gap that the user asks for, of what is shown beside the words lost."""
        return UNITS[self.game.shown](self.game.plain, self.targets).credits(gap)

    def text(self, mean_points: float) -> str:
        missed, rest = self.split(mean_points)
        return f"{missed:,} lost" + (f", {self.rest.text(rest)}" if self.rest else "")

    beside = text

    def over_lists(self, figures: Collection[float], targets: Collection[int]) -> float:
        return sum(figures)

    def shares(self, turns: Sequence[int], lost: int) -> list[tuple[str, int, float]]:
        return [("lost", lost, lost)]

    def entry(self, pool: int, mean_points: float, bound: float | None) -> dict[str, Any]:
        """Return the JSON fields of a value; the bound of the rest is of strategies that lose as few."""
        missed, rest = self.split(mean_points)
        least, limit = (None, None) if bound is None else self.split(bound)
        own = {"game": self.game.name, "pool": pool, "bound_lost": least, "optimal": mean_points == bound}
        if not self.rest:
            return own
        return self.rest.entry(pool, rest, limit if least == missed else None) | {"mean_points": rest} | own


def shown(game: Game, targets: int, digits: int = FEW) -> Values:
    """Return the display of a game's values over `targets` targets."""
    lost_first = game.bonus and not game.counts_misses
    return (LostFirst if lost_first else UNITS[game.shown])(game, targets, digits)


def of_tree(tree: Tree, digits: int = FEW) -> Values:
    return shown(tree.game, tree.total_weight, digits)


def of_result(result: Result) -> Values:
    return shown(result.rules, result.total_weight)


def value_text(tree: Tree, digits: int = FEW) -> str:
    return of_tree(tree, digits).text(tree.mean_points)

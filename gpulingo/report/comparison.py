"""Results of one list and game side by side, with the stored tree and the bound; draws nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from gpulingo.games.game import Game
from gpulingo.report.results import Result
from gpulingo.trees.checkpoint import BEST
from gpulingo.trees.values import Values

YARDSTICK = "edc65"  # the best program of the pit, as a strategy
MOST = 5  # prominent strategies; the bound is the sixth

# First 12 digits of the fingerprint of the pit's words of each length; the figures are for these lists only.
PIT_LIST = {
    4: "caf0ae2cc7e5", 5: "1eea75f98a44", 6: "95ffd268643d", 7: "262f3fa5f390", 8: "7f483d903f62",
    9: "a8e966b0e73d", 10: "0fb73720cb71", 11: "a85f58bb92d4", 12: "71b2f72aaf2f", 13: "8145537c951b",
}  # fmt: skip

# Mean points of edc65's C++ program (cpp_entries/edc65.cpp of noirotm/lingo). Exact: its tree, walked for
# every word of the list. Published: its author's figures, from about 100 hours of playing.
EDC65_EXACT = {
    4: 102.33, 5: 167.19, 6: 215.19, 7: 252.31, 8: 278.27,
    9: 298.24, 10: 312.56, 11: 332.76, 12: 337.92, 13: 348.02,
}  # fmt: skip
EDC65_PUBLISHED = {
    4: 100.98, 5: 164.44, 6: 212.27, 7: 246.16, 8: 273.23,
    9: 289.00, 10: 302.13, 11: 323.62, 12: 330.19, 13: 339.60,
}  # fmt: skip


def on_pit_list(figures: dict[int, float], length: int, fingerprint: str) -> float | None:
    """Return the figure of a length if the list is the pit's, or None."""
    return figures.get(length) if fingerprint.startswith(PIT_LIST.get(length, "no such list")) else None


@dataclass(frozen=True)
class Comparison:
    """Results of strategies over the words of one list, in one game."""

    source: str  # origin of the list
    targets: str | None  # origin of its targets; None: all its words
    weights: str | None  # origin of its weights; None: each target counts 1
    game: Game
    ranked: dict[int, list[Result]]  # length, ascending -> results, most mean points first
    bounds: dict[int, int]  # length -> proven upper bound in credits, if known

    @property
    def results(self) -> list[Result]:
        return [result for of_length in self.ranked.values() for result in of_length]

    @property
    def best(self) -> dict[int, Result]:
        """The result of most mean points of each length."""
        return {length: of_length[0] for length, of_length in self.ranked.items()}

    @property
    def values(self) -> Values:
        return self.results[0].values

    @cached_property
    def figures(self) -> dict[str, dict[int, float]]:
        """The compared figure of each strategy by length; least short of the best on average comes first."""
        best, figures, short = self.best, dict[str, dict[int, float]](), dict[str, list[float]]()
        for result in self.results:
            figures.setdefault(result.strategy, {})[result.length] = result.values.figure(result.value)
            less = best[result.length].mean_points - result.mean_points
            short.setdefault(result.strategy, []).append(less)
        order = sorted(figures, key=lambda name: sum(short[name]) / len(short[name]))
        return {name: figures[name] for name in order}

    @property
    def limits(self) -> dict[int, float]:
        """The bounds in the compared figure."""
        best = self.best
        return {length: best[length].values.figure(bound) for length, bound in self.bounds.items()}

    @property
    def prominent(self) -> list[str]:
        """Strategies that stand out: the stored tree, edc65, of the others the first ones and the last."""
        order = list(self.figures)
        fixed = [name for name in (BEST, YARDSTICK) if name in order]
        others = [name for name in order if name not in fixed]
        kept = {*fixed, *others[: MOST - 1 - len(fixed)], *others[-1:]}
        return [name for name in order if name in kept]


def comparisons(results: Sequence[Result], kept: Sequence[Result] = ()) -> list[Comparison]:
    """Compare results, at least one, by list and game; of several for a strategy and list the last counts.

    Results with one fingerprint are of one list, whatever their files call it; so are results with one name,
    the same targets and the same weights. `kept` are stored trees; those of others are left out.
    """
    names: dict[str, tuple[str, str | None, str | None]] = {}  # fingerprint -> list, targets, weights
    for result in results:
        names.setdefault(result.fingerprint, (result.list, result.targets, result.weights))
    last = {(result.fingerprint, result.rules, result.strategy): result for result in results}
    played = {(result.fingerprint, result.rules) for result in results}
    fitting = [tree for tree in kept if (tree.fingerprint, tree.rules) in played]
    for tree in fitting:
        key = (tree.fingerprint, tree.rules, tree.strategy)
        if key not in last or last[key].mean_points < tree.mean_points:
            last[key] = tree

    def side(result: Result) -> tuple[str, str | None, str | None, Game]:
        return *names[result.fingerprint], result.rules

    return [
        _comparison(
            beside,
            [result for result in last.values() if side(result) == beside],
            [result for result in (*results, *fitting) if side(result) == beside],
        )
        for beside in dict.fromkeys(map(side, results))
    ]


def _comparison(
    beside: tuple[str, str | None, str | None, Game], shown: Sequence[Result], known: Sequence[Result]
) -> Comparison:
    """Return the comparison of a list, targets, weights and game: results to show, and all with a bound."""
    ranked: dict[int, list[Result]] = {}
    for result in shown:
        ranked.setdefault(result.length, []).append(result)
    for length, of_length in ranked.items():
        if len({result.fingerprint for result in of_length}) > 1:
            raise ValueError(f"results of two lists {beside[0]} of {length} letters: report them apart")
        # On ties the stored tree, then the earlier in the file.
        of_length.sort(key=lambda result: (-result.mean_points, result.strategy != BEST))
    bounds: dict[int, int] = {}
    for result in known:
        if (bound := result.bound_value) is not None:
            bounds[result.length] = min(bound, bounds.get(result.length, bound))
    return Comparison(*beside, dict(sorted(ranked.items())), dict(sorted(bounds.items())))

"""One page from stored results, beside edc65's figures and proven bounds; plays nothing."""

from __future__ import annotations

import csv
import os
from collections.abc import Sequence
from pathlib import Path
from xml.etree.ElementTree import Element

from gpulingo.lab.charts import Bar, Line, bar_chart, bar_key, line_chart, line_key
from gpulingo.lab.elements import element, folded, page_text, table
from gpulingo.lab.published import EDC65_EXACT, EDC65_PUBLISHED, on_pit_list
from gpulingo.lab.results import Result, ResultsError
from gpulingo.trees.tree import Tree

STYLE = Path(__file__).with_name("page.css")
NONE = "-"  # where there is no figure
RATE_COLUMNS = {
    "length": "letters", "size": "set of", "sets": "sets", "objective": "objective", "device": "device",
    "threads": "threads", "median": "million pairs/s", "p20": "p20", "p80": "p80", "date": "date",
    "commit": "commit", "processor": "processor", "torch": "torch",
}  # fmt: skip
Rates = list[dict[str, str]]
Ranked = dict[int, list[Result]]  # letters -> results, most mean points first


class RatesError(ValueError):
    """A table of rates that cannot be read or holds something else."""


def report_text(results: Sequence[Result], trees: Sequence[Tree] = (), rates: Rates | None = None) -> str:
    """The page.

    Args:
        results: at least one; of several for one strategy and length the last counts.
        trees: checkpoints; those of the results' lists tell their bound.
        rates: rows of `gpulingo bench --csv`.
    Returns:
        HTML that loads nothing else: no script, no font, no image.
    Raises:
        ResultsError: results of rounds of different numbers of turns, or of two lists of one length.
    """
    ranked = _ranked(results)
    kept = [one for of_length in ranked.values() for one in of_length]
    lists = ", ".join(dict.fromkeys(one.list for one in kept))
    strategies, turns = len({one.strategy for one in kept}), len(kept[0].turns)
    about = f"List: {lists}. Strategies: {strategies}, each played against every word in {turns} turns."
    sections = [
        _lengths(ranked),
        _points(ranked),
        _turns(ranked),
        _bounds(ranked, trees),
        _rates(rates or []),
    ]
    parts = [part for section in sections for part in section]
    head = [element("h1", "Strategies for word-guessing games"), element("p", about, class_="faint")]
    return page_text("gpulingo report", STYLE.read_text(encoding="utf-8"), *head, *parts)


def read_rates(path: str | os.PathLike[str]) -> Rates:
    """Rows of a table that `gpulingo bench --csv` wrote.

    Raises:
        RatesError: no such file, or another table.
    """
    remedy = "name a file that `gpulingo bench --csv` wrote"
    try:
        with Path(path).open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
    except OSError as error:
        raise RatesError(f"cannot read rates {path} ({error.strerror}): {remedy}") from None
    except (UnicodeDecodeError, csv.Error):
        raise RatesError(f"rates {path} are no table of UTF-8 text: {remedy}") from None
    for row in rows:
        if missing := [name for name in RATE_COLUMNS if row.get(name) is None]:
            raise RatesError(f"rates {path} have no {missing[0]}: {remedy}")
    return rows


def _ranked(results: Sequence[Result]) -> Ranked:
    """The results of each length that can stand side by side."""
    turns = sorted({len(one.turns) for one in results})
    if len(turns) > 1:
        raise ResultsError(f"results of rounds of {turns[0]} and of {turns[-1]} turns: report them apart")
    found: Ranked = {}
    for one in {(one.length, one.strategy): one for one in results}.values():
        found.setdefault(one.length, []).append(one)
    for length, of_length in found.items():
        of_length.sort(key=lambda one: -one.mean_points)  # of equal ones the earlier in the file
        if len({one.fingerprint for one in of_length}) > 1:
            raise ResultsError(f"results of two lists of {length} letters: report them apart")
    return dict(sorted(found.items()))


def _lengths(ranked: Ranked) -> list[Element]:
    """The best strategy of each length beside edc65's program."""
    rows = []
    for length, (best, *_) in ranked.items():
        exact = on_pit_list(EDC65_EXACT, length, best.fingerprint)
        published = on_pit_list(EDC65_PUBLISHED, length, best.fingerprint)
        worst = f"over {len(best.turns)}" if best.worst_turn is None else str(best.worst_turn)
        figures = [NONE if points is None else f"{points:.2f}" for points in (exact, published)]
        gain = NONE if exact is None else f"{best.mean_points - exact:+.2f}"
        counts = [f"{best.words:,}", f"{best.mean_points:.3f}", f"{best.lost:,}", worst]
        rows.append([str(length), best.strategy, best.opening, *counts, *figures, gain])
    yardstick = ["edc65, exact", "edc65, published", "above exact"]
    columns = ["letters", "strategy", "opening", "words", "mean points", "lost", "worst turn", *yardstick]
    about = (
        "The strategy with most mean points beside edc65's C++ program, the best of the pit: exact is what "
        "it does over the whole list, published what its author gave. Both are for the pit's list only."
    )
    shown = table("The best strategy of each length", columns, rows, left=3)
    return [element("h2", "Lengths"), element("p", about), shown]


def _points(ranked: Ranked) -> list[Element]:
    """Points against length, and what each strategy is short of the best."""
    best = {length: of_length[0].mean_points for length, of_length in ranked.items()}
    points: dict[str, dict[int, float]] = {}
    for length, of_length in ranked.items():
        for one in of_length:
            points.setdefault(one.strategy, {})[length] = one.mean_points
    names = sorted(points, key=lambda name: -sum(points[name].values()) / len(points[name]))
    lines = [Line(name, list(points[name].items())) for name in names]
    short = [Line(name, [(n, value - best[n]) for n, value in points[name].items()]) for name in names]
    told = f"{names[0]} has most on average, {names[-1]} fewest; a table below the chart has every figure."
    drawn = []
    for key, title, shown in (
        ("points", "Mean points", lines),
        ("short", "Mean points short of the best strategy of that length", short),
    ):
        drawn.append(element("figure", element("h3", title), line_chart(key, title, told, shown)))
    cells = [
        [name, *(f"{points[name][n]:.2f}" if n in points[name] else NONE for n in best)] for name in names
    ]
    figures = table("Mean points by letters", ["strategy", *map(str, best)], cells)
    charts = element("div", *drawn, class_="grid-of")
    return [element("h2", "Points against length"), charts, line_key(lines), folded("Figures", figures)]


def _turns(ranked: Ranked) -> list[Element]:
    """On which turn the words are found, a bar for each strategy."""
    turns = len(next(iter(ranked.values()))[0].turns)
    parts = [*(f"turn {turn}" for turn in range(1, turns + 1)), "lost"]
    drawn = []
    for length, of_length in ranked.items():
        bars, rows = [], []
        for one in of_length:
            counts = [*one.turns, one.lost]
            shares = [(part, count / one.words) for part, count in zip(parts, counts, strict=True)]
            bars.append(Bar(one.strategy, shares, f"{one.mean_points:.1f}"))
            rows.append([one.strategy, *(f"{count:,}" for count in counts), f"{one.mean_points:.3f}"])
        best = of_length[0]
        title = f"{length} letters, {best.words:,} words"
        told = f"The best, {best.strategy}, finds {100 * best.found_by[-1]:.2f} % of the words."
        chart = bar_chart(f"turns{length}", f"{title}: words by turn", told, bars)
        figures = folded("Figures", table(title, ["strategy", *parts, "mean points"], rows))
        drawn.append(element("figure", element("h3", title), chart, figures))
    about = "Share of the words found on each turn; mean points stand at the end of each bar."
    charts = element("div", *drawn, class_="grid-of")
    return [element("h2", "Turns"), element("p", about), bar_key(parts), charts]


def _bounds(ranked: Ranked, trees: Sequence[Tree]) -> list[Element]:
    """How far the best known strategy of each list is from what is proven that none can pass."""
    rows = []
    for length, (best, *_) in ranked.items():
        fits = [
            tree for tree in trees if tree.fingerprint == best.fingerprint and tree.turns == len(best.turns)
        ]
        known = max(
            [(best.mean_points, best.strategy), *((tree.mean_points, tree.strategy) for tree in fits)]
        )
        bound = min((tree.bound for tree in fits if tree.bound is not None), default=None)
        figures = ["none", NONE] if bound is None else [f"{bound:.3f}", f"{bound - known[0]:.3f}"]
        rows.append([str(length), known[1], f"{known[0]:.3f}", *figures])
    about = (
        "No strategy has more mean points than the bound that a checkpoint of the list proves. "
        "Where the gap is 0 the best known strategy is optimal."
    )
    columns = ["letters", "best known", "mean points", "proven bound", "gap"]
    shown = table("Best known strategy, of the results and the checkpoints", columns, rows, left=2)
    return [element("h2", "Gap to the proven bound"), element("p", about), shown]


def _rates(rates: Rates) -> list[Element]:
    """Rates of the kernels, as they were measured."""
    if not rates:
        return []
    rows = [[row[name] for name in RATE_COLUMNS] for row in rates]
    title = "Pairs of guess and candidate, in millions a second"
    shown = table(title, list(RATE_COLUMNS.values()), rows)
    return [element("h2", "Rates"), element("p", f"{title}, by gpulingo bench."), folded("Figures", shown)]

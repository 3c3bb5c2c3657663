"""One page from stored results, with edc65's figures, stored trees and proven bounds; plays nothing."""

from __future__ import annotations

import csv
import io
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gpulingo.games.catalogue import LINGO
from gpulingo.report import charts
from gpulingo.report.results import EDC65_EXACT, EDC65_PUBLISHED, Comparison, Result, comparisons, on_pit_list
from gpulingo.storage.faults import RATES_FILE, Fault
from gpulingo.storage.files import SHORT, text_bytes
from gpulingo.trees.values import NONE

if TYPE_CHECKING:
    from gpulingo.tiles.rack_table import RackTable
    from gpulingo.tiles.summary import Draws

RATE_COLUMNS = {
    "length": "letters", "size": "set of", "sets": "sets", "objective": "objective", "device": "device",
    "threads": "threads", "median": "million pairs/s", "p20": "p20", "p80": "p80", "date": "date",
    "commit": "commit", "processor": "processor", "torch": "torch",
}  # fmt: skip
Rates = list[dict[str, str]]
Section = dict[str, Any]  # values for the template about a list and game, or a bag of tiles


@dataclass(frozen=True)
class Table:
    """A table as shown on the page: the first `left` columns are text, the others numbers."""

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    left: int = 1


@dataclass(frozen=True)
class Chart:
    """A drawing, its title, a description, and its figures unless another table has them."""

    title: str
    sentence: str
    svg: str
    figures: Table | None = None


def report_text(
    results: Sequence[Result],
    making: Mapping[str, str],
    *,
    kept: Sequence[Result] = (),
    rates: Rates | None = None,
    racks: Sequence[Section] = (),
    sentence: Callable[[str], str] = lambda name: "",
    command: Callable[[Comparison], str] = lambda comparison: "",
) -> str:
    """Return a page of HTML that loads no other file; see `comparisons` for results and `kept`.

    `making` has the date, the version of gpulingo and the command; `sentence` describes a strategy by its
    name, `command` returns the line that repeats a comparison.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    compared = comparisons(results, kept)
    sections = [_section(comparison, sentence, command(comparison)) for comparison in compared]
    rows = [[row[name] for name in RATE_COLUMNS] for row in rates or []]
    shown = Table("Pairs of guess and candidate, in millions a second", list(RATE_COLUMNS.values()), rows)
    pages = Environment(
        loader=FileSystemLoader(charts.STYLE.parent), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    return pages.get_template("page.html").render(
        style=charts.STYLE.read_text(encoding="utf-8"), making=making, sections=sections, racks=racks,
        rates=shown if rows else None,
    )  # fmt: skip


def read_rates(path: str | os.PathLike[str]) -> Rates:
    """Return the rows of a table of `benchmarks/rates.py`."""
    text = text_bytes(path, remedy=RATES_FILE).decode()
    try:
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
    except csv.Error:
        raise Fault(f"rates {path} are not a table", RATES_FILE) from None
    for row in rows:
        if missing := [name for name in RATE_COLUMNS if row.get(name) is None]:
            raise Fault(f"rates {path} have no {missing[0]}", RATES_FILE)
    return rows


def _section(comparison: Comparison, sentence: Callable[[str], str], command: str) -> Section:
    points, values = comparison.figures, comparison.values
    cells = [
        [name, *(values.figure_text(row[n]) if n in row else NONE for n in comparison.ranked)]
        for name, row in points.items()
    ]
    ends = f"{next(iter(points))} is best on average, {list(points)[-1]} comes last."
    name = values.unit.name.capitalize()
    over_lengths = [
        Chart(name, ends, charts.figures_chart(comparison)),
        Chart("Above or below the best", ends, charts.difference_chart(comparison)),
    ]
    if comparison.bounds:
        gap = "The distance of the best, and of edc65, to the bound; the table above has the best's."
        over_lengths.insert(0, Chart("Gap to the bound", gap, charts.gap_chart(comparison)))
    grey = [(place, name) for place, name in enumerate(points) if name not in comparison.prominent]
    return Section(
        source=comparison.source + f": {comparison.game.name}" * (comparison.game.name != LINGO),
        pit=_of_pit(comparison),
        about=_about(comparison, command),
        story=_story(comparison),
        best=_best(comparison),
        charts=over_lengths,
        grey=grey,
        strategies=[(name, sentence(name)) for name in points],
        figures=Table(f"{name} by word length", ["strategy", *map(str, comparison.ranked)], cells),
        turns=[_turns(comparison, length) for length in comparison.ranked],
        turns_name=values.unit.name,
        lost=values.unit.lost.format(comparison.game.turns, comparison.game.turns + 1),
    )


def _about(comparison: Comparison, command: str) -> list[tuple[str, str]]:
    """List, play, processor and the command to repeat it."""
    best = comparison.best
    count = sum(result.words for result in best.values())
    words = f"{count:,} words of {_numbers(comparison.ranked)} letters"
    played = [row for row in comparison.results if row.seconds or row.pairs]  # not those of checkpoints
    source = f"{comparison.source}{' (the list of the Lingo pit)' * _of_pit(comparison)}"
    named = (("targets", comparison.targets), ("weights", comparison.weights))
    source += "".join(f"; {name}: {value}" for name, value in named if value)
    counts = Counter((result.date, result.version, result.processor) for result in played)
    plays = [
        f"{count} results on {date}, by gpulingo {version}, on {processor}"
        if date and version and processor
        else f"{count} results of which day, version or processor are not stored"
        for (date, version, processor), count in counts.items()
    ]
    about = {
        "list": f"{source}, {words}",
        "fingerprints": ", ".join(f"{n}: {result.fingerprint[:SHORT]}" for n, result in best.items()),
        "rounds": f"{comparison.game.name}, {comparison.game.turns} turns, each strategy against every word",
        "played": "; ".join(plays),
        "played again by": command,
    }
    return list(about.items())


def _story(comparison: Comparison) -> list[str]:
    best, bounds, unit = comparison.best, comparison.bounds, comparison.values.unit
    if not bounds:
        return ["No bound is known for this list: gpulingo solve finds one."]
    gaps = {n: (bounds[n] - best[n].value) / best[n].total_weight for n in bounds}
    proven = [length for length, gap in gaps.items() if gap <= 0]
    sentences = []
    if proven:
        none = f"no strategy has {unit.better} {unit.name}"
        sentences.append(f"With {_numbers(proven)} letters the best is proven: {none}.")
    if len(proven) < len(gaps):
        widest = max(gaps, key=lambda length: gaps[length])
        gap = best[widest].values.gap_text(best[widest].value, bounds[widest])
        sentences.append(f"The widest gap between the best and the bound is {gap}, with {widest} letters.")
    return sentences


def _best(comparison: Comparison) -> Table:
    """The best strategy of each length with the bound; for the pit's list also with edc65's program."""
    rows, pit = [], _of_pit(comparison)
    for length, best in comparison.best.items():
        bound, values = comparison.bounds.get(length), best.values
        means = values.brief_cells(best.value)
        gap = NONE if bound is None else values.gap(best.value, bound)
        row = [str(length), best.strategy, best.opening or NONE, *means.values(),
               values.bound(bound), gap, f"{best.lost:,}", f"{best.words:,}"]  # fmt: skip
        if pit:
            tables = (EDC65_EXACT, EDC65_PUBLISHED)
            exact, published = (on_pit_list(table, length, best.fingerprint) for table in tables)
            row += [NONE if figure is None else f"{figure:.2f}" for figure in (exact, published)]
            row.append(NONE if exact is None else f"{best.mean_points - exact:+.2f}")
        rows.append(row)
    columns = ["letters", "strategy", "opening", *means, "bound", "gap", "lost", "of words"]
    columns += ["edc65, exact", "edc65, published", "above exact"] if pit else []
    return Table(f"The best of each length, in {comparison.values.unit.name}", columns, rows, left=3)


def _of_pit(comparison: Comparison) -> bool:
    figures = (on_pit_list(EDC65_EXACT, n, best.fingerprint) for n, best in comparison.best.items())
    return any(figure is not None for figure in figures)


def _turns(comparison: Comparison, length: int) -> Chart:
    best, of_length = comparison.best[length], comparison.ranked[length]
    means = {result.strategy: result.values.brief_cells(result.value) for result in of_length}
    rows = [
        [result.strategy, *(f"{n:,}" for n in (*result.turns, result.lost)), *means[result.strategy].values()]
        for result in of_length
    ]
    title = f"{length} letters, {best.words:,} words"
    turns = [f"turn {turn}" for turn in range(1, comparison.game.turns + 1)]
    columns = ["strategy", *turns, "lost", *means[best.strategy]]
    table = Table(f"{title}: words found on each turn", columns, rows)
    sentence = f"The best, {best.strategy}, finds {100 * best.found_by[-1]:.2f} % of the words."
    return Chart(title, sentence, charts.turns_chart(comparison, length), table)


def _numbers(numbers: Iterable[int]) -> str:
    """Return numbers as text: 4, 5 and 6; or 4 to 13 if they are consecutive."""
    listed = list(numbers)
    if len(listed) > 2 and listed[-1] - listed[0] == len(listed) - 1:
        return f"{listed[0]} to {listed[-1]}"
    return " and ".join(filter(None, [", ".join(map(str, listed[:-1])), str(listed[-1])]))


def rack_section(table: RackTable, source: str) -> Section:
    """Return the section of all draws of a table; `source` is the origin of its words."""
    from gpulingo.tiles.summary import draw_summary

    bag, done = table.bag, draw_summary(table)
    draws = done.draws
    about = {
        "bag": f"{bag.name}, {bag.tiles:,} tiles of {len(bag.letters)} kinds",
        "list": source,
        "drawn": f"{done.tiles} tiles: {done.racks:,} racks, {draws.total:,} draws",
        "expected": f"{float(draws.expected):.6f} points, standard deviation {draws.deviation:.6f}",
        "without a word": f"{100 * float(draws.share_without):.6f} % of draws",
    }
    columns = ["tile", "in the bag", "value", "expected with it", "without", "gain"]
    rows = [[*cells[:3], *cells[4:]] for cells in (tile.cells(bag) for tile in done.held)]
    held = Table("Value of holding each tile, in points", columns, rows)
    histogram = _histogram(draws)
    return Section(title=f"Tiles: {bag.name}", about=list(about.items()), histogram=histogram, held=held)


def _histogram(draws: Draws) -> Chart:
    """Return a bar per points of the best word: the share of draws."""
    named = draws.spread()
    rows = [
        {"points": name, "share": 100 * count / draws.total, "label": f"{name}: {count:,} draws"}
        for name, count in named.items()
    ]
    spec: charts.Spec = {
        "data": {"values": rows},
        "mark": {"type": "bar", "color": "var(--hue0)"},
        "encoding": {
            "x": {
                "field": "points", "type": "ordinal", "sort": None,
                "axis": {"title": "points of the best word", "grid": False, "labelOverlap": True},
            },
            "y": {"field": "share", "type": "quantitative", "axis": {"title": "% of draws", "tickCount": 6}},
            "description": {"field": "label"},
        },
    }  # fmt: skip
    likeliest = max(draws.by_points, key=lambda points: draws.by_points[points], default=0)
    sentence = f"{likeliest:,} points are likeliest; the best draw has {max(draws.by_points, default=0):,}."
    cells = [[name, f"{count:,}", f"{100 * count / draws.total:.6f}"] for name, count in named.items()]
    figures = Table("Draws by the points of their best word", ["points", "draws", "%"], cells)
    return Chart("Points of a draw", sentence, charts.svg(spec, 300), figures)

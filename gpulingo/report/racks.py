"""The report's section on racks of tiles: all draws from a bag, as tables and a histogram."""

from __future__ import annotations

from dataclasses import dataclass

from gpulingo.report.charts import Spec, svg
from gpulingo.report.frame import Chart, Table
from gpulingo.tiles.rack_table import RackTable
from gpulingo.tiles.summary import Draws, draw_summary


@dataclass(frozen=True)
class RackSection:
    """The page's section on one bag and list."""

    title: str
    about: list[tuple[str, str]]
    histogram: Chart  # draws by points
    held: Table  # value of each tile


def rack_section(table: RackTable, source: str) -> RackSection:
    """All draws of a table; `source` says where its words come from."""
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
    return RackSection(f"Tiles: {bag.name}", list(about.items()), _histogram(draws), held)


def _histogram(draws: Draws) -> Chart:
    """Return a bar for the points of the best word: the share of draws."""
    named = draws.spread()
    rows = [
        {"points": name, "share": 100 * count / draws.total, "label": f"{name}: {count:,} draws"}
        for name, count in named.items()
    ]
    spec: Spec = {
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
    figures = Table(
        "Draws by the points of their best word",
        ["points", "draws", "%"],
        [[name, f"{count:,}", f"{100 * count / draws.total:.6f}"] for name, count in named.items()],
    )
    return Chart("Points of a draw", sentence, svg(spec, 300), figures)

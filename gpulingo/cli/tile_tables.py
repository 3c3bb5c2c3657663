"""The tables of `gpulingo tiles` on stdout, and its JSON objects."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from gpulingo.cli.tables import NONE, print_table
from gpulingo.tiles.bag import Bag, shown
from gpulingo.tiles.parts import BestWords
from gpulingo.tiles.summary import Draws, DrawSummary, ranges_text

BAR = 40  # columns of text of the longest bar
Best = Sequence[tuple[BestWords, int]]  # best words of racks, and in how many draws each rack is


def rack_text(best: BestWords) -> str:
    """A rack and its best words on a line."""
    if not best.words:
        return f"{shown(best.rack)}: no word"
    plural = "" if best.points == 1 else "s"
    return f"{shown(best.rack)}: {best.points:,} point{plural}: {', '.join(best.words)}"


def rack_entry(best: BestWords) -> dict[str, Any]:
    """A rack and its best words as a JSON object."""
    return {"rack": shown(best.rack), "points": best.points, "words": list(best.words)}


def print_spread(draws: Draws) -> None:
    """Print how many draws have which points, with bars."""
    spread = draws.spread()
    most = max(draws.without, *(count for _, _, count in spread), 1)
    bar = "█" if "utf" in (sys.stdout.encoding or "").lower() else "#"
    rows = [
        [name, f"{count:,}", f"{100 * count / draws.total:.4f}", bar * round(BAR * count / most)]
        for name, count in {"none": draws.without, **ranges_text(spread)}.items()
    ]
    print_table(["points", "draws", "%", "histogram"], rows, left=["histogram"])


def print_best(best: Best) -> None:
    """Print racks, in how many ways they are drawn, and their best words."""
    rows = [[shown(own.rack), f"{own.points:,}", f"{ways:,}", ", ".join(own.words)] for own, ways in best]
    print_table(["best rack", "points", "draws", "words"], rows, left=["best rack", "words"])


def print_held(bag: Bag, done: DrawSummary) -> None:
    """Print the gain of each tile."""
    rows = []
    for tile in done.held:
        kind = bag.kinds[tile.letter]
        numbers = [f"{bag.counts[kind]:,}", f"{bag.values[kind]:,}", f"{100 * float(tile.share):.2f}"]
        means = [
            NONE if mean is None else f"{float(mean):.3f}" for mean in (tile.given, tile.less, tile.gain)
        ]
        rows.append([shown(tile.letter), *numbers, *means])
    columns = ["tile", "in the bag", "value", "drawn, %", "expected with it", "without", "gain"]
    print_table(columns, rows, left=["tile"])


def summary_cells(done: DrawSummary) -> list[str]:
    """The cells of a number of tiles."""
    expected, without = float(done.draws.expected), float(100 * done.draws.share_without)
    sizes = [f"{done.tiles}", f"{done.racks:,}", f"{done.draws.total:,}"]
    return [*sizes, f"{expected:.6f}", f"{done.draws.deviation:.6f}", f"{without:.6f}"]


def summary_entry(bag: Bag, text: str, done: DrawSummary, best: Best, seconds: float) -> dict[str, Any]:
    """All draws of a number of tiles as a JSON object."""
    draws = done.draws
    held = [
        {
            "tile": shown(tile.letter),
            "share": float(tile.share),
            "given": float(tile.given),
            "less": None if tile.less is None else float(tile.less),
            "gain": None if tile.gain is None else float(tile.gain),
        }
        for tile in done.held
    ]
    return {
        "tiles": done.tiles,
        "bag": bag.name,
        "list": text,
        "racks": done.racks,
        "draws": draws.total,
        "expected": float(draws.expected),
        "total_points": sum(points * count for points, count in draws.by_points.items()),
        "deviation": draws.deviation,
        "without_word": float(draws.share_without),
        "draws_without_word": draws.without,
        "best": [{**rack_entry(own), "draws": ways} for own, ways in best],
        "distribution": [{"points": points, "draws": count} for points, count in draws.by_points.items()],
        "held": held,
        "seconds": round(seconds, 3),
    }

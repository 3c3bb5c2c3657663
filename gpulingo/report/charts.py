"""Charts of a comparison as SVG, drawn by Vega-Lite; colours are variables of the page's style sheet."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from gpulingo.games.units import LOST, Unit
from gpulingo.report.results import YARDSTICK, Comparison, Result
from gpulingo.trees.checkpoint import BEST
from gpulingo.trees.values import Values

STYLE = Path(__file__).with_name("page.css")  # of pages and of separate drawings
WIDTH = 420  # units of every drawing; small enough to read its text on a phone
VEGA_LITE = "6.1"  # in every vl-convert-python since 1.8, so that drawings are equal
SHAPES = ("circle", "square", "diamond", "triangle-up", "triangle-down", "cross")
DASHES = [5, 4]  # of the bound only
BOUND = "bound"
INK, RULE, GREY = "var(--ink)", "var(--rule)", "var(--grey)"
FIGURE = 12.5  # size of text
LETTER = 7.5  # approximate width of a letter of that size
NAME = 130  # width of the longest name next to a bar; others are cut
NAMES: dict[str, Any] = {"labelLimit": NAME, "ticks": False, "domain": False}  # axis of names next to bars
POINT = {"type": "point", "filled": True, "size": 45, "opacity": 1}
CORNER = {"type": "text", "align": "right", "baseline": "bottom", "fontWeight": "bold"}  # a line's name
PADDING = {"left": 14, "right": 10, "top": 5, "bottom": 5}  # a browser's letters may be wider

CONFIG = {
    "font": "system-ui, sans-serif",
    "view": {"stroke": None},
    "axis": {
        "labelColor": INK, "titleColor": INK, "labelFontSize": FIGURE, "titleFontSize": FIGURE,
        "titleFontWeight": "normal", "gridColor": RULE, "domainColor": RULE, "tickColor": RULE,
        "labelAngle": 0, "titlePadding": 12,
    },
    "legend": {
        "orient": "top", "title": None, "labelColor": INK, "labelFontSize": FIGURE,
        "labelLimit": 170, "symbolSize": 70, "columnPadding": 14,
    },
    "text": {"fontSize": FIGURE, "fill": INK},
    "line": {"strokeWidth": 2},
}  # fmt: skip
Spec = dict[str, Any]
Figures = dict[str, dict[int, float]]  # strategy -> letters -> compared figure


def svg(spec: Spec, height: int) -> str:
    """Draw a Vega-Lite chart, legend and titles in its height; marks show their figures on hover."""
    from vl_convert import vegalite_to_svg

    fit = {"type": "fit", "contains": "padding"}
    size = {"width": WIDTH, "height": height, "autosize": fit, "padding": PADDING}
    drawn = vegalite_to_svg(size | {"config": CONFIG, "background": None} | spec, vl_version=VEGA_LITE)
    # A browser shows a title on hover; an aria-label is only read out.
    return re.sub(r'<(path|line) (aria-label="([^"]*)"[^>]*)/>', r"<\1 \2><title>\3</title></\1>", drawn)


def figures_chart(comparison: Comparison) -> str:
    """Mean points or guesses of every strategy, and the bound, by length."""
    unit, figures = comparison.values.unit, comparison.figures | {BOUND: comparison.limits}
    return _line_chart(comparison, unit.name, figures, zero=unit.rises)  # guesses are never near zero


def difference_chart(comparison: Comparison) -> str:
    """Return the chart of differences from the best of the same length, for every strategy and the bound."""
    best = {n: result.values.figure(result.value) for n, result in comparison.best.items()}
    figures = {
        name: {length: figure - best[length] for length, figure in by_length.items()}
        for name, by_length in (comparison.figures | {BOUND: comparison.limits}).items()
    }
    return _line_chart(comparison, f"{comparison.values.unit.name} beside the best", figures, zero=False)


def gap_chart(comparison: Comparison) -> str:
    """Return the chart of gaps of the best and edc65 to the bound: one row per length."""
    bounds, figures, unit = comparison.limits, comparison.figures, comparison.values.unit
    best = {n: result.values.figure(result.value) for n, result in comparison.best.items()}
    lines = {BEST: best} | ({YARDSTICK: figures[YARDSTICK]} if YARDSTICK in figures else {})
    sign = 1 if unit.rises else -1
    gaps = {name: {n: sign * (bounds[n] - by_length[n]) for n in by_length if n in bounds}
            for name, by_length in lines.items()}  # fmt: skip
    values = _values(gaps, gaps)
    y = {"field": "length", "type": "ordinal", "axis": NAMES | {"title": "word length"}}
    axis = {"title": f"{unit.name} {unit.side} the bound", "tickCount": 6}
    x = _figures_across([value["figure"] for value in values], axis, reverse=unit.side == "below")
    look = _look(comparison, list(lines))
    dots = {"x": x, "y": y, "color": look["color"], "shape": look["shape"], "description": {"field": "label"}}
    figure = {"field": "figure", "type": "quantitative", "format": f".{unit.apart}f"}
    of_best, of_yardstick = ([{"filter": {"field": "strategy", "equal": name}}] for name in (BEST, YARDSTICK))
    data: Spec = {"data": {"values": values}}
    rule = {"type": "rule", "strokeWidth": 2}
    level = {"data": {"values": [{"figure": 0, "strategy": BOUND}]}, "mark": rule}
    layers: list[Spec] = [
        data | {"mark": {"type": "line", "color": GREY},
                "encoding": {"x": x, "y": y, "detail": {"field": "length"}}},
        level | {"encoding": {"x": x, "color": look["color"], "strokeDash": look["strokeDash"]}},
        data | {"mark": POINT | {"size": 70}, "encoding": dots},
        data | {"transform": of_best, "mark": {"type": "text", "align": "right", "dx": 42},
                "encoding": {"x": {"value": "width"}, "y": y, "text": figure}},
        data | {"transform": of_yardstick, "mark": {"type": "text", "align": "right", "dx": -8},
                "encoding": {"x": x, "y": y, "text": figure}},
    ]  # fmt: skip
    return svg({"layer": layers}, 100 + 21 * len(bounds))


def turns_chart(comparison: Comparison, length: int) -> str:
    """Return a bar for each prominent strategy: its figure, split by the turns that contribute."""
    shown = [result for result in comparison.ranked[length] if result.strategy in comparison.prominent]
    values, bound = comparison.best[length].values, comparison.limits.get(length)
    rows = [row for result in shown for row in _shares(result)]
    figures = [values.figure(result.value) for result in shown]
    ends = [{"strategy": result.strategy, "text": values.figure_text(figure)}
            for result, figure in zip(shown, figures, strict=True)]  # fmt: skip
    y = {"field": "strategy", "type": "nominal", "sort": None, "axis": NAMES | {"title": None}}
    x = _figures_across([*figures, bound or 0], {"tickCount": 5})
    x["title"] = values.unit.name
    parts = list(dict.fromkeys(row["turn"] for row in rows))
    hues = [f"var(--turn{round(4 * place / max(1, len(parts) - 1))})" for place in range(len(parts))]
    tints = {"domain": parts, "range": hues}
    left = min(NAME, LETTER * max(len(result.strategy) for result in shown))
    # Offset, because the name of the bound is below the legend.
    legend = _legend(tints["domain"], left) | {"symbolType": "square", "offset": 24}
    color = {"field": "turn", "type": "nominal", "scale": tints, "legend": legend}
    layers: list[Spec] = [
        {"data": {"values": rows}, "mark": {"type": "bar", "height": {"band": 0.8}},
         "encoding": {"x": x, "y": y, "color": color, "order": {"field": "order"},
                      "description": {"field": "label"}}},
        {"data": {"values": ends}, "mark": {"type": "text", "align": "right"},
         "encoding": {"y": y, "x": {"value": "width"}, "text": {"field": "text"}}},
    ]  # fmt: skip
    if bound is not None:
        label = f"bound: {bound:.{values.digits}f} {values.unit.name}"
        level = {"data": {"values": [{"figure": bound, "label": label}]}}
        rule = {"type": "rule", "color": INK, "strokeDash": DASHES, "strokeWidth": 1.5}
        text = f"{BOUND} {values.figure_text(bound)}"
        name = {"type": "text", "text": text, "baseline": "bottom", "dy": -3}
        layers += [level | {"mark": rule, "encoding": {"x": x, "description": {"field": "label"}}},
                   level | {"mark": name, "encoding": {"x": x, "y": {"value": 0}}}]  # fmt: skip
    return svg({"layer": layers}, 110 + 24 * len(shown))


def _shares(result: Result) -> list[Spec]:
    """Rows of data of a bar: the contribution of each turn."""
    values, one, rows = result.values, Values(result.rules, 1), []
    counts = [] if values.unit is LOST else list(enumerate(result.turns, 1))
    counts += [(0, result.lost)] if not values.unit.rises else []
    for order, (turn, words) in enumerate(counts):
        share = one.figure(result.rules.credits(turn)) * words
        share = share if values.unit is LOST else share / values.targets
        name = values.game.turn_name(turn) if turn else "lost"
        text = f"{words:,} of {values.targets:,} words, {values.figure_text(share)} {values.unit.name}"
        rows.append({"strategy": result.strategy, "turn": name, "order": order, "figure": share,
                     "label": f"{result.strategy}, {name}: {text}"})  # fmt: skip
    return rows


def time_chart(lines: dict[str, list[tuple[float, float]]], unit: Unit) -> str:
    """Figures in a unit against seconds: named lines through points."""
    rows = [
        {"name": name, "seconds": x, "figure": y, "label": f"{name}, {x:.2f} s: {y:{unit.form}}"}
        for name, line in lines.items()
        for x, y in line
    ]
    hues = {"domain": list(lines), "range": [f"var(--hue{place})" for place in range(len(lines))]}
    shapes = hues | {"range": list(SHAPES[: len(lines)])}
    encoding = {
        "x": {"field": "seconds", "type": "quantitative", "axis": {"title": "seconds", "grid": False}},
        "y": {"field": "figure", "type": "quantitative", "scale": {"zero": False}, "title": unit.name},
        "color": {"field": "name", "type": "nominal", "scale": hues},
    }
    dots = {"shape": {"field": "name", "type": "nominal", "scale": shapes}, "description": {"field": "label"}}
    layers = [{"mark": "line", "encoding": encoding}, {"mark": POINT, "encoding": encoding | dots}]
    return svg({"data": {"values": rows}, "layer": layers}, 320)


def _line_chart(comparison: Comparison, title: str, figures: Figures, *, zero: bool) -> str:
    """Lines over lengths; classes `line<n>_layer_<m>_marks` with m of line, broad invisible one and name."""
    x: Spec = {"field": "length", "type": "ordinal", "axis": {"title": "word length", "grid": False},
               "scale": {"type": "point", "domain": list(comparison.ranked)}}  # fmt: skip
    y: Spec = {"field": "figure", "type": "quantitative", "axis": {"title": title, "tickCount": 7},
               "scale": {"zero": zero, "nice": True}}  # fmt: skip
    layers: list[Spec] = []
    for place, name in enumerate(comparison.figures):
        if name not in comparison.prominent:
            line = {"type": "line", "color": GREY, "strokeWidth": 1.3}
            along = {"x": x, "y": y, "description": {"value": name}}
            corner = {"x": {"value": "width"}, "y": {"value": {"expr": "height - 6"}}}
            parts: list[Spec] = [
                {"mark": line, "encoding": along},
                {"mark": line | {"strokeWidth": 9, "opacity": 0}, "encoding": along},
                {"data": {"values": [{}]}, "mark": CORNER | {"text": name}, "encoding": corner},
            ]
            data = {"values": _values(figures, [name])}
            layers.append({"name": f"line{place}", "data": data, "layer": parts})
    values = _values(figures, [*comparison.prominent[::-1], BOUND])  # the last is drawn on top
    look = _look(comparison, comparison.prominent)
    data, label = {"values": values}, {"description": {"field": "label"}}
    line = {"x": x, "y": y, "color": look["color"], "strokeDash": look["strokeDash"]}
    dots = {"x": x, "y": y, "color": look["color"], "shape": look["shape"]}
    over: list[Spec] = [{"mark": "line", "encoding": line}, {"mark": POINT, "encoding": dots | label}]
    if len({value["length"] for value in values}) == 1:  # of which no line is drawn
        of_bound = [{"filter": {"field": "strategy", "equal": BOUND}}]
        tick = {"type": "tick", "color": INK, "thickness": 1.5, "width": 24}
        over.append({"transform": of_bound, "mark": tick, "encoding": {"x": x, "y": y}})
    return svg({"layer": layers + [{"data": data} | layer for layer in over]}, 330)


def _figures_across(figures: Sequence[float], axis: Spec, *, reverse: bool = False) -> Spec:
    """Figures from 0, left to right or reversed, with space for text after the greatest."""
    scale = {"reverse": reverse, "domain": [0, (max(figures) or 1) * 1.22], "nice": False}
    return {"field": "figure", "type": "quantitative", "scale": scale, "axis": axis}


def _values(figures: Figures, names: Iterable[str]) -> list[Spec]:
    return [
        {"strategy": name, "length": n, "figure": figure, "label": f"{name}, {n} letters: {figure:.3f}"}
        for name in names
        for n, figure in figures[name].items()
    ]


def _look(comparison: Comparison, names: Sequence[str]) -> Spec:
    """Return the encoding of strategies, shared by all charts: colour and shape; dashes for the bound."""
    order = dict.fromkeys([BEST, *comparison.prominent])
    places = [list(order).index(name) for name in names]
    domain = [*names, *([BOUND] if comparison.bounds else [])]
    ranges = {
        "color": [*(f"var(--hue{place})" for place in places), INK],
        "shape": [*(SHAPES[place] for place in places), "stroke"],
        "strokeDash": [*([1, 0] for _ in places), DASHES],
    }
    field = {"field": "strategy", "type": "nominal", "legend": _legend(domain)}
    return {name: field | {"scale": {"domain": domain, "range": looks}} for name, looks in ranges.items()}


def _legend(names: Sequence[str], left: float = 30) -> Spec:
    """Return a legend with as many columns as fit next to a left margin of `left`."""
    return {"columns": max(1, int((WIDTH - left - 30) / (LETTER * max(map(len, names)) + 22)))}

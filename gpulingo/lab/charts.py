"""Charts as SVG elements: lines, dots and bars; each tells in words what it shows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from gpulingo.lab.elements import element

WIDTH = 420  # units of every drawing; small enough that its text can be read on a phone
HUES = 8  # strokes that the style sheet knows as hue0, hue1, ..; after them the dashes change
DASHES = ("none", "5 3", "1.5 3")
ROW = 19  # height of a bar and its gap
LETTER = 6.8  # width of a letter of a name, about
LONGEST = 30  # letters of a name that are shown


@dataclass(frozen=True)
class Line:
    """A named line through points (x, y)."""

    name: str
    points: Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Bar:
    """A named bar: parts with their names, shares of 0 to 1 that make up 1, and a text at its end."""

    name: str
    parts: Sequence[tuple[str, float]]
    end: str


def drawing(name: str, title: str, text: str, height: float, *content: Element) -> Element:
    """An image with a title and a description for those who cannot see it.

    Args:
        name: of the drawing, the only one of that name on the page.
        title: of it. text: what it says, in a sentence.
        height: in units.
        content: what is drawn.
    """
    told = [element("title", title, id=f"{name}-title"), element("desc", text, id=f"{name}-desc")]
    return element(
        "svg", *told, *content, viewBox=f"0 0 {WIDTH} {height:g}", role="img",
        aria_labelledby=f"{name}-title", aria_describedby=f"{name}-desc",
    )  # fmt: skip


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round numbers from at most `low` to at least `high`, evenly spaced, about `most` of them."""
    span = max(high - low, 0.01)  # so that one figure alone has its place too
    size = 10 ** math.floor(math.log10(span / most))
    gap = next(size * factor for factor in (1, 2, 5, 10, 20) if span / (size * factor) <= most)
    first, last = math.floor(low / gap + 1e-9), math.ceil(high / gap - 1e-9)
    return [round(place * gap, 9) for place in range(first, max(last, first + 1) + 1)]


def stroke(number: int) -> dict[str, str]:
    """Attributes that tell the line of that number from the others."""
    return {"class_": f"line hue{number % HUES}", "stroke_dasharray": DASHES[number // HUES % len(DASHES)]}


def line_chart(name: str, title: str, text: str, lines: Sequence[Line]) -> Element:
    """Lines over whole numbers; each point tells its figure when it is pointed at."""
    places = sorted({x for line in lines for x, _ in line.points})
    marks = ticks(
        min(y for line in lines for _, y in line.points), max(y for line in lines for _, y in line.points)
    )
    left, right, top, bottom = 40.0, WIDTH - 12.0, 10.0, 270.0

    def across(x: float) -> float:
        span = places[-1] - places[0]
        return (left + right) / 2 if not span else left + 8 + (right - left - 16) * (x - places[0]) / span

    def down(y: float) -> float:
        return bottom - (bottom - top) * (y - marks[0]) / (marks[-1] - marks[0])

    drawn = []
    for mark in marks:
        drawn.append(element("line", x1=left, x2=right, y1=down(mark), y2=down(mark), class_="grid"))
        drawn.append(element("text", f"{mark:g}", x=left - 5, y=down(mark) + 4, class_="end"))
    for x in places:
        drawn.append(element("text", str(x), x=across(x), y=bottom + 17, class_="middle"))
    for number, line in enumerate(lines):
        path = " ".join(f"{across(x):.1f},{down(y):.1f}" for x, y in line.points)
        drawn.append(element("polyline", points=path, **stroke(number)))
        for x, y in line.points:
            told = element("title", f"{line.name}, {x} letters: {y:.2f}")
            drawn.append(
                element("circle", told, cx=across(x), cy=down(y), r=2.5, class_=f"dot hue{number % HUES}")
            )
    drawn.append(element("text", "letters", x=(left + right) / 2, y=bottom + 34, class_="middle"))
    return drawing(name, title, text, bottom + 42, *drawn)


def dot_chart(name: str, title: str, text: str, lines: Sequence[Line], unit: str) -> Element:
    """Dots over any numbers from 0 on, joined by lines whose names stand at their ends.

    Args:
        name, title, text: as in `drawing`.
        lines: at least one, of at least one point each.
        unit: of the numbers from left to right.
    """
    points = [point for line in lines for point in line.points]
    sides, marks = (
        ticks(0, max(x for x, _ in points)),
        ticks(min(y for _, y in points), max(y for _, y in points)),
    )
    left, right, top, bottom = 46.0, WIDTH - 60.0, 14.0, 270.0

    def across(x: float) -> float:
        return left + (right - left) * x / sides[-1]

    def down(y: float) -> float:
        return bottom - (bottom - top) * (y - marks[0]) / (marks[-1] - marks[0])

    drawn = []
    for mark in marks:
        drawn.append(element("line", x1=left, x2=right, y1=down(mark), y2=down(mark), class_="grid"))
        drawn.append(element("text", f"{mark:g}", x=left - 5, y=down(mark) + 4, class_="end"))
    for mark in sides:
        drawn.append(element("text", f"{mark:g}", x=across(mark), y=bottom + 17, class_="middle"))
    for number, line in enumerate(lines):
        path = " ".join(f"{across(x):.1f},{down(y):.1f}" for x, y in line.points)
        drawn.append(element("polyline", points=path, **stroke(number)))
        for x, y in line.points:
            told = element("title", f"{line.name}, {x:.2f} {unit}: {y:.2f}")
            drawn.append(
                element("circle", told, cx=across(x), cy=down(y), r=2.5, class_=f"dot hue{number % HUES}")
            )
        x, y = line.points[-1]
        drawn.append(element("text", line.name, x=across(x) + 6, y=down(y) + 4))
    drawn.append(element("text", unit, x=(left + right) / 2, y=bottom + 34, class_="middle"))
    return drawing(name, title, text, bottom + 42, *drawn)


def line_key(lines: Sequence[Line]) -> Element:
    """Which line is whose."""
    entries = []
    for number, line in enumerate(lines):
        sample = element("line", x1=0, x2=26, y1=6, y2=6, **stroke(number))
        dot = element("circle", cx=13, cy=6, r=2.5, class_=f"dot hue{number % HUES}")
        swatch = element("svg", sample, dot, viewBox="0 0 26 12", aria_hidden="true")
        entries.append(element("li", swatch, line.name))
    return element("ul", *entries, class_="key")


def tint(place: int, parts: int) -> dict[str, object]:
    """Attributes of a part of a bar: the last is what is lost, those before fade from the first on."""
    if place == parts - 1:
        return {"class_": "lost"}
    return {"class_": "found", "fill_opacity": 1 - 0.8 * place / max(1, parts - 2)}


def _shortened(name: str) -> str:
    """A name that leaves room for its bar."""
    return name if len(name) <= LONGEST else name[: LONGEST - 1] + "…"


def bar_chart(name: str, title: str, text: str, bars: Sequence[Bar]) -> Element:
    """A bar a row, cut into its parts; each part tells its share when it is pointed at."""
    shown = [_shortened(bar.name) for bar in bars]
    left, right = 14.0 + LETTER * max(map(len, shown)), WIDTH - 44.0
    drawn = []
    for row, bar in enumerate(bars):
        y, x = 2.0 + row * ROW, left
        drawn.append(element("text", shown[row], x=left - 6, y=y + 12, class_="end"))
        for place, (part, share) in enumerate(bar.parts):
            if not share:
                continue
            told = element("title", f"{bar.name}, {part}: {100 * share:.2f} %")
            box = {"x": x, "y": y, "width": share * (right - left), "height": ROW - 4.0}
            drawn.append(element("rect", told, **box, **tint(place, len(bar.parts))))
            x += share * (right - left)
        drawn.append(element("text", bar.end, x=WIDTH - 1, y=y + 12, class_="end"))
    return drawing(name, title, text, ROW * len(bars) + 4, *drawn)


def bar_key(parts: Sequence[str]) -> Element:
    """Which tint is what."""
    entries = []
    for place, part in enumerate(parts):
        box = element("rect", x=0, y=0, width=12, height=12, **tint(place, len(parts)))
        entries.append(element("li", element("svg", box, viewBox="0 0 12 12", aria_hidden="true"), part))
    return element("ul", *entries, class_="key")

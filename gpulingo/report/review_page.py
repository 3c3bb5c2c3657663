"""The review of one round, or of many, as a page with its charts: values, choices and luck by guess."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from gpulingo.advice.review_text import (
    GOOD_LUCK,
    MEASURES,
    entry,
    mean_rows,
    means_by_guess,
    part_texts,
    sentences,
    turn_rows,
    unread_text,
)
from gpulingo.games.units import unit_of
from gpulingo.report.charts import INK, NAMES, RULE, Spec, svg
from gpulingo.report.frame import Chart, Making, Table, page_text

if TYPE_CHECKING:
    from gpulingo.advice.review import Review, Turn
    from gpulingo.games.game import Game

MOST_ROUNDS = 1000  # rows of a page
NUMBERS = ("left", "after", "expected", "best", "chosen", "choice", "luck", "by")
MARKS = {"X": "absent", "_": "absent", "?": "misplaced", "O": "placed"}
SIGNS = {"absent": "\u2013", "misplaced": "?", "placed": "\u2713"}  # beside the colour
PARTS = ["choice", "luck"]  # of one round, told in words
LOSSES = ["lost by choices", GOOD_LUCK]  # of many, told in numbers
HUES = ["var(--hue1)", "var(--hue0)"]
MOST = 40  # guesses that are drawn
BAR, STEP = 11, 32  # units from top to bottom: a bar, and a guess with its two
THIN = 0.004  # of the width: what a bar of no length is drawn with


def round_page(reviewed: Review, making: Making, source: str) -> str:
    """Return the review of a round as HTML; `source` is where the words come from."""
    sums, *hows = sentences(reviewed)
    rows = [_row(turn, figures) for turn, figures in zip(reviewed.turns, turn_rows(reviewed), strict=True)]
    drawn = "" if len(rows) <= MOST else f" Of {len(rows)} guesses the first {MOST} are drawn."
    chart = Chart("Value from guess to guess", f"{sums}{drawn}", value_chart(reviewed))
    fields = {
        "about": [("game", reviewed.game.code), ("list", source)], "sums": sums + drawn, "hows": hows,
        "rows": rows, "columns": NUMBERS, "chart": chart, "tables": [],
    }  # fmt: skip
    return page_text("review.html", making, "gpulingo review", "A round, guess by guess", fields)


def rounds_page(
    rounds: Sequence[Review], making: Making, source: str, unread: Sequence[int] = (), lines: int = 0
) -> str:
    """Return the page of the reviews of rounds, at least one; some of the lines could not be read."""
    states = {state: sum(own.state == state for own in rounds) for state in ("found", "lost", "open")}
    about = [("game", rounds[0].game.code), ("list", source), ("rounds", _states(states))]
    about += [("left out", unread_text(unread, lines))] if unread else []
    means = mean_rows(rounds)
    longest = max(len(own.turns) for own in rounds)
    sentence = f"Means of {len(rounds):,} rounds; " + (
        f"the first {MOST} of {longest} guesses are drawn." if longest > MOST else "the table has the same."
    )
    fields = {
        "about": about, "sums": "", "rows": [], "columns": NUMBERS,
        "hows": ["lost by choices: against the best guess known",
                 f"{GOOD_LUCK}: by the marks, 0 on average",
                 "a round that is not over counts as what was expected then"],
        "chart": Chart("Lost and given by guess", sentence, means_chart(rounds)),
        "tables": [Table("Means and 95 % intervals", list(means[0]), [list(row.values()) for row in means]),
                   _rounds_table(rounds)],
    }  # fmt: skip
    return page_text("review.html", making, "gpulingo review", "Rounds, guess by guess", fields)


def _row(turn: Turn, figures: dict[str, str]) -> Spec:
    """Return a guess of the table: letters with mark and sign, how they are read out, cells."""
    letters = turn.guess if len(turn.guess) == len(turn.marks) else turn.guess * len(turn.marks)
    marks = [MARKS[mark] for mark in turn.marks]
    tiles = [(letter, mark, SIGNS[mark]) for letter, mark in zip(letters, marks, strict=True)]
    said = ", ".join(f"{letter} {mark}" for letter, mark, _ in tiles)
    return {"tiles": tiles, "said": f"{turn.guess}: {said}", "figures": figures}


def _states(states: dict[str, int]) -> str:
    text = f"{sum(states.values()):,}: {states['found']:,} found, {states['lost']:,} lost"
    return text + (f", {states['open']:,} not over" if states["open"] else "")


def _rounds_table(rounds: Sequence[Review]) -> Table:
    """Return a row for every round, as many as a page takes."""
    shown = rounds[:MOST_ROUNDS]
    caption = "Rounds, one a row" if len(shown) == len(rounds) else (
        f"The first {MOST_ROUNDS:,} of {len(rounds):,} rounds; the means are of all"
    )  # fmt: skip
    rows = []
    for own in shown:
        record = entry(own)
        guesses = " ".join(guess for guess, _ in own.played.guesses)
        values = [f"{record[name]:.3f}" for name in MEASURES]
        rows.append([str(own.played.line), guesses, own.state, *values])
    return Table(caption, ["line", "guesses", "end", "expected at the start", *MEASURES[1:]], rows, left=3)


def value_chart(reviewed: Review) -> str:
    """The value of a round down the page: at each guess what the choice lost, then what the marks gave."""
    turns = reviewed.turns[:MOST]
    parts = [part for place, turn in enumerate(turns) for part in _parts(place, turn, reviewed.game)]
    values = [value for part in parts for value in (part["start"], part["end"])]
    low, high = min(values), max(values)
    reach = high - low or 1.0
    for part in parts:  # one of no length is a line
        least, most = sorted((part["start"], part["end"]))
        spare = max(0.0, THIN * reach - (most - least)) / 2
        part |= {"from": least - spare, "to": most + spare}
    bottom = STEP * len(parts) // 2
    whole = len(parts) == 2 * len(reviewed.turns)
    last = "later" if not whole else "expected now" if reviewed.state == "open" else "result"
    ends = [
        _end("start", values[0], -BAR, (low + high) / 2),
        _end(last, values[-1], bottom + BAR, (low + high) / 2),
    ]
    # From the start to the first bar, from bar to bar, from the last to the end.
    stops = [-BAR, *(part["middle"] for part in parts), bottom + BAR]
    spans = zip([values[0], *values[1::2]], pairwise(stops), strict=True)
    lines = [{"x": value, "y": upper, "down": lower} for value, (upper, lower) in spans]
    names = [f"{place} {turn.guess}" for place, turn in enumerate(turns, 1)]
    # No lines below the figures on the right.
    inside = {"condition": {"test": f"datum.value > {high + 0.02 * reach}", "value": 0}, "value": 1}
    axis = {"title": _expected(reviewed), "tickCount": 5, "gridOpacity": inside}
    x: Spec = {"type": "quantitative", "axis": axis,
               "scale": {"domain": [low - 0.03 * reach, high + 0.2 * reach], "nice": False}}  # fmt: skip
    y: Spec = {"type": "quantitative", "axis": _names(names),
               "scale": {"domain": [bottom + 2.2 * BAR, -2.2 * BAR], "nice": False}}  # fmt: skip
    across = {"x": x | {"field": "x"}, "y": y | {"field": "y"}, "y2": {"field": "down"}}
    line = {"data": {"values": lines}, "mark": {"type": "rule", "color": INK}, "encoding": across}
    return svg({"layer": [line, *_bars(parts, x, y), *_ends(ends, x, y)]}, 110 + bottom + 4 * BAR)


def _parts(place: int, turn: Turn, game: Game) -> list[Spec]:
    """Return the loss of a guess's choice and the gain of its marks, as rows of data."""
    values = [float(getattr(turn, f"expected_{point}")) for point in ("before", "chosen", "after")]
    rows = []
    for own, (name, text) in enumerate(zip(PARTS, part_texts(turn, game), strict=True)):
        top = STEP * place + 2 + (BAR + 2) * own
        rows.append({
            "part": name, "start": values[own], "end": values[own + 1], "top": top, "middle": top + BAR / 2,
            "bottom": top + BAR, "text": text, "label": f"{turn.guess}, {name}: {text}",
        })  # fmt: skip
    return rows


def _bars(parts: list[Spec], x: Spec, y: Spec) -> list[Spec]:
    color = {"field": "part", "type": "nominal", "scale": colors(PARTS),
             "legend": {"columns": 2, "symbolType": "square"}}  # fmt: skip
    sides = {
        "x": x | {"field": "from"},
        "x2": {"field": "to"},
        "y": y | {"field": "top"},
        "y2": {"field": "bottom"},
    }
    figures = {"x": {"value": "width"}, "y": y | {"field": "middle"}, "text": {"field": "text"}}
    text = {"type": "text", "align": "right", "fontSize": 11}
    data: Spec = {"data": {"values": parts}}
    return [
        data | {"mark": "rect", "encoding": sides | {"color": color, "description": {"field": "label"}}},
        data | {"mark": text, "encoding": figures},
    ]


def _ends(ends: Sequence[Spec], x: Spec, y: Spec) -> list[Spec]:
    """Layers of the value at the start and at the end, with their texts beside them."""
    at: Spec = {"x": x | {"field": "x"}, "y": y | {"field": "y"}}
    dots = {"data": {"values": ends}, "mark": {"type": "point", "filled": True, "size": 40, "opacity": 1},
            "encoding": at | {"color": {"value": INK}, "description": {"field": "text"}}}  # fmt: skip
    texts = [
        {"data": {"values": [end]}, "mark": {"type": "text", "align": end["align"], "dx": end["shift"]},
         "encoding": at | {"text": {"field": "text"}}}
        for end in ends
    ]  # fmt: skip
    return [dots, *texts]


def means_chart(rounds: Sequence[Review]) -> str:
    """Return the chart of mean losses and luck of the first, second .. guesses, with 95 % intervals."""
    rows = []
    for number, own in enumerate(means_by_guess(rounds)[:MOST], 1):
        for part, mean in zip(LOSSES, (own["lost"], own["luck"]), strict=True):
            low, high = mean.interval or (mean.mean, mean.mean)
            label = f"guess {number}, {part}: {mean.mean:.3f}, {low:.3f} to {high:.3f}, {mean.count:,} rounds"
            rows.append({"guess": str(number), "part": part, "mean": mean.mean, "low": low, "high": high,
                         "label": label})  # fmt: skip
    color = {"field": "part", "type": "nominal", "scale": colors(LOSSES), "legend": {"columns": 2}}
    x = {"field": "guess", "type": "ordinal", "sort": None, "axis": {"title": "guess", "grid": False}}
    title = {"axis": {"title": f"mean of a round ({unit_of(rounds[0].game).short})", "tickCount": 7}}
    y: Spec = {"type": "quantitative", "scale": {"zero": True, "nice": True}, **title}
    both: Spec = {
        "x": x,
        "xOffset": {"field": "part", "type": "nominal", "sort": LOSSES},
        "color": color,
    }
    shape = {"field": "part", "type": "nominal", "scale": colors(LOSSES) | {"range": ["square", "circle"]}}
    layers: list[Spec] = [
        {"data": {"values": [{"mean": 0}]}, "mark": {"type": "rule", "color": RULE, "strokeWidth": 2},
         "encoding": {"y": y | {"field": "mean"}}},
        {"data": {"values": rows}, "mark": {"type": "rule", "strokeWidth": 2},
         "encoding": both | {"y": y | {"field": "low"}, "y2": {"field": "high"}}},
        {"data": {"values": rows}, "mark": {"type": "point", "filled": True, "size": 60, "opacity": 1},
         "encoding": both | {"y": y | {"field": "mean"}, "shape": shape, "description": {"field": "label"}}},
    ]  # fmt: skip
    return svg({"layer": layers}, 320)


def _expected(reviewed: Review) -> str:
    unit = unit_of(reviewed.game)
    return f"expected: {unit.short}{'' if unit.rises else ', fewer is better'}"


def _names(names: list[str]) -> Spec:
    at = [STEP * place + 2 + BAR for place in range(len(names))]
    shown = "[" + ",".join(f"'{name}'" for name in names) + "]"
    return NAMES | {
        "title": None,
        "values": at,
        "grid": False,
        "labelExpr": f"{shown}[floor(datum.value / {STEP})]",
    }


def _end(name: str, value: float, y: float, middle: float) -> Spec:
    """Return the start or the end of the path, with its text on the side where there is room."""
    side: Spec = {"align": "right", "shift": -8} if value > middle else {"align": "left", "shift": 8}
    return {"x": value, "y": y, "text": f"{name} {value:.3f}", **side}


def colors(names: Sequence[str]) -> Spec:
    """Return the scale by which choices and luck have their colours."""
    return {"domain": names, "range": HUES}

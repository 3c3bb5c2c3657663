"""The review of one round, or of many, as a page with its charts: values, choices and luck by guess."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from gpulingo.advice.sentences import (
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
from gpulingo.report.charts import INK, NAMES, POINT, RULE, Spec, svg
from gpulingo.report.page import Chart, Making, Table, page_text

if TYPE_CHECKING:
    from gpulingo.advice.round import Review, Turn
    from gpulingo.games.game import Game

TITLE = "gpulingo review"
MOST_ROUNDS = 1000  # rows of a page
NUMBERS = ("left", "after", "expected", "best", "chosen", "choice", "luck", "by")
ABSENT = ("absent", "\u2013")  # of a mark: its class, and its sign in addition to the colour
MARKS = {"X": ABSENT, "_": ABSENT, "?": ("misplaced", "?"), "O": ("placed", "\u2713")}
PARTS = ["choice", "luck"]  # names in the chart of one round
LOSSES = ["lost by choices", GOOD_LUCK]  # names in the chart of many rounds
HUES = ["var(--hue1)", "var(--hue0)"]
MOST = 40  # most guesses drawn
BAR, STEP = 11, 32  # height in units: of a bar, and of a guess with its two bars
THIN = 0.004  # of the width: drawn size of a bar of length 0


def round_page(reviewed: Review, making: Making, source: str) -> str:
    """Return the review of a round as HTML; `source` is the origin of the words."""
    sums, *hows = sentences(reviewed)
    rows = [_row(turn, figures) for turn, figures in zip(reviewed.turns, turn_rows(reviewed), strict=True)]
    sums += "" if len(rows) <= MOST else f" Of {len(rows)} guesses the first {MOST} are drawn."
    chart = Chart("Value from guess to guess", sums, value_chart(reviewed))
    about = [("game", reviewed.game.code), ("list", source)]
    review = {"about": about, "sums": sums, "chart": chart, "rows": rows, "columns": NUMBERS, "hows": hows}
    return page_text(making, TITLE, "A round, guess by guess", review=review | {"tables": []})


def rounds_page(
    rounds: Sequence[Review], making: Making, source: str, unread: Sequence[int] = (), lines: int = 0
) -> str:
    """Return the page of the reviews of at least one round; `unread` lines could not be read."""
    states = Counter(own.state for own in rounds)
    ends = f"{len(rounds):,}: {states['found']:,} found, {states['lost']:,} lost"
    ends += f", {states['open']:,} not over" if states["open"] else ""
    about = [("game", rounds[0].game.code), ("list", source), ("rounds", ends)]
    about += [("left out", unread_text(unread, lines))] if unread else []
    means = mean_rows(rounds)
    longest = max(len(own.turns) for own in rounds)
    sentence = f"Means of {len(rounds):,} rounds; " + (
        f"the first {MOST} of {longest} guesses are drawn." if longest > MOST else "the table has the same."
    )
    hows = [
        "lost by choices: against the best guess known",
        f"{GOOD_LUCK}: by the marks, 0 on average",
        "a round that is not over counts as what was expected then",
    ]
    chart = Chart("Lost and given by guess", sentence, means_chart(rounds))
    table = Table("Means and 95 % intervals", list(means[0]), [list(row.values()) for row in means])
    review = {
        "about": about,
        "sums": "",
        "chart": chart,
        "rows": [],
        "tables": [table, _rounds_table(rounds)],
    }
    return page_text(making, TITLE, "Rounds, guess by guess", review=review | {"hows": hows})


def _row(turn: Turn, figures: dict[str, str]) -> Spec:
    """Return a guess of the table: letters with mark and sign, text for screen readers, cells."""
    letters = turn.guess if len(turn.guess) == len(turn.marks) else turn.guess * len(turn.marks)
    tiles = [(letter, *MARKS[mark]) for letter, mark in zip(letters, turn.marks, strict=True)]
    said = ", ".join(f"{letter} {mark}" for letter, mark, _ in tiles)
    return {"tiles": tiles, "said": f"{turn.guess}: {said}", "figures": figures}


def _rounds_table(rounds: Sequence[Review]) -> Table:
    """Return a row for every round, up to MOST_ROUNDS."""
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
    """The value of a round down the page: at each guess the loss by the choice, then the marks' gain."""
    turns, unit = reviewed.turns[:MOST], unit_of(reviewed.game)
    parts = [part for place, turn in enumerate(turns) for part in _parts(place, turn, reviewed.game)]
    values = [value for part in parts for value in (part["start"], part["end"])]
    low, high, bottom = min(values), max(values), STEP * len(turns)
    reach = high - low or 1.0
    for part in parts:  # a bar of length 0 is drawn as a line
        least, most = sorted((part["start"], part["end"]))
        spare = max(0.0, THIN * reach - (most - least)) / 2
        part |= {"from": least - spare, "to": most + spare}
    # From the start to the first bar, from bar to bar, from the last to the end.
    stops = [-BAR, *(part["middle"] for part in parts), bottom + BAR]
    spans = zip([values[0], *values[1::2]], pairwise(stops), strict=True)
    lines = [{"x": value, "y": upper, "down": lower} for value, (upper, lower) in spans]
    names = ",".join(f"'{place} {turn.guess}'" for place, turn in enumerate(turns, 1))
    # No grid lines below the figures on the right.
    inside = {"condition": {"test": f"datum.value > {high + 0.02 * reach}", "value": 0}, "value": 1}
    expected = f"expected: {unit.short}{'' if unit.rises else ', fewer is better'}"
    x: Spec = {"type": "quantitative",
               "axis": {"title": expected, "tickCount": 5, "gridOpacity": inside},
               "scale": {"domain": [low - 0.03 * reach, high + 0.2 * reach], "nice": False}}  # fmt: skip
    middles = [STEP * place + 2 + BAR for place in range(len(turns))]
    y: Spec = {"type": "quantitative",
               "axis": NAMES | {"title": None, "values": middles, "grid": False,
                                "labelExpr": f"[{names}][floor(datum.value / {STEP})]"},
               "scale": {"domain": [bottom + 2.2 * BAR, -2.2 * BAR], "nice": False}}  # fmt: skip
    at = {"x": x | {"field": "x"}, "y": y | {"field": "y"}}
    sides = {"x": x | {"field": "from"}, "x2": {"field": "to"}, "y": y | {"field": "top"},
             "y2": {"field": "bottom"}, "color": _color(PARTS, symbolType="square"),
             "description": {"field": "label"}}  # fmt: skip
    figures = {"x": {"value": "width"}, "y": y | {"field": "middle"}, "text": {"field": "text"}}
    last = "later" if len(turns) < len(reviewed.turns) else (
        "expected now" if reviewed.state == "open" else "result"
    )  # fmt: skip
    ends = [{"x": value, "y": place, "text": f"{name} {value:.3f}"} for name, value, place in (
        ("start", values[0], -BAR), (last, values[-1], bottom + BAR))]  # fmt: skip
    layers: list[Spec] = [
        {"data": {"values": lines}, "mark": {"type": "rule", "color": INK},
         "encoding": at | {"y2": {"field": "down"}}},
        {"data": {"values": parts}, "mark": "rect", "encoding": sides},
        {"data": {"values": parts}, "mark": {"type": "text", "align": "right", "fontSize": 11},
         "encoding": figures},
        {"data": {"values": ends}, "mark": POINT | {"size": 40},
         "encoding": at | {"color": {"value": INK}, "description": {"field": "text"}}},
    ]  # fmt: skip
    for end in ends:  # its text is on the side with space
        side: Spec = (
            {"align": "right", "dx": -8} if end["x"] > (low + high) / 2 else {"align": "left", "dx": 8}
        )
        layers.append({"data": {"values": [end]}, "mark": {"type": "text"} | side,
                       "encoding": at | {"text": {"field": "text"}}})  # fmt: skip
    return svg({"layer": layers}, 110 + bottom + 4 * BAR)


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


def means_chart(rounds: Sequence[Review]) -> str:
    """Return the chart of mean losses and luck of the first, second .. guesses, with 95 % intervals."""
    rows = []
    for number, own in enumerate(means_by_guess(rounds)[:MOST], 1):
        for part, mean in zip(LOSSES, (own["lost"], own["luck"]), strict=True):
            low, high = mean.interval or (mean.mean, mean.mean)
            label = f"guess {number}, {part}: {mean.mean:.3f}, {low:.3f} to {high:.3f}, {mean.count:,} rounds"
            rows.append({"guess": str(number), "part": part, "mean": mean.mean, "low": low, "high": high,
                         "label": label})  # fmt: skip
    color, title = _color(LOSSES), f"mean of a round ({unit_of(rounds[0].game).short})"
    y: Spec = {"type": "quantitative", "scale": {"zero": True, "nice": True},
               "axis": {"title": title, "tickCount": 7}}  # fmt: skip
    both: Spec = {
        "x": {"field": "guess", "type": "ordinal", "sort": None, "axis": {"title": "guess", "grid": False}},
        "xOffset": {"field": "part", "type": "nominal", "sort": LOSSES}, "color": color,
    }  # fmt: skip
    shape = {name: color[name] for name in ("field", "type")}
    shape["scale"] = {"domain": LOSSES, "range": ["square", "circle"]}
    layers: list[Spec] = [
        {"data": {"values": [{"mean": 0}]}, "mark": {"type": "rule", "color": RULE, "strokeWidth": 2},
         "encoding": {"y": y | {"field": "mean"}}},
        {"data": {"values": rows}, "mark": {"type": "rule", "strokeWidth": 2},
         "encoding": both | {"y": y | {"field": "low"}, "y2": {"field": "high"}}},
        {"data": {"values": rows}, "mark": POINT | {"size": 60},
         "encoding": both | {"y": y | {"field": "mean"}, "shape": shape, "description": {"field": "label"}}},
    ]  # fmt: skip
    return svg({"layer": layers}, 320)


def _color(names: Sequence[str], **legend: str) -> Spec:
    """Return the colours of choices and luck."""
    scale = {"domain": names, "range": HUES}
    return {"field": "part", "type": "nominal", "scale": scale, "legend": {"columns": 2, **legend}}

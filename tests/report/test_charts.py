"""Charts: their contents, which lines are dashed or grey, and the tooltip of each mark."""

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from gpulingo.games.units import UNITS
from gpulingo.report.charts import SHAPES, difference_chart, figures_chart, gap_chart, time_chart, turns_chart
from gpulingo.report.results import comparisons


@pytest.fixture
def comparison(made):
    """Best, edc65 and eight others over two lengths, with bounds."""
    rows = [made(f"s{n}", length, 0, n, 9) for n in range(10, 18) for length in (4, 5)]
    rows += [made("edc65", 4, 0, 12, 8), made("edc65", 5, 0, 12, 8)]
    rows += [made("best", 4, 1, 40, 9, bound=150.0), made("best", 5, 1, 50, 9, bound=112.0)]
    return comparisons(rows)[0]


def nodes(svg, kind):
    """Elements of a chart of one kind."""
    return [node for node in ElementTree.fromstring(svg).iter() if node.tag.endswith(kind)]


def told(svg):
    """The tooltips of the marks."""
    return [node.text for node in nodes(svg, "}title")]


def texts(svg):
    return [node.text for node in nodes(svg, "}text")]


@pytest.mark.parametrize("chart", [figures_chart, difference_chart, gap_chart])
def test_every_chart_over_lengths_shows_the_best_and_the_bound(comparison, chart):
    svg = chart(comparison)
    assert {"best", "bound", "edc65"} <= set(texts(svg))
    assert any(text.startswith("best, 4 letters: ") for text in told(svg))


def test_the_chart_of_turns_shows_the_best_and_the_bound(comparison):
    svg = turns_chart(comparison, 4)
    assert {"best", "edc65", "bound 150.00"} <= set(texts(svg))
    assert "best, turn 2: 40 of 100 words, 80.00 mean points" in told(svg)
    assert "bound: 150.000 mean points" in told(svg)


def test_the_figures_that_are_told_are_those_of_the_results(comparison):
    assert {"best, 4 letters: 92.000", "bound, 4 letters: 150.000"} <= set(told(figures_chart(comparison)))
    assert {"best, 4 letters: 0.000", "bound, 5 letters: 0.000"} <= set(told(difference_chart(comparison)))
    assert {"best, 4 letters: 58.000", "best, 5 letters: 0.000"} <= set(told(gap_chart(comparison)))


def test_a_game_that_counts_guesses_has_no_points_in_its_charts(made):
    rows = [made("best", 4, 1, 40, 9, 40, 8, 0, game="wordle", bound=400.0)]
    (one,) = comparisons([*rows, made("edc65", 4, 0, 30, 9, 40, 8, 9, game="wordle")])
    charts = [figures_chart(one), difference_chart(one), gap_chart(one), turns_chart(one, 4)]
    over, beside, gap, turns = map(told, charts)
    assert {"best, 4 letters: 3.220", "bound, 4 letters: 3.000"} <= set(over)
    assert "bound, 4 letters: -0.220" in beside and "best, 4 letters: 0.220" in gap
    assert {"best, turn 2: 40 of 100 words, 0.8000 mean guesses", "bound: 3.000 mean guesses"} <= set(turns)
    assert "best, lost: 2 of 100 words, 0.1400 mean guesses" in turns
    assert {"3.2200", "bound 3.0000", "lost"} <= set(texts(turns_chart(one, 4)))
    assert all("points" not in chart for chart in charts)
    svg = time_chart({"all": [(4.0, 4.0)]}, UNITS["guesses"])
    assert "points" not in svg and "all, 4.00 s: 4.0000" in told(svg)


@pytest.mark.parametrize("chart", [figures_chart, difference_chart, gap_chart, lambda of: turns_chart(of, 4)])
def test_only_the_bound_is_dashed(comparison, chart):
    every = [node for kind in ("}path", "}line") for node in nodes(chart(comparison), kind)]
    dashed = [node for node in every if node.get("stroke-dasharray") not in (None, "1,0")]
    assert dashed and {node.get("stroke") for node in dashed} == {"var(--ink)"}


def test_without_a_bound_nothing_is_dashed(made):
    (one,) = comparisons([made("parts", 4, 1, 2), made("points", 4, 1, 3)])
    for svg in (figures_chart(one), difference_chart(one), turns_chart(one, 4)):
        assert "bound" not in " ".join(texts(svg))
        assert not re.findall(r'stroke-dasharray="5', svg)


def test_what_does_not_stand_out_is_grey_and_has_its_name_beside_it(comparison):
    svg = figures_chart(comparison)
    grey = [node for node in nodes(svg, "}path") if node.get("stroke") == "var(--grey)"]
    hidden = set(comparison.figures) - set(comparison.prominent)
    assert len(hidden) == 5 and len(grey) == 2 * len(hidden)  # each with a wide line for the pointer
    assert hidden <= set(texts(svg)) and hidden <= set(told(svg))
    for place, name in enumerate(comparison.figures):
        assert (f"line{place}_layer_2_marks" in svg) == (name in hidden)


def test_the_colours_of_lines_are_the_style_sheets(comparison):
    svg = figures_chart(comparison)
    colours = {node.get(key) for node in nodes(svg, "}path") for key in ("stroke", "fill")}
    assert colours - {None, "none"} <= {
        *(f"var(--hue{n})" for n in range(len(SHAPES))),
        "var(--ink)",
        "var(--grey)",
    }
    assert not re.findall(r' id="', svg)  # a page has several charts


def test_more_points_make_longer_bars_and_parts_that_touch(comparison):
    bars = {}
    for node in nodes(turns_chart(comparison, 4), "}path"):
        if ", turn " in (node.get("aria-label") or ""):
            left, width = re.match(r"M([\d.]+),[\d.]+h([\d.]+)", node.get("d")).groups()
            bars.setdefault(node.get("aria-label").split(",")[0], []).append((float(left), float(width)))
    ends = {name: max(left + width for left, width in parts) for name, parts in bars.items()}
    assert ends["best"] > ends["s17"] > ends["edc65"]
    best = sorted(bars["best"])
    assert best[0][0] == 0
    assert all(left + width == pytest.approx(after, abs=0.01) for (left, width), (after, _) in pairwise(best))
    assert best[1][1] == pytest.approx(80 / 3 * best[0][1], rel=0.01)  # 80 mean points against 3


@pytest.mark.parametrize(("found", "bound"), [(100, 200.0), (100, 100.0), (0, 0.0)])
def test_a_single_length_and_a_single_strategy_are_drawn(made, found, bound):
    (one,) = comparisons([made("best", 4, found, bound=bound)])
    for svg in (figures_chart(one), difference_chart(one), gap_chart(one), turns_chart(one, 4)):
        assert "NaN" not in svg and "best" in texts(svg)


def test_seconds_run_to_the_right_and_points_upwards():
    svg = time_chart({"all": [(4.0, 300.0)], "letters": [(0.0, 200.0), (2.0, 250.0)]}, UNITS["points"])
    dots = {
        node.get("aria-label"): node.get("transform") for node in nodes(svg, "}path") if node.get("transform")
    }
    places = {name: tuple(map(float, re.findall(r"[\d.]+", at))) for name, at in dots.items() if name}
    first, second = places["letters, 0.00 s: 200.00"], places["letters, 2.00 s: 250.00"]
    assert first[0] < second[0] < places["all, 4.00 s: 300.00"][0]
    assert first[1] > second[1] > places["all, 4.00 s: 300.00"][1]

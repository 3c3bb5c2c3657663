"""Charts: where things are drawn, and what they tell without being seen."""

import pytest

from gpulingo.lab.charts import WIDTH, Bar, Line, bar_chart, dot_chart, line_chart, stroke, ticks, tint


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (85.4, 363.8, [50, 100, 150, 200, 250, 300, 350, 400]),
        (-43, 0, [-50, -40, -30, -20, -10, 0]),
        (0, 0, [0, 0]),
        (3, 3, [3, 3]),
        (0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]),
    ],
)
def test_ticks_are_round_and_hold_the_figures(low, high, expected):
    found = ticks(low, high)
    assert found[0] <= low and found[-1] >= high and found[0] < found[-1]
    if low != high:
        assert found == expected


def test_more_points_stand_higher_and_longer_words_further_right():
    chart = line_chart("a", "Title", "Text", [Line("x", [(4, 100.0), (5, 200.0), (9, 150.0)])])
    dots = [(float(dot.get("cx")), float(dot.get("cy"))) for dot in chart.iter("circle")]
    assert dots[0][0] < dots[1][0] < dots[2][0] <= WIDTH
    assert dots[1][1] < dots[2][1] < dots[0][1]
    assert [dot.find("title").text for dot in chart.iter("circle")][1] == "x, 5 letters: 200.00"
    assert (chart.find("title").text, chart.find("desc").text) == ("Title", "Text")


def test_a_single_point_is_drawn():
    chart = line_chart("a", "Title", "Text", [Line("x", [(4, 100.0)])])
    assert 0 < float(chart.find("circle").get("cx")) < WIDTH


def test_no_two_of_twenty_four_lines_look_alike():
    assert len({tuple(stroke(number).items()) for number in range(24)}) == 24


def test_the_parts_of_a_bar_are_as_wide_as_their_shares_and_touch():
    bars = [
        Bar("x", [("turn 1", 0.25), ("turn 2", 0.0), ("lost", 0.75)], "12.0"),
        Bar("y" * 60, [("lost", 1.0)], "0"),
    ]
    chart = bar_chart("a", "Title", "Text", bars)
    first, second, whole = [(float(box.get("x")), float(box.get("width"))) for box in chart.iter("rect")]
    assert second[1] == pytest.approx(3 * first[1], abs=0.05)
    assert first[0] + first[1] == pytest.approx(second[0], abs=0.02)
    assert (whole[0], whole[1]) == pytest.approx((first[0], first[1] + second[1]), abs=0.05)
    assert whole[0] + whole[1] < WIDTH
    assert [box.find("title").text for box in chart.iter("rect")][:2] == [
        "x, turn 1: 25.00 %",
        "x, lost: 75.00 %",
    ]
    assert [text.text for text in chart.iter("text")] == ["x", "12.0", "y" * 29 + "…", "0"]


def test_what_is_lost_has_a_tint_of_its_own():
    tints = [tint(place, 6) for place in range(6)]
    assert [one["class_"] for one in tints] == ["found"] * 5 + ["lost"]
    strengths = [one["fill_opacity"] for one in tints[:-1]]
    assert strengths == sorted(strengths, reverse=True) and strengths[-1] > 0.1
    assert tint(0, 2) == {"class_": "found", "fill_opacity": 1}


def test_dots_stand_where_their_numbers_are_and_lines_end_with_their_names():
    chart = dot_chart(
        "a", "T", "D", [Line("x", [(0.5, 100.0), (2.0, 200.0)]), Line("y", [(1.0, 150.0)])], "s"
    )
    dots = [(float(dot.get("cx")), float(dot.get("cy"))) for dot in chart.iter("circle")]
    assert dots[0][0] < dots[2][0] < dots[1][0] <= WIDTH
    assert dots[0][1] > dots[2][1] > dots[1][1]
    assert [dot.find("title").text for dot in chart.iter("circle")][1] == "x, 2.00 s: 200.00"
    assert {"x", "y", "s"} <= {node.text for node in chart.iter("text")}

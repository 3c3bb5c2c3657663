"""The page of a review: its tables, tiles and charts, for one round and for many; that it loads nothing."""

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from gpulingo.advice.round import target_round
from gpulingo.advice.sentences import turn_rows
from gpulingo.games.catalogue import find_game
from gpulingo.positions.round_values import reviews
from gpulingo.report import review_page
from gpulingo.report.page import Making
from gpulingo.report.review_page import LOSSES, PARTS, means_chart, round_page, rounds_page, value_chart
from gpulingo.words.listing import parse

from .conftest import Html

MAKING = Making("2026-11-22", "0.1.0", "gpulingo review --out <b>.html")
WORDS = parse(
    "\n".join("dents dozes reads zones dunes tunes tones bones cones lones roses".split())
).of_length(5)


def reviewed(*rounds, game="lingo"):
    """Reviews of rounds, given by target and guesses, over a list of 11 words."""
    rules = find_game(game)
    played = [target_round(target, guesses.split(), rules) for target, guesses in rounds]
    for line, own in enumerate(played, 1):
        own.line = line
    return reviews(played, WORDS, rules, device="cpu")


def texts(svg, kind="}text"):
    return [node.text for node in ElementTree.fromstring(svg).iter() if node.tag.endswith(kind)]


@pytest.mark.parametrize(("game", "guesses"), [("lingo", "dents bones tones"), ("hangman", "e a o")])
def test_a_page_of_a_round_has_the_table_of_the_command_line_with_tiles(game, guesses):
    (own,) = reviewed(("tones", guesses), game=game)
    page = round_page(own, MAKING, "a list")
    cells = Html(page)
    names = ["left", "after", "expected", "best", "chosen", "choice", "luck", "by"]
    assert [row[1:] for row in cells.rows[1:]] == [[row[name] for name in names] for row in turn_rows(own)]
    first = {"lingo": "dents: d absent, e misplaced, n placed, t misplaced, s placed",
             "hangman": "e: e absent, e absent, e absent, e placed, e absent"}[game]  # fmt: skip
    said = [tag["aria-label"] for tag in cells.all("span") if tag.get("role") == "img"]
    assert said[0] == first and page.count('class="tile ') == 15
    assert "d\u2013e?n\u2713t?s\u2713" in cells.rows[1][0] or game == "hangman"
    assert "Best play averages" in page and "<dd>a list</dd>" in page


def test_a_page_loads_nothing_and_shows_texts_as_they_are():
    one = reviewed(("tones", "dents tones"))
    for page in (round_page(one[0], MAKING, "<b>"), rounds_page(one, MAKING, "<b>")):
        assert not re.search(r"""(src|href)=|url\(|@import|<script|<link""", page)
        assert "<b>" not in page and "&lt;b&gt;" in page
        assert set(re.findall(r"https?://([^/]+)", page)) <= {"www.w3.org"}  # SVG's namespaces
        assert page.startswith("<!doctype html>") and page.count("<svg") == 1


@pytest.mark.parametrize("game", ["lingo", "wordle", "hangman"])
def test_the_chart_of_a_round_tells_the_two_parts_of_every_step(game):
    (own,) = reviewed(("tones", "dents bones tones" if game != "hangman" else "e a o s"), game=game)
    svg = value_chart(own)
    rows = turn_rows(own)
    told = [
        f"{row['guess']}, {part}: {row[name]}"
        for row in rows
        for part, name in zip(PARTS, ("choice", "luck"), strict=True)
    ]
    assert [text for text in texts(svg, "}title") if any(part in text for part in PARTS)] == told
    shown = texts(svg)
    assert {*PARTS, *(f"{row['turn']} {row['guess']}" for row in rows)} <= set(shown)
    assert {row["choice"] for row in rows} | {row["luck"] for row in rows} <= set(shown)
    last = "result" if own.state != "open" else "expected now"
    assert {f"start {float(own.start):.3f}", f"{last} {float(own.result):.3f}"} <= set(shown)


def test_bars_go_from_what_was_expected_to_what_was_chosen_and_on_to_what_came(monkeypatch):
    specs = []
    monkeypatch.setattr(review_page, "svg", lambda spec, height: specs.append(spec) or "")
    (own,) = reviewed(("tones", "dents bones tones"))
    value_chart(own)
    bars = specs[0]["layer"][1]["data"]["values"]
    ends = [(bar["part"], bar["start"], bar["end"]) for bar in bars]
    values = [
        [float(getattr(turn, f"expected_{point}")) for point in ("before", "chosen", "after")]
        for turn in own.turns
    ]
    assert ends == [end for first, second, third in values
                    for end in ((PARTS[0], first, second), (PARTS[1], second, third))]  # fmt: skip
    lines = specs[0]["layer"][0]["data"]["values"]
    assert [line["x"] for line in lines] == [values[0][0], *(bar["end"] for bar in bars)]
    assert all(above["down"] == below["y"] for above, below in pairwise(lines))


def test_of_a_long_round_the_first_guesses_are_drawn_and_that_is_said(monkeypatch):
    monkeypatch.setattr(review_page, "MOST", 2)
    (own,) = reviewed(("tones", "dents bones tones"))
    page = round_page(own, MAKING, "a list")
    assert "Of 3 guesses the first 2 are drawn." in page
    assert "2 bones" in page and "3 tones" not in page and len(Html(page).rows) == 4


def test_a_page_of_rounds_has_means_intervals_and_each_round(monkeypatch):
    many = reviewed(("tones", "dents bones tones"), ("dozes", "dozes"), ("bones", "lones cones"))
    page = rounds_page(many, MAKING, "a list", [4, 7], 9)
    rows = Html(page).rows
    assert rows[0] == ["value", "mean", "95 % interval", "rounds"]
    found = {row[0]: row for row in rows}
    assert float(found["result"][1]) == pytest.approx(float(sum(own.result for own in many) / 3), abs=0.001)
    assert found["guess 3: lost"][2:] == ["-", "1"]
    assert found["2"][:3] == ["2", "dozes", "found"] and found["3"][2] == "open"
    assert "3: 2 found, 0 lost, 1 not over" in page and "2 of 9 lines could not be read: 4, 7" in page
    monkeypatch.setattr(review_page, "MOST_ROUNDS", 2)
    page = rounds_page(many, MAKING, "a list")
    assert "The first 2 of 3 rounds; the means are of all" in page and "<dt>left out</dt>" not in page
    assert {row[0] for row in Html(page).rows} & {"1", "2", "3"} == {"1", "2"}


def test_the_chart_of_rounds_has_a_point_and_an_interval_for_each_part_of_each_guess():
    many = reviewed(("tones", "dents bones tones"), ("dozes", "bones dozes"))
    svg = means_chart(many)
    told = [text for text in texts(svg, "}title") if text.startswith("guess ")]
    assert [re.match(r"guess (\d), ([^:]+):", text).groups() for text in told] == [
        (str(number), part) for number in (1, 2, 3) for part in LOSSES
    ]
    assert told[-1].endswith(", 1 rounds") and {*LOSSES, "guess"} <= set(texts(svg))

"""The report: what its tables say, that it loads nothing, and that nothing in it needs to be seen."""

from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace

import pytest

from gpulingo.lab.report import RatesError, read_rates, report_text
from gpulingo.lab.results import ResultsError

RATES = Path(__file__).parent.parent.parent / "benchmarks" / "results.csv"


class Page(HTMLParser):
    """Every start tag with its attributes, and the text of table rows."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.rows, self.within = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in ("meta",):
            self.within.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("th", "td"):
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        assert self.within.pop() == tag  # what is opened is closed

    def handle_data(self, data):
        if self.within and self.within[-1] in ("th", "td"):
            self.rows[-1][-1] += data

    def all(self, tag):
        return [attributes for name, attributes in self.tags if name == tag]


@pytest.fixture
def results(made):
    return [
        made("parts", 4, 1, 20, 30, 0, 0),
        made("edc65", 4, 1, 10, 30, 9, 0),
        made("parts", 5, 1, 9, 90, 0, 0),
    ]


def tree(length, points, bound, strategy="deep", turns=5, fingerprint=None):
    """What the report reads of a checkpoint."""
    from gpulingo.lab.published import PIT_LIST

    name = fingerprint or PIT_LIST[length] + "0" * 52
    return SimpleNamespace(fingerprint=name, turns=turns, mean_points=points, bound=bound, strategy=strategy)


def test_the_best_of_each_length_stands_beside_edc65(results):
    rows = Page(report_text(results)).rows
    assert ["4", "parts", "oooo", "100", "175.000", "49", "over 5", "102.33", "100.98", "+72.67"] in rows
    assert ["5", "parts", "ooooo", "100", "311.000", "0", "3", "167.19", "164.44", "+143.81"] in rows


def test_another_list_has_no_figures_of_edc65(made):
    rows = Page(report_text([made("parts", 4, 1, 20, 30, 0, 0, fingerprint="0" * 64)])).rows
    assert ["4", "parts", "oooo", "100", "175.000", "49", "over 5", "-", "-", "-"] in rows


def test_every_figure_of_a_chart_stands_in_a_table(results):
    rows = Page(report_text(results)).rows
    assert ["strategy", "4", "5"] in rows
    assert ["parts", "175.00", "311.00"] in rows
    assert ["edc65", "153.00", "-"] in rows
    assert ["edc65", "1", "10", "30", "9", "0", "50", "153.000"] in rows


def test_of_several_results_of_a_strategy_the_last_counts(results, made):
    rows = Page(report_text([*results, made("edc65", 4, 1, 99, 0, 0, 0)])).rows
    assert ["4", "edc65", "oooo", "100", "401.000", "0", "2", "102.33", "100.98", "+298.67"] in rows


@pytest.mark.parametrize(
    ("trees", "row"),
    [
        ([], ["4", "parts", "175.000", "none", "-"]),
        ([tree(4, 170.0, None)], ["4", "parts", "175.000", "none", "-"]),
        ([tree(4, 176.0, None), tree(4, 170.0, 180.5)], ["4", "deep", "176.000", "180.500", "4.500"]),
        ([tree(4, 180.5, 180.5)], ["4", "deep", "180.500", "180.500", "0.000"]),
        ([tree(4, 999.0, 999.0, fingerprint="0" * 64)], ["4", "parts", "175.000", "none", "-"]),
        ([tree(4, 999.0, 999.0, turns=6)], ["4", "parts", "175.000", "none", "-"]),
    ],
)
def test_the_gap_is_from_the_best_known_to_the_least_bound_of_the_list(results, trees, row):
    assert row in Page(report_text(results, trees)).rows


def test_it_loads_nothing_and_runs_nothing(results):
    text = report_text(results, [], read_rates(RATES))
    page = Page(text)
    assert not {tag for tag, _ in page.tags} & {"script", "link", "img", "iframe", "object", "a"}
    assert "url(" not in text and "@import" not in text and "http" not in text
    assert not [key for _, attributes in page.tags for key in attributes if key in ("src", "href", "style")]
    assert page.within == []


def test_every_chart_has_a_title_and_a_text_of_its_own(results):
    page = Page(report_text(results))
    names = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(names) == len(set(names))
    charts = [svg for svg in page.all("svg") if "aria-hidden" not in svg]
    assert len(charts) == 4  # points, what is short, two lengths
    for svg in charts:
        assert svg["role"] == "img"
        assert {svg["aria-labelledby"], svg["aria-describedby"]} <= set(names)
    assert all("scope" in head for head in page.all("th"))
    assert page.all("html") == [{"lang": "en"}]


def test_names_are_escaped(made):
    text = report_text(
        [made("</title><script>alert('&')</script>", 4, 1, 20, 30, 0, 0, opening='"<b>', list="<i>")]
    )
    assert "<script" not in text and "<b>" not in text and "<i>" not in text
    assert "&lt;script&gt;alert('&amp;')" in text


def test_results_that_cannot_stand_side_by_side_are_refused(results, made):
    with pytest.raises(ResultsError, match="rounds of 2 and of 5 turns"):
        report_text([*results, made("parts", 6, 1, 2)])
    with pytest.raises(ResultsError, match="two lists of 4 letters"):
        report_text([*results, made("other", 4, 1, 2, 3, 4, 5, fingerprint="0" * 64)])


def test_rates_are_shown_as_they_were_measured():
    rates = read_rates(RATES)
    assert len(rates) > 10


def test_a_table_that_holds_no_rates_is_told(tmp_path):
    (tmp_path / "a.csv").write_text("length,words\n5,22\n")
    (tmp_path / "b.csv").write_bytes(b"length\n\xff\n")
    for name, said in (("a.csv", "have no size"), ("b.csv", "no table"), ("c.csv", "cannot read rates")):
        with pytest.raises(RatesError, match=f"{said}.*: name a file that `gpulingo bench"):
            read_rates(tmp_path / name)


def test_the_report_needs_no_torch(tmp_path):
    import subprocess
    import sys

    code = "import sys, gpulingo.lab.report; assert not {'torch', 'numba', 'numpy'} & set(sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

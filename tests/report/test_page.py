"""The report: the texts of its tables, also for racks; it loads nothing, and is complete without scripts."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from gpulingo.cli.commands.report import played_again
from gpulingo.games.catalogue import find_game
from gpulingo.report.page import rack_section, read_rates, report_text
from gpulingo.tiles.bag import made_bag
from gpulingo.tiles.rack_table import rack_table

from .conftest import Html as Page

MAKING = {"date": "2026-11-22", "version": "0.1.0", "command": "gpulingo report --out page.html"}
RATES = Path(__file__).parent.parent.parent / "benchmarks" / "results.csv"
SMALL = made_bag("small", {"a": (2, 1), "b": (1, 3)})  # drawn two at a time: aa once, ab twice


@pytest.fixture
def results(made):
    return [
        made("parts", 4, 1, 20, 30, 0, 0),
        made("edc65", 4, 1, 10, 30, 9, 0),
        made("parts", 5, 1, 9, 90, 0, 0),
    ]


@pytest.fixture
def kept(made):
    """Trees stored for the lists of both lengths; the second is optimal."""
    return [
        made("best", 4, 1, 24, 35, 0, 0, bound=215.0),
        made("best", 5, 1, 10, 89, 0, 0, bound=312.0, opening=""),
    ]


def report(results, *, drawn=False, **options):
    """A page; drawings, which take most of its time, are empty if not asked for."""
    with pytest.MonkeyPatch.context() as patch:
        if not drawn:
            patch.setattr("gpulingo.report.charts.svg", lambda spec, height: "<svg></svg>")
        return report_text(results, MAKING, command=played_again, **options)


def test_the_first_table_has_the_best_tree_and_the_bound(results, kept):
    rows = Page(report(results, kept=kept)).rows
    figures = ["215.000", "9.000", "40", "100", "102.33", "100.98", "+103.67"]
    assert rows[1] == ["4", "best", "oooo", "206.000", *figures]
    assert rows[2][:8] == ["5", "best", "-", "312.000", "312.000", "0.000", "0", "100"]


def test_without_a_kept_tree_the_best_strategy_stands_there(results):
    rows = Page(report(results)).rows
    assert rows[1] == ["4", "parts", "oooo", "175.000", "-", "-", "49", "100", "102.33", "100.98", "+72.67"]
    assert rows[2] == ["5", "parts", "ooooo", "311.000", "-", "-", "0", "100", "167.19", "164.44", "+143.81"]


def test_no_other_list_has_figures_of_edc65s_program(made):
    text = report([made("parts", 4, 1, 20, 30, 0, 0, fingerprint="0" * 64)])
    assert ["4", "parts", "oooo", "175.000", "-", "-", "49", "100"] in Page(text).rows
    assert "edc65, exact" not in text and "list of the Lingo pit" not in text


def test_each_list_has_a_section_with_its_own_best_and_bound(made, kept):
    other = "f" * 64
    rows = [
        made("parts", 4, 1, 20, 30, 0, 0),
        made("parts", 4, 1, 9, 9, 9, 9, fingerprint=other, list="mine.txt"),
    ]
    page = Page(report(rows, kept=[kept[0], made("best", 4, 1, 10, 9, 9, 9, fingerprint=other, bound=250.0)]))
    tables = [row[:6] for row in page.rows if row[1] == "best"]
    assert tables == [
        ["4", "best", "oooo", "206.000", "215.000", "9.000"],
        ["4", "best", "oooo", "99.000", "250.000", "151.000"],
    ]
    assert len([tag for tag in page.all("section") if tag["class"] == "list"]) == 2


def test_the_head_tells_date_version_command_list_and_processor(results, made):
    played = {"date": "2026-11-20", "version": "0.1.0", "processor": "Some Chip"}
    text = report([*results, made("points", 4, 1, 20, 29, 0, 0, **played)])
    for told in (
        "2026-11-22 by gpulingo 0.1.0",
        "gpulingo report --out page.html",
        "wordlist.txt (the list of the Lingo pit), 200 words of 4 and 5 letters",
        "4: caf0ae2cc7e5, 5: 1eea75f98a44",
        "1 results on 2026-11-20, by gpulingo 0.1.0, on Some Chip",
        "3 results of which day, version or processor are not stored",
        "gpulingo compare --lengths 4-5 --wordlist wordlist.txt --strategies parts,points,edc65 --out ",
    ):
        assert told in text


def test_the_command_to_play_again_has_what_is_not_as_usual(made):
    more = {"list": "my list.txt", "game": "lingo-hard"}
    rows = [made("parts", n, 1, 2, fingerprint=f"{n}" * 64, **more) for n in (4, 6)]
    told = "--lengths 4,6 --wordlist &#39;my list.txt&#39; --strategies parts --turns 2 --hard --out "
    assert told in report(rows)
    assert "--wordlist" not in report([made("parts", 4, 1, 2, list="embedded list")])
    told = "--wordlist wordlist.txt --targets t.txt --strategies parts --game wordle --turns 2 --out "
    assert told in report([made("parts", 4, 1, 2, game="wordle", pool=120, targets="t.txt")])
    heavy = report([made("parts", 4, 1, 2, weights="w.tsv", weight=100)])
    assert "--wordlist wordlist.txt --weights w.tsv --strategies parts" in heavy
    assert "; weights: w.tsv, 100 words of 4 letters" in heavy
    named = report([made("parts", 4, 1, 2, game="wordle", targets="t.txt", fingerprint="f" * 64)])
    assert "wordlist.txt; targets: t.txt, 100 words of 4 letters" in " ".join(named.split())


def test_a_game_that_counts_guesses_has_a_page_without_points(made):
    rows = [
        made(name, 4, 1, 20, 30, 40, 9 - n, 0, game="wordle") for n, name in enumerate(("parts", "edc65"))
    ]
    page = report([*rows, made("best", 4, 1, 24, 30, 40, 5, 0, game="wordle", bound=400.0)])
    shown = re.sub(r"<style>.*?</style>|</?[^>]*>", " ", page, flags=re.DOTALL)
    assert "points" not in shown and "A word that is lost counts as turn 7." in page
    assert "<h2>wordlist.txt: wordle</h2>" in page
    assert "The widest gap between the best and the bound is 24 guesses in total, with 4 letters." in page
    table = Page(page).rows
    assert table[1][:8] == ["4", "best", "oooo", "3.2400", "324", "300", "24", "0"]
    assert "The best of each length, in mean guesses" in page
    assert ["strategy", "4"] in table and ["parts", "3.3600"] in table
    assert ["parts", "1", "20", "30", "40", "9", "0", "0", "3.3600", "336"] in table


@pytest.mark.parametrize("name", ["lingo-lost", "wordle-lost"])
def test_where_a_lost_word_comes_first_the_page_shows_words_lost(made, name):
    found = {"parts": (20, 30, 40, 9), "edc65": (20, 30, 40, 8), "best": (20, 30, 41, 9)}
    game = find_game(name, 4)
    rows = [
        made(one, 4, *turns, game=name, mean_points=game.mean_points(turns, 100))
        for one, turns in found.items()
    ]
    kept = [replace(row, bound=game.mean_points((1, 99, 0, 0), 100)) for row in rows]
    page = report(kept, drawn=True)
    table = Page(page).rows
    assert ["parts", "1"] in table and ["edc65", "2"] in table and ["best", "0"] in table
    assert "best, lost: 0 of 100 words, 0 lost" in page and "edc65, lost: 2 of 100 words, 2 lost" in page


@pytest.mark.parametrize(
    ("bounds", "told"),
    [
        ((None, None), "No bound is known for this list"),
        ((206.0, 312.0), "With 4 and 5 letters the best is proven: no strategy has more mean points.</p>"),
        ((207.0, 314.0), "The widest gap between the best and the bound is 2.0 mean points, with 5 letters."),
        ((207.0, 312.0), "With 5 letters the best is proven"),
    ],
)
def test_the_story_is_what_the_bounds_say(results, kept, bounds, told):
    trees = [replace(tree, bound=bound) for tree, bound in zip(kept, bounds, strict=True)]
    assert told in report(results, kept=trees)


def test_each_strategy_has_its_sentence_and_figures_stand_in_a_table(results, kept):
    rows = Page(report(results, kept=kept)).rows
    assert ["strategy", "4", "5"] in rows
    assert ["best", "206.00", "312.00"] in rows
    assert ["edc65", "153.00", "-"] in rows
    assert ["edc65", "1", "10", "30", "9", "0", "50", "153.000"] in rows
    text = report(results, sentence=lambda name: "Most classes." if name == "parts" else "")
    assert "parts</dt><dd>Most classes.</dd>" in text
    assert "edc65</dt><dd>No description of it is at hand.</dd>" in text


def test_a_grey_name_leads_to_its_sentence_and_shows_its_line(made):
    text = report([made(f"s{n}", 4, 1, n) for n in range(10, 17)], drawn=True)
    page = Page(text)
    links = {tag["class"]: tag["href"] for tag in page.all("a")}
    assert list(links) == ["of4", "of5"]  # five of seven are prominent
    assert set(links.values()) <= {f"#{tag['id']}" for tag in page.all("dt") if "id" in tag}
    for name in links:
        place = name.removeprefix("of")
        assert f".of{place}:is(:hover, :focus-visible)" in text
        assert text.count(f'line{place}_layer_0_marks"') == 2  # in both charts over lengths


def test_it_loads_nothing_and_runs_nothing(results, kept):
    text = report(results, drawn=True, kept=kept, rates=read_rates(RATES))
    page = Page(text)
    assert not {tag for tag, _ in page.tags} & {"script", "link", "img", "iframe", "object", "image", "use"}
    assert "url(" not in text and "@import" not in text
    names = ("src", "srcset", "href", "xlink:href", "style")
    loaded = [tag[key] for _, tag in page.tags for key in names if key in tag]
    assert all(one.startswith("#") for one in loaded)
    assert set(re.findall(r"https?://[^\" ]*", text)) <= {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xlink",
    }
    assert page.within == []


def test_every_chart_is_told_in_words(results, kept):
    page = Page(report(results, drawn=True, kept=kept))
    names = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(names) == len(set(names))
    charts = [tag for tag in page.all("div") if tag.get("role") == "img"]
    assert len(charts) == len(page.all("svg")) == 5  # gap, points, difference, two lengths
    assert all(len(tag["aria-label"]) > 20 for tag in charts)
    assert all("scope" in head for head in page.all("th"))
    assert page.all("html") == [{"lang": "en"}]


def test_names_are_escaped(made):
    text = report(
        [made("</title><script>alert('&')</script>", 4, 1, 20, 30, 0, 0, opening='"<b>', list="<i>")],
        drawn=True,
    )
    assert "<script" not in text and "<b>" not in text and "<i>" not in text
    assert "&lt;script&gt;alert(" in text


def test_rates_are_shown_as_they_were_measured(results):
    rates = read_rates(RATES)
    assert len(rates) > 10
    rows = Page(report(results, rates=rates)).rows
    assert rows[-1][0] == rates[-1]["length"] and rates[-1]["median"] in rows[-1]


def test_the_report_needs_no_torch(tmp_path):
    import subprocess
    import sys

    code = "import sys, gpulingo.report.page; assert not {'torch', 'numba', 'numpy'} & set(sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def section(words=("ab",), bag=SMALL, tiles=2):
    """The section of the page about these draws."""
    return rack_section(rack_table(words, bag, tiles), "two words")


def test_racks_have_a_histogram_a_head_and_the_value_of_each_tile():
    shown = section()["histogram"]
    assert shown.figures.rows == [["none", "1", "33.333333"], ["4", "2", "66.666667"]]
    assert "<title>none: 1 draws</title>" in shown.svg and "<title>4: 2 draws</title>" in shown.svg
    assert shown.sentence == "4 points are likeliest; the best draw has 4."
    about = dict(section()["about"])
    assert about["bag"] == "small, 3 tiles of 2 kinds"
    assert about["list"] == "two words"
    assert about["drawn"] == "2 tiles: 2 racks, 3 draws"
    assert about["expected"] == "2.666667 points, standard deviation 1.885618"
    assert about["without a word"] == "33.333333 % of draws"
    # Every draw has an A, so draws without it are unknown; with B there are 4 points, without B 0.
    assert section()["held"].rows == [
        ["B", "1", "3", "4.000", "0.000", "4.000"],
        ["A", "2", "1", "2.667", "-", "-"],
    ]
    shown = section(words=("zzz",))["histogram"]  # no word can be spelled
    assert shown.figures.rows == [["none", "3", "100.000000"]]


def test_many_different_points_are_told_in_ranges():
    letters = "abcdefghijklmnop"
    bag = made_bag("wide", {letter: (1, 2**place) for place, letter in enumerate(letters)})
    words = [first + second for first in letters for second in letters if first < second]
    rows = section(words, bag)["histogram"].figures.rows
    assert 2 < len(rows) <= 61
    assert sum(int(draws) for _, draws, _ in rows) == 120
    assert rows[1][0] == "3 to 822"  # 3 to 49,152 in 60 ranges of 820

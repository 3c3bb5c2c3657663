"""Results and rolled-out openings: to a file and back; the stored ones agree with the pages of docs."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path

import pytest
from sampled import quick

from gpulingo.games.catalogue import find_game
from gpulingo.report import results as stored
from gpulingo.report.results import (
    EDC65_EXACT,
    EDC65_PUBLISHED,
    FORM,
    PIT_LIST,
    entry_of,
    line_text,
    on_pit_list,
    parsed_result,
    read_results,
    result_of,
)
from gpulingo.storage.printed import LineFile
from gpulingo.strategies.build import simulate
from gpulingo.strategies.registry import named

ROOT = Path(__file__).parent.parent.parent
READ = read_results(ROOT / "benchmarks" / "compare.jsonl")
STORED, ALONE = (
    {(one.strategy, one.length): one for one in READ if one.game == game}
    for game in ("lingo", "lingo-consistent")
)
ROWS = re.findall(
    r"^\| `(\w+)` \|((?: -?[\d.,]+ \|){10})$", (ROOT / "docs" / "rivals.md").read_text(), re.MULTILINE
)


def write(path, *results):
    file = LineFile(path, FORM)
    for result in results:
        file.append(line_text(entry_of(result)))


def test_a_result_says_what_the_simulation_says_and_survives_its_file(words22, tmp_path):
    done = [simulate(words22, name) for name in ("parts", "random")]
    results = [result_of(one) for one in done]
    assert (results[0].opening, results[0].mean_points) == (done[0].opening, done[0].mean_points)
    write(tmp_path / "a.jsonl", *results)
    assert read_results(tmp_path / "a.jsonl") == results
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]


def entry(**changes):
    """A valid result as text, with changes; None removes a key."""
    whole = {
        "length": 5, "words": 3, "list": "a.txt", "fingerprint": "ab" * 32, "strategy": "parts",
        "device": "cpu", "opening": "heron", "turns": [1, 1], "lost": 1, "mean_points": 100.0, "seconds": 0.5,
        "kernel_seconds": 0.1, "pairs": 9, "opening_given": False,
    } | changes  # fmt: skip
    return json.dumps({key: value for key, value in whole.items() if value is not None})


def test_a_result_has_the_bound_of_its_tree_and_where_it_was_played(words22):
    result = result_of(simulate(words22, "parts"))
    assert result.bound is None
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", result.date) and result.version and result.processor


def test_of_equal_results_the_later_counts(tmp_path):
    first, other, later = (
        parsed_result(entry(**changes)) for changes in ({"seconds": 9.0}, {"turns": [1, 1, 0]}, {})
    )
    write(tmp_path / "a.jsonl", first, other, later)
    with (tmp_path / "a.jsonl").open("a") as file:
        file.write(entry()[:70])  # an incomplete last line is ignored
    assert read_results(tmp_path / "a.jsonl") == [later, other]
    write(tmp_path / "b.jsonl", first)
    assert read_results(tmp_path / "a.jsonl", tmp_path / "b.jsonl") == [first, other]


def test_a_processor_has_a_name_without_proc_too(monkeypatch):
    assert stored.processor("cpu")
    monkeypatch.setattr(stored, "Path", lambda path: (_ for _ in ()).throw(OSError()))
    assert stored.processor("cpu") == (stored.platform.processor() or stored.platform.machine())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "game"),
    quick(
        [
            ("parts", "lingo"), ("parts", "lingo-consistent"), ("edc65", "lingo"), ("confusion", "lingo"),
            ("confusion", "lingo-consistent"), ("histogram", "lingo"),
        ],
        [("parts", "lingo"), ("edc65", "lingo")],
    ),
)  # fmt: skip
def test_strategies_do_what_is_stored(pit_words, name, game):
    rivals = runpy.run_path(str(ROOT / "examples" / "rivals.py"))
    strategy = rivals[name]() if name in rivals else named(name)
    done = simulate(pit_words(13), strategy, find_game(game))
    stored = (STORED if game == "lingo" else ALONE)[name, 13]
    assert (done.opening, tuple(done.turns), done.lost) == (stored.opening, stored.turns, stored.lost)
    assert done.mean_points == stored.mean_points


def test_the_tables_of_the_page_are_the_stored_results():
    found = {}
    for name, cells in ROWS:
        found.setdefault(name, []).append([cell.strip() for cell in cells.strip("|").split("|")])
    lengths = range(4, 14)
    assert set(found) == {name for name, _ in STORED if name != "best"}
    for name, rows in found.items():
        mine = [STORED[name, n] for n in lengths]
        assert rows[0] == [f"{one.mean_points:.2f}" for one in mine]
        assert rows[1:] == [[f"{one.lost:,}" for one in mine]]


def test_the_page_says_what_consistent_guesses_cost():
    page = " ".join((ROOT / "docs" / "rivals.md").read_text().split())
    for name in ("parts", "edc65"):
        costs = [STORED[name, n].mean_points - ALONE[name, n].mean_points for n in (4, 5, 9)]
        first, *others = [f"{cost:.2f}" for cost in costs]
        said = re.findall(rf"`{name}` (?:loses )?{first}[^,;.]*, ([\d.]+)[^,;.]*, ([\d.]+\d)", page)
        assert said == [tuple(others)]


def test_edc65_is_as_near_to_its_program_as_the_page_says():
    missed = max(abs(STORED["edc65", n].mean_points - exact) for n, exact in EDC65_EXACT.items())
    assert f"{missed:.2f}" in re.findall(r"within ([\d.]+) points", (ROOT / "docs" / "rivals.md").read_text())


def test_the_page_of_results_shows_the_same_figures():
    rows = re.findall(
        r"^\| (\d+) \| .* \| ([\d.]+) \| ([\d.]+) \| `\w+` \|$",
        (ROOT / "docs/results.md").read_text(),
        re.MULTILINE,
    )
    assert {int(length): float(exact) for length, exact, _ in rows} == EDC65_EXACT
    assert {int(length): float(published) for length, _, published in rows} == EDC65_PUBLISHED


def test_figures_of_edc65_are_for_the_pits_list_only(pit_words):
    for length in (4, 13):
        fingerprint = pit_words(length).fingerprint
        assert fingerprint.startswith(PIT_LIST[length])
        assert on_pit_list(EDC65_EXACT, length, fingerprint) == EDC65_EXACT[length]
        assert on_pit_list(EDC65_EXACT, length, fingerprint[::-1]) is None
    assert on_pit_list(EDC65_EXACT, 14, PIT_LIST[13]) is None

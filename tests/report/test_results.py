"""Results and rolled-out openings: to a file and back; the stored ones agree with docs/rivals.md."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path

import pytest
from sampled import quick

from gpulingo.games.catalogue import find_game, lingo
from gpulingo.optimise.openings import Opening
from gpulingo.report import results as stored
from gpulingo.report.comparison import EDC65_EXACT
from gpulingo.report.results import (
    FORM,
    OPENINGS,
    kept_result,
    known_opening,
    latest,
    line_text,
    opening_entry,
    parsed_opening,
    parsed_result,
    read_results,
    result_of,
    result_text,
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
        file.append(result_text(result))
    file.close()


def test_a_result_says_what_the_simulation_says_and_survives_its_file(words22, tmp_path):
    done = [simulate(words22, name) for name in ("parts", "random")]
    results = [result_of(one) for one in done]
    assert (results[0].opening, results[0].mean_points) == (done[0].opening, done[0].mean_points)
    write(tmp_path / "a.jsonl", *results)
    assert read_results(tmp_path / "a.jsonl") == results
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]


def test_the_worst_turn_is_the_last_that_finds_a_word_or_none_where_words_are_lost(words22):
    done, short = (
        result_of(simulate(words22, "parts", lingo(9))),
        result_of(simulate(words22, "parts", lingo(1))),
    )
    assert done.worst_turn == max(turn for turn, count in enumerate(done.turns, 1) if count) < 9
    assert done.found_by[-1] == 1
    assert (short.worst_turn, short.found_by) == (None, (1 / 22,))


def entry(**changes):
    """A valid result as text, with changes; None removes a key."""
    whole = {
        "length": 5, "words": 3, "list": "a.txt", "fingerprint": "ab" * 32, "strategy": "parts",
        "device": "cpu", "opening": "heron", "turns": [1, 1], "lost": 1, "mean_points": 100.0, "seconds": 0.5,
        "kernel_seconds": 0.1, "pairs": 9, "opening_given": False,
    } | changes  # fmt: skip
    return json.dumps({key: value for key, value in whole.items() if value is not None})


def test_keys_that_it_does_not_know_are_left_out_and_old_rows_read():
    assert parsed_result(entry(worst_turn=5, found_by=[0.1])) == parsed_result(entry())
    assert parsed_result(entry(opening_given=None)) == parsed_result(entry())
    unknown = dict.fromkeys(("bound", "date", "version", "processor"))
    assert json.loads(result_text(parsed_result(entry()))) == json.loads(entry()) | unknown


def test_a_result_has_the_bound_of_its_tree_and_where_it_was_played(words22):
    result = result_of(simulate(words22, "parts"))
    assert result.bound is None
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", result.date) and result.version and result.processor


def test_a_kept_tree_is_a_result_without_being_played(words22, grown):
    tree = grown(words22, bound=480.0)
    result = kept_result(tree, "list.txt", words22[tree.guess[0]])
    assert (result.strategy, result.bound, result.opening) == ("best", 480.0, words22[11])
    assert (list(result.turns), result.lost) == (tree.turn_counts(), tree.lost)
    assert (result.mean_points, result.words, result.list) == (tree.mean_points, 22, "list.txt")


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


def test_another_list_seed_or_opening_that_was_given_is_another_result():
    changes = [{}, {"fingerprint": "cd" * 32}, {"strategy": "parts seed 7"}, {"opening_given": True},
               {"opening_given": True, "opening": "raise"}]  # fmt: skip
    results = [parsed_result(entry(**change)) for change in changes]
    assert latest(results) == results
    assert latest([results[0], parsed_result(entry(opening="raise"))]) == [
        parsed_result(entry(opening="raise"))
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is no JSON"),
        ("[1]", "is no JSON object"),
        (entry(lost=None), "has no lost"),
        (entry(words="3"), "has words '3', expected a whole number from 0 on"),
        (entry(mean_points="many"), "has mean_points 'many', expected a number from 0 on"),
        (entry(mean_points=float("nan")), "has mean_points nan, expected a number"),
        (entry(turns=[1, 1.5]), r"has turns \[1, 1.5\], expected a list of a whole number"),
        (entry(bound="low"), "has bound 'low', expected a number from 0 on or null"),
        (entry(date=20261122), "has date 20261122, expected text or null"),
        (entry(turns=[1, 2]), "has found and lost words that do not make up its words"),
        (entry(turns=[0], words=0, lost=0), "has found and lost words"),
    ],
)
def test_what_is_no_result_is_told_with_file_and_line(tmp_path, text, said):
    path = tmp_path / "a.jsonl"
    path.write_text(f"{entry()}\n{text}\n")
    with pytest.raises(ValueError, match=rf"^line 2 of .*a\.jsonl {said}.*: name results"):
        read_results(path)


def test_a_file_that_holds_no_results_is_told(tmp_path):
    (tmp_path / "empty").write_text("")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    for name, said in {"empty": "holds no results", "bytes": "not UTF-8", "none": "cannot read"}.items():
        with pytest.raises(ValueError, match=said):
            read_results(tmp_path / name)


def test_a_processor_has_a_name_without_proc_too(monkeypatch):
    assert stored.processor("cpu")
    monkeypatch.setattr(stored, "Path", lambda path: (_ for _ in ()).throw(OSError()))
    assert stored.processor("cpu") == (stored.platform.processor() or stored.platform.machine())


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


@pytest.fixture
def rolled_out(words22):
    opening = Opening((words22.index("heron"),), 88, 90, (3, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1))
    return opening_entry(opening, words22, lingo(), width="4:4,3:4", order="points", device="cpu")


def test_points_are_those_of_the_game(rolled_out):
    assert (rolled_out["mean_points"], rolled_out["bound"]) == (100 * 88 / 22, 100 * 90 / 22)


def test_a_line_reads_back(rolled_out):
    text = line_text(rolled_out)
    assert parsed_opening(text) == rolled_out | {"game": "lingo"}
    assert OPENINGS.entries(f"{text}\n".encode(), "a.jsonl")[0] == [parsed_opening(text)]


def test_the_search_gets_back_what_it_found(rolled_out, words22):
    assert known_opening(rolled_out, words22) == (words22.index("heron"), (88, 90))


def test_only_another_game_is_named(rolled_out):
    entry = json.loads(line_text(rolled_out))
    assert "game" not in entry and entry["turns"] == 5
    assert parsed_opening(json.dumps(entry | {"game": "lingo"})) == parsed_opening(line_text(rolled_out))
    with pytest.raises(ValueError, match="has game 'other', expected lingo"):
        parsed_opening(json.dumps(entry | {"game": "other"}))


@pytest.mark.parametrize(("name", "value"), [("turns", "5"), ("mean_points", -1.0), ("opening", None)])
def test_what_is_no_opening_is_told(rolled_out, name, value):
    with pytest.raises(ValueError, match=f"has {name} "):
        parsed_opening(json.dumps(json.loads(line_text(rolled_out)) | {name: value}))

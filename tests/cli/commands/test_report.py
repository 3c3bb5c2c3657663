"""`gpulingo report`: the page it writes, and what it refuses."""

import datetime
import sys
from pathlib import Path

import pytest
from sampled import quick

from gpulingo.storage.files import file_name
from gpulingo.trees.checkpoint import read_checkpoint, write_checkpoint

ROOT = Path(__file__).parent.parent.parent.parent


@pytest.fixture
def results(run, list22):
    run("compare --lengths 5 --wordlist list.txt --device cpu --strategies parts,letters --out a.jsonl")
    return list22.parent / "a.jsonl"


@pytest.mark.slow
def test_the_page_is_written_and_named(run, results):
    done = run("report --results a.jsonl --out page.html")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "page.html\n", "")
    page = (results.parent / "page.html").read_text()
    assert page.startswith("<!doctype html>")
    assert "list.txt" in page and ">letters<" in page and "Rates" not in page


def test_bounds_and_rates_come_from_the_files_named(run, results, middle):
    head = (
        "date,commit,processor,torch,length,words,size,sets,objective,device,threads,pairs,median,p20,p80\n"
    )
    (results.parent / "rates.csv").write_text(
        f"{head}2026-01-01,abc,Some Chip,2,5,22,22,1,parts,cpu,1,9,7.5,7,8\n"
    )
    folder = results.parent / "trees"
    folder.mkdir()
    kept(middle, folder, bound=100 * 103 / 22)
    done = run("report --results a.jsonl --results a.jsonl --checkpoints trees --rates rates.csv")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "report.html\n", "")
    page = (results.parent / "report.html").read_text()
    assert "Some Chip" in page and ">468.182<" in page
    assert (
        "gpulingo report --results a.jsonl --results a.jsonl --checkpoints trees --rates rates.csv --out"
        in page
    )


def kept(path, folder, **fields):
    """Write a checkpoint with changed fields to the expected path, and return the path."""
    tree = read_checkpoint(path).replaced(**fields)
    target = folder / file_name("lingo5", tree.length, tree.fingerprint)
    write_checkpoint(tree, target)
    return target


@pytest.mark.parametrize("place", quick([".", "checkpoints"], ["checkpoints"]))
def test_the_best_tree_of_the_list_is_found_with_its_opening_and_bound(run, results, words22, place):
    folder = results.parent / place
    folder.mkdir(exist_ok=True)
    run("simulate --length 5 --wordlist list.txt --device cpu --strategy parts --save parts.npz")
    tree = read_checkpoint(kept(results.with_name("parts.npz"), folder, bound=100 * 109 / 22))
    results.with_name("wordlist.txt").write_text("".join(f"{word}\n" for word in words22.words))
    assert run("report --results a.jsonl").exit_code == 0
    first = (results.parent / "report.html").read_text().split("</tbody>")[0]
    assert f'<td class="text">best</td><td class="text">{words22[tree.guess[0]]}</td>' in first
    assert f">{tree.mean_points:.3f}<" in first and ">495.455<" in first


def test_the_page_has_the_day_and_the_version(run, results):
    run("report --results a.jsonl")
    page = (results.parent / "report.html").read_text()
    assert f"<dd>{datetime.date.today().isoformat()} by gpulingo " in page
    assert "2 results on " in page  # from `compare --out`


@pytest.mark.slow
def test_without_results_those_that_are_stored_are_shown(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run("report")
    assert (done.exit_code, done.stdout) == (0, "report.html\n")
    assert (
        done.stderr
        == f"gpulingo: results of {ROOT}/benchmarks/compare.jsonl; --results FILE.jsonl for others\n"
    )
    page = (tmp_path / "report.html").read_text()
    assert ">134.022<" in page.split("</tbody>")[0] and "<h2>Rates</h2>" in page


def test_results_of_the_current_folder_come_first(run, results):
    (results.parent / "benchmarks").mkdir()
    results.rename(results.parent / "benchmarks" / "compare.jsonl")
    done = run("report")
    assert (done.exit_code, done.stderr) == (0, "")
    page = (results.parent / "report.html").read_text()
    assert "list.txt" in page and "<h2>Rates</h2>" not in page


@pytest.mark.parametrize("missing", ["vl_convert", "jinja2"])
def test_without_what_draws_the_page_it_says_what_to_install(run, results, monkeypatch, missing):
    monkeypatch.setitem(sys.modules, missing, None)
    for line in ("report --results a.jsonl", "tune --length 5 --wordlist list.txt --picture a.svg"):
        done = run(line)
        assert (done.exit_code, done.stdout) == (1, "")
        assert done.stderr == (
            f"gpulingo: charts need {missing}, which is not installed: "
            f"run {sys.executable} -m pip install 'gpulingo[report]'\n"
        )
    assert not (results.parent / "report.html").exists()


def test_what_simulate_prints_can_be_reported(run, list22):
    printed = run("simulate --length 5 --wordlist list.txt --device cpu --json").stdout
    (list22.parent / "b.jsonl").write_text(printed)
    assert run("report --results b.jsonl").exit_code == 0


def test_a_damaged_checkpoint_is_told_and_passed_over_where_it_was_not_named(run, results, middle):
    (results.parent / "checkpoints").mkdir()
    path = kept(middle, results.parent / "checkpoints")
    path.write_bytes(b"x")
    named = run("report --results a.jsonl --checkpoints checkpoints")
    assert (named.exit_code, named.stdout, named.stderr.count("\n")) == (1, "", 1)
    assert path.name in named.stderr
    done = run("report --results a.jsonl")
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (0, "report.html\n", 1)
    assert path.name in done.stderr and done.stderr.endswith("; skipped\n")


@pytest.mark.slow
def test_racks_of_tiles_are_shown_as_a_histogram(run, results):
    run("tiles --all --draw 3 --wordlist list.txt --out best.npz")
    done = run("report --results a.jsonl --tiles best.npz --out page.html")
    assert (done.exit_code, done.stderr) == (0, "")
    page = (results.parent / "page.html").read_text()
    assert "Tiles: challenge" in page and "--tiles best.npz" in page and "Points of a draw" in page

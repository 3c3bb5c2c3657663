"""`gpulingo report`: the page it writes, and what it refuses."""

import pytest


@pytest.fixture
def results(run, list22):
    run("compare --lengths 5 --wordlist list.txt --device cpu --strategies parts,letters --out a.jsonl")
    return list22.parent / "a.jsonl"


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
    middle.rename(folder / "lingo-5-middle.npz")
    done = run("report --results a.jsonl --results a.jsonl --checkpoints trees --rates rates.csv")
    assert (done.exit_code, done.stdout) == (0, "report.html\n")
    assert "Some Chip" in (results.parent / "report.html").read_text()


def test_what_simulate_prints_can_be_reported(run, list22):
    printed = run("simulate --length 5 --wordlist list.txt --device cpu --json").stdout
    (list22.parent / "b.jsonl").write_text(printed)
    assert run("report --results b.jsonl").exit_code == 0


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("", 2, "--results: no file at benchmarks/compare.jsonl: write one with `gpulingo compare --out"),
        ("--results none", 2, "--results: no file at none"),
        (
            "--results list.txt",
            1,
            "line 1 of list.txt is no JSON: name a file that `gpulingo compare --out` wrote",
        ),
        ("--results a.jsonl --rates none", 2, "--rates: no file at none"),
        ("--results a.jsonl --rates list.txt", 1, "rates list.txt have no length"),
        ("--results a.jsonl --checkpoints none", 2, "--checkpoints: no folder at none"),
        ("--results a.jsonl --out a.jsonl", 2, "a.jsonl would replace a file that is read"),
        ("--results a.jsonl --out none/a.html", 1, "none: cannot write there"),
        ("--results a.jsonl --out .", 2, ". is no plain file"),
    ],
)
def test_bad_input_is_one_line(run, results, line, code, said):
    before = results.read_text()
    done = run(f"report {line}")
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (code, "", 1)
    assert done.stderr.startswith(f"gpulingo: {said}")
    assert results.read_text() == before and not (results.parent / "report.html").exists()


def test_a_damaged_checkpoint_is_told(run, results):
    (results.parent / "checkpoints").mkdir()
    (results.parent / "checkpoints" / "lingo-5-bad.npz").write_bytes(b"x")
    done = run("report --results a.jsonl")
    assert (done.exit_code, done.stderr.count("\n")) == (1, 1)
    assert "lingo-5-bad.npz" in done.stderr

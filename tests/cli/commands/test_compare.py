"""`gpulingo compare`: its tables, its results file, and what it refuses."""

import json
import sys
from pathlib import Path

import pytest

from gpulingo.report.results import read_results
from gpulingo.storage.files import file_name
from gpulingo.strategies.registry import NAMES
from gpulingo.trees.checkpoint import write_checkpoint

LINE = "compare --wordlist list.txt --device cpu --lengths"


def test_all_are_those_with_a_name(run, list22):
    done = run(f"{LINE} 5 --json")
    entries = list(map(json.loads, done.stdout.splitlines()))
    assert [entry["strategy"] for entry in entries] == list(NAMES)
    for entry in entries:
        assert sum(entry["turns"]) + entry["lost"] == 22
        assert entry["mean_guesses"] == 6 - entry["mean_points"] / 100
        assert entry["found_by"][-1] == (22 - entry["lost"]) / 22
        assert (entry["worst_turn"] is None) == (entry["lost"] > 0)


def test_results_are_kept_and_json_is_the_same(run, list22):
    list22.write_text(list22.read_text() + "bird\n")
    done = run(f"{LINE} 4-5 --strategies parts,histogram --seed 7 --out a.jsonl --json")
    kept = read_results("a.jsonl")
    entries = list(map(json.loads, done.stdout.splitlines()))
    assert [(one.strategy, one.length, list(one.turns)) for one in kept] == [
        (entry["strategy"], entry["length"], entry["turns"]) for entry in entries
    ]
    assert [one.strategy for one in kept] == ["parts", "parts", "histogram seed 7", "histogram seed 7"]
    assert {path.name for path in list22.parent.iterdir()} == {"list.txt", "a.jsonl"}


def test_a_failure_keeps_the_results_before_it(refused, list22):
    (list22.parent / "late.py").write_text("def f(sizes):\n    return sizes if len(sizes) < 5 else 1 / 0\n")
    refused(f"{LINE} 5 --strategies parts,late:f --out a.jsonl", "", code=1)
    assert [one.strategy for one in read_results("a.jsonl")] == ["parts"]


def test_best_is_the_kept_tree_where_there_is_one_for_every_length(run, list22, words22, grown):
    path = list22.parent / "checkpoints" / file_name("lingo5", 5, words22.fingerprint)
    path.parent.mkdir()
    write_checkpoint(grown(words22), path)
    done = run(f"{LINE} 5 --strategies best,letters --json")
    entries = list(map(json.loads, done.stdout.splitlines()))
    assert [entry["strategy"] for entry in entries] == ["best", "letters"]
    assert entries[0]["mean_points"] == grown(words22).mean_points
    done = run(f"{LINE} 5 --json")
    assert [json.loads(row)["strategy"] for row in done.stdout.splitlines()] == ["best", *NAMES]
    list22.write_text(list22.read_text() + "bird\n")
    done = run(f"{LINE} 5,4 --json")
    assert {json.loads(row)["strategy"] for row in done.stdout.splitlines()} == set(NAMES)
    assert done.stderr == "gpulingo: best is left out: no tree is stored for the words of 4 letters\n"


ENDED = """
import signal

def f(sizes):
    if INTERRUPTED and len(sizes) > 3:  # the first call is a check
        signal.raise_signal(signal.SIGINT)
    return -sizes**2
"""


def test_ctrl_c_prints_what_is_known_and_resume_goes_on(run, list22):
    (list22.parent / "ended.py").write_text(ENDED.replace("INTERRUPTED", "True"))
    done = run(f"{LINE} 5 --strategies parts,ended:f,letters --out a.jsonl")
    assert (done.exit_code, done.stderr) == (
        130, "gpulingo: interrupted after 1 of 3 results; a.jsonl has them, --resume continues\n"
    )  # fmt: skip
    assert [row.split()[1] for row in done.stdout.splitlines()[2:3]] == ["parts"]
    kept = Path("a.jsonl").read_text()
    assert [one.strategy for one in read_results("a.jsonl")] == ["parts"]
    (list22.parent / "ended.py").write_text(ENDED.replace("INTERRUPTED", "False"))
    sys.modules.pop("ended")
    done = run(f"{LINE} 5 --strategies parts,ended:f,letters --out a.jsonl --resume")
    assert (done.exit_code, done.stderr) == (0, "gpulingo: a.jsonl: 1 of 3 results are there\n")
    assert {row.split()[1] for row in done.stdout.splitlines()[2:5]} == {"parts", "ended:f", "letters"}
    assert Path("a.jsonl").read_text().startswith(kept)


@pytest.mark.parametrize(
    ("option", "said"), [("--out a.jsonl", "run it again"), ("", "with --out FILE.jsonl they can be kept")]
)
def test_ctrl_c_before_there_is_a_result_makes_no_file(run, list22, option, said):
    (list22.parent / "at_first.py").write_text(ENDED.replace("INTERRUPTED", "True"))
    done = run(f"{LINE} 5 --strategies at_first:f,parts {option}")
    assert (done.exit_code, done.stdout, Path("a.jsonl").exists()) == (130, "", False)
    assert done.stderr == f"gpulingo: interrupted after 0 of 2 results; {said}\n"

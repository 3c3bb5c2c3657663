"""`gpulingo openings`: their order, the file that keeps them, and what it refuses."""

import contextlib
import json
import signal
from pathlib import Path

import pytest

import gpulingo.search.openings
from gpulingo.bounds.partitions import opening_classes
from gpulingo.trees.checkpoint import read_checkpoint

OPENINGS = "openings --length 5 --wordlist list.txt --device cpu --turns 3 --top 6"


def test_openings_are_ranked_by_what_they_score(run, list22, words22):
    line = "openings --length 5 --wordlist list.txt --device cpu --turns 3 --top 22 --width 3:22 --json"
    done = run(line)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    means = [one["mean_points"] for one in found]
    assert len(found) == 22 and means == sorted(means, reverse=True)
    assert all(one["bound"] >= one["mean_points"] for one in found)
    assert run("solve --length 5 --wordlist list.txt --device cpu --turns 3 --out best.npz").exit_code == 0
    assert max(means) <= read_checkpoint("best.npz").mean_points
    assert run(f"{line} --memory 0").stdout == done.stdout
    table = run("openings --length 5 --wordlist list.txt --device cpu --top 3").stdout.splitlines()
    assert len(table) == 5 and table[2].split()[0] in words22.words


@contextlib.contextmanager
def openings_counted(interrupted=0):
    """A list that grows by each opening that is played out; Ctrl-C comes at the one of that number."""
    opened = []

    def classes_of(table, word):
        opened.append(word)
        if len(opened) == interrupted:
            signal.raise_signal(signal.SIGINT)
        return opening_classes(table, word)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(gpulingo.search.openings, "opening_classes", classes_of)
        yield opened


def test_ctrl_c_prints_the_openings_so_far_and_resume_goes_on(run, list22):
    with openings_counted(interrupted=3):  # which is played to its end
        done = run(f"{OPENINGS} --out a.jsonl")
    assert done.exit_code == 130
    assert done.stderr == (
        "gpulingo: interrupted after 3 of 6 openings; a.jsonl has them, --resume continues\n"
    )
    before = Path("a.jsonl").read_text()
    assert len(done.stdout.splitlines()) == 5 and len(before.splitlines()) == 3
    whole = run(OPENINGS)
    with openings_counted() as played:
        done = run(f"{OPENINGS} --out a.jsonl --resume")
    assert (done.exit_code, done.stdout, len(played)) == (0, whole.stdout, 3)
    assert done.stderr == "gpulingo: a.jsonl: 3 openings are there\n"
    after = Path("a.jsonl").read_text()
    assert after.startswith(before) and len(after.splitlines()) == 6
    printed = [json.loads(row) for row in run(f"{OPENINGS} --json").stdout.splitlines()]
    assert all(row.pop("mean_guesses") == 4 - row["mean_points"] / 100 for row in printed)
    assert [[row.pop(name) for name in ("schema", "command")] for row in printed] == [[1, "openings"]] * 6
    assert all(row.pop("version") for row in printed)
    assert sorted(map(json.dumps, printed)) == sorted(after.splitlines())


@pytest.mark.parametrize("other", ["--turns 4", "--width 3:2", "--wordlist fewer.txt"])
def test_openings_played_out_otherwise_are_played_again(run, list22, other):
    Path("fewer.txt").write_text("".join(list22.read_text().splitlines(keepends=True)[1:]))
    assert run(f"{OPENINGS} --out a.jsonl").exit_code == 0
    done = run(f"{OPENINGS} {other} --out a.jsonl --resume")
    assert (done.exit_code, done.stderr) == (0, "gpulingo: a.jsonl: 0 openings are there\n")
    assert len(Path("a.jsonl").read_text().splitlines()) == 12


def test_openings_append_to_no_file_of_something_else(run, list22):
    Path("notes").write_text("notes of mine\n")
    done = run(f"{OPENINGS} --out notes")
    assert (done.exit_code, done.stdout, Path("notes").read_text()) == (2, "", "notes of mine\n")
    assert done.stderr.startswith("gpulingo: --out: line 1 of notes is no JSON: name a file that")

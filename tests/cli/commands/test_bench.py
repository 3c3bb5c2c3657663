"""`gpulingo bench`: rates as a table, as JSON and as rows of a file."""

import json
import signal
from pathlib import Path

import pytest

import gpulingo.report.bench

LINE = "bench --length 5 --wordlist list.txt --device cpu --calls 1"


def test_a_row_for_each_size_objective_and_number_of_threads(run, list22):
    done = run(f"{LINE} --sizes all,5 --threads 1,2 --strategy parts,points")
    rows = [line.split() for line in done.stdout.splitlines()[1:]]
    assert done.exit_code == 0
    assert [row[2] for row in rows] == ["22"] * 4 + ["5"] * 4
    assert [row[6] for row in rows] == ["1", "2"] * 4
    assert [row[4] for row in rows] == ["parts", "parts", "points", "points"] * 2


def test_json_is_one_object_a_line_and_a_table_grows(run, list22):
    (entry,) = map(
        json.loads, run(f"{LINE} --sizes 5 --strategy parts --json --csv r.csv").stdout.splitlines()
    )
    assert (entry["length"], entry["words"], entry["size"], entry["objective"]) == (5, 22, 5, "parts")
    assert entry["p20"] <= entry["median"] <= entry["p80"]
    run(f"{LINE} --sizes 5 --strategy parts --csv r.csv")
    assert len((list22.parent / "r.csv").read_text().splitlines()) == 3


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("--sizes few", 2, "--sizes: 'few' is not a size"),
        ("--threads 0", 2, "--threads: '0' has threads outside 1 to 1024"),
        ("--strategy letters", 2, "--strategy: no objective 'letters': use parts, entropy,"),
        ("--calls 0", 2, "invalid value for '--calls': '0' is not a whole number"),
        ("--device tpu", 2, "--device: device 'tpu'"),
        ("--csv none/r.csv", 1, "none: cannot write there"),
    ],
)
def test_bad_input_is_one_line(run, list22, line, code, said):
    done = run(f"{LINE} {line}")
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (code, "", 1)
    assert done.stderr.startswith(f"gpulingo: {said}")


def test_each_rate_goes_to_the_table_at_once(run, list22, monkeypatch):
    measured = gpulingo.report.bench._rate

    def third(*args, **options):
        if Path("r.csv").exists() and len(Path("r.csv").read_text().splitlines()) == 3:
            signal.raise_signal(signal.SIGINT)
        return measured(*args, **options)

    monkeypatch.setattr(gpulingo.report.bench, "_rate", third)
    done = run(f"{LINE} --sizes all,5 --threads 1,2 --strategy parts --csv r.csv")
    assert (done.exit_code, done.stderr) == (130, "gpulingo: interrupted after 2 rates\n")
    assert [line.split()[2] for line in done.stdout.splitlines()[1:]] == ["22", "22"]
    assert len(Path("r.csv").read_text().splitlines()) == 3


def test_rates_are_appended_to_no_file_of_something_else(run, list22):
    Path("notes").write_text("notes of mine\n")
    done = run(f"{LINE} --csv notes")
    assert (done.exit_code, done.stdout, Path("notes").read_text()) == (2, "", "notes of mine\n")
    assert done.stderr.startswith("gpulingo: --out: notes is no table of rates: name one that")


def test_rates_are_appended_to_no_device(run, list22):
    done = run(f"{LINE} --csv /dev/zero")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == "gpulingo: --out: /dev/zero is not a plain file: name a file to write\n"

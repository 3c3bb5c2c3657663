"""`gpulingo solve`: the best strategy, how a search ends, and what is refused."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gpulingo.bounds.certificate import read_certificate
from gpulingo.trees.checkpoint import read_checkpoint
from gpulingo.trees.verify import verify
from gpulingo.words.listing import embedded

SOLVE = "solve --length 5 --wordlist list.txt --device cpu"


def test_a_small_list_is_solved_and_proven(run, list22, words22):
    done = run("solve --length 5 --wordlist list.txt --device cpu --turns 3 --out best.npz")
    assert done.exit_code == 0, done.stderr
    tree = read_checkpoint("best.npz")
    verify(tree, words22)
    assert tree.bound == tree.mean_points
    row = done.stdout.splitlines()[-1].split()
    assert row[0] == "5" and row[3:7] == [
        f"{tree.mean_points:.5f}",
        f"{tree.mean_guesses:.3f}",
        f"{tree.bound:.5f}",
        "0.00000",
    ]
    assert "proven" in done.stdout
    shown = run("prove best.npz --wordlist list.txt --device cpu")
    assert shown.exit_code == 0 and shown.stdout.endswith("no strategy has more: optimal\n")


def test_json_says_what_was_reached(run, list22):
    done = run("solve --length 5 --wordlist list.txt --device cpu --out best.npz --json")
    entry = json.loads(done.stdout)
    assert entry["ended"] == "proven" and entry["gap"] == 0
    assert json.loads(run("prove best.npz --wordlist list.txt --json").stdout)["optimal"] is True


def test_the_default_place_is_where_simulate_and_the_player_look(run, list22, words22):
    assert run("solve --length 5 --wordlist list.txt --device cpu --turns 5").exit_code == 0
    tree = read_checkpoint(f"checkpoints/lingo5-5-{words22.fingerprint[:12]}.npz")
    done = run("simulate --length 5 --wordlist list.txt --device cpu --json")
    assert json.loads(done.stdout)["mean_points"] == tree.mean_points
    assert json.loads(done.stdout)["strategy"] == "best"
    parts = run("simulate --length 5 --wordlist list.txt --device cpu --strategy parts --json")
    assert json.loads(parts.stdout)["mean_points"] <= tree.mean_points
    assert json.loads(parts.stdout)["strategy"] == "parts"


def test_a_checkpoint_of_another_number_of_turns_is_not_followed(run, list22):
    assert run("solve --length 5 --wordlist list.txt --device cpu --turns 4").exit_code == 0
    done = run("simulate --length 5 --wordlist list.txt --device cpu --turns 5 --json")
    assert json.loads(done.stdout)["strategy"] == "parts"


def test_the_time_of_a_search_counts_from_the_start_of_the_command(run, list22, monkeypatch):
    clock = [0.0]

    def late(*_):
        clock[0] += 60

    monkeypatch.setattr("gpulingo.cli.limits.clock", lambda: clock[0])
    monkeypatch.setattr("gpulingo.cli.solving.clock", lambda: clock[0])
    monkeypatch.setattr("gpulingo.cli.commands.solve.clock", lambda: clock[0])
    monkeypatch.setattr(
        "gpulingo.cli.solving.begin_with_stored", late
    )  # so long it took to read what is there
    for given, ended in (("50s", "time is up"), ("70s", "proven")):
        clock[0] = 0.0
        entry = json.loads(run(f"{SOLVE} --out {given}.npz --time {given} --json").stdout)
        assert (entry["ended"], entry["seconds"]) == (ended, 60.0)  # both by one clock
        assert read_checkpoint(f"{given}.npz").bound is not None


@pytest.mark.parametrize("turns", ["3", "4"])
def test_tuned_values_of_other_turns_or_damaged_ones_end_no_search(run, list22, words22, turns):
    line = "--length 5 --wordlist list.txt --device cpu"
    assert run(f"tune {line} --turns {turns} --iterations 0 --pools none").exit_code == 0
    done = run(f"solve {line} --turns 5 --json")
    assert (done.exit_code, json.loads(done.stdout)["ended"]) == (0, "proven")
    assert run(f"openings {line} --turns 5").exit_code == 0
    played = run(f"simulate {line} --strategy tuned --turns 5")
    assert (played.exit_code, played.stderr.count("\n")) == (2, 1)
    assert "--strategy: no tuned values for list.txt (lingo5-5-" in played.stderr
    (values,) = Path("checkpoints").glob("*.values.json")
    values = values.rename(values.with_name(values.name.replace(f"lingo{turns}", "lingo5")))
    values.write_text("{")
    done = run(f"solve {line} --turns 5 --json --out other.npz")
    assert (done.exit_code, json.loads(done.stdout)["ended"]) == (0, "proven")
    assert "ranking by points meanwhile" in done.stderr


def test_a_search_that_ends_before_its_first_bounds_says_so(run, list22):
    done = run("solve --length 5 --wordlist list.txt --device cpu --time 0s --out best.npz")
    assert done.exit_code == 0
    assert "ended before any opening was bounded: there is no certificate to prove" in done.stderr
    assert "--resume" not in done.stderr


@pytest.mark.parametrize("command", ["solve --out", "simulate --save", "simulate --per-word", "tune --out"])
@pytest.mark.parametrize("name", ["wordlist.txt", "wordlist5.txt"])
def test_the_list_that_is_read_is_never_written(refused, list22, command, name):
    list22.rename(name)
    before = Path(name).read_bytes()
    done = refused(f"{command} {name} --length 5 --device cpu", "")
    assert f"{name} would replace a file that is read" in done.stderr
    assert Path(name).read_bytes() == before


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("--width 5:50,2:3", "write turns left, 3 to 5, and guesses"),
        ("--width fifty", "write turns left"),
        ("--openings none", "--openings none, expected a whole number from 1, or all"),
        ("--time soon", "'soon' is not a time from 0s to 1000h"),
        ("--memory lots", "'lots' is not a size: use bytes or a suffix, for example 500M or 4G"),
        ("--gap -1", "is not a number of points"),
        ("--turns 2", "expected at least 3"),
        ("--resume", "--resume, but there is no best.npz: leave it out to begin"),
        ("--resume --fresh", "leave one of them out"),
        ("--device cuda:99", "device 'cuda:99'"),
    ],
)
def test_wrong_options_are_told_in_one_line(run, list22, options, told):
    done = run(f"solve --length 5 --wordlist list.txt --out best.npz {options}")
    assert done.exit_code == 2
    assert told in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_search_that_is_ended_goes_on_where_it_was(tmp_path, number):
    command = [sys.executable, "-m", "gpulingo", "solve", "--length", "4", "--out", "four.npz"]
    process = subprocess.Popen(
        command, cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
    )
    certificate = tmp_path / "four.bounds.npz"
    limit = time.monotonic() + 120
    while not certificate.exists() and time.monotonic() < limit:
        time.sleep(0.2)
    process.send_signal(number)
    told = process.communicate(timeout=60)[1]
    read_certificate(certificate, embedded().of_length(4))
    assert "Traceback" not in told
    done = subprocess.run(
        [*command, "--resume", "--time", "1s"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    tree = read_checkpoint(tmp_path / "four.npz")
    verify(tree, embedded().of_length(4))
    assert tree.bound >= tree.mean_points > 100

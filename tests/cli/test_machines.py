"""The option --ray: its forms, what it refuses, and the same rows as without it."""

import json
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
import typer

from gpulingo.cli.app import app_for
from gpulingo.cli.run import Run
from gpulingo.tuning.tuner import read_tuning

COMMANDS = typer.main.get_command(app_for()).commands
TAKING = [name for name, command in COMMANDS.items() if "ray" in {param.name for param in command.params}]
WAITING = """
import time

def choose(candidates, history):
    time.sleep(10**6)
"""


@pytest.fixture
def several(list22):
    """A list of words of 4, 5 and 6 letters."""
    list22.write_text(list22.read_text() + "bird\nbard\nbond\nband\nbanana\ncherry\ndamson\n")
    return list22


def without_times(text):
    """JSON lines without measured times."""
    entries = [json.loads(line) for line in text.splitlines()]
    return [{name: one for name, one in entry.items() if "seconds" not in name} for entry in entries]


@pytest.mark.parametrize("command", TAKING)
@pytest.mark.parametrize(
    ("words", "address"),
    [
        (["--ray"], ""),
        (["--ray", "--length", "5"], ""),
        (["--ray", "local"], "local"),
        (["--ray=head:6379", "--json"], "head:6379"),
        (["--json"], None),
    ],
)
def test_the_address_may_be_left_out(command, words, address):
    more = [] if "--length" in words else ["--length", "5"]
    assert COMMANDS[command].make_context(command, [*more, *words]).params["ray"] == address


@pytest.mark.parametrize("command", TAKING)
def test_a_missing_ray_is_a_failed_run_told_in_one_line(run, refused, list22, command, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    done = refused(f"{command} --length 5 --wordlist list.txt --ray local --device cpu", "", code=1)
    assert "a cluster needs ray, which is not installed: run " in done.stderr


def test_things_are_shown_in_order_as_soon_as_those_before_them_are():
    shown = []

    def work(bar):
        yield "b"
        assert shown == []
        yield "a"
        assert shown == ["a", "b"]
        yield "d"
        assert shown == ["a", "b"]

    assert [*Run("simulate").in_order(work, "letters", "abcd", str, shown.append)] == shown == ["a", "b", "d"]


@pytest.mark.slow
def test_rows_are_the_same_on_a_cluster(run, several, nodes):
    at = f"--ray {nodes.address}"
    line = "compare --wordlist list.txt --lengths 4-6 --device cpu --strategies parts,random --seed 3"
    alone, shared = run(f"{line} --json"), run(f"{line} --json --out a.jsonl {at}")
    assert (shared.exit_code, shared.stderr) == (0, "")
    assert without_times(shared.stdout) == without_times(alone.stdout)
    assert len(Path("a.jsonl").read_text().splitlines()) == 6
    again = run(f"compare --wordlist list.txt --lengths 4-6 --strategies parts --out a.jsonl --resume {at}")
    assert again.stderr == "gpulingo: a.jsonl: 3 of 3 results are there\n"
    line = "simulate --wordlist list.txt --lengths 6,4,5 --device cpu --strategy histogram"
    assert run(f"{line} --device cuda:1 {at}").exit_code == 2
    assert "no node of the cluster has a GPU" in run(f"{line} --device cuda {at}").stderr


@pytest.mark.slow
@pytest.mark.parametrize("ended", ["command", "agent"])
def test_the_end_of_a_command_or_of_its_cluster_is_told_and_results_stay(ray, several, ended):
    Path("waiting.py").write_text(WAITING)
    line = "compare --wordlist list.txt --lengths 4-6 --device cpu --strategies letters,waiting:choose"
    command = [sys.executable, "-m", "gpulingo", *line.split(), *"--json --out a.jsonl --ray local".split()]
    for _ in range(4):
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        if first := process.stdout.readline():
            break
        with process:  # ray 2.60 gives a node 30 s to start, too few on a busy machine
            assert "The current node timed out during startup" in process.stderr.read()
    with process:
        started = psutil.Process(process.pid).children(recursive=True)
        if ended == "command":
            process.terminate()
        for one in started:
            if ended == "agent" and one.name() == "raylet":
                one.kill()
        # `communicate` would skip lines that were read together with the first.
        out, err = process.stdout.read(), process.stderr.read()
    psutil.wait_procs(started)
    results = Path("a.jsonl").read_text().splitlines()
    assert {json.loads(one)["strategy"] for one in results} == {"letters"}
    own = [line for line in err.splitlines() if not line.startswith("[")]  # Ray reports when it is cut off
    told = f"interrupted after {len(results)} of 6 results; a.jsonl has them, --resume continues"
    if ended == "agent":
        told = "Ray has died on this machine (its raylet is gone): start the command again"
    assert (process.returncode, own) == (130 if ended == "command" else 1, [f"gpulingo: {told}"])
    shown = len((first + out).splitlines())
    assert shown == len(results) or (ended == "agent" and 1 <= shown <= len(results))


@pytest.fixture
def many(list22, random_words):
    """A list of 140 words of 4 letters: a search of it has many units."""
    list22.write_text("".join(f"{word}\n" for word in random_words(3, 140, 4, "abcdefghij")))
    return list22


@pytest.mark.slow
def test_a_cluster_finds_and_proves_what_one_process_does(run, many, nodes):
    line = "solve --length 4 --wordlist list.txt --turns 4 --fresh --device cpu --json --out"
    many = run(f"{line} ray.npz --ray {nodes.address}")
    assert many.exit_code == 0
    assert all(" s  " in line for line in many.stderr.splitlines())  # only progress
    one = run(f"{line} alone.npz")
    entries = [json.loads(done.stdout) for done in (many, one)]
    assert [entry["ended"] for entry in entries] == ["proven", "proven"]
    assert entries[0]["mean_points"] == entries[0]["bound"] == entries[1]["bound"]
    assert run("prove ray.npz --wordlist list.txt").exit_code == 0


@pytest.mark.slow
def test_when_the_time_is_up_what_was_found_is_written(run, many, nodes):
    line = "solve --length 4 --wordlist list.txt --fresh --device cpu --time 0 --out a.npz"
    done = run(f"{line} --ray {nodes.address}")
    assert done.exit_code == 0
    assert "time is up; a.npz" in done.stdout
    assert "ended before any opening was bounded" in done.stderr and Path("a.npz").exists()


@pytest.mark.slow
def test_on_a_cluster_each_length_is_tuned_to_the_same_bytes(run, several, nodes):
    line = "tune --wordlist list.txt --device cpu --turns 4 --iterations 5 --pools 4 --json --length 4,5"
    shared = run(f"{line} --ray {nodes.address}")
    assert (shared.exit_code, shared.stderr) == (0, "")
    files = {path: path.read_bytes() for path in sorted(Path("checkpoints").iterdir())}
    assert len(files) == 2
    alone = run(line)
    assert without_times(shared.stdout) == without_times(alone.stdout)
    assert {path: path.read_bytes() for path in sorted(Path("checkpoints").iterdir())} == files
    more = (
        "tune --wordlist list.txt --device cpu --turns 4 --pools none --length 5 --out a.json --resume w.json"
    )
    run(f"{more} --iterations 3")
    done = run(f"{more} --iterations 7 --ray {nodes.address}")
    assert done.exit_code == 0 and len(read_tuning("w.json").trials) == 8
    assert done.stdout.splitlines()[0] == "7 changes tried; those that were better:"

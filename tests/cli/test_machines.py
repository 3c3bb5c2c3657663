"""Tasks on a cluster, and the option --ray: what it refuses, and the same rows as without it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest
import typer

from gpulingo.bounds.checker import prove
from gpulingo.bounds.counting import proof_of
from gpulingo.cli.app import app_for
from gpulingo.cli.run import Run
from gpulingo.games.catalogue import lingo
from gpulingo.machines.ray_tasks import QUIET, ClusterError, Task, connected
from gpulingo.machines.searches import run_on_nodes
from gpulingo.optimise.solver import Solver
from gpulingo.tensors.clock import TimeIsUp
from gpulingo.tuning.tuner import read_tuning
from gpulingo.words.wordlist import WordList

COMMANDS = typer.main.get_command(app_for()).commands
TAKING = [name for name, command in COMMANDS.items() if "ray" in {param.name for param in command.params}]
# Options of a node on this machine.
NODE = {"num_cpus": 1, "num_gpus": 0, "object_store_memory": 80 << 20}
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
    assert done.stderr.endswith("-m pip install 'gpulingo[ray]'\n")


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


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    """The module ray, with a folder whose name is short enough for its sockets."""
    module = pytest.importorskip("ray", reason="Ray is not installed: pip install 'gpulingo[ray]'")
    # ray 2.60.0 has a niceness of 15: tasks would wait for other tests.
    names = {**QUIET, "RAY_worker_niceness": "0"}
    with tempfile.TemporaryDirectory(prefix="g", dir="/tmp", ignore_cleanup_errors=True) as folder:
        with pytest.MonkeyPatch.context() as patch:
            for name, value in {**names, "RAY_TMPDIR": folder}.items():
                patch.setenv(name, value)
            patch.delenv("RAY_ADDRESS", raising=False)
            yield module


@pytest.fixture(scope="module")
def cluster(ray: Any) -> Iterator[Any]:
    """A cluster for all tests that need one, as it takes seconds to start."""
    from ray.cluster_utils import Cluster

    cluster = Cluster()
    try:
        cluster.add_node(**NODE, include_dashboard=False)  # the first is the head
        yield cluster
    finally:
        cluster.shutdown()


@pytest.fixture
def nodes(ray: Any, cluster: Any) -> Iterator[Any]:
    """A cluster of two nodes; `address` is its head's. A test may remove the second."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        if not cluster.worker_nodes:
            cluster.add_node(**NODE)
        yield cluster
    finally:
        ray.shutdown()
        for number, handler in before.items():  # Ray installs a handler of SIGTERM
            signal.signal(number, handler)


@pytest.mark.slow
def test_results_come_as_they_are_done_and_what_is_kept_goes_to_every_node(nodes, ray, capfd):
    def fails(error):
        raise error

    words = [f"word{number}" for number in range(1000)]
    with connected(nodes.address) as cluster:
        kept = cluster.keep(words)
        assert (cluster.cores, cluster.gpus) == (2, 0)
        tasks = ((number, Task(lambda of, at: (of[at], os.getpid()), (kept, number))) for number in range(50))
        results = dict(cluster.results(tasks))
        for error in (ValueError("mend it"), MemoryError("no room"), LookupError("zzzzz")):  # is raised here
            with pytest.raises(type(error), match=str(error)):
                list(cluster.results([(0, Task(fails, (error,)))]))
        missing = ModuleNotFoundError("No module named 'mine'", name="mine")
        with pytest.raises(ClusterError, match="a node of the cluster has no module mine: install"):
            list(cluster.results([(0, Task(fails, (missing,)))]))
    assert {number: word for number, (word, _) in results.items()} == dict(enumerate(words[:50]))
    assert os.getpid() not in {process for _, process in results.values()}
    assert not ray.is_initialized()
    assert capfd.readouterr() == ("", "")


@pytest.mark.slow
def test_an_end_in_the_middle_ends_the_tasks_too(nodes, tmp_path):
    def waits(folder, number):
        Path(folder, str(number)).write_text(str(os.getpid()))
        Path(folder, str(number)).rename(Path(folder, f"begun-{number}"))
        while True:
            time.sleep(0.01)

    def interrupted():
        if len(list(tmp_path.glob("begun-*"))) == 2:
            raise KeyboardInterrupt

    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt), connected(nodes.address) as cluster:
        assert signal.getsignal(signal.SIGTERM) == before
        tasks = ((number, Task(waits, (str(tmp_path), number))) for number in range(99))
        list(cluster.results(tasks, interrupted))
    processes = [int(path.read_text()) for path in tmp_path.glob("begun-*")]
    while any(Path(f"/proc/{process}").exists() for process in processes):
        time.sleep(0.01)


@pytest.mark.slow
def test_a_cluster_of_another_version_of_ray_is_told_in_one_line(nodes, ray, monkeypatch, capfd):
    monkeypatch.setattr(ray, "__version__", "0.0.1")
    fault = r"cannot join the Ray cluster at .*: Version mismatch.*0\.0\.1"
    with pytest.raises(ClusterError, match=fault) as told, connected(nodes.address):
        pass
    assert "\n" not in str(told.value)
    assert capfd.readouterr() == ("", "")


@pytest.fixture
def many(list22, random_words):
    """A list of 140 words of 4 letters, also in a file: a search of it has many units."""
    words = WordList("random", random_words(3, 140, 4, "abcdefghij"))
    list22.write_text("".join(f"{word}\n" for word in words.words))
    return words


@pytest.mark.slow
def test_a_cluster_proves_what_one_process_proves_after_it_was_cut_short(nodes, many):
    solver, alone = Solver(many, lingo(4)), Solver(many, lingo(4))
    alone.run(lambda: None)
    merged, merge = [0], solver.merge

    def counted(*result):
        merge(*result)
        merged[0] += 1

    def stop():
        if merged[0] >= 2:
            raise TimeIsUp

    solver.merge = counted
    with connected(nodes.address) as cluster:
        executor = partial(run_on_nodes, cluster, "cpu")
        assert not solver.run(stop, executor=executor)
        assert merged[0] >= 2 and solver.value <= alone.value <= solver.bound
        assert solver.run(lambda: None, executor=executor)
    assert solver.value == solver.bound == alone.value
    proof = proof_of(many, solver.state.bounds, None, solver.value)
    assert list(prove(solver.problem.table, proof))[-1] == len(many)


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
def test_a_cluster_finds_and_proves_what_one_process_does(run, many, nodes):
    line = "solve --length 4 --wordlist list.txt --turns 4 --fresh --device cpu --json --out"
    shared = run(f"{line} ray.npz --ray {nodes.address}")
    assert shared.exit_code == 0
    assert all(" s  " in line for line in shared.stderr.splitlines())  # only progress
    one = run(f"{line} alone.npz")
    entries = [json.loads(done.stdout) for done in (shared, one)]
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
    more = "tune --wordlist list.txt --device cpu --turns 4 --pools none --length 5"
    more += " --out a.json --resume w.json"
    run(f"{more} --iterations 3")
    done = run(f"{more} --iterations 7 --ray {nodes.address}")
    assert done.exit_code == 0 and len(read_tuning("w.json").trials) == 8
    assert done.stdout.splitlines()[0] == "7 changes tried; those that were better:"


@pytest.mark.slow  # and late: another node would take seconds to start
def test_a_node_that_is_taken_away_in_the_middle_costs_nothing_but_time(nodes, ray, tmp_path, capfd):
    (second,) = nodes.worker_nodes
    lost = second.node_id

    def waits(folder, number):  # until the second node is lost, and on that node for ever
        node = ray.get_runtime_context().get_node_id()
        Path(folder, f"{number}-{node}").touch()
        while node == lost or not Path(folder, "gone").exists():
            time.sleep(0.01)
        return number * number

    def take_away():
        if not (tmp_path / "gone").exists() and list(tmp_path.glob(f"*-{lost}")):
            nodes.remove_node(second, allow_graceful=False)
            (tmp_path / "gone").touch()

    with connected(nodes.address) as cluster:
        tasks = ((number, Task(waits, (str(tmp_path), number))) for number in range(12))
        results = dict(cluster.results(tasks, take_away))
    assert results == {number: number * number for number in range(12)}
    assert list(tmp_path.glob(f"*-{lost}"))
    assert capfd.readouterr() == ("", "")


@pytest.mark.slow
@pytest.mark.parametrize("ended", ["command", "agent"])
def test_the_end_of_a_command_or_of_its_cluster_is_told_and_results_stay(cluster, several, ended):
    """With its agent the cluster of these tests ends too."""
    Path("waiting.py").write_text(WAITING)
    line = "compare --wordlist list.txt --lengths 4-6 --device cpu --strategies letters,waiting:choose"
    command = [sys.executable, "-m", "gpulingo", *line.split(), *"--json --out a.jsonl --ray".split()]
    command.append("local" if ended == "command" else cluster.address)
    for _ in range(4):
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        # Ray does not keep the order of tasks: one that waits for ever may take the core before the first.
        late = threading.Timer(60, process.kill)
        late.start()
        first = process.stdout.readline()
        late.cancel()
        if first:
            break
        with process:  # ray 2.60 gives a node 30 s to start, too few on a busy machine
            said = process.stderr.read()
            assert process.wait() == -signal.SIGKILL or "The current node timed out during startup" in said
        Path("a.jsonl").unlink(missing_ok=True)
    with process:
        if ended == "command":
            started = psutil.Process(process.pid).children(recursive=True)
            process.terminate()
        else:
            started = [own for own in psutil.Process().children(recursive=True) if own.name() == "raylet"]
            for one in started:
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

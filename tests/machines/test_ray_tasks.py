"""Tasks on a cluster: results, errors, a node that is lost during work, and no cluster."""

import os
import signal
import socket
import sys
import time
from pathlib import Path

import pytest

from gpulingo.bounds.checker import prove
from gpulingo.bounds.counting import proof_of
from gpulingo.games.catalogue import lingo
from gpulingo.machines.plays import Place, played
from gpulingo.machines.ray_tasks import AddressError, ClusterError, Task, connected
from gpulingo.machines.searches import Nodes, Searched, workspace_of
from gpulingo.optimise.solver import Solver
from gpulingo.report.results import processor
from gpulingo.strategies.build import simulate
from gpulingo.strategies.registry import named
from gpulingo.tensors.clock import TimeIsUp
from gpulingo.words.wordlist import WordList


def test_an_address_of_the_environment_is_refused_by_its_name(monkeypatch):
    monkeypatch.setenv("RAY_ADDRESS", "nowhere")
    with pytest.raises(AddressError, match=r"^RAY_ADDRESS: 'nowhere' is no address"), connected():
        pass


def test_nobody_at_the_address_is_told_at_once_in_one_line():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))  # and nobody listens
        address = f"127.0.0.1:{listener.getsockname()[1]}"
        with pytest.raises(ClusterError) as told, connected(address):
            pass
    said = "; ".join(str(told.value).splitlines())
    assert said.startswith(f"no Ray cluster at {address} (Connection refused): start one with `ray start")


def test_a_missing_ray_is_told_with_the_command_that_installs_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ClusterError) as told, connected("local"):
        pass
    assert "a cluster needs ray, which is not installed: run " in str(told.value)
    assert str(told.value).endswith("-m pip install 'gpulingo[ray]'")


@pytest.mark.slow
def test_results_come_as_they_are_done_and_what_is_kept_goes_to_every_node(nodes, ray, capfd):
    words = [f"word{number}" for number in range(1000)]
    with connected(nodes.address) as cluster:
        kept = cluster.keep(words)
        assert (cluster.cores, cluster.gpus) == (2, 0)
        tasks = ((number, Task(lambda of, at: (of[at], os.getpid()), (kept, number))) for number in range(50))
        results = dict(cluster.results(tasks))
    assert {number: word for number, (word, _) in results.items()} == dict(enumerate(words[:50]))
    assert os.getpid() not in {process for _, process in results.values()}
    assert not ray.is_initialized()
    assert capfd.readouterr() == ("", "")


@pytest.mark.slow
def test_what_a_task_raises_is_raised_here(nodes):
    def fails(error):
        raise error

    with connected(nodes.address) as cluster:
        for error in (ValueError("mend it"), MemoryError("no room"), LookupError("zzzzz")):
            with pytest.raises(type(error), match=str(error)):
                list(cluster.results([(0, Task(fails, (error,)))]))
        missing = ModuleNotFoundError("No module named 'mine'", name="mine")
        with pytest.raises(ClusterError, match="a node of the cluster has no module mine: install"):
            list(cluster.results([(0, Task(fails, (missing,)))]))


@pytest.mark.slow
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
        list(
            cluster.results(
                ((number, Task(waits, (str(tmp_path), number))) for number in range(99)), interrupted
            )
        )
    processes = [int(path.read_text()) for path in tmp_path.glob("begun-*")]
    while any(Path(f"/proc/{process}").exists() for process in processes):
        time.sleep(0.01)


@pytest.mark.slow
def test_a_cluster_of_another_version_of_ray_is_told_in_one_line(nodes, ray, monkeypatch, capfd):
    monkeypatch.setattr(ray, "__version__", "0.0.1")
    with pytest.raises(
        ClusterError, match=r"cannot join the Ray cluster at .*: Version mismatch.*0\.0\.1"
    ) as told:
        with connected(nodes.address):
            pass
    assert "\n" not in str(told.value)
    assert capfd.readouterr() == ("", "")


def test_what_a_task_returns_is_the_play_and_the_processor_of_its_node(words22):
    build, device, name = played(words22, named("letters"), lingo(), None, "cpu")
    assert (str(device), name, build.processor) == ("cpu", "letters", processor("cpu"))
    assert build.tree == simulate(words22, "letters").tree


@pytest.fixture
def words(random_words):
    """140 words of 4 letters."""
    return WordList("random", random_words(3, 140, 4, "abcdefghij"))


def test_a_process_keeps_its_workspace_for_the_same_search_only(words):
    problem = Solver(words, lingo(4)).problem
    searched, again, other = (Searched(name, problem, "cpu") for name in ("one", "one", "two"))
    assert workspace_of(again) is workspace_of(searched)
    assert workspace_of(other) is not workspace_of(again)


@pytest.mark.slow
def test_a_cluster_proves_what_one_process_proves_after_it_was_cut_short(nodes, words):
    solver, alone = Solver(words, lingo(4)), Solver(words, lingo(4))
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
        executor = Nodes(cluster, Place("cpu", 0))
        assert not solver.run(stop, executor=executor)
        assert merged[0] >= 2 and solver.value <= alone.value <= solver.bound
        assert solver.run(lambda: None, executor=executor)
    assert solver.value == solver.bound == alone.value
    proof = proof_of(words, solver.state.bounds, None, solver.value)
    assert list(prove(solver.problem.table, proof))[-1] == len(words)

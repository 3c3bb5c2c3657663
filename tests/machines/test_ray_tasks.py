"""Tasks on a cluster: their results, their errors, a node that goes in the middle, and no cluster at all."""

import importlib.util
import os
import signal
import socket
import sys
import time
from pathlib import Path

import pytest

from gpulingo.machines.ray_tasks import (
    AddressError,
    ClusterError,
    Task,
    called,
    checked_address,
    connected,
    one_line,
)
from gpulingo.storage.printed import version


@pytest.mark.parametrize("address", ["", "local", "auto", "10.0.0.1:6379", "head.lab:1", "[::1]:65535"])
def test_an_address_is_that_of_a_head_or_a_word_for_one(address):
    assert checked_address(address) == address


@pytest.mark.parametrize(
    "address", ["hello", "head:", ":6379", "head:0", "head:65536", "ray://head:10001", "a b:1", "head:6379 "]
)
def test_another_address_is_refused(address):
    with pytest.raises(AddressError, match="is no address of a cluster: give HOST:PORT"):
        checked_address(address)


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


def test_a_node_of_another_version_refuses_to_work():
    assert called(version(), pow, 2, 5) == 32
    with pytest.raises(ClusterError, match=f"has gpulingo {version()}, this machine 9.9: install the same"):
        called("9.9", pow, 2, 5)


def test_an_error_of_many_lines_becomes_one():
    assert one_line(RuntimeError("\x1b[36mone\n  two\x1b[39m\n\nmore")) == "one two"
    assert one_line(RuntimeError()) == "RuntimeError"


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

    def waits(folder, number):  # until the second node is gone, and on that one for ever
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


@pytest.mark.slow
def test_importing_gpulingo_and_what_wraps_ray_imports_no_ray():
    if importlib.util.find_spec("ray") is None:
        pytest.skip("Ray is not installed: pip install 'gpulingo[ray]'")
    from subprocess import run

    code = "import sys, gpulingo.cli, gpulingo.machines.ray_tasks; print('ray' in sys.modules)"
    done = run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"

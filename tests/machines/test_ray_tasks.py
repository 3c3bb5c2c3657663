"""Tasks of a cluster in this process, and no cluster; tests/cli/test_machines.py has those on nodes."""

import socket

import pytest

from gpulingo.games.catalogue import lingo
from gpulingo.machines.plays import played
from gpulingo.machines.ray_tasks import AddressError, ClusterError, connected
from gpulingo.machines.searches import Searched, workspace_of
from gpulingo.optimise.solver import Solver
from gpulingo.report.results import processor
from gpulingo.strategies.build import simulate
from gpulingo.strategies.registry import named


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


def test_what_a_task_returns_is_the_play_and_the_processor_of_its_node(words22):
    build, device, name = played(words22, named("letters"), lingo(), None, "cpu")
    assert (str(device), name, build.processor) == ("cpu", "letters", processor("cpu"))
    assert build.tree == simulate(words22, "letters").tree


def test_a_process_keeps_its_workspace_for_the_same_search_only(words22):
    problem = Solver(words22, lingo(4)).problem
    searched, again, other = (Searched(name, problem, "cpu") for name in ("one", "one", "two"))
    assert workspace_of(again) is workspace_of(searched)
    assert workspace_of(other) is not workspace_of(again)

"""Where the tasks of plays compute."""

from dataclasses import dataclass

import pytest

from gpulingo.games.catalogue import lingo
from gpulingo.machines.plays import Place, place_of, played
from gpulingo.report.results import processor
from gpulingo.strategies.build import simulate
from gpulingo.strategies.registry import named
from gpulingo.tensors.device import DeviceError


@dataclass
class Gpus:
    """All that is asked of a cluster."""

    gpus: int


@pytest.mark.parametrize(
    ("device", "gpus", "place"),
    [
        ("auto", 0, Place("cpu", 0)),
        ("auto", 2, Place("cuda", 1)),
        ("cpu", 2, Place("cpu", 0)),
        ("cuda", 1, Place("cuda", 1)),
    ],
)
def test_tasks_compute_on_gpus_where_the_cluster_has_any(device, gpus, place):
    assert place_of(device, Gpus(gpus)) == place


@pytest.mark.parametrize(
    ("device", "gpus", "said"),
    [
        ("cuda", 0, "no node of the cluster has a GPU: use cpu"),
        ("cuda:1", 2, "whose nodes share their GPUs out: use cuda"),
        ("tpu", 2, "use auto, cpu, cuda"),
    ],
)
def test_another_device_is_refused(device, gpus, said):
    with pytest.raises(DeviceError, match=said):
        place_of(device, Gpus(gpus))


def test_what_a_task_returns_is_the_play_and_the_processor_of_its_node(words22):
    build, device, name = played(words22, named("letters"), lingo(), None, "cpu")
    assert (str(device), name, build.processor) == ("cpu", "letters", processor("cpu"))
    assert build.tree == simulate(words22, "letters").tree

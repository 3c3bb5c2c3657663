"""Units of a search as tasks: as many at a time as the cluster has cores, each result merged as it comes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from uuid import uuid4

from gpulingo.machines.ray_tasks import Cluster, Task
from gpulingo.optimise.solver import Solver
from gpulingo.optimise.state import Problem, Stages, State
from gpulingo.optimise.units import Found, UnitWorkspace, WorkUnit
from gpulingo.tensors.clock import clock


@dataclass(frozen=True)
class Searched:
    """Problem of a search as sent to a node, with a name by which a process recognises it."""

    name: str
    problem: Problem = field(compare=False)
    device: str = field(compare=False)


@lru_cache(maxsize=1)  # a process runs many units of one search, one after the other
def workspace_of(searched: Searched) -> UnitWorkspace:
    """Return the workspace that a process of a node reuses from unit to unit."""
    problem = replace(searched.problem, table=searched.problem.table.to(searched.device))
    return UnitWorkspace(problem, State(Stages([])), lambda pairs: None)


def worked_out(searched: Searched, unit: WorkUnit) -> tuple[Found, float]:
    """Return the result of a unit on this node, with the bounds of its openings, and its seconds."""
    at = workspace_of(searched)
    began = clock()
    result = unit.run(at)
    evidence = at.evidence_of(unit.openings) if unit.bounds else None
    return replace(result, evidence=evidence), clock() - began


def run_on_nodes(cluster: Cluster, device: str, solver: Solver) -> None:
    """Run the units of a search on the nodes of a cluster, on a device there, until it has no more.

    Raises:
        ClusterError: the cluster could not do it.
    """
    problem = replace(solver.problem, table=solver.problem.table.to("cpu"))
    kept = cluster.keep(Searched(uuid4().hex, problem, device))
    waiting = False  # for a result, before which no unit can begin

    def tasks() -> Iterator[tuple[WorkUnit, Task] | None]:
        nonlocal waiting
        while True:
            unit = None if waiting else solver.next_unit()
            waiting = unit is None
            yield None if unit is None else (unit, Task(worked_out, (kept, unit), device))

    for unit, (result, seconds) in cluster.results(tasks(), solver.check, ahead=1):
        solver.merge(unit, result, seconds)
        waiting = False

"""State of a search, as a file to resume from; its certificate is part of it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gpulingo.bounds.arrays import Arrays, CertificateError, lists_as_arrays, read_arrays, write_arrays
from gpulingo.bounds.certificate import Certificate, certificate_arrays, parsed_certificate
from gpulingo.bounds.state import BoundState
from gpulingo.bounds.supersets import Constraints
from gpulingo.search.resume_checks import (
    Steps,
    checked_classes,
    checked_counts,
    checked_incumbent,
    checked_larger,
    checked_largest,
    checked_steps,
    most_bytes,
)
from gpulingo.search.solver import Solver
from gpulingo.search.stages import Stage, Stages
from gpulingo.search.state import Problem, SolverState
from gpulingo.trees.checkpoint import SHORT, tree_bytes


def write_work(path: str | os.PathLike[str], solver: Solver) -> None:
    """Write what a search knows; before its first bounds there is nothing to write.

    Raises:
        OSError: the file cannot be written.
    """
    if solver.state.bounds is not None:
        write_arrays(path, work_arrays(solver.problem, solver.state, solver.state.bounds))


def work_arrays(problem: Problem, state: SolverState, bounds: BoundState) -> Arrays:
    """Return the state of a search as named arrays; the twin of `parsed_work`."""
    fingerprint, evaluated = problem.wordlist.fingerprint, bounds.evidence.evaluated.items()
    arrays: Arrays = certificate_arrays(Certificate(fingerprint, problem.game, bounds.expanded))
    arrays["of_list"] = bounds.classes.cpu().numpy()
    two = {opening: counts.two.cpu().numpy() for opening, counts in evaluated}
    three = {opening: counts.three.cpu().numpy() for opening, counts in evaluated if counts.three is not None}
    arrays |= lists_as_arrays("seen", two) | lists_as_arrays("three", three)
    counted = {opening: two.cpu().numpy() for opening, two in bounds.evidence.counted.items()}
    arrays |= lists_as_arrays("counted", counted)
    arrays["larger_found"] = np.array(list(bounds.supersets.two.values()), dtype=np.int64)
    tree = b"" if state.incumbent.tree is None else tree_bytes(state.incumbent.tree)
    arrays["tree"] = np.frombuffer(tree, dtype=np.uint8)
    arrays["doubled"] = _rows(sorted(state.doubled.items()), 2)
    stages = state.stages
    arrays["played"] = _rows(
        [(number, *entry) for number, played in enumerate(stages.played) for entry in played.items()], 3
    )
    arrays["plan"] = _rows(
        [(number, *pair) for number, stage in enumerate(stages.plan) for pair in stage.widths.items()], 3
    )
    exact = -1 if state.exact is None else int(state.exact)
    arrays["exact"] = np.array([exact, int(state.by_classes)])
    arrays["value"], arrays["seconds"] = np.array([state.incumbent.value]), np.array(state.seconds)
    return arrays


def _rows(rows: Sequence[tuple[int, ...]], columns: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Return rows of numbers as an array, of shape [0, columns] without rows."""
    return np.array(rows, dtype=np.int64).reshape(-1, columns)


class OtherWorkError(CertificateError):
    """The work is of another list or number of turns."""


def read_work(path: str | os.PathLike[str], problem: Problem, plan: Sequence[Stage]) -> SolverState:
    """Read the state of an earlier search of the same list and game.

    Args:
        path: of the file.
        problem: that is searched now.
        plan: the stages of the search; they may be others than those of the earlier one.
    Raises:
        OtherWorkError: of another list or number of turns.
        CertificateError: no such file, or damaged.
    """
    arrays = read_arrays(path, most_bytes(len(problem.wordlist)))
    name = os.fspath(path)
    try:
        certificate = parsed_certificate(arrays)
        if (certificate.fingerprint, certificate.game) != (problem.wordlist.fingerprint, problem.game):
            theirs, ours = (
                f"list {each.fingerprint[:SHORT]}, {game.name} of {game.turns} turns"
                for each, game in ((certificate, certificate.game), (problem.wordlist, problem.game))
            )
            raise OtherWorkError(
                f"{name} is for {theirs}, this search for {ours}: search again or name another --out"
            )
        return parsed_work(arrays, certificate, problem, plan)
    except (KeyError, IndexError) as error:
        raise CertificateError(f"{name} lacks {error}: it is no work file of `gpulingo solve`") from None
    except CertificateError:
        raise
    except ValueError as error:
        raise CertificateError(f"{name} {error}: remove it and search again") from None


def parsed_work(
    arrays: Arrays, certificate: Certificate, problem: Problem, plan: Sequence[Stage]
) -> SolverState:
    """Return the state of a search from its arrays.

    Raises:
        ValueError: they are not what `work_arrays` makes.
        KeyError: one is missing.
    """
    words, table = len(problem.wordlist), problem.table.to("cpu")
    if len(certificate.bounds) != words:
        raise ValueError(f"has {len(certificate.bounds)} words, its list {words}")
    steps = checked_steps(arrays, words, certificate.turns)
    incumbent = checked_incumbent(arrays, certificate, problem.wordlist, problem.game)
    classes = checked_counts(arrays, certificate, table)
    evaluated = checked_classes(arrays, certificate, table)
    counted = checked_largest(arrays, certificate, table, classes)
    evidence = replace(certificate.evidence, evaluated=evaluated, counted=counted)
    two = checked_larger(arrays, certificate, Constraints(table))
    bounds = BoundState(problem.table, problem.game, classes, evidence, two=two, memory=problem.counts_memory)
    stages = Stages(plan, played_before(plan, steps))
    known = (steps.doubled, steps.exact, steps.by_classes, steps.seconds)
    return SolverState(stages, incumbent, bounds, *known)


def played_before(plan: Sequence[Stage], steps: Steps) -> list[dict[int, int]]:
    """Return for each stage the openings that some stage of an earlier search rolled out as widely."""
    widths: dict[int, dict[int, int]] = {number: {} for number, *_ in steps.played}
    for number, left, guesses in steps.plan:
        widths.setdefault(number, {})[left] = guesses
    return [
        {opening: value for number, opening, value in steps.played if widths[number] == dict(stage.widths)}
        for stage in plan
    ]
